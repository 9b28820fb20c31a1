package org.murmur.cli.wallet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failure;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Option;

/** From when and how far ahead to look: what {@code restore} and {@code watch} have in common. */
final class WatchingOptions {

  /** A gap beyond this is no gap limit any more, and each script costs filter space. */
  private static final int MAX_GAP = 10_000;

  @Option(
      names = "--birthday",
      paramLabel = "DATE|HEIGHT",
      description = "When it was first used (default: the network's beginning).")
  private @Nullable String birthday;

  @Option(
      names = "--gap",
      paramLabel = "N",
      description = "Unused addresses in a row that may lie between used ones (default: 20).")
  private int gap = 20;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      hidden = true,
      description = "How many scripts to derive beyond the last used one.")
  private @Nullable Integer lookAhead;

  @Option(
      names = "--from-genesis",
      description = {
        "Fetch and check the headers from the first block on. Default: from a block known",
        "beforehand, below the birthday."
      })
  private boolean fromGenesis;

  Birthday birthday(Instant now) {
    if (gap < 1 || gap > MAX_GAP) {
      throw Failure.usage("--gap " + gap + ", expected 1 to " + MAX_GAP);
    }
    return birthday == null
        ? new Birthday.AtHeight(0)
        : Birthdays.parse("--birthday", birthday, now);
  }

  WalletRecipe applyTo(WalletRecipe recipe) {
    WalletRecipe changed = recipe.withGap(gap);
    if (fromGenesis) {
      changed = changed.fromGenesis();
    }
    return lookAhead == null ? changed : changed.withLookAhead(lookAhead);
  }
}
