package org.murmur.cli.lab;

import java.io.IOException;
import java.util.Optional;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.words.Advice;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
import org.murmur.lab.Parameters;
import org.murmur.lab.fp.FalsePositives;
import org.murmur.lab.probe.Probe;
import org.murmur.lab.probe.Probe.UnreachableException;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import picocli.CommandLine.Command;

@Command(
    name = "fp",
    description = "Compare false-positive rates of formulas, real filters and nodes.",
    footer = {
      "Four parts: rates by four formulas and measured; the server-side filter, block by block,",
      "under each update flag; the answers of a node over TCP (an embedded node, or a real one",
      "with --connect); the rate by number of hash functions. Each trial uses another tweak.",
      "Examples:",
      "  murmur lab fp --small",
      "  murmur lab fp --elements 10,1000 --rates 0.001,0.01 --trials 100 --out fp",
      "  murmur --network regtest lab fp --connect 127.0.0.1 --json"
    })
final class LabFp extends LabStudy {

  /** The node to ask, and its network; known once the parameters are chosen. */
  private String asked = FalsePositives.EMBEDDED;

  private ChainParams network = ChainParams.REGTEST;

  LabFp() {
    super(new FalsePositives());
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = super.choose(parameters);
    if (isGiven("--connect")) {
      chosen = chosen.with("network", networkName());
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
              : Text.of(
                  " Port %s is that of %s; give --network or HOST:PORT for another",
                  address.port(), network);
      throw Failure.failed("io", Failures.message(e) + ". " + advice + port, e);
    } catch (IOException e) {
      Optional<ChainParams> other = Probe.networkOf(address, network);
      if (other.isPresent()) {
        String name = other.get().name();
        throw Failure.failed(
            "io",
            address + " is a node of " + name + ", not of " + network + ": give --network " + name,
            e);
      }
      throw e;
    }
  }
}
