package org.murmur.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.DescriptorException;
import org.murmur.coins.keys.ExtendedKey;
import org.murmur.coins.keys.InvalidMnemonicException;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.WatchTarget;

/** Addresses, extended keys, mnemonics, and whatever a user may want watched. */
public final class KeyTexts {

  /** Looking through 2,048 words for what a misspelt one may mean costs as much as these bytes. */
  private static final int SUGGESTING = 16_384;

  private static final List<KeyNetwork> NETWORKS = List.of(KeyNetwork.values());

  private KeyTexts() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    int which = input[0];
    KeyNetwork network = NETWORKS.get((which >> 2 & 0xf) % NETWORKS.size());
    String text = new String(Arrays.copyOfRange(input, 1, input.length), StandardCharsets.UTF_8);
    Check.frugally(
        input.length + SUGGESTING,
        () -> {
          switch (which & 3) {
            case 0 -> address(text, network);
            case 1 -> extendedKey(text, network);
            case 2 -> mnemonic(text);
            default -> watched(text, network);
          }
        });
  }

  private static void address(String text, KeyNetwork network) {
    Address address;
    try {
      address = Address.parse(text, network);
    } catch (AddressException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
      return;
    }
    String written = Address.of(address.scriptPubKey(), network).orElseThrow();
    Address again = Address.parse(written, network);
    Check.equal(again.scriptPubKey(), address.scriptPubKey(), "script of " + written);
    Check.equal(again.element(), address.element(), "element of " + written);
  }

  private static void extendedKey(String text, KeyNetwork network) {
    ExtendedKey key;
    try {
      key = ExtendedKey.parse(text, network);
    } catch (DescriptorException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
      return;
    }
    Check.equal(ExtendedKey.parse(key.text(), network), key, "written and read again");
    Check.equal(Optional.of(key.publicKey().length()), Optional.of(33), "length of the key");
  }

  private static void mnemonic(String text) {
    Mnemonic words;
    try {
      words = Mnemonic.parse(text);
    } catch (InvalidMnemonicException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
      return;
    }
    Check.equal(Mnemonic.parse(words.text()), words, "written and read again");
  }

  private static void watched(String text, KeyNetwork network) {
    try {
      WatchTarget target = WatchTarget.parse(text, network);
      Check.that(!target.descriptors().isEmpty(), "nothing to watch");
    } catch (DescriptorException | AddressException e) {
      Check.that(e.getMessage() != null, "a refusal without a word");
    }
  }
}
