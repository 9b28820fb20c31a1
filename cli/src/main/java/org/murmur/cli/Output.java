package org.murmur.cli;

import java.io.PrintStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a command's words go: results to stdout, everything else to stderr. */
final class Output {

  private final PrintStream stdout;
  private final PrintStream stderr;
  private final GlobalOptions options;

  Output(Surroundings surroundings, GlobalOptions options) {
    this.stdout = surroundings.stdout();
    this.stderr = surroundings.stderr();
    this.options = options;
  }

  /** Prints the result, in the one form that was asked for. */
  void result(JsonObject json, Consumer<PrintStream> people) {
    if (options.jsonl()) {
      stdout.println(new JsonObject().put("event", "result").putAll(json).line());
    } else if (options.json()) {
      stdout.println(json.pretty());
    } else {
      people.accept(stdout);
    }
    stdout.flush();
  }

  /** Something that happened on the way: a line of the stream with --jsonl, nothing otherwise. */
  void event(String name, JsonObject json) {
    if (options.jsonl()) {
      stdout.println(new JsonObject().put("event", name).putAll(json).line());
      stdout.flush();
    }
  }

  /** A line on stdout for people who watch a stream; not with --json or --jsonl. */
  void line(String text) {
    if (forPeople()) {
      stdout.println(text);
      stdout.flush();
    }
  }

  /** A line on stderr, unless -q. */
  void note(String text) {
    if (!options.quiet()) {
      stderr.println(text);
    }
  }

  /** A line on stderr that nothing hides: what cannot be undone, and what was lost. */
  void warning(String text) {
    stderr.println("warning: " + text);
    stderr.flush();
  }

  /** A line on stderr with -v. */
  void detail(String text) {
    if (options.verbosity() > 0) {
      stderr.println(text);
    }
  }

  boolean forPeople() {
    return !options.json() && !options.jsonl();
  }

  /** The error: an object on stdout for programs, a line on stderr for people. */
  static void failure(
      Surroundings surroundings, boolean json, boolean jsonl, Failure failure, String hint) {
    if (json || jsonl) {
      JsonObject error = new JsonObject().put("error", failure.json());
      surroundings.stdout().println(jsonl ? error.line() : error.pretty());
      surroundings.stdout().flush();
    } else {
      surroundings.stderr().println("murmur: " + failure.text());
      if (!hint.isEmpty()) {
        surroundings.stderr().println(hint);
      }
    }
    surroundings.stderr().flush();
  }

  /** Where a stack trace goes with -v -v. */
  void trace(@Nullable Throwable thrown) {
    if (thrown != null && options.verbosity() > 1) {
      thrown.printStackTrace(stderr);
    }
  }
}
