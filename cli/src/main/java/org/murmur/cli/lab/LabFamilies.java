package org.murmur.cli.lab;

import org.murmur.lab.families.FamiliesStudy;
import picocli.CommandLine.Command;

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

  LabFamilies() {
    super(new FamiliesStudy());
  }
}
