package org.murmur.cli.filter;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.terminal.CommandGroup;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import picocli.CommandLine.Command;

/** {@code murmur filter}: the calculator. Needs neither wallet nor network. */
@Command(
    name = "filter",
    description = "Calculate with Bloom filters: make, size, decode, test, match.",
    subcommands = {
      FilterMake.class,
      FilterSize.class,
      FilterDecode.class,
      FilterTest.class,
      FilterMatch.class
    },
    footer = {
      "Examples:",
      "  murmur filter make tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx --fp 1e-6",
      "  murmur filter size --elements 2000 --fp 1e-9",
      "  murmur filter decode 03614e9b050000000000000001",
      "  murmur filter test 03614e9b050000000000000001 \\",
      "    99108ad8ed9bb6274d3980bab5a85c048f0950c8"
    })
public final class FilterCommands extends CommandGroup {

  /** Reads a filter from its payload in hex, or from stdin for {@code -}. */
  static BloomFilter decode(String text, Surroundings surroundings) {
    Bytes payload = Inputs.hexOrStdin("the filterload payload", text, surroundings);
    return Failure.parsed("no filterload payload", () -> BloomFilter.fromPayload(payload));
  }

  /** The size for so many elements at a rate; the error names the options. */
  static FilterSizing sizing(long elements, double rate, Rounding how) {
    try {
      return FilterSizing.of(elements, rate, how);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          Failures.message(e).replace("elements ", "--elements ").replace("rate ", "--fp "));
    }
  }
}
