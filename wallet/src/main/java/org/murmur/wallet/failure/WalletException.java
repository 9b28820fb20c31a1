package org.murmur.wallet.failure;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.LocalFailure;

/**
 * An error of a wallet's file, its secret or a request, which its user can act on. The store itself
 * throws it, so that it passes every reader and every session on its way to the caller.
 */
public final class WalletException extends LocalFailure {

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
    this(kind, message, null);
  }

  /**
   * Makes one with a cause.
   *
   * @param kind the kind of error
   * @param message for people: what, where, and what to do
   * @param cause the original exception, if any
   */
  public WalletException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Makes one of kind {@link Kind#CORRUPT}.
   *
   * @param store its {@code toString} names the file
   * @param what is wrong with it, for people
   * @param cause the original exception, if any
   * @return the exception
   */
  public static WalletException damaged(Object store, String what, @Nullable Throwable cause) {
    return new WalletException(Kind.CORRUPT, store + " is damaged (" + what + ")", cause);
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
