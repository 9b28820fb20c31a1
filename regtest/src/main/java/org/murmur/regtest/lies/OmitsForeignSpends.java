package org.murmur.regtest.lies;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;

/**
 * Leaves spent scripts out of compact filters, except those that the block pays as well and those
 * of a wallet. The block alone does not show it.
 */
public record OmitsForeignSpends(Set<Bytes> wallet) implements FalseScripts {

  public OmitsForeignSpends {
    wallet = Set.copyOf(wallet);
  }

  @Override
  public void change(Set<Bytes> scripts, Set<Bytes> paid, Dice dice) {
    scripts.removeIf(script -> !paid.contains(script) && !wallet.contains(script));
  }
}
