package org.murmur.wallet.failure;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.LocalFailure;

/**
 * An error of a wallet's file, its secret or a request, which its user can act on. The store itself
 * throws it, so that it passes every reader and every session on its way to the caller.
 */
public final class WalletException extends LocalFailure {

  private static final long serialVersionUID = 1L;

  private static final String THE_WALLET = "the wallet";

  /** The kinds of errors. */
  public enum Kind {
    /** There is a wallet already. */
    EXISTS,
    /** There is no wallet of this name. */
    MISSING,
    /** The wallet has no such transaction, coin, address or block. */
    NOT_FOUND,
    /** Another process, or another object of this one, uses the file: try again later. */
    LOCKED,
    /** This wallet is being synced already, by a sync that nobody has stopped. */
    SYNCING,
    /** The call would wait for its own thread, which is in a listener or a read. */
    WRONG_THREAD,
    /** Its file has several hard links, and a wallet must have one name. */
    SEVERAL_NAMES,
    /** The password is wrong. */
    WRONG_PASSWORD,
    /** The passphrase is wrong: with it, the words do not give the keys of the wallet. */
    WRONG_PASSPHRASE,
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
    /** The transaction can be in no block: it is malformed, or its signature is wrong. */
    BAD_TRANSACTION,
    /** The payment cannot be abandoned any more; the coin is spent or counts no more. */
    TOO_LATE,
    /** The disk failed in some other way. */
    IO,
    /** A newer version of this program wrote it. */
    NEWER_FORMAT,
    /** It was closed. Open it again. */
    CLOSED,
    /** Every named peer holds a filter of the wallet, and must not get this transaction. */
    KNOWS_FILTER
  }

  /** The kind of error. */
  private final Kind kind;

  /** The file in question; null if it is about none. */
  private final @Nullable String file;

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
    this(null, kind, message, cause);
  }

  private WalletException(
      @Nullable String file, Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.file = file;
    this.kind = kind;
  }

  /**
   * Makes one about a file. An exception ends up in a log, so only {@link #text} names the file.
   *
   * @param file its {@code toString} names the file
   * @param kind the kind of error
   * @param what the rest of the sentence, which begins with the file
   * @return the exception
   */
  public static WalletException about(Object file, Kind kind, String what) {
    return about(file, kind, what, null);
  }

  /**
   * Makes one about a file, with a cause.
   *
   * @param file its {@code toString} names the file
   * @param kind the kind of error
   * @param what the rest of the sentence, which begins with the file
   * @param cause the original exception, if any
   * @return the exception
   */
  public static WalletException about(
      Object file, Kind kind, String what, @Nullable Throwable cause) {
    return new WalletException(file.toString(), kind, THE_WALLET + what, cause);
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
    return about(store, Kind.CORRUPT, " is damaged (" + what + ")", cause);
  }

  /**
   * Returns the same error with a longer sentence.
   *
   * @param more what follows the sentence so far
   * @return a new exception with this one as its cause
   */
  public WalletException and(String more) {
    return new WalletException(file, kind, getMessage() + more, this);
  }

  /** {@return the file in question, its name; empty if it is about none} */
  public Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /**
   * {@return the sentence for the user, the message, with the name of the file if it is about one}
   */
  public String text() {
    String message = String.valueOf(getMessage());
    return file == null ? message : file + message.substring(THE_WALLET.length());
  }

  /** {@return the kind of error} */
  public Kind kind() {
    return kind;
  }
}
