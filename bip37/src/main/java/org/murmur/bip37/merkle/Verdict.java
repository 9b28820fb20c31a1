package org.murmur.bip37.merkle;

import java.util.List;

/** What checking a {@code merkleblock} against its own header yields. */
public sealed interface Verdict {

  /**
   * The matches are in the block with this header.
   *
   * <p>Unless the tree fakes its depth: it does not authenticate it, so what stands below a
   * transaction of 64 bytes may be made up (CVE-2017-12842). To fake a tree takes a miner, and some
   * 2^70 hashes. A tree that looks as if it did so takes two payments, found in a second of work,
   * whose txids side by side read like a transaction. So this is doubt about a proof, and no proof
   * of a lie: who knows how many transactions the block has can tell.
   *
   * @param matches the marked transactions in block order; none if the block holds none
   * @param mayFakeItsDepth whether a transaction of 64 bytes may pose as a node on the way to one
   */
  record Proven(List<Match> matches, boolean mayFakeItsDepth) implements Verdict {}

  /**
   * The message proves nothing.
   *
   * @param reason the first check it fails
   */
  record Refused(Reason reason) implements Verdict {}
}
