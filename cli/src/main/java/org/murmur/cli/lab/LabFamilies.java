package org.murmur.cli.lab;

import org.jspecify.annotations.Nullable;
import org.murmur.lab.Parameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab families}. */
@Command(
    name = "families",
    description = "Compare other filters with BIP37's: size, rate, time, features.",
    footer = {
      "",
      "Eighteen filters of twelve kinds hold the same wallet elements: Bloom (BIP37, Guava),",
      "blocked, scalable, counting, spectral, accurate counting, d-left, cuckoo, quotient, xor,",
      "binary fuse and Golomb-coded. None but the first can be sent to a BIP37 server. Exit code 1",
      "if one forgets an element, or its rate is not what its theory says.",
      "",
      "Examples:",
      "  murmur lab families",
      "  murmur lab families --family bloom,cuckoo --fp 0.01,0.0001 --elements 500",
      "  murmur lab families --trials 100 --out families --png"
    })
final class LabFamilies extends LabStudy {

  @Option(
      names = "--family",
      paramLabel = "NAME,...",
      description = "Families by name (default: all).")
  private @Nullable String family;

  @Option(
      names = "--fp",
      paramLabel = "RATE,...",
      description = "False-positive rates (default: 0.01,0.001,0.0001).")
  private @Nullable String rates;

  @Option(
      names = "--elements",
      paramLabel = "N",
      description = "Elements of the wallet (default: 2000).")
  private @Nullable Integer elements;

  @Option(
      names = "--queries",
      paramLabel = "N",
      description = "Foreign elements tested per filter (default: 100000).")
  private @Nullable Integer queries;

  @Override
  String study() {
    return "families";
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = set(parameters, "family", family);
    chosen = set(chosen, "fp", rates);
    chosen = set(chosen, "elements", elements);
    return set(chosen, "queries", queries);
  }
}
