package org.murmur.wallet.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The file of a wallet cannot be read or written. */
public final class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The kinds of faults. */
  public enum Kind {
    /** There is a file already. */
    EXISTS,
    /** There is no such file. */
    NOT_FOUND,
    /** Somebody else writes to it. */
    LOCKED,
    /** It has several hard links, and a wallet must have one name. */
    SEVERAL_NAMES,
    /** No room left. */
    DISK_FULL,
    /** The file or its folder may not be written. */
    READ_ONLY,
    /** Damaged, or no wallet at all. */
    CORRUPT,
    /** Written by a newer version. */
    NEWER_FORMAT,
    /** Something else. */
    IO
  }

  /** The kind of the fault. */
  private final Kind kind;

  /**
   * Makes one.
   *
   * @param kind what is wrong
   * @param message for people
   */
  public StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * Makes one with a cause.
   *
   * @param kind what is wrong
   * @param message for people
   * @param cause what it came from, if anything
   */
  public StoreException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Makes one of kind {@link Kind#CORRUPT}.
   *
   * @param store its {@code toString} names the file
   * @param what is wrong with it, for people
   * @param cause what it came from, if anything
   * @return the exception
   */
  public static StoreException damaged(Object store, String what, @Nullable Throwable cause) {
    return new StoreException(Kind.CORRUPT, store + " is damaged (" + what + ")", cause);
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
