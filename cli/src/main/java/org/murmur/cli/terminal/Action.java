package org.murmur.cli.terminal;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base class of commands. */
public abstract class Action implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;
  private @Nullable Output output;

  /** Runs the command. Throws {@link Failure}, or an exception that {@link Failures} translates. */
  protected abstract ExitCode run() throws Exception;

  /** Prints warnings found during the command, however it ended. */
  protected void sayAtTheEnd() {
    // Most commands have none.
  }

  @Override
  public final Integer call() throws Exception {
    try {
      return run().number();
    } catch (Exception e) {
      output().failing(Failures.of(e, output().unit()));
      throw e;
    } finally {
      sayAtTheEnd();
    }
  }

  protected final CommandSpec spec() {
    return Objects.requireNonNull(spec, "picocli sets the spec before it calls");
  }

  private Root root() {
    return (Root) spec().root().userObject();
  }

  protected boolean isGiven(String name) {
    return spec().commandLine().getParseResult().hasMatchedOption(name);
  }

  /**
   * Asks the user before something that cannot be undone. Returns the typed text without blanks
   * around it, empty at the end of the input. {@code withoutTerminal} says what to do where nobody
   * can be asked.
   */
  protected String ask(String prompt, String withoutTerminal) {
    return new Secrets(surroundings()).answer(prompt, withoutTerminal);
  }

  /**
   * Asks a question, y or yes, before something that cannot be undone. {@code withoutTerminal} says
   * what to do where nobody can be asked.
   */
  protected boolean agrees(String question, String withoutTerminal) {
    String answer = ask(question + " [y/N] ", withoutTerminal).toLowerCase(Locale.ROOT);
    return answer.equals("y") || answer.equals("yes");
  }

  public Surroundings surroundings() {
    return root().surroundings();
  }

  /** Returns the global options, which every command accepts. */
  public GlobalOptions options() {
    return root().options();
  }

  /** Returns the command's output, the same instance for the whole command. */
  public Output output() {
    Output known = output;
    if (known == null) {
      known = new Output(surroundings(), options());
      output = known;
    }
    return known;
  }

  /** Prints the result in the requested format, and ends the command. */
  public final ExitCode result(JsonObject json, Consumer<PrintStream> people) {
    output().result(json, people);
    return ExitCode.DONE;
  }

  /** Prints a line on stderr, unless -q. */
  protected final void note(String text) {
    output().note(text);
  }

  /** Returns whether rows must fit a terminal. */
  public boolean narrow() {
    return surroundings().colours() && options().verbosity() == 0;
  }

  /** Returns the selected network, with its signet challenge. */
  public final ChainParams network() {
    return challenge().map(ChainParams::signet).orElseGet(() -> ChainParams.ofName(networkName()));
  }

  protected final Optional<Bytes> challenge() {
    return options().signetChallenge(surroundings().environment());
  }

  /** The address format of the selected network. */
  protected final KeyNetwork keyNetwork() {
    return WalletRecipe.keyNetwork(network());
  }

  /** Returns the name of the network, one of {@link GlobalOptions#NETWORKS}. */
  public String networkName() {
    return options().network(surroundings().environment());
  }
}
