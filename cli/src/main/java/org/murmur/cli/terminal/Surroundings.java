package org.murmur.cli.terminal;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the command, which tests replace.
 *
 * @param stdin the stream that {@code -} reads from
 * @param stdout the stream for results, and nothing else
 * @param stderr the stream for everything else
 * @param environment the environment variables
 * @param console a prompt for secrets; null if there is no terminal
 * @param terminal whether stderr is a terminal, so that a progress bar makes sense
 * @param colours whether stdout is a terminal, so that colours make sense
 * @param interrupts source of Ctrl-C
 */
public record Surroundings(
    InputStream stdin,
    PrintStream stdout,
    PrintStream stderr,
    Map<String, String> environment,
    @Nullable SecretPrompt console,
    boolean terminal,
    boolean colours,
    Interrupts interrupts) {

  /** Prompts for a secret without echo. */
  @FunctionalInterface
  public interface SecretPrompt {
    /**
     * Prompts for a secret.
     *
     * @param prompt the text to show
     * @return the typed text; null at the end of the input
     */
    char @Nullable [] ask(String prompt);
  }

  /** Source of Ctrl-C. */
  @FunctionalInterface
  public interface Interrupts {
    /**
     * Registers a handler, which runs on another thread and must end the command soon.
     *
     * @param stop the handler
     * @return a registration, to be ended by the caller
     */
    Registration onInterrupt(Runnable stop);
  }

  /** A registration for Ctrl-C. */
  @FunctionalInterface
  public interface Registration {
    /**
     * Ends the registration.
     *
     * @return whether an interrupt came before
     */
    boolean end();
  }

  /**
   * Returns the surroundings of this process. The launcher sets {@code -Dmurmur.terminal} if stderr
   * is a terminal, and {@code -Dmurmur.colours} if stdout is one.
   *
   * @return the streams, the environment and the console of this process
   */
  public static Surroundings ofProcess() {
    return new Surroundings(
        System.in,
        TextStream.ofProcess(System.out, "stdout.encoding"),
        TextStream.ofProcess(System.err, "stderr.encoding"),
        System.getenv(),
        processConsole(),
        Boolean.getBoolean("murmur.terminal"),
        Boolean.getBoolean("murmur.colours"),
        new ShutdownInterrupts());
  }

  // From JDK 22 on, it is null without a terminal only with -Djdk.console=java.base, which the
  // launcher sets.
  @SuppressWarnings("SystemConsoleNull")
  private static @Nullable SecretPrompt processConsole() {
    Console console = System.console();
    return console == null ? null : prompt -> console.readPassword("%s", prompt);
  }
}
