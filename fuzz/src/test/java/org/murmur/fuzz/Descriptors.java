package org.murmur.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.DescriptorException;
import org.murmur.coins.keys.KeyNetwork;

/** An output descriptor, as a user pastes it. */
public final class Descriptors {

  private Descriptors() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    String text = new String(input, StandardCharsets.UTF_8);
    for (KeyNetwork network : KeyNetwork.values()) {
      Descriptor[] parsed = new Descriptor[1];
      try {
        Check.frugally(input.length, () -> parsed[0] = Descriptor.parse(text, network));
      } catch (DescriptorException e) {
        Check.that(e.getMessage() != null, "a refusal without a word");
        continue;
      }
      Descriptor descriptor = parsed[0];
      Descriptor again = Descriptor.parse(descriptor.canonical(), network);
      Check.equal(again.canonical(), descriptor.canonical(), "canonical form");
      Check.equal(again, descriptor, "parsed again");
      List<Descriptor> single = descriptor.expand();
      Check.that(!single.isEmpty(), "expands to nothing");
      for (Descriptor one : single) {
        Check.equal(
            Descriptor.parse(one.canonical(), network).canonical(), one.canonical(), "expanded");
        Check.that(one.derive(0).scriptPubKey().length() > 0, "an empty script");
      }
    }
  }
}
