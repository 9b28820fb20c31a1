package org.murmur.cli.lab;

import org.jspecify.annotations.Nullable;
import org.murmur.lab.Parameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab privacy}. */
@Command(
    name = "privacy",
    description = "What adversaries make of the filters that wallets show their peers.",
    footer = {
      "",
      "An invented chain whose truth is known; the filters of Murmur's presets and of the released",
      "bitcoinj, which must be broken for the experiment to count, and models of others; adversaries",
      "with one filter or many, alone or together, who follow the chain or watch behaviour.",
      "--reproduce computes published figures again. Exit code 1 if one fails.",
      "",
      "Examples:",
      "  murmur lab privacy --small",
      "  murmur lab privacy --reproduce gervais",
      "  murmur lab privacy --chain busy --universe 33000000 --shard 1/4 --out night"
    })
final class LabPrivacy extends LabStudy {

  @Option(
      names = "--reproduce",
      paramLabel = "WORK",
      description = "Only compute a published work again: gervais (2014) or nick (2015).")
  private @Nullable String reproduce;

  @Option(
      names = "--chain",
      paramLabel = "SIZE",
      description =
          "small (60 transactions a block), standard (250) or busy (2,500, needs a few GB).")
  private @Nullable String chain;

  @Option(
      names = "--universe",
      paramLabel = "N",
      description = "Scripts the adversaries can test (default: 2,000,000).")
  private @Nullable Integer universe;

  @Option(
      names = "--wallets",
      paramLabel = "N,...",
      description = "Used scripts of the wallets under test (default: 10,50,200,1000).")
  private @Nullable String wallets;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      description = "Keys of each chain in an epoch of the private preset (default: 1000).")
  private @Nullable Integer lookAhead;

  @Override
  String study() {
    return "privacy";
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = set(parameters, "reproduce", reproduce);
    chosen = set(set(chosen, "chain", chain), "universe", universe);
    return set(set(chosen, "wallets", wallets), "look-ahead", lookAhead);
  }
}
