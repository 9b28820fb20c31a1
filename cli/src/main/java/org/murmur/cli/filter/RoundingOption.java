package org.murmur.cli.filter;

import java.util.List;
import org.murmur.bip37.Rounding;
import org.murmur.cli.terminal.Choices;
import picocli.CommandLine.Option;

/** Selects the client whose rounding of the number of hash functions applies. */
final class RoundingOption {

  @Option(
      names = "--rounding",
      paramLabel = "HOW",
      description = "core (default) or bitcoinj: how the number of functions is rounded.")
  private String name = "core";

  Rounding rounding() {
    return Choices.meaning(
        "--rounding", name, List.of("core", "bitcoinj"), List.of(Rounding.CORE, Rounding.BITCOINJ));
  }
}
