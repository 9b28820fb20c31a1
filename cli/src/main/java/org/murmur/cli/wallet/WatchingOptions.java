package org.murmur.cli.wallet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Numbers;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Option;

/** The common options of {@code restore} and {@code watch}: birthday, gap limit, look-ahead. */
final class WatchingOptions {

  /** Each script costs filter space, so more make no sense. */
  private static final int MAX_SCRIPTS = 10_000;

  @Option(
      names = "--birthday",
      paramLabel = "DATE|HEIGHT",
      description = "Date or height of its first use (default: genesis).")
  private @Nullable String birthday;

  @Option(
      names = "--gap",
      paramLabel = "N",
      description = "Gap limit: unused addresses in a row before the search ends (default: 20).")
  private int gap = 20;

  @Option(
      names = "--look-ahead",
      paramLabel = "N",
      hidden = true,
      description = "Number of scripts to derive beyond the last used one.")
  private @Nullable Integer lookAhead;

  @Option(
      names = "--from-genesis",
      description = {
        "Download and check all headers from genesis. Default: from a built-in block below the",
        "birthday."
      })
  private boolean fromGenesis;

  Birthday birthday(Instant now) {
    gap = (int) Numbers.within("--gap", gap, 1, MAX_SCRIPTS);
    if (lookAhead != null) {
      lookAhead = (int) Numbers.within("--look-ahead", lookAhead, 1, MAX_SCRIPTS);
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
