package org.murmur.p2p.chain;

import org.murmur.bip37.bytes.Hash256;

/**
 * What became of a batch of headers. A batch is taken as a whole or not at all: after {@link
 * Orphan} and {@link Invalid} the chain is as before.
 */
public sealed interface Connect {

  /**
   * The active chain has changed: it grew, or another branch with more work took over.
   *
   * @param forkHeight height of the last header that stayed; the old height if the chain just grew,
   *     less if it was reorganised
   * @param connected how many headers the active chain now has above that
   */
  record Extended(int forkHeight, int connected) implements Connect {}

  /** All of them were known already, or there were none. */
  record Known() implements Connect {}

  /**
   * They are valid and were kept, but their branch has not more work than the active chain.
   *
   * @param forkHeight height of the last header that the branch shares with the active chain
   * @param tip hash of the last header
   * @param height height of the last header
   * @param work work of the branch from genesis to the last header
   */
  record SideBranch(int forkHeight, Hash256 tip, int height, ChainWork work) implements Connect {}

  /**
   * The header before the first is not known.
   *
   * @param previous its hash
   */
  record Orphan(Hash256 previous) implements Connect {}

  /**
   * One of them breaks a rule. Those before it in the batch break none, but were not kept either;
   * they can be connected by themselves.
   *
   * @param reason the rule
   * @param index which header of the batch, from 0
   */
  record Invalid(Reason reason, int index) implements Connect {}

  /** A rule that a header can break; checked in this order. */
  enum Reason {
    /** Its previous block is not the header before it in the batch. */
    NOT_LINKED,
    /** Its target is not the one that the difficulty rules demand. */
    WRONG_BITS,
    /** Its hash is above its target. */
    BAD_PROOF_OF_WORK,
    /** Its time is not after the median time of the eleven headers before it. */
    TIME_TOO_OLD,
    /** It begins a period more than 600 seconds before its parent (BIP-0094). */
    TIMEWARP,
    /**
     * Its time is more than two hours ahead of ours; another clock or a later hour may accept it.
     */
    TIME_TOO_NEW,
    /**
     * Its branch has more headers than are kept for a branch that has less work than the active
     * chain. No consensus rule: a bound on memory.
     */
    BRANCH_TOO_LONG
  }
}
