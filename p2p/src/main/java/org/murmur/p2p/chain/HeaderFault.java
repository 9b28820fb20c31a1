package org.murmur.p2p.chain;

/** Why a header does not connect: the rules that it can break, in the order of the checks. */
public enum HeaderFault {
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
  /** Its time is more than two hours ahead of ours; another clock or a later hour may accept it. */
  TIME_TOO_NEW,
  /**
   * Its branch has more headers than are kept for a branch that has less work than the active
   * chain. No consensus rule: a bound on memory.
   */
  BRANCH_TOO_LONG
}
