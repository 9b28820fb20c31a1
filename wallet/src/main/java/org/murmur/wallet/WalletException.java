package org.murmur.wallet;

/** Something about a wallet's file, its secret or a request that its user can act on. */
public final class WalletException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Kind {
    /** There is a wallet already. */
    EXISTS,
    /** There is no such wallet, or no such transaction in it. */
    NOT_FOUND,
    /** Another process, or another part of this one, is writing to it. */
    LOCKED,
    /** The password is another one. */
    WRONG_PASSWORD,
    /** It has no words: it only watches. */
    NO_SECRET,
    /** It, or what it was given, belongs to another network. */
    WRONG_NETWORK,
    /** There is no room left. The wallet is as it was at its last commit. */
    DISK_FULL,
    /** The file or its folder may not be written. */
    READ_ONLY,
    /** It is damaged, or no wallet at all. */
    CORRUPT,
    /** The request makes no sense; the message says what was expected. */
    BAD_INPUT,
    /** The disk failed in some other way. */
    IO,
    /** A newer version of this program wrote it. */
    NEWER_FORMAT,
    /** Every peer that was named holds a filter of the wallet, and must not be given this. */
    KNOWS_FILTER
  }

  /** What is wrong. */
  private final Kind kind;

  /**
   * Makes one.
   *
   * @param kind what is wrong
   * @param message for people: what, where, and what to do
   */
  public WalletException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * Makes one with a cause.
   *
   * @param kind what is wrong
   * @param message for people: what, where, and what to do
   * @param cause what it came from
   */
  public WalletException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Returns what is wrong.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
