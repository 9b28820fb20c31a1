package org.murmur.p2p.cover;

import java.util.BitSet;
import org.murmur.bip37.FilterRole;

/** Which elements of the log a filter holds. */
public sealed interface Content {

  /**
   * Returns whether it holds an element.
   *
   * @param index the element's index in the log
   * @return true if it does
   */
  boolean holds(int index);

  /**
   * Returns how many elements of the log it holds.
   *
   * @return 0 or more
   */
  int size();

  /**
   * The first elements of the log: the filter of the fast preset.
   *
   * @param size how many
   */
  record Prefix(int size) implements Content {
    @Override
    public boolean holds(int index) {
      return index < size;
    }
  }

  /**
   * A frozen epoch: a filter of the private preset. It never changes; later elements go into
   * another one.
   *
   * @param role scripts or outpoints, never both
   * @param number its number within the role, from 0
   * @param members the indexes of its elements in the log; copied on every access
   */
  record Epoch(FilterRole role, int number, BitSet members) implements Content {

    /** Copies the members. */
    public Epoch {
      members = (BitSet) members.clone();
    }

    @Override
    public BitSet members() {
      return (BitSet) members.clone();
    }

    @Override
    public boolean holds(int index) {
      return members.get(index);
    }

    @Override
    public int size() {
      return members.cardinality();
    }

    /**
     * Returns whether another content is the same epoch.
     *
     * @param other anything
     * @return true if role and number are the same
     */
    public boolean isSameEpoch(Content other) {
      return other instanceof Epoch epoch && epoch.role == role && epoch.number == number;
    }
  }
}
