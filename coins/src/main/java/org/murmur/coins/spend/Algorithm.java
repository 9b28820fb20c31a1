package org.murmur.coins.spend;

/** How coins were chosen. */
public enum Algorithm {
  /** A set that matches the amount, so that there is no change. */
  BRANCH_AND_BOUND,

  /** The lightest set that leaves good change. */
  LIGHTEST,

  /** Coins drawn at random until they suffice. */
  RANDOM_DRAW,

  /** The lightest set that pays, because no other one leaves good change. */
  ANY_CHANGE,

  /** Any coins that pay: not all of a script, and perhaps some that are not worth their fee. */
  LAST_RESORT,

  /** All coins that are worth their fee, because fewer do not suffice or the caller wants all. */
  ALL,

  /** The coins that the caller named. */
  NAMED
}
