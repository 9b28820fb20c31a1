package org.murmur.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the command, which tests replace.
 *
 * @param stdout the stream for results, and nothing else
 * @param console a prompt for secrets; null if there is no terminal
 * @param echoes whether stdin is a terminal that shows what is typed, but nothing can be prompted
 *     for
 * @param terminal whether stderr is a terminal, so that a progress bar makes sense
 * @param colours whether stdout is a terminal, so that colours make sense
 */
public record Surroundings(
    InputStream stdin,
    PrintStream stdout,
    PrintStream stderr,
    Map<String, String> environment,
    @Nullable SecretPrompt console,
    boolean echoes,
    boolean terminal,
    boolean colours,
    Interrupts interrupts) {

  /** Prompts for a secret without echo. */
  @FunctionalInterface
  public interface SecretPrompt {
    /**
     * Prompts for a secret. Returns the typed text, with U+FFFD for letters that may be wrong; null
     * at the end of the input.
     */
    char @Nullable [] ask(String prompt);
  }

  /** Source of Ctrl-C. */
  @FunctionalInterface
  public interface Interrupts {
    /** Registers a handler, which runs on another thread and must end the command soon. */
    Registration onInterrupt(Runnable stop);
  }

  /** A registration for Ctrl-C. */
  @FunctionalInterface
  public interface Registration {
    /** Ends the registration. Returns whether an interrupt came before. */
    boolean end();
  }

  /**
   * Returns the surroundings of this process. The launcher sets {@code -Dmurmur.typed} if stdin is
   * a terminal, {@code -Dmurmur.terminal} if stderr is, and {@code -Dmurmur.colours} if stdout is.
   */
  public static Surroundings ofProcess() {
    SecretPrompt console = processConsole();
    return new Surroundings(
        System.in,
        TextStream.ofProcess(FileDescriptor.out, "stdout.encoding"),
        TextStream.ofProcess(FileDescriptor.err, "stderr.encoding"),
        System.getenv(),
        console,
        console == null && Boolean.getBoolean("murmur.typed"),
        Boolean.getBoolean("murmur.terminal"),
        Boolean.getBoolean("murmur.colours"),
        new ShutdownInterrupts());
  }

  // From JDK 22 on, it is null without a terminal only with -Djdk.console=java.base, which the
  // launcher sets.
  @SuppressWarnings("SystemConsoleNull")
  private static @Nullable SecretPrompt processConsole() {
    Console console = System.console();
    return console == null ? null : prompt -> utf8(console, console.readPassword("%s", prompt));
  }

  /** In another character set, the bytes of a terminal may be other letters. */
  private static char @Nullable [] utf8(Console console, char @Nullable [] typed) {
    if (typed != null && !console.charset().equals(StandardCharsets.UTF_8)) {
      for (int i = 0; i < typed.length; i++) {
        typed[i] = typed[i] < 0x80 ? typed[i] : '\ufffd';
      }
    }
    return typed;
  }
}
