package org.murmur.cli.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Text;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.OnionAddress;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Option;

/** Options about peers and how to reach them, for every command that connects. */
public final class PeerArguments {

  /** The environment variable that replaces {@code --proxy}. */
  public static final String PROXY_VARIABLE = "MURMUR_PROXY";

  /** The environment variable that replaces {@code --connect}. */
  static final String CONNECT_VARIABLE = "MURMUR_CONNECT";

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = {
        "A peer to connect to; only named peers are used. Repeatable; or MURMUR_CONNECT, with",
        "commas between several. Without either Murmur finds peers: known addresses first, then",
        "DNS seeds and other nodes."
      })
  private List<String> connect = new ArrayList<>();

  @Option(
      names = "--seed-node",
      paramLabel = "HOST[:PORT]",
      description = {
        "Without --connect: ask this node for addresses first. Repeatable. Regtest and custom",
        "signets have no DNS seeds and need --connect or --seed-node."
      })
  private List<String> seedNodes = new ArrayList<>();

  @Option(
      names = "--proxy",
      paramLabel = "HOST[:PORT]",
      description = {
        "A SOCKS5 proxy, for instance Tor's: 127.0.0.1:9050; or MURMUR_PROXY. It carries every",
        "connection, also to peers on this machine, and resolves all names. Needed for .onion",
        "addresses."
      })
  private @Nullable String proxy;

  @Option(
      names = "--peers",
      paramLabel = "N",
      description = {
        "Number of peers that serve blocks (default: all named peers; without --connect 3, or 2",
        "with --privacy private). Two more serve headers only."
      })
  private @Nullable Integer peers;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Stop after this time, complete or not; progress is kept.")
  private @Nullable Double timeout;

  @Option(
      names = "--privacy",
      paramLabel = "PRESET",
      completionCandidates = Choices.Presets.class,
      description = {
        "fast: one filter with everything; all peers share the work, and each can read the wallet",
        "from it. private: one peer gets the scripts and another the outpoints, in filters with",
        "many false matches that never change; needs two peers and about twice the time.",
        "compact: no peer gets a filter or a script; block filters and whole blocks are fetched",
        "instead, about 1.2 GB for a year of mainnet, and pending payments need --pool.",
        "Default: the preset used last. For a first sync: fast on test networks and for loopback",
        "or private addresses, else private. A private or compact wallet stays it until you choose."
      })
  private @Nullable String privacy;

  @Option(
      names = "--v2",
      paramLabel = "WHEN",
      completionCandidates = Choices.Encryptions.class,
      description = {
        "Encryption of connections (BIP-0324). prefer: encrypted where the peer can, else in the",
        "clear. only: peers that encrypt, and no others. off (default): all in the clear. It hides",
        "the wallet's filter from the line, not from the peer."
      })
  private @Nullable String encryption;

  public SyncOptions toOptions(Action command) {
    ChainParams network = command.network();
    Map<String, String> environment = command.surroundings().environment();
    List<NodeAddress> named = addresses(network, environment);
    SyncOptions options = named.isEmpty() ? discover(network) : SyncOptions.connect();
    options = options.peers(found -> found.named(named).connections(connections()));
    if (encryption != null) {
      Encryption chosen =
          Choices.<Encryption>meaning(
              "--v2", encryption, new Choices.Encryptions(), List.of(Encryption.values()));
      options = options.peers(found -> found.encryption(chosen));
    }
    Proxy through = proxy(proxy, environment);
    if (through != null) {
      options = options.proxy(through);
    }
    checkHidden(connect.isEmpty() ? CONNECT_VARIABLE : "--connect", named, through);
    checkHidden("--seed-node", addresses("--seed-node", seedNodes, network), through);
    if (timeout != null) {
      Duration limit = timeout();
      options = options.limits(usual -> usual.time(limit));
    }
    return preset(options);
  }

  private Duration timeout() {
    Duration time = seconds("--timeout", Objects.requireNonNull(timeout));
    if (time.isZero()) {
      throw Failure.usage("--timeout " + timeout + ", expected more than 0 seconds");
    }
    return time;
  }

  /** Returns the proxy of the option or, without the option, of the environment; null for none. */
  public static @Nullable Proxy proxy(@Nullable String option, Map<String, String> environment) {
    String text = option == null ? environment.getOrDefault(PROXY_VARIABLE, "") : option;
    if (option == null && text.isEmpty()) {
      return null;
    }
    return Failure.checked(option == null ? PROXY_VARIABLE : "--proxy", () -> Proxy.parse(text));
  }

  /** Checks that onion addresses are well-formed and that a proxy is set. */
  private static void checkHidden(String option, List<NodeAddress> named, @Nullable Proxy through) {
    for (NodeAddress peer : named) {
      if (OnionAddress.isOnion(peer.host())) {
        Bytes ignored = Failure.checked(option, () -> OnionAddress.parse(peer.host()));
      }
      if (peer.isHidden() && through == null) {
        throw Failure.usage(
            Text.of(
                "%s %s: it can only be reached through a proxy; with Tor running, use --proxy"
                    + " 127.0.0.1:%s",
                option, peer, Proxy.DEFAULT_PORT));
      }
    }
  }

  public static NodeAddress parse(String option, String text, ChainParams network) {
    return Failure.checked(option, () -> NodeAddress.parse(text.strip(), network.defaultPort()));
  }

  /** Options for a session that finds its peers by seed nodes or DNS seeds. */
  private SyncOptions discover(ChainParams network) {
    if (seedNodes.isEmpty() && network.dnsSeeds().isEmpty()) {
      throw Failure.usage(
          Text.of(
              "no peer given, and there are no DNS seeds for %s: name a peer with --connect"
                  + " HOST[:PORT], for instance --connect 127.0.0.1:%s for your own node on this"
                  + " machine; or name a node to ask for addresses with --seed-node HOST[:PORT]",
              network, network.defaultPort()));
    }
    String[] nodes =
        addresses("--seed-node", seedNodes, network).stream()
            .map(NodeAddress::toString)
            .toArray(String[]::new);
    return SyncOptions.discover()
        .peers(found -> found.discovering(Discovery.USUAL.seedNodes(nodes)));
  }

  /** The named peers; empty if peers must be found. */
  private List<NodeAddress> addresses(ChainParams network, Map<String, String> environment) {
    if (!connect.isEmpty() && !seedNodes.isEmpty()) {
      throw Failure.usage("--seed-node is for finding peers, but --connect uses named peers only");
    }
    String usual = environment.getOrDefault(CONNECT_VARIABLE, "").strip();
    if (connect.isEmpty() && seedNodes.isEmpty() && !usual.isEmpty()) {
      return addresses(CONNECT_VARIABLE, List.of(usual.split("\\s*,\\s*")), network);
    }
    return addresses("--connect", connect, network);
  }

  public static List<NodeAddress> addresses(
      String option, List<String> texts, ChainParams network) {
    return texts.stream().map(text -> parse(option, text, network)).distinct().toList();
  }

  /** Sets the named preset. Without one the wallet decides. */
  private SyncOptions preset(SyncOptions options) {
    return privacy == null
        ? options
        : options.preset(
            Choices.<Preset.Kind>meaning(
                "--privacy", privacy, new Choices.Presets(), List.of(Preset.Kind.values())));
  }

  /** Number of connections; 0 for one per address. */
  private int connections() {
    return peers == null ? 0 : Numbers.atLeast(1, "--peers", peers);
  }

  public static Duration seconds(String option, double value) {
    if (!(value >= 0 && value <= 1e9)) {
      throw Failure.usage(option + " " + value + ", expected seconds, 0 or more");
    }
    return Duration.ofMillis((long) (value * 1000));
  }
}
