package org.murmur.cli.terminal;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.overview.ChainState;

/**
 * The output of a command: results on stdout, everything else on stderr. Nothing else writes on
 * stdout. Output for programs is UTF-8, whatever the locale says; texts for people have the
 * locale's character set. Java's streams keep silent when they cannot write: {@link #ended} says
 * it.
 */
public final class Output {

  private final PrintStream stdout;
  private final PrintStream stderr;
  private final GlobalOptions options;
  private final StatusLine status;
  private @Nullable ChainState known;
  private boolean saidKnown;

  public Output(Surroundings surroundings, GlobalOptions options) {
    this.stdout = surroundings.stdout();
    this.stderr = surroundings.stderr();
    this.options = options;
    this.status =
        new StatusLine(surroundings.stderr(), surroundings.terminal() && !options.quiet());
  }

  /**
   * Returns the line at the bottom of the terminal, which shows nothing unless stderr is a
   * terminal, and with -q.
   */
  public StatusLine status() {
    return status;
  }

  public Unit unit() {
    return options.unit();
  }

  public void result(JsonObject json, Consumer<PrintStream> people) {
    if (known != null) {
      json.put("as_of", ChainText.json(known));
    }
    print(
        () -> {
          if (options.jsonl()) {
            exactly(stdout, new JsonObject().put("event", "result").putAll(json).line() + "\n");
          } else if (options.json()) {
            exactly(stdout, json.pretty() + "\n");
          } else {
            people.accept(stdout);
          }
        });
  }

  /**
   * Sets how much of the chain the wallet knows, of which the result tells: all results for
   * programs have it, and people are {@linkplain #sayKnown warned} if something is missing.
   */
  public void known(ChainState chain) {
    known = chain;
  }

  /** Returns what the result is as of, for people. */
  public String asOf() {
    saidKnown = true;
    return ChainText.of(Objects.requireNonNull(known, "nothing was read"));
  }

  /** Takes note of an error that will be printed: it may say what the wallet knows. */
  void failing(Failure failure) {
    saidKnown |= known != null && failure.text().contains(known.words());
  }

  /** Says on stderr that the wallet does not know all, unless the result or the error does. */
  public void sayKnown() {
    if (known != null && !known.complete() && !saidKnown) {
      note(asOf());
    }
  }

  /**
   * Prints what programs read: CSV, labels, a page, a script. It is the whole answer, with --json
   * as well.
   */
  public void exactly(String text) {
    print(() -> exactly(stdout, text));
  }

  /** JSON is UTF-8 (RFC 8259), and so is all else that programs read. */
  static void exactly(PrintStream to, String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    to.write(raw, 0, raw.length);
  }

  /** Prints a text for people that is the whole answer, with --json as well. */
  public void text(Consumer<PrintStream> people) {
    print(() -> people.accept(stdout));
  }

  /**
   * Returns whether something was printed that did not arrive, after a full disk or if the reader
   * has gone: nothing more will.
   */
  public boolean isLost() {
    return stdout.checkError();
  }

  /** Checks at the end of every command that all it printed has arrived, and says so if not. */
  public static int ended(Surroundings surroundings, int code) {
    PrintStream stdout = surroundings.stdout();
    if (!stdout.checkError()) {
      return code;
    }
    String reason =
        stdout instanceof TextStream stream ? stream.failure().map(" ("::concat).orElse("") : "";
    surroundings
        .stderr()
        .println(
            "murmur: what was printed did not all arrive"
                + (reason.isEmpty() ? "" : reason + ")")
                + (code == ExitCode.DONE.number()
                    ? "; the command itself is done: look before you repeat it"
                    : ""));
    surroundings.stderr().flush();
    return ExitCode.FAILED.number();
  }

  private void print(Runnable printing) {
    status.above(
        () -> {
          printing.run();
          stdout.flush();
        });
  }

  private void printError(String text) {
    status.above(
        () -> {
          stderr.println(text);
          stderr.flush();
        });
  }

  /** Prints an event, named in snake case: a line of the stream with --jsonl, nothing otherwise. */
  public void event(String name, JsonObject json) {
    if (options.jsonl()) {
      exactly(new JsonObject().put("event", name).putAll(json).line() + "\n");
    }
  }

  /** Prints a line on stdout for people who watch a stream; not with --json or --jsonl. */
  public void line(String text) {
    if (forPeople()) {
      print(() -> stdout.println(text));
    }
  }

  /**
   * Prints a part of the result for people, before the rest is known; not with --json or --jsonl.
   */
  public void show(Consumer<PrintStream> people) {
    if (forPeople()) {
      print(() -> people.accept(stdout));
    }
  }

  /** Prints a line on stderr, unless -q. */
  public void note(String text) {
    if (!options.quiet()) {
      printError(text);
    }
  }

  /** Prints a line on stderr even with -q: irreversible effects and losses. */
  public void warning(String text) {
    printError("warning: " + text);
  }

  /** Prints a line on stderr with -v. */
  public void detail(String text) {
    if (options.verbosity() > 0) {
      printError(text);
    }
  }

  public boolean forPeople() {
    return !options.json() && !options.jsonl();
  }

  /**
   * Prints the error: an object on stdout for programs (one, or the last of a stream), a line on
   * stderr for people, and a hint for them if it is not empty.
   */
  public static void failure(
      Surroundings surroundings, boolean json, boolean jsonl, Failure failure, String hint) {
    if (json || jsonl) {
      JsonObject error = new JsonObject().put("error", failure.json());
      exactly(surroundings.stdout(), (jsonl ? error.line() : error.pretty()) + "\n");
    }
    if (!(json || jsonl) || surroundings.stdout().checkError()) {
      surroundings.stderr().println("murmur: " + failure.text());
      if (!hint.isEmpty()) {
        surroundings.stderr().println(hint);
      }
    }
    surroundings.stderr().flush();
  }

  /** Prints a stack trace with -v -v. */
  public void trace(@Nullable Throwable thrown) {
    if (thrown != null && options.verbosity() > 1) {
      thrown.printStackTrace(stderr);
    }
  }
}
