package org.murmur.cli;

import org.jspecify.annotations.Nullable;

/** The end of a command that did not work, with what a person can do about it. */
final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ExitCode code;
  private final String kind;

  /**
   * Makes a failure.
   *
   * @param kind a word for programs, in snake case
   */
  Failure(ExitCode code, String kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.kind = kind;
  }

  /** The command could not do it. */
  static Failure failed(String kind, String message) {
    return new Failure(ExitCode.FAILED, kind, message, null);
  }

  /** The arguments are wrong. */
  static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, "usage", message, null);
  }

  ExitCode code() {
    return code;
  }

  String kind() {
    return kind;
  }

  /** Never null: every constructor takes one. */
  String text() {
    String message = getMessage();
    return message == null ? kind : message;
  }
}
