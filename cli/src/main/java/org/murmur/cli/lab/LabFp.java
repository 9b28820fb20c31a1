package org.murmur.cli.lab;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.words.Advice;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.Parameters;
import org.murmur.lab.fp.FalsePositives;
import org.murmur.lab.probe.Probe;
import org.murmur.lab.probe.UnreachableException;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab fp}. */
@Command(
    name = "fp",
    description = "Compare false-positive rates of formulas, real filters and nodes.",
    footer = {
      "",
      "Four parts: rates by four formulas and measured; the server-side filter, block by block,",
      "under each update flag; the answers of a node over TCP (an embedded node, or a real one",
      "with --connect); the rate by number of hash functions. Each trial uses another tweak.",
      "",
      "Examples:",
      "  murmur lab fp --small",
      "  murmur lab fp --elements 10,1000 --rates 0.001,0.01 --trials 100 --out fp",
      "  murmur --network regtest lab fp --connect 127.0.0.1 --json"
    })
final class LabFp extends LabStudy {

  @Option(
      names = "--elements",
      paramLabel = "N,N...",
      description = "Elements of the filters (default: 10,100,1000,10000).")
  private @Nullable String elements;

  @Option(
      names = "--rates",
      paramLabel = "P,P...",
      description = "Rates that they are sized for (default: 0.0001,0.001,0.01,0.1).")
  private @Nullable String rates;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "Elements tested per filter (default: 200000).")
  private @Nullable Integer queries;

  @Option(
      names = "--stream-rates",
      paramLabel = "P,P...",
      description = "Rates of the filters that meet blocks (default: 0.0001,0.001,0.01).")
  private @Nullable String streamRates;

  @Option(
      names = "--stream-blocks",
      paramLabel = "N",
      description = "Blocks of 9000 outputs that they meet (default: 60).")
  private @Nullable Integer streamBlocks;

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = "Ask this node instead of an embedded one; --network names its network.")
  private @Nullable String connect;

  @Option(
      names = "--served-rate",
      paramLabel = "P",
      description = "Rate of the filters sent to the node (default: 0.01).")
  private @Nullable Double servedRate;

  @Option(
      names = "--served-blocks",
      paramLabel = "N",
      description = "Number of the node's last blocks to request (default: 40).")
  private @Nullable Integer servedBlocks;

  /** The node to ask, and its network; known once the parameters are chosen. */
  private String asked = FalsePositives.EMBEDDED;

  private ChainParams network = ChainParams.REGTEST;

  @Override
  String study() {
    return "fp";
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = set(parameters, "elements", elements);
    chosen = set(chosen, "rates", rates);
    chosen = set(chosen, "queries", queries);
    chosen = set(chosen, "stream-rates", streamRates);
    chosen = set(chosen, "stream-blocks", streamBlocks);
    chosen = set(chosen, "served-rate", servedRate);
    chosen = set(chosen, "served-blocks", servedBlocks);
    if (connect != null) {
      chosen = chosen.with(FalsePositives.CONNECT, connect).with("network", networkName());
    }
    // Not only of the option: --repeat can name a node, too.
    asked = chosen.text(FalsePositives.CONNECT);
    network = ChainParams.ofName(chosen.text("network"));
    if (!asked.equals(FalsePositives.EMBEDDED)) {
      if (PeerArguments.proxy(null, surroundings().environment()) != null) {
        throw Failure.usage(
            "--connect: the lab does not support a proxy and would bypass the one in "
                + PeerArguments.PROXY_VARIABLE
                + "; unset it to connect directly");
      }
      NodeAddress ignored = PeerArguments.parse("--connect", asked, network);
    }
    return chosen;
  }

  /** Connects once, so that a node that cannot be measured is known at once. */
  @Override
  void check() throws IOException {
    if (asked.equals(FalsePositives.EMBEDDED)) {
      return;
    }
    NodeAddress address = PeerArguments.parse("--connect", asked, network);
    try {
      Probe.connect(network, address).close();
    } catch (UnreachableException e) {
      String advice = Advice.of(e.obstacle(), network);
      boolean given = asked.endsWith(":" + address.port());
      String port =
          given || e.obstacle() != Obstacle.NO_CONNECTION
              ? ""
              : " Port "
                  + address.port()
                  + " is that of "
                  + network
                  + "; give --network or HOST:PORT for another";
      throw new Failure(ExitCode.FAILED, "io", Failures.message(e) + ". " + advice + port, e);
    } catch (IOException e) {
      Optional<ChainParams> other = Probe.networkOf(address, network);
      if (other.isPresent()) {
        String name = other.get().name();
        throw new Failure(
            ExitCode.FAILED,
            "io",
            address + " is a node of " + name + ", not of " + network + ": give --network " + name,
            e);
      }
      throw e;
    }
  }
}
