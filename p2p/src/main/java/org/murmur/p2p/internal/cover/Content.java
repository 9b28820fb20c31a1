package org.murmur.p2p.internal.cover;

import java.util.BitSet;
import java.util.Map;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;

/**
 * The elements of the log that a view searches for. Another way of seeing blocks is another
 * implementation; coverage asks only the questions below.
 */
public interface Content {

  /** Returns whether it holds an element. */
  boolean holds(int index);

  /** {@return how many elements of the log it holds, 0 or more} */
  int size();

  /** Returns this content at an earlier time, when it held fewer elements. */
  Content at(int elements);

  /**
   * {@return how long the log must be to contain all that it holds, the index after its last
   * element, or 0 if it is empty}
   */
  default int length() {
    return size();
  }

  /**
   * Adds the elements that it holds in a filter, and so finds, to a set. Coverage uses it as a
   * shortcut, so to add none is always correct.
   *
   * @param set indexes in the log, changed in place
   */
  default void addTo(BitSet set) {}

  /**
   * Returns whether a search for this content finds an element in every block that contains it, in
   * whatever order the blocks are served. A filter finds what it holds. A search for scripts that
   * also sees the scripts of spent outputs finds the spends of their coins too.
   */
  default boolean finds(int index, Element element) {
    return holds(index);
  }

  /**
   * {@return the length of the log's prefix that it finds completely, 0 or more} Coverage uses it
   * as a shortcut, so 0 is always correct.
   */
  default int prefix() {
    return 0;
  }

  /**
   * {@return whether it can hold some scripts of an epoch without the others, and is no prefix;
   * true if it can} Then the last script does not stand for them.
   */
  default boolean splitsEpochs() {
    return false;
  }

  /** The first elements of the log: the filter of the fast preset. */
  record Prefix(int size) implements Content {
    @Override
    public boolean holds(int index) {
      return index < size;
    }

    @Override
    public Content at(int elements) {
      return new Prefix(elements);
    }

    @Override
    public int prefix() {
      return size;
    }

    @Override
    public void addTo(BitSet set) {
      set.set(0, size);
    }
  }

  /**
   * The scripts among the first elements of the log, searched for in block filters (BIP-0158). Such
   * a filter holds the scripts of spent outputs, too, so the search finds the spends of coins that
   * these scripts got, in any order of the blocks. An input of a foreign payment spends from a
   * script that is not the wallet's: the search does not find it.
   *
   * @param size how many elements of the log were searched
   * @param checks whether matches were only compared with what is known: that shows whether a
   *     script is touched, and not how often, so it finds nothing by itself
   * @param headers the highest filter headers by height that peers agreed on at that time: they
   *     commit to the filters of all rows; none if that is not known
   */
  record Scripts(int size, boolean checks, Map<Integer, Hash256> headers) implements Content {

    /** Copies the headers. */
    public Scripts {
      headers = Map.copyOf(headers);
    }

    /** A search that reads the block of every match. */
    public Scripts(int size) {
      this(size, false, Map.of());
    }

    @Override
    public boolean holds(int index) {
      return index < size;
    }

    @Override
    public Content at(int elements) {
      return new Scripts(elements, checks, Map.of());
    }

    @Override
    public boolean finds(int index, Element element) {
      if (checks) {
        return false;
      }
      return element instanceof Element.OwnOutPoint coin
          ? holds(coin.script())
          : element instanceof Element.Script && holds(index);
    }
  }

  /**
   * Some elements: a filter of the fast preset, when one filter cannot hold all of them.
   *
   * @param members the indexes of its elements in the log; copied on every access
   */
  record Part(BitSet members) implements Content {

    /** Copies the members. */
    public Part {
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

    @Override
    public Content at(int elements) {
      return this;
    }

    @Override
    public int length() {
      return members.length();
    }

    @Override
    public void addTo(BitSet set) {
      set.or(members);
    }

    @Override
    public boolean splitsEpochs() {
      return true;
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

    @Override
    public Content at(int elements) {
      return this;
    }

    @Override
    public int length() {
      return members.length();
    }

    @Override
    public void addTo(BitSet set) {
      set.or(members);
    }

    /** Returns whether another content is the same epoch. */
    public boolean isSameEpoch(Content other) {
      return other instanceof Epoch epoch && epoch.role == role && epoch.number == number;
    }
  }
}
