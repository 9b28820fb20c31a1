package org.murmur.cli.lab;

import org.jspecify.annotations.Nullable;
import org.murmur.lab.Parameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab bandwidth}. */
@Command(
    name = "bandwidth",
    description = "Measure bytes per rate and rate per budget, compared with BIP158.",
    footer = {
      "",
      "An embedded node serves its blocks over TCP to filters that match nothing on the chain.",
      "Each trial uses another tweak.",
      "",
      "Examples:",
      "  murmur lab bandwidth --small",
      "  murmur lab bandwidth --budgets 50,100 --out bandwidth"
    })
final class LabBandwidth extends LabStudy {

  @Option(
      names = "--rates",
      paramLabel = "P,P...",
      description = "Rates to measure (default: 0.00001 to 0.1 in seven steps).")
  private @Nullable String rates;

  @Option(names = "--blocks", paramLabel = "N", description = "Blocks per trial (default: 60).")
  private @Nullable Integer blocks;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "Transactions of each block (default: 400).")
  private @Nullable Integer transactions;

  @Option(
      names = "--budgets",
      paramLabel = "MB,MB...",
      description = "Budgets in megabytes a month (default: 10 to 320).")
  private @Nullable String budgets;

  @Override
  String study() {
    return "bandwidth";
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = set(parameters, "rates", rates);
    chosen = set(chosen, "blocks", blocks);
    chosen = set(chosen, "transactions", transactions);
    return set(chosen, "budgets", budgets);
  }
}
