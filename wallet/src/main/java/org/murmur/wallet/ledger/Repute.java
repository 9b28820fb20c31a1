package org.murmur.wallet.ledger;

/**
 * What is known of a transaction beyond blocks: whether the user sent it, and whether a peer has
 * it.
 */
public enum Repute {
  /** A peer announced it or sent it, or a block held it. */
  HEARD,
  /** The peers no longer have it; it may come back. */
  DENIED,
  /**
   * The user sent it, and no peer is known to have it: none accepted it, or those that did have it
   * no more.
   */
  SENT,
  /** The user sent it and abandoned it, and no peer was known to have it then. */
  ABANDONED,
  /** The user sent it, and a peer has it, or a block held it. */
  RELAYED;

  /**
   * Returns whether the user sent it and wants it to be in a block.
   *
   * @return false if it was abandoned
   */
  public boolean isSent() {
    return this == SENT || this == RELAYED;
  }

  /**
   * Returns whether a peer is known to have it.
   *
   * @return false if the peers lost it
   */
  public boolean isHeld() {
    return this == HEARD || this == RELAYED;
  }

  /** What it becomes when a peer has it, or a block holds it. */
  Repute heard() {
    return isSent() ? RELAYED : HEARD;
  }

  /** What it becomes when the user sends it. */
  Repute sent() {
    return isHeld() ? RELAYED : SENT;
  }

  /** What it becomes when the peers do not have it. What the user sent is sent again. */
  Repute denied() {
    return switch (this) {
      case HEARD -> DENIED;
      case RELAYED -> SENT;
      default -> this;
    };
  }

  /**
   * What it becomes when the user abandons it. Whether a peer ever had it is not forgotten by that.
   */
  Repute abandoned() {
    return switch (this) {
      case HEARD, DENIED, RELAYED -> DENIED;
      case SENT, ABANDONED -> ABANDONED;
    };
  }

  /** Whether a transaction of this repute may count while it is unconfirmed. */
  boolean mayCount() {
    return isHeld() || this == SENT;
  }
}
