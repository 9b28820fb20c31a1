package org.murmur.testbed.world.chain;

import java.util.HashSet;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.regtest.chain.Chain;

/** The transactions that the blocks of a chain hold above a height. */
final class ConfirmedTxids {

  private final Chain chain;
  private final int above;
  private final Set<Hash256> txids = new HashSet<>();
  private Hash256 asOf = Hash256.ZERO;

  ConfirmedTxids(Chain chain, int above) {
    this.chain = chain;
    this.above = above;
  }

  /** Whether a block of the chain as it is now holds a transaction. */
  boolean contains(Hash256 txid) {
    Hash256 tip = chain.tip().hash();
    if (!tip.equals(asOf)) {
      boolean follows = chain.tip().previous().equals(asOf);
      if (!follows) {
        txids.clear();
      }
      for (int i = follows ? chain.height() : above + 1; i <= chain.height(); i++) {
        txids.addAll(chain.blockAt(i).txids());
      }
      asOf = tip;
    }
    return txids.contains(txid);
  }
}
