package org.murmur.cli.filter;

import org.murmur.bip37.Rounding;
import org.murmur.cli.words.Failure;
import picocli.CommandLine.Option;

/** Selects the client whose rounding of the number of hash functions applies. */
final class RoundingOption {

  @Option(
      names = "--rounding",
      paramLabel = "HOW",
      description = "core (default) or bitcoinj: how the number of functions is rounded.")
  private String name = "core";

  Rounding rounding() {
    return switch (name) {
      case "core" -> Rounding.CORE;
      case "bitcoinj" -> Rounding.BITCOINJ;
      default -> throw Failure.usage("--rounding '" + name + "', expected core or bitcoinj");
    };
  }
}
