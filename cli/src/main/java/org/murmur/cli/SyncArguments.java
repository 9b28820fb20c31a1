package org.murmur.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.privacy.Traffic;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.p2p.wire.OnionAddress;
import org.murmur.wallet.GuardOptions;
import org.murmur.wallet.SyncOptions;
import picocli.CommandLine.Option;

/** How to sync: what {@code sync}, {@code rescan} and {@code broadcast} have in common. */
final class SyncArguments {

  /** Two guards, each of which sends what matches its filter. */
  private static final int GUARDS = 2;

  /** What stands for {@code --proxy} where that is not given. */
  static final String PROXY_VARIABLE = "MURMUR_PROXY";

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = {
        "A peer to sync from; only these are used. Repeatable. Without it peers are found: those",
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
      names = "--fp",
      paramLabel = "RATE",
      description = "fast: false-positive rate of the filters (default: 1e-9).")
  private @Nullable Double rate;

  @Option(
      names = "--privacy",
      paramLabel = "PRESET",
      description = {
        "fast: one filter with everything, several peers share the work; each can read the wallet",
        "from it. private: one peer is shown the scripts and another the outpoints, in filters with",
        "many false matches that stay the same for good; takes two peers and about twice the time.",
        "Default: fast on test networks and for loopback or private addresses, private elsewhere."
      })
  private @Nullable String privacy;

  @Option(
      names = "--one-peer",
      description = {
        "private with a single peer: it is shown scripts and outpoints, one after the other, and",
        "can tell by the pair which transactions are the wallet's."
      })
  private boolean onePeer;

  @Option(
      names = "--budget",
      paramLabel = "MB",
      description = {
        "private: megabytes a month, on a busy mainnet, for what matches by chance and the blocks",
        "themselves; the nearest public size class is taken (default: 15, false-positive rate 1e-4;",
        "the other one: 120, rate 1e-3). What was shown once stays as it was: this is for new",
        "filters, and a restore needs the same."
      })
  private @Nullable Double budget;

  @Option(
      names = "--replace-guard",
      paramLabel = "HOST[:PORT]",
      description = {
        "private: give this guard up for another of the named peers, which then learns the filter,",
        "too. Without this the peers that hold the filters are never changed. Repeatable."
      })
  private List<String> replaceGuards = new ArrayList<>();

  @Option(
      names = "--mempool-wait",
      paramLabel = "SECONDS",
      description = "How long to wait for unconfirmed transactions (default: 10; 0: do not ask).")
  private @Nullable Double mempoolWait;

  @Option(
      names = "--verify",
      paramLabel = "K",
      description = {
        "Have every block seen by K different peers (default: 1) and compare what they tell. Who",
        "left something out is dropped, and what it saw is looked at again. Fewer than K usable",
        "peers: exit code 3; peers disagree and nobody hands the block over: exit code 5."
      })
  private int verify = 1;

