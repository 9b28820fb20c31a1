package org.murmur.cli.words;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.MalformedException;

/** A failed command, with advice for the user. */
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ExitCode code;
  private final String kind;

  // An extra JSON field: its name and value.
  private transient @Nullable JsonObject more;
  private String moreName = "";

  /**
   * Makes a failure: a kind for programs in snake case, and a message for people that says what
   * failed, where, and what to do.
   */
  public Failure(ExitCode code, String kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.kind = kind;
  }

  /** Adds a JSON field; null adds nothing. */
  Failure with(String name, @Nullable JsonObject facts) {
    moreName = name;
    more = facts;
    return this;
  }

  /** The same with one more sentence. */
  Failure and(String sentence) {
    return new Failure(code, kind, text() + ". " + sentence, getCause()).with(moreName, more);
  }

  /** Says where in a longer input it is. */
  public Failure at(String where) {
    return new Failure(code, kind, where + ": " + text(), getCause()).with(moreName, more);
  }

  /** Returns the error as JSON: its code, kind, message and the extra field. */
  public JsonObject json() {
    JsonObject json =
        new JsonObject().put("code", code.number()).put("kind", kind).put("message", text());
    JsonObject facts = more;
    return facts == null ? json : json.put(moreName, facts);
  }

  /** Makes a failure with exit code 1 and a kind for programs, in snake case. */
  public static Failure failed(String kind, String message) {
    return failed(kind, message, null);
  }

  public static Failure failed(String kind, String message, @Nullable Throwable cause) {
    return new Failure(ExitCode.FAILED, kind, message, cause);
  }

  public static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, "usage", message, null);
  }

  /** Makes what an option gives. A refused value is wrong usage, and the error names the option. */
  public static <T> T checked(String option, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw usage(option + ": " + Failures.message(e));
    }
  }

  /** Reads what was given; {@code otherwise} begins the error if it cannot be read. */
  public static <T> T parsed(String otherwise, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (MalformedException e) {
      throw failed("malformed", otherwise + ": " + Failures.message(e), e);
    }
  }

  public ExitCode code() {
    return code;
  }

  String kind() {
    return kind;
  }

  /** Returns the message. Never null: every constructor takes one. */
  public String text() {
    String message = getMessage();
    return message == null ? kind : message;
  }
}
