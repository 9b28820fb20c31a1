package org.murmur.regtest.lies;

import java.util.BitSet;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.FilteredBlock;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/**
 * Leaves transactions out of filtered blocks, of the mempool's answer and of relay, although they
 * match; the proofs of the others are valid. Besides the named ones it omits a share of all others,
 * the same ones every time: 0 for none, 1 for all.
 */
public record Omits(Set<Hash256> txids, double share) implements Lie {

  public Omits {
    txids = Set.copyOf(txids);
  }

  public Omits(Hash256 txid) {
    this(Set.of(txid), 0);
  }

  public Omits(double share) {
    this(Set.of(), share);
  }

  @Override
  public Mask mask(Chain chain, long seed) {
    return new Mask() {
      @Override
      public FilteredBlock serves(FilteredBlock block) {
        BitSet left = (BitSet) block.proven().clone();
        block.proven().stream().filter(i -> omits(block.block().txid(i))).forEach(left::clear);
        return left.equals(block.proven()) ? block : block.proving(left);
      }

      @Override
      public boolean shows(Tx tx) {
        return !omits(tx.txid());
      }

      private boolean omits(Hash256 txid) {
        return txids.contains(txid) || (share > 0 && Dice.share(seed, txid) < share);
      }
    };
  }
}
