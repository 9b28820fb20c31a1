package org.murmur.cli.lab;

import org.murmur.lab.bandwidth.Bandwidth;
import picocli.CommandLine.Command;

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

  LabBandwidth() {
    super(new Bandwidth());
  }
}
