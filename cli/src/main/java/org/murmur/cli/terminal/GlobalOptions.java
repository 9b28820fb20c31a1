package org.murmur.cli.terminal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.coins.keys.EditDistance;
import org.murmur.p2p.chain.ChainParams;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command accepts, before or after its name. */
public final class GlobalOptions {

  /** The names of the networks, in display order. */
  public static final List<String> NETWORKS =
      List.of("mainnet", "testnet3", "testnet4", "signet", "regtest");

  static final String DEFAULT_NETWORK = "testnet4";

  @Option(
      names = "--network",
      paramLabel = "NAME",
      completionCandidates = Choices.Networks.class,
      scope = ScopeType.INHERIT,
      description = "mainnet, testnet3, testnet4 (default), signet, regtest; or MURMUR_NETWORK.")
  private @Nullable String network;

  @Option(
      names = "--signet-challenge",
      paramLabel = "HEX",
      scope = ScopeType.INHERIT,
      description =
          "With --network signet: a custom signet with this challenge script. The wallet"
              + " remembers it.")
  private @Nullable String signetChallenge;

  @Option(
      names = "--datadir",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description =
          "Folder of the wallets; or MURMUR_DATADIR. Default: the platform's data folder.")
  private @Nullable String datadir;

  @Option(
      names = {"-w", "--wallet"},
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Name of the wallet (default: default).")
  private String wallet = "default";

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      completionCandidates = Choices.Units.class,
      scope = ScopeType.INHERIT,
      description = "Show amounts in btc (default) or sat. JSON and CSV are not changed.")
  private @Nullable Unit unit;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print one JSON object on stdout.")
  private boolean json;

  @Option(
      names = "--jsonl",
      scope = ScopeType.INHERIT,
      description = "Print JSON objects on stdout, one event per line; the last is the result.")
  private boolean jsonl;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "More on stderr; twice for stack traces too.")
  private boolean[] verbose = {};

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Only errors on stderr.")
  private boolean quiet;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("unused") // picocli acts on it by itself
  private boolean help;

  /** The name of the network, one of {@link #NETWORKS}. */
  String network(Map<String, String> environment) {
    String name = network;
    String origin = "--network";
    if (name == null) {
      name = environment.getOrDefault("MURMUR_NETWORK", "");
      origin = "MURMUR_NETWORK";
      if (name.isEmpty()) {
        return DEFAULT_NETWORK;
      }
    }
    if (!NETWORKS.contains(name)) {
      throw Failure.usage(
          Text.of(
              "unknown network '%s' (%s); %sexpected one of %s",
              name, origin, didYouMean(name), Amounts.listed(NETWORKS)));
    }
    return name;
  }

  private static String didYouMean(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    List<String> near =
        NETWORKS.stream()
            .filter(known -> !lower.isEmpty())
            .filter(known -> known.startsWith(lower) || EditDistance.of(known, lower) == 1)
            .collect(Collectors.toList());
    return near.isEmpty() ? "" : "did you mean " + String.join(" or ", near) + "? ";
  }

  /** Returns the challenge of a custom signet; empty if there is none. */
  public Optional<Bytes> signetChallenge(Map<String, String> environment) {
    String hex = signetChallenge;
    if (hex == null) {
      return Optional.empty();
    }
    if (!network(environment).equals(ChainParams.SIGNET.name())) {
      throw Failure.usage(
          "--signet-challenge needs --network signet, but the network is " + network(environment));
    }
    return Failure.checked(
        "--signet-challenge",
        () -> {
          Bytes challenge = Bytes.ofHex(hex);
          ChainParams.signet(challenge);
          return Optional.of(challenge);
        });
  }

  /** Returns the network named on the command line; empty if it names none. */
  public Optional<String> networkOption() {
    return Optional.ofNullable(network);
  }

  /** Returns whether the command line or the environment names a network. */
  public boolean networkNamed(Map<String, String> environment) {
    return network != null || !environment.getOrDefault("MURMUR_NETWORK", "").isEmpty();
  }

  /** Returns the data folder, which has a subfolder for every network, and may not exist. */
  public Path datadir(Map<String, String> environment) {
    String given = datadir == null ? environment.getOrDefault("MURMUR_DATADIR", "") : datadir;
    if (datadir != null && given.isEmpty()) {
      throw Failure.usage("--datadir is empty");
    }
    try {
      return given.isEmpty()
          ? platformFolder(environment, System.getProperty("os.name", ""))
          : Path.of(given);
    } catch (InvalidPathException e) {
      throw Failure.usage("--datadir: " + e.getMessage());
    }
  }

  /**
   * Returns the standard data folder of a platform, whose name is that of the property os.name. It
   * may not exist.
   */
  public static Path platformFolder(Map<String, String> environment, String system) {
    String os = system.toLowerCase(Locale.ROOT);
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
    if (os.startsWith("windows")) {
      String roaming = environment.getOrDefault("APPDATA", "");
      return roaming.isEmpty()
          ? Path.of(System.getProperty("user.home", "."), "AppData", "Roaming", "Murmur")
          : Path.of(roaming, "Murmur");
    }
    if (os.startsWith("mac")) {
      return Path.of(home, "Library", "Application Support", "Murmur");
    }
    String xdg = environment.getOrDefault("XDG_DATA_HOME", "");
    // The XDG specification: a relative path is invalid and must be ignored.
    return xdg.startsWith("/")
        ? Path.of(xdg, "murmur")
        : Path.of(home, ".local", "share", "murmur");
  }

  public String wallet() {
    return wallet;
  }

  public Unit unit() {
    return saidUnit().orElse(Unit.BTC);
  }

  /** Returns the unit that the user named; empty without --unit. */
  public Optional<Unit> saidUnit() {
    return Optional.ofNullable(unit);
  }

  public boolean json() {
    return json;
  }

  public boolean jsonl() {
    return jsonl;
  }

  public int verbosity() {
    return verbose.length;
  }

  public boolean quiet() {
    return quiet;
  }
}
