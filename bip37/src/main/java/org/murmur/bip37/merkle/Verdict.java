package org.murmur.bip37.merkle;

import java.util.List;

/** What checking a {@code merkleblock} against its own header yields. */
public sealed interface Verdict {

  /**
   * The matches are in the block with this header.
   *
   * <p>A tree does not authenticate its depth, so a match below a transaction of 64 bytes may be
   * made up (CVE-2017-12842). To fake a tree takes a miner and some 2^70 hashes. An honest tree can
   * look the same: two txids side by side can read like a transaction, and a second of work finds
   * such a pair. So the flag is a doubt, not a proof of a lie. The number of transactions in the
   * block settles it.
   *
   * @param matches the marked transactions in block order; none if the block holds none
   * @param mayFakeItsDepth whether a node on the way to a match may be a transaction of 64 bytes
   */
  record Proven(List<Match> matches, boolean mayFakeItsDepth) implements Verdict {}

  /**
   * The message proves nothing.
   *
   * @param reason the first check it fails
   */
  record Refused(Reason reason) implements Verdict {}
}
