package org.murmur.regtest.lies;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;

/** Leaves scripts out of compact filters, wherever they are paid or spent. */
public record OmitsScripts(Set<Bytes> omitted) implements FalseScripts {

  public OmitsScripts {
    omitted = Set.copyOf(omitted);
  }

  @Override
  public void change(Set<Bytes> scripts, Set<Bytes> paid, Dice dice) {
    scripts.removeAll(omitted);
  }
}