  @Option(
      names = "--spot-check",
      paramLabel = "N",
      description = {
        "Fetch N whole blocks at random heights and compare them with what was told of them, also",
        "with one peer only (default: 0). Each costs its whole size, up to 1,000,000 bytes; a",
        "filtered block without matches is about 150. A block with something left out is found",
        "with a chance of N in the number of blocks."
      })
  private int spotChecks;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = "Stop after receiving so much, complete or not; what is done is kept.")
  private @Nullable Long maxBytes;

  /**
   * The options of a sync: the private preset shows filters to two peers, unless told otherwise.
   */
  SyncOptions toSync(Network network, Map<String, String> environment) {
    SyncOptions options = toOptions(network, environment);
    boolean few = !options.discovers() && options.peers().size() < GUARDS;
    if (options.guarded().isPresent() && !onePeer && few) {
      throw Failure.usage(
          "--privacy private"
              + (privacy == null ? ", the default for peers on the internet," : "")
              + " shows the scripts to one peer and the outpoints to another: name a second one with"
              + " --connect, or say --one-peer (one peer that is shown both can tell by the pair which"
              + " transactions are the wallet's), or --privacy fast");
    }
    return options;
  }

  /** The options of a session, all checked. */
  SyncOptions toOptions(Network network, Map<String, String> environment) {
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
    boolean guarded = isPrivate(network, named);
    checkPreset(guarded);
    if (timeout != null) {
      options = options.timeout(seconds("--timeout", timeout));
    }
    if (mempoolWait != null) {
      options = options.mempoolWait(seconds("--mempool-wait", mempoolWait));
    }
    if (rate != null) {
      if (!(rate > 0 && rate < 1)) {
        throw Failure.usage("--fp " + rate + ", expected between 0 and 1");
      }
      options = options.rate(rate);
    }
    if (maxBytes != null) {
      if (maxBytes < 1) {
        throw Failure.usage("--max-bytes " + maxBytes + ", expected at least 1");
      }
      options = options.maxBytes(maxBytes);
    }
    if (verify < 1) {
      throw Failure.usage("--verify " + verify + ", expected at least 1");
    }
    if (spotChecks < 0) {
      throw Failure.usage("--spot-check " + spotChecks + ", expected 0 or more");
    }
    options = options.verify(verify).spotChecks(spotChecks);
    return guarded ? options.privately(guards(network)) : options;
  }

  /** The proxy of the option or, without it, of the environment; null for none. */
  static @Nullable Proxy proxy(@Nullable String option, Map<String, String> environment) {
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

  /** What belongs to one preset makes no sense under the other. */
  private void checkPreset(boolean guarded) {
    if (!guarded) {
      if (onePeer || budget != null || !replaceGuards.isEmpty()) {
        throw Failure.usage(
            "--one-peer, --budget and --replace-guard belong to --privacy private, and this sync is"
                + " fast");
      }
      return;
    }
    if (verify > 1) {
      throw Failure.usage(
          "--verify compares what several peers tell of the same filter; under --privacy private no"
              + " two peers are shown the same. --privacy fast verifies");
    }
    if (spotChecks > 0) {
      throw Failure.usage(
          "--spot-check asks peers for whole blocks beside filtered ones, and is built for --privacy"
              + " fast only");
    }
    if (rate != null) {
      throw Failure.usage(
          "--fp is for --privacy fast; a filter of a rate of one's own would stand out among those"
              + " of the public size classes. --budget MB chooses among these");
    }
  }

  private GuardOptions guards(Network network) {
    GuardOptions guards = GuardOptions.USUAL.onePeer(onePeer);
    if (budget != null) {
      if (!(budget > 0 && budget < 1e9)) {
        throw Failure.usage("--budget " + budget + ", expected megabytes a month, above 0");
      }
      guards = guards.rate(nearest(budget));
    }
    List<String> dismissed = new ArrayList<>();
    for (String text : replaceGuards) {
      dismissed.add(parse("--replace-guard", text, network).toString());
    }
    return guards.dismissed(dismissed);
  }

  /** The rate of the size classes whose cost is nearest to a budget, by the ratio of the two. */
  static double nearest(double megabytes) {
    double best = SizeClass.THRIFTY;
    for (SizeClass size : SizeClass.ALL) {
      if (distance(megabytes, size.rate()) < distance(megabytes, best)) {
        best = size.rate();
      }
    }
    return best;
  }

  private static double distance(double megabytes, double rate) {
    return Math.abs(Math.log(megabytes / (GUARDS * Traffic.megabytesPerMonth(rate))));
  }

  private static PeerAddress parse(String option, String text, Network network) {
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

  /** Which preset it is: as was said, or private where strangers would learn the addresses. */
  private boolean isPrivate(Network network, List<PeerAddress> addresses) {
    if (privacy != null) {
      if (!privacy.equals("fast") && !privacy.equals("private")) {
        throw Failure.usage("--privacy '" + privacy + "', expected fast or private");
      }
      return privacy.equals("private");
    }
    return network.equals(Network.MAINNET)
        && (addresses.isEmpty()
            || addresses.stream().anyMatch(address -> !isPrivate(address.host())));
  }

  /** Loopback or a private address, told from its text alone: no name is looked up for it. */
  static boolean isPrivate(String host) {
    return new PeerAddress(host, 1).isLocal();
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

  private static Duration seconds(String option, double value) {
    if (!(value >= 0 && value <= 1e9)) {
      throw Failure.usage(option + " " + value + ", expected seconds, 0 or more");
    }
    return Duration.ofMillis((long) (value * 1000));
  }
}
