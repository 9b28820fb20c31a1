package org.murmur.cli.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.wire.OnionAddress;
import org.murmur.wallet.GuardOptions;
import org.murmur.wallet.SyncOptions;
import picocli.CommandLine.Option;

/** Which peers, and how they are reached: for every command that talks to some. */
public final class PeerArguments {

  /** What stands for {@code --proxy} where that is not given. */
  public static final String PROXY_VARIABLE = "MURMUR_PROXY";

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = {
        "A peer to connect to; only these are used. Repeatable. Without it peers are found: those",
        "known from earlier, else by DNS seeds and by asking other nodes."
      })
  private List<String> connect = new ArrayList<>();

  @Option(
      names = "--seed-node",
      paramLabel = "HOST[:PORT]",
      description = {
        "Without --connect: ask this node for addresses of others before anybody else. Repeatable.",
        "On regtest, and a signet of one's own, there are no DNS seeds: there it takes one of both."
      })
  private List<String> seedNodes = new ArrayList<>();

  @Option(
      names = "--proxy",
      paramLabel = "HOST[:PORT]",
      description = {
        "A SOCKS5 proxy, for instance Tor's: 127.0.0.1:9050; or MURMUR_PROXY. Every connection goes",
        "through it and it resolves all names; nothing goes around it, also not to peers on this",
        "machine. Needed for .onion addresses."
      })
  private @Nullable String proxy;

  @Option(
      names = "--peers",
      paramLabel = "N",
      description = {
        "How many peers serve blocks at once (default: all that are named; of those that are found,",
        "3, or 2 for --privacy private; two more serve headers only)."
      })
  private @Nullable Integer peers;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Stop after so long, complete or not; what is done is kept.")
  private @Nullable Double timeout;

  @Option(
      names = "--privacy",
      paramLabel = "PRESET",
      description = {
        "fast: one filter with everything, several peers share the work; each can read the wallet",
        "from it. private: one peer is shown the scripts and another the outpoints, in filters with",
        "many false matches that stay the same for good; takes two peers and about twice the time.",
        "Default: what this wallet used last; in its first sync fast on test networks and for",
        "loopback or private addresses, private elsewhere. Private stays private until you say fast."
      })
  private @Nullable String privacy;

  /**
   * Makes the options of a session with these peers, all checked.
   *
   * @param network the network
   * @param environment the environment variables
   * @return options for a sync
   */
  public SyncOptions toOptions(Network network, Map<String, String> environment) {
    List<PeerAddress> named = addresses(network);
    String[] addresses = named.stream().map(PeerAddress::toString).toArray(String[]::new);
    SyncOptions options = named.isEmpty() ? discover(network) : SyncOptions.connect(addresses);
    options = options.connections(connections());
    Proxy through = proxy(proxy, environment);
    if (through != null) {
      options = options.proxy(through);
    }
    checkHidden("--connect", named, through);
    checkHidden("--seed-node", addresses("--seed-node", seedNodes, network), through);
    if (timeout != null) {
      options = options.timeout(timeout());
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

  /**
   * Returns the proxy of the option or, without it, of the environment.
   *
   * @param option the option, or null
   * @param environment the environment variables
   * @return null for none
   */
  public static @Nullable Proxy proxy(@Nullable String option, Map<String, String> environment) {
    String text = option == null ? environment.getOrDefault(PROXY_VARIABLE, "") : option;
    if (option == null && text.isEmpty()) {
      return null;
    }
    try {
      return Proxy.parse(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          (option == null ? PROXY_VARIABLE : "--proxy") + ": " + Failures.message(e));
    }
  }

  /** Onion addresses are well-formed, and there is a proxy for them. */
  private static void checkHidden(String option, List<PeerAddress> named, @Nullable Proxy through) {
    for (PeerAddress peer : named) {
      if (OnionAddress.isOnion(peer.host())) {
        try {
          OnionAddress.parse(peer.host());
        } catch (IllegalArgumentException e) {
          throw Failure.usage(option + ": " + Failures.message(e));
        }
      }
      if (peer.isHidden() && through == null) {
        throw Failure.usage(
            option
                + " "
                + peer
                + ": only a proxy leads there; with Tor running, say --proxy 127.0.0.1:"
                + Proxy.DEFAULT_PORT);
      }
    }
  }

  /**
   * Reads the address of a peer.
   *
   * @param option the option's name, for messages
   * @param text HOST[:PORT]
   * @param network whose port it is without one
   * @return the address
   */
  public static PeerAddress parse(String option, String text, Network network) {
    try {
      return PeerAddress.parse(text.strip(), network.defaultPort());
    } catch (IllegalArgumentException e) {
      throw Failure.usage(option + ": " + Failures.message(e));
    }
  }

  /** Peers are found by what the network has to find them by. */
  private SyncOptions discover(Network network) {
    if (seedNodes.isEmpty() && network.dnsSeeds().isEmpty()) {
      throw Failure.usage(
          "no peer given, and there are no DNS seeds for "
              + network
              + " to find one by: --connect HOST[:PORT] says where to sync from, for instance"
              + " --connect 127.0.0.1:"
              + network.defaultPort()
              + " for a node of your own on this machine; --seed-node HOST[:PORT] says whom to ask for"
              + " addresses of others");
    }
    List<PeerAddress> nodes = addresses("--seed-node", seedNodes, network);
    return SyncOptions.discover()
        .seedNodes(nodes.stream().map(PeerAddress::toString).toArray(String[]::new));
  }

  /** The peers that are named; none if they are to be found. */
  private List<PeerAddress> addresses(Network network) {
    if (!connect.isEmpty() && !seedNodes.isEmpty()) {
      throw Failure.usage(
          "--seed-node is for finding peers, and --connect says that only those named are used");
    }
    return addresses("--connect", connect, network);
  }

  private static List<PeerAddress> addresses(String option, List<String> texts, Network network) {
    List<PeerAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      PeerAddress address = parse(option, text, network);
      if (!addresses.contains(address)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /** Under the preset that was said, if one was: the wallet decides otherwise. */
  private SyncOptions preset(SyncOptions options) {
    if (privacy == null) {
      return options;
    }
    return switch (privacy) {
      case "fast" -> options.fast();
      case "private" -> options.privately(GuardOptions.USUAL);
      default -> throw Failure.usage("--privacy '" + privacy + "', expected fast or private");
    };
  }

  /** How many connections; 0 for as many as there are addresses. */
  private int connections() {
    if (peers == null) {
      return 0;
    }
    if (peers < 1) {
      throw Failure.usage("--peers " + peers + ", expected at least 1");
    }
    return peers;
  }

  /**
   * Reads seconds that an option names.
   *
   * @param option the option's name, for messages
   * @param value how many
   * @return the duration
   */
  public static Duration seconds(String option, double value) {
    if (!(value >= 0 && value <= 1e9)) {
      throw Failure.usage(option + " " + value + ", expected seconds, 0 or more");
    }
    return Duration.ofMillis((long) (value * 1000));
  }
}
