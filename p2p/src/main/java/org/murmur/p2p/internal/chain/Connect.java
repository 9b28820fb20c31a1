package org.murmur.p2p.internal.chain;

import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.HeaderFault;

/**
 * The result of connecting a batch of headers. A batch is connected completely or not at all:
 * {@link Orphan} and {@link Invalid} leave the chain unchanged.
 */
public sealed interface Connect {

  /**
   * The active chain has changed: it grew, or another branch with more work took over.
   *
   * @param forkHeight height of the last common header; the old height if the chain only grew,
   *     lower after a reorganisation
   * @param connected number of headers above the fork
   */
  record Extended(int forkHeight, int connected) implements Connect {}

  /** All headers were already known, or the batch was empty. */
  record Known() implements Connect {}

  /**
   * The headers are valid and were stored, but their branch does not have more work than the active
   * chain.
   *
   * @param forkHeight height of the last header that the branch shares with the active chain
   * @param work work of the branch from genesis to the last header
   */
  record SideBranch(int forkHeight, Hash256 tip, int height, ChainWork work) implements Connect {}

  /** The parent of the first header is unknown. */
  record Orphan(Hash256 previous) implements Connect {}

  /**
   * A header breaks a rule. The valid headers before it in the batch were not stored either; they
   * can be connected separately.
   */
  record Invalid(HeaderFault reason, int index) implements Connect {}
}
