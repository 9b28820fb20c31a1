package org.murmur.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.murmur.lab.CodeVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The root command with the global options. */
@Command(
    name = "murmur",
    versionProvider = Root.Version.class,
    description = "A Bitcoin SPV wallet that syncs over BIP37 and reveals as little as it can.",
    footer = {
      "First steps:",
      "  murmur demo                                 a complete run without a network",
      "  murmur create                               a new wallet (testnet4)",
      "  murmur sync --connect 127.0.0.1:48333       sync it from your node",
      "  murmur balance",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not synced, 4 no usable peer,",
      "5 peers disagree, 130 interrupted. More on a command: murmur help COMMAND"
    })
public final class Root implements Callable<Integer> {

  private final Surroundings surroundings;

  @Mixin private GlobalOptions options = new GlobalOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("unused") // picocli acts on it by itself
  private boolean version;

  public Root(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  Surroundings surroundings() {
    return surroundings;
  }

  /** Returns the global options, which every command accepts. */
  public GlobalOptions options() {
    return options;
  }

  @Override
  public Integer call() {
    if (spec == null) {
      throw new AssertionError("picocli sets the spec before it calls");
    }
    throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
  }

  /** The version from the jar's manifest, and the commit of the build. */
  public static final class Version implements CommandLine.IVersionProvider {
    /** Returns the version from the jar's manifest, or a word for a build without a jar. */
    public static String name() {
      String version = Root.class.getPackage().getImplementationVersion();
      return version == null ? "(development)" : version;
    }

    /**
     * Returns the code version that result files of the lab carry: the version and a digest of the
     * program's classes.
     */
    public static String code() {
      try {
        return CodeVersion.ofThis();
      } catch (IOException e) {
        throw new UncheckedIOException("the program's own files cannot be read", e);
      }
    }

    @Override
    public String[] getVersion() {
      return new String[] {
        "murmur " + name() + " (" + CodeVersion.commitInWords() + ", code " + code() + ")"
      };
    }
  }
}
