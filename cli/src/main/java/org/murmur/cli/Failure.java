package org.murmur.cli;

import org.jspecify.annotations.Nullable;

/** The end of a command that did not work, with what a person can do about it. */
final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ExitCode code;
  private final String kind;

  // More for programs: a name and what stands under it.
  private transient @Nullable JsonObject more;
  private String moreName = "";

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

  /** Tells programs more; nothing if there is nothing. */
  Failure with(String name, @Nullable JsonObject facts) {
    moreName = name;
    more = facts;
    return this;
  }

  /** The error as programs are told of it. */
  JsonObject json() {
    JsonObject json =
        new JsonObject().put("code", code.number()).put("kind", kind).put("message", text());
    JsonObject facts = more;
    return facts == null ? json : json.put(moreName, facts);
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
