package org.murmur.p2p.internal.cover;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;

/** Finds the wallet's elements in transactions, by the data itself, for every scan method. */
public final class Recognition {

  /** Takes the elements of the log that a transaction contains. */
  public interface Hits {

    /**
     * An element is in the transaction.
     *
     * @param index the first element of the log with this data
     * @param spent whether it is an outpoint that the transaction spends; a script can also contain
     *     one
     */
    void hit(int index, boolean spent);
  }

  private Recognition() {}

  /**
   * Finds the elements of a transaction in the log.
   *
   * @param hits takes each element found, in the order of the transaction
   */
  public static void find(Tx tx, WatchedLog log, Hits hits) {
    Set<Bytes> spent = spent(tx);
    TxElements.forEach(
        tx,
        data -> {
          int index = log.indexOf(data);
          if (index >= 0) {
            hits.hit(index, spent.contains(data));
          }
        });
  }

  /**
   * Finds the wallet's transactions in a whole block.
   *
   * @return their positions, without those whose Merkle proof would be invalid
   */
  public static BitSet ours(List<Tx> block, WatchedLog log) {
    BitSet ours = new BitSet();
    for (int i = 0; i < block.size(); i++) {
      int position = i;
      if (MerkleBlock.provable(block.get(i))) {
        find(block.get(i), log, (index, spent) -> ours.set(position));
      }
    }
    return ours;
  }

  /** Returns the outpoints that a transaction spends, as elements. */
  public static Set<Bytes> spent(Tx tx) {
    Set<Bytes> spent = new HashSet<>();
    tx.inputs().forEach(input -> spent.add(input.outPoint().toBytes()));
    return spent;
  }
}
