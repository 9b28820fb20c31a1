package org.murmur.p2p.sync;

import org.jspecify.annotations.Nullable;

/**
 * A failure on this side, such as a disk's: it ends the session that meets it, and no peer's
 * message is its cause.
 */
public abstract class LocalFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param message for people: what, where, and what to do
   * @param cause the original exception, if any
   */
  protected LocalFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
