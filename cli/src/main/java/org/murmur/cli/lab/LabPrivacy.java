package org.murmur.cli.lab;

import java.util.List;
import org.murmur.cli.words.Failure;
import org.murmur.lab.Parameters;
import org.murmur.lab.privacy.PrivacyStudy;
import picocli.CommandLine.Command;

@Command(
    name = "privacy",
    description = "Attack the filters of Murmur, bitcoinj and other wallets.",
    footer = {
      "A synthetic chain with known owners. Filters of Murmur's presets, of models of other",
      "clients, and of the released bitcoinj, whose filters must be broken for the experiment to",
      "count. Adversaries with one filter or many, alone or together, who follow the chain or",
      "watch behaviour. --reproduce computes published figures again. Exit code 1 if a claim",
      "fails.",
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

  LabPrivacy() {
    super(new PrivacyStudy());
  }

  @Override
  Parameters choose(Parameters parameters) {
    Parameters chosen = super.choose(parameters);
    refuseIgnored(chosen.text("reproduce"));
    return chosen;
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
