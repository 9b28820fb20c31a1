package org.murmur.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.wallet.SyncOptions;
import picocli.CommandLine.Option;

/** How to sync: what {@code sync}, {@code rescan} and {@code broadcast} have in common. */
final class SyncArguments {

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = "A peer to sync from; only these are used. Repeatable.")
  private List<String> connect = new ArrayList<>();

  @Option(
      names = "--peers",
      paramLabel = "N",
      description = "How many of them at once (default: all).")
  private @Nullable Integer peers;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Stop after so long, complete or not; what is done is kept.")
  private @Nullable Double timeout;

  @Option(
      names = "--fp",
      paramLabel = "RATE",
      description = "False-positive rate of the filters (default: 1e-9).")
  private @Nullable Double rate;

  @Option(
      names = "--privacy",
      paramLabel = "PRESET",
      description =
          "fast: one filter with everything. The other preset, private, is not built yet; away from"
              + " test networks and private addresses fast must be asked for.")
  private @Nullable String privacy;

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

  /** The options of a session, all checked. */
  SyncOptions toOptions(Network network) {
    String[] addresses =
        addresses(network).stream().map(PeerAddress::toString).toArray(String[]::new);
    SyncOptions options = SyncOptions.connect(addresses).connections(connections());
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
    return options.verify(verify).spotChecks(spotChecks);
  }

  /** The peers, of which there must be some. */
  private List<PeerAddress> addresses(Network network) {
    if (connect.isEmpty()) {
      throw Failure.usage(
          "no peer given: --connect HOST[:PORT] says where to sync from, for instance --connect"
              + " 127.0.0.1:"
              + network.defaultPort()
              + " for a node of your own on this machine");
    }
    List<PeerAddress> addresses = new ArrayList<>();
    for (String text : connect) {
      try {
        PeerAddress address = PeerAddress.parse(text.strip(), network.defaultPort());
        if (!addresses.contains(address)) {
          addresses.add(address);
        }
      } catch (IllegalArgumentException e) {
        throw Failure.usage("--connect: " + Failures.message(e));
      }
    }
    checkPrivacy(network, addresses);
    return addresses;
  }

  private void checkPrivacy(Network network, List<PeerAddress> addresses) {
    if ("private".equals(privacy)) {
      throw Failure.failed(
          "not_built", "--privacy private is not built yet; --privacy fast is what there is");
    }
    if (privacy != null && !privacy.equals("fast")) {
      throw Failure.usage("--privacy '" + privacy + "', expected fast or private");
    }
    if (privacy != null || network != Network.MAINNET) {
      return;
    }
    for (PeerAddress address : addresses) {
      if (!isPrivate(address.host())) {
        throw Failure.failed(
            "privacy",
            address
                + " is on the internet and would learn the wallet's addresses. The private preset,"
                + " the default there, is not built yet; --privacy fast syncs all the same");
      }
    }
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
