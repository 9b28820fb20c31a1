package org.murmur.bip37.merkle;

import java.util.List;

/** The result of checking a {@code merkleblock} against its header. */
public sealed interface Verdict {

  /**
   * The matches are in the block with this header.
   *
   * <p>A tree does not authenticate its depth, so a match below a 64-byte transaction may be
   * invented (CVE-2017-12842). Such a tree needs a miner and some 2^70 hashes. But an honest tree
   * can look the same: two concatenated txids can parse as a transaction, and a second of work
   * finds such a pair. So the flag is a suspicion, not a proof. The number of transactions in the
   * block decides.
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
