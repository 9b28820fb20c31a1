package org.murmur.cli.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failure;
import org.murmur.lab.Parameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur lab privacy}. */
@Command(
    name = "privacy",
    description = "Attack the filters of Murmur, bitcoinj and other wallets.",
    footer = {
      "",
      "A synthetic chain with known owners. Filters of Murmur's presets, of models of other",
      "clients, and of the released bitcoinj, whose filters must be broken for the experiment to",
      "count. Adversaries with one filter or many, alone or together, who follow the chain or",
      "watch behaviour. --reproduce computes published figures again. Exit code 1 if a claim",
      "fails.",
      "",
      "Examples:",
      "  murmur lab privacy --small",
      "  murmur lab privacy --reproduce gervais",
      "  murmur lab privacy --chain busy --universe 33000000 --shard 1/4 --out night"
    })
final class LabPrivacy extends LabStudy {

  /** Options that a reproduction does not use. */
  private static final List<String> IGNORED =
      List.of(
          "--trials",
          "--small",
          "--chain",
          "--universe",
          "--wallets",
          "--wallets-each",
          "--look-ahead");

  @Option(
      names = "--reproduce",
      paramLabel = "WORK",
      description =
          "Only reproduce a published work: gervais (2014) or nick (2015). It sets all parameters"
              + " but the seed.")
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
      description = "Scripts that adversaries can test (default: 2,000,000).")
  private @Nullable Integer universe;

  @Option(
      names = "--wallets",
      paramLabel = "N,...",
      description = "Used scripts of the tested wallets (default: 10,50,200,1000).")
  private @Nullable String wallets;

  @Option(
      names = "--wallets-each",
      paramLabel = "N",
      description =
          "Wallets of each size (default: 6). Each trial takes the next one; intervals are over"
              + " wallets.")
  private @Nullable Integer walletsEach;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      description = "Keys of each chain per epoch of the private preset (default: 1000).")
  private @Nullable Integer lookAhead;

  @Override
  String study() {
    return "privacy";
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = set(parameters, "reproduce", reproduce);
    refuseIgnored(chosen.text("reproduce"));
    chosen = set(set(chosen, "chain", chain), "universe", universe);
    chosen = set(set(chosen, "wallets", wallets), "wallets-each", walletsEach);
    return set(chosen, "look-ahead", lookAhead);
  }

  /** Refuses the options that a reproduction would not use: it would seem to depend on them. */
  private void refuseIgnored(String work) {
    if (work.equals("none")) {
      return;
    }
    List<String> ignored = IGNORED.stream().filter(this::isGiven).toList();
    if (!ignored.isEmpty()) {
      throw Failure.usage(
          "--reproduce "
              + work
              + " takes its parameters from the published work; leave out "
              + String.join(", ", ignored));
    }
  }
}
