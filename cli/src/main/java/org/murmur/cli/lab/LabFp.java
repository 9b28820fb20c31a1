package org.murmur.cli.lab;

import org.jspecify.annotations.Nullable;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.words.Failure;
import org.murmur.lab.Parameters;
import org.murmur.lab.fp.FalsePositives;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab fp}. */
@Command(
    name = "fp",
    description = "False-positive rates: formulas beside filters that were built and nodes asked.",
    footer = {
      "",
      "Three parts: rates by four formulas and measured; the server's copy of a filter, block by",
      "block, under each update flag; and a node's own answers over TCP, an embedded one's or,",
      "with --connect, a real one's. A trial is a tweak.",
      "",
      "Examples:",
      "  murmur lab fp --small",
      "  murmur lab fp --elements 10,1000 --rates 1e-3,1e-2 --trials 100 --out fp",
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
      description = "Rates they are sized for (default: 1e-4,1e-3,1e-2,1e-1).")
  private @Nullable String rates;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "Elements asked of each filter (default: 200000).")
  private @Nullable Integer queries;

  @Option(
      names = "--stream-rates",
      paramLabel = "P,P...",
      description = "Rates of the filters that meet blocks (default: 1e-4,1e-3,1e-2).")
  private @Nullable String streamRates;

  @Option(
      names = "--stream-blocks",
      paramLabel = "N",
      description = "Blocks of 9000 outputs that they meet (default: 60).")
  private @Nullable Integer streamBlocks;

  @Option(
      names = "--connect",
      paramLabel = "HOST[:PORT]",
      description = "Ask this node, of the network that --network names, not an embedded one.")
  private @Nullable String connect;

  @Option(
      names = "--served-rate",
      paramLabel = "P",
      description = "Rate of the filters that nodes are asked with (default: 0.01).")
  private @Nullable Double servedRate;

  @Option(
      names = "--served-blocks",
      paramLabel = "N",
      description = "How many of the node's last blocks to ask for (default: 40).")
  private @Nullable Integer servedBlocks;

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
      if (PeerArguments.proxy(null, surroundings().environment()) != null) {
        throw Failure.usage(
            "--connect: the lab knows no proxy and would go around the one of "
                + PeerArguments.PROXY_VARIABLE
                + "; unset it if that is all right");
      }
      chosen = chosen.with(FalsePositives.CONNECT, connect).with("network", networkName());
    }
    return chosen;
  }
}
