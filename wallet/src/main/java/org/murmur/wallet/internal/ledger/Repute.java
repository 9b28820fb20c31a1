package org.murmur.wallet.internal.ledger;

/**
 * The knowledge of a transaction beyond blocks: whether the user sent it, and whether a peer has
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
  RELAYED,
  /**
   * The user signed it and has not ordered to send it, and no peer is known to have it. No session
   * announces it.
   */
  SIGNED;

  /**
   * {@return whether the user sent it and wants it to be in a block; false if it was abandoned, or
   * only signed}
   */
  public boolean isSent() {
    return this == SENT || this == RELAYED;
  }

  /**
   * {@return whether the user of this wallet made it, as far as the wallet remembers: it forgets
   * one that was abandoned after a peer had it; false for one that only peers are known to have}
   */
  public boolean isOfUser() {
    return isSent() || this == SIGNED || this == ABANDONED;
  }

  /** Returns whether it counts as pending although no peer is known to have it. */
  public boolean isUnheard() {
    return this == SENT || this == SIGNED;
  }

  /** {@return whether a peer is known to have it; false if the peers lost it} */
  public boolean isHeld() {
    return this == HEARD || this == RELAYED;
  }

  /**
   * The repute after a peer has it, or a block holds it. Only the user had the signed one: it was
   * sent by other means.
   */
  Repute heard() {
    return isSent() || this == SIGNED ? RELAYED : HEARD;
  }

  /** The repute after the user signs it, without an order to send it. */
  Repute signed() {
    return this == ABANDONED ? SIGNED : sent();
  }

  /** The repute after the user sends it. */
  Repute sent() {
    return isHeld() ? RELAYED : SENT;
  }

  /** The repute after the peers do not have it. A payment that the user sent is sent again. */
  Repute denied() {
    return switch (this) {
      case HEARD -> DENIED;
      case RELAYED -> SENT;
      default -> this;
    };
  }

  /** The repute after the user abandons it. It keeps whether a peer ever had it. */
  Repute abandoned() {
    return switch (this) {
      case HEARD, DENIED, RELAYED -> DENIED;
      case SENT, SIGNED, ABANDONED -> ABANDONED;
    };
  }

  /** Whether a transaction of this repute may count while it is unconfirmed. */
  boolean mayCount() {
    return isHeld() || isUnheard();
  }
}
