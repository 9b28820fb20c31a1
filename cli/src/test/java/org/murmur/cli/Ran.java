package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import picocli.CommandLine;

/**
 * A command that ran inside the test: its exit code and what it printed.
 *
 * @param refusal what it printed with {@code --json}, if it was {@linkplain #refusedAgain given
 *     again}
 */
public record Ran(int code, String out, String err, String refusal) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A device that takes nothing. */
  private static final OutputStream FULL =
      mock(
          OutputStream.class,
          call -> {
            throw new IOException("No space left on device");
          });

  /** A command that was not given again. */
  public Ran(int code, String out, String err) {
    this(code, out, err, "");
  }

  /** Prepares a command. */
  public static With with() {
    return new With();
  }

  /** Runs a command that needs no surroundings. */
  public static Ran murmur(String... args) {
    return with().murmur(args);
  }

  /** Parses a command without running it, and fails if the command or an option is unknown. */
  public static void parses(String... args) {
    CommandLine line = new CommandLine(new Root(Surroundings.ofProcess()));
    Commands.addTo(line, List.of(args));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    Numbers.installOn(line);
    line.parseArgs(args);
  }

  /** The one JSON object on stdout. */
  public JsonNode json() {
    try {
      return JSON.readTree(out);
    } catch (IOException e) {
      throw new AssertionError("stdout is not one JSON object: " + out + "\nstderr: " + err, e);
    }
  }

  /** The JSON objects on stdout, one a line. */
  public List<JsonNode> lines() {
    List<JsonNode> lines = new ArrayList<>();
    try {
      for (String line : out.lines().toList()) {
        lines.add(JSON.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /** Checks the exit code, and shows what was printed if it is another. */
  public Ran exits(ExitCode expected) {
    assertThat(code).as("exit code; stdout: %s stderr: %s", out, err).isEqualTo(expected.number());
    return this;
  }

  /** Checks the exit code and the kind of the refusal, which programs tell it by. */
  public Ran exits(ExitCode expected, String kind) {
    exits(expected);
    assertThat(error().path("kind").asText())
        .as("kind; stdout: %s stderr: %s", out, err)
        .isEqualTo(kind);
    return this;
  }

  /** The refusal as programs get it, although people asked. */
  public JsonNode error() {
    String asked = refusal.isEmpty() ? out : refusal;
    try (MappingIterator<JsonNode> objects = JSON.readerFor(JsonNode.class).readValues(asked)) {
      // Of a stream, the last object is the result.
      List<JsonNode> all = objects.readAll();
      assertThat(all).as("no JSON, give --json; stdout: %s stderr: %s", out, err).isNotEmpty();
      return all.get(all.size() - 1).path("error");
    } catch (IOException e) {
      throw new AssertionError("no JSON, give --json; stdout: " + out + "\nstderr: " + err, e);
    }
  }

  /** Nothing is done, and nothing printed but why; a peer may answer otherwise the next time. */
  private boolean isLastingRefusal() {
    return out.isEmpty()
        && err.contains("murmur: ")
        && code >= ExitCode.FAILED.number()
        && code <= ExitCode.NOT_SYNCED.number();
  }

  /** Gives a line again, if it was refused for a reason that lasts. */
  Ran refusedAgain(List<String> line, Function<List<String>, Ran> again) {
    return isLastingRefusal() && !line.contains("--html") ? refusedAlike(line, again) : this;
  }

  /**
   * Gives a refused line again, with {@code --json} and with {@code --jsonl}: it is refused for the
   * same reason then, on stdout.
   */
  Ran refusedAlike(List<String> line, Function<List<String>, Ran> again) {
    String told = "";
    for (String format : List.of("--json", "--jsonl")) {
      List<String> asked = new ArrayList<>(line);
      asked.add(0, format);
      Ran program = again.apply(asked);
      program.refusesLike(this, asked);
      told = program.out;
    }
    return new Ran(code, out, err, told);
  }

  /** Times, and the ports of peers that called meanwhile, are others in the second run. */
  private static String withoutNumbers(String text) {
    return text.replaceAll("[0-9]+", "#");
  }

  private void refusesLike(Ran people, List<String> line) {
    JsonNode error = line.contains("--jsonl") ? error() : json().path("error");
    assertThat(code).as("exit code of %s", line).isEqualTo(people.code);
    assertThat(error.path("code").asInt()).as("%s: %s", line, out).isEqualTo(code);
    assertThat(error.path("kind").asText()).as("%s: %s", line, out).matches("[a-z][a-z0-9_]+");
    String message = error.path("message").asText();
    assertThat(message).as("%s: %s", line, out).isNotBlank();
    assertThat(withoutNumbers(people.err))
        .as("%s", line)
        .contains("murmur: " + withoutNumbers(message));
    assertThat(err).as("%s", line).doesNotContain(message);
  }

  /** The surroundings of a command. */
  public static final class With {

    private final Map<String, String> environment = new HashMap<>();
    private final Deque<String> typed = new ArrayDeque<>();
    private final List<String> globals = new ArrayList<>();
    private boolean console;
    private boolean interrupts;
    private boolean echoes;
    private boolean full;
    private boolean once;
    private Charset charset = StandardCharsets.UTF_8;
    private boolean terminal;
    private final Map<String, Runnable> actions = new HashMap<>();
    private String interruptsAt = "";
    private Consumer<String> atInterrupt = out -> {};
    private byte[] stdin = {};

    public With datadir(Path folder) {
      environment.put("MURMUR_DATADIR", folder.toString());
      return this;
    }

    public With environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    public With stdin(String text) {
      stdin = text.getBytes(StandardCharsets.UTF_8);
      return this;
    }

    public With stdin(byte[] raw) {
      stdin = raw.clone();
      return this;
    }

    /** Answers to prompts for secrets, in their order. */
    public With typing(String... answers) {
      console = true;
      typed.addAll(List.of(answers));
      return this;
    }

    /** Prints on a terminal. */
    public With terminal() {
      terminal = true;
      return this;
    }

    /** Types at a terminal although stdout is none. */
    public With echoing() {
      echoes = true;
      return this;
    }

    /** Prints texts in the character set of a locale; {@link Ran#out} has the bytes as UTF-8. */
    public With charset(Charset locale) {
      charset = locale;
      return this;
    }

    /** Prints on stdout what nobody gets, as on a full disk. */
    public With full() {
      full = true;
      return this;
    }

    /** Does not give it again if it is refused. */
    public With once() {
      once = true;
      return this;
    }

    /** Options before the command. */
    public With globals(String... options) {
      globals.addAll(List.of(options));
      return this;
    }

    /** Presses Ctrl-C as soon as the command waits for it. */
    public With interrupting() {
      return interruptingAfter(out -> {});
    }

    /** Presses Ctrl-C after an action, which gets the output so far. */
    public With interruptingAfter(Consumer<String> first) {
      interrupts = true;
      atInterrupt = first;
      return this;
    }

    /** Runs an action once when a text appears on stdout. */
    public With doingWhen(String text, Runnable action) {
      actions.put(text, action);
      return this;
    }

    /** Presses Ctrl-C when a text appears on stdout or stderr. */
    public With interruptingWhen(String text) {
      interruptsAt = text;
      return this;
    }

    private Surroundings.Registration interrupt(Runnable stop, Watched out, Watched err) {
      if (!interruptsAt.isEmpty()) {
        AtomicBoolean pressed = new AtomicBoolean();
        Runnable press =
            () -> {
              pressed.set(true);
              stop.run();
            };
        out.whenPrinted(interruptsAt, press);
        err.whenPrinted(interruptsAt, press);
        return pressed::get;
      }
      if (!interrupts) {
        return () -> false;
      }
      atInterrupt.accept(out.toString(StandardCharsets.UTF_8));
      stop.run();
      return () -> true;
    }

    /** Runs a command. One that is refused is {@linkplain Ran#refusedAgain given again}. */
    public Ran murmur(String... args) {
      List<String> answers = List.copyOf(typed);
      List<String> line = new ArrayList<>(globals);
      line.addAll(List.of(args));
      Ran ran = run(line);
      // Some tests act while the command runs.
      boolean acts = full || interrupts || !interruptsAt.isEmpty() || !actions.isEmpty();
      return once || acts
          ? ran
          : ran.refusedAgain(
              line,
              asked -> {
                typed.clear();
                typed.addAll(answers);
                return run(asked);
              });
    }

    private Ran run(List<String> line) {
      Watched out = new Watched();
      actions.forEach(out::whenPrinted);
      Watched err = new Watched();
      PrintStream outPrinter = new PrintStream(full ? FULL : out, true, charset);
      PrintStream errPrinter = new PrintStream(err, true, StandardCharsets.UTF_8);
      Surroundings surroundings =
          new Surroundings(
              new ByteArrayInputStream(stdin),
              outPrinter,
              errPrinter,
              Map.copyOf(environment),
              console ? prompt -> answer(prompt, errPrinter) : null,
              echoes,
              false,
              terminal,
              stop -> interrupt(stop, out, err));
      int code = Murmur.run(line, surroundings);
      return new Ran(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private char[] answer(String prompt, PrintStream err) {
      err.println(prompt);
      String next = typed.poll();
      if (next == null) {
        throw new AssertionError("nobody types an answer to: " + prompt);
      }
      return next.toCharArray();
    }
  }

  /** Collects the output and acts when a text appears, once for each text. */
  private static final class Watched extends ByteArrayOutputStream {

    private final Map<String, Runnable> actions = new ConcurrentHashMap<>();

    void whenPrinted(String awaited, Runnable then) {
      actions.put(awaited, then);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      if (actions.isEmpty()) {
        return;
      }
      String printed = toString(StandardCharsets.UTF_8);
      for (String awaited : List.copyOf(actions.keySet())) {
        if (printed.contains(awaited)) {
          Runnable then = actions.remove(awaited);
          if (then != null) {
            then.run();
          }
        }
      }
    }
  }
}
