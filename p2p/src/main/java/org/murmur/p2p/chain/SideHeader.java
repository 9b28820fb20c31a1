package org.murmur.p2p.chain;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A valid header beside the active chain: a node of the tree that hangs on it. Ordered by work;
 * those of equal work by hash.
 */
final class SideHeader implements Comparable<SideHeader> {

  final Bytes bytes;
  final Hash256 hash;
  final int height;

  /** Work from genesis to here. */
  final ChainWork work;

  /** Height of the last header of the active chain below. */
  int fork;

  /** The header before; null if that is on the active chain, at height - 1. */
  @Nullable SideHeader parent;

  /** How many side headers have this one as their parent. */
  int children;

  /** Where it is going, while the active chain changes. */
  Fate fate = Fate.STAYS;

  /** What a change of the active chain does to a side header. */
  enum Fate {
    /** It stays beside the active chain. */
    STAYS,
    /** It becomes a part of the active chain. */
    ACTIVE,
    /** It is forgotten with the header that it hangs on. */
    DROPPED
  }

  SideHeader(Bytes bytes, Hash256 hash, int height, ChainWork work, @Nullable SideHeader parent) {
    this.bytes = bytes;
    this.hash = hash;
    this.height = height;
    this.work = work;
    this.parent = parent;
    this.fork = forkHeight();
  }

  /** Where its branch leaves the active chain, as its parent knows. */
  int forkHeight() {
    return parent == null ? height - 1 : parent.fork;
  }

  int bits() {
    return LittleEndian.int32(bytes.unsafeArray(), BlockHeader.BITS);
  }

  long time() {
    return Integer.toUnsignedLong(LittleEndian.int32(bytes.unsafeArray(), BlockHeader.TIME));
  }

  @Override
  public int compareTo(SideHeader other) {
    int byWork = work.compareTo(other.work);
    return byWork != 0 ? byWork : hash.compareTo(other.hash);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SideHeader h && hash.equals(h.hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }
}
