package org.murmur.wallet;

/** An error of a wallet's file, its secret or a request, which its user can act on. */
public final class WalletException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The kinds of errors. */
  public enum Kind {
    /** There is a wallet already. */
    EXISTS,
    /** There is no such wallet, or no such transaction in it. */
    NOT_FOUND,
    /** Another process, or another part of this one, is writing to it. */
    LOCKED,
    /** Its file has several hard links, and a wallet must have one name. */
    SEVERAL_NAMES,
    /** The password is wrong. */
    WRONG_PASSWORD,
    /** It has no words: it only watches. */
    NO_SECRET,
    /** It, or what it was given, belongs to another network. */
    WRONG_NETWORK,
    /** The disk is full. The wallet is as it was at its last commit. */
    DISK_FULL,
    /** There is no permission to write the file or its folder. */
    READ_ONLY,
    /** It is damaged, or no wallet at all. */
    CORRUPT,
    /** The request makes no sense; the message says what was expected. */
    BAD_INPUT,
    /** The disk failed in some other way. */
    IO,
    /** A newer version of this program wrote it. */
    NEWER_FORMAT,
    /** It was closed. Open it again. */
    CLOSED,
    /** Every named peer holds a filter of the wallet, and must not get this transaction. */
    KNOWS_FILTER,
    /** Another payment pays the same, and both could be mined. */
    PAID_ALREADY
  }

  /** The kind of error. */
  private final Kind kind;

  /**
   * Makes one.
   *
   * @param kind the kind of error
   * @param message for people: what, where, and what to do
   */
  public WalletException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * Makes one with a cause.
   *
   * @param kind the kind of error
   * @param message for people: what, where, and what to do
   * @param cause the original exception
   */
  public WalletException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Returns the kind of error.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
