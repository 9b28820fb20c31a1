package org.murmur.cli;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns what the library throws into what a person can act on. */
final class Failures {

  private Failures() {}

  /** The failure behind an exception. */
  static Failure of(Throwable thrown) {
    if (thrown instanceof Failure failure) {
      return failure;
    }
    if (thrown instanceof IOException) {
      return new Failure(ExitCode.FAILED, "io", message(thrown), thrown);
    }
    if (thrown instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.FAILED, "out_of_memory", "out of memory; set MURMUR_HEAP, e.g. 1g", thrown);
    }
    return new Failure(
        ExitCode.FAILED,
        "internal",
        "internal error, please report it: "
            + thrown.getClass().getSimpleName()
            + ": "
            + message(thrown)
            + " (-v -v shows where)",
        thrown);
  }

  static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** Messages start in lower case, behind the program's name. */
  static String lowerFirst(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "wrong usage";
    }
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
