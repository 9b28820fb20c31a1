package org.murmur.p2p.internal.chain;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainWork;

/**
 * A valid header on a side branch: a node of the tree below the active chain. Ordered by work, then
 * by hash.
 */
final class SideHeader implements Comparable<SideHeader> {

  final Bytes bytes;
  final Hash256 hash;
  final int height;

  /** Work from genesis to here. */
  final ChainWork work;

  /** Height of its last ancestor on the active chain. */
  int fork;

  /** The parent; null if it is on the active chain, at height - 1. */
  @Nullable SideHeader parent;

  /** Number of child headers on side branches. */
  int children;

  /** Its fate during a change of the active chain. */
  Fate fate = Fate.STAYS;

  /** The effect of a change of the active chain on a side header. */
  enum Fate {
    /** It stays on a side branch. */
    STAYS,
    /** It joins the active chain. */
    ACTIVE,
    /** It is removed with its parent. */
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

  /** The fork height of its branch, from its parent. */
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
