package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.lab.Column;
import org.murmur.lab.Plot;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.adversaries.Adversary;

/** Compares ways of seeing: the bytes of each, and the most that an adversary learns. */
final class WaysFindings {

  private static final List<String> CLIENTS =
      List.of(
          "murmur-fast",
          "murmur-private",
          "murmur-private-generous",
          "private-1e-2",
          AdversaryTrials.COMPACT,
          AdversaryTrials.COMPACT_SPREAD,
          "bitcoinj");

  /** All but A5, which looks for a part of the wallet only. */
  private static final Set<Adversary> ALL =
      EnumSet.complementOf(EnumSet.of(Adversary.A5_OLD, Adversary.A5_NEW));

  private static final Set<Adversary> TOGETHER =
      EnumSet.of(Adversary.A3, Adversary.A3_PAIR, Adversary.A4);

  private final int wallet;
  private final int blocks;
  private final List<Way> ways = new ArrayList<>();

  /**
   * Takes the rows of wallets of one size.
   *
   * @param blocks of the chain
   */
  WaysFindings(Map<Tally.Case, Tally> tallies, int wallet, int blocks) {
    this.wallet = wallet;
    this.blocks = blocks;
    for (String client : CLIENTS) {
      Tally alone = best(tallies, client, one -> !TOGETHER.contains(one));
      Tally together = best(tallies, client, any -> true);
      if (alone != null && together != null) {
        ways.add(new Way(client, alone, together));
      }
    }
  }

  /** The adversary of the highest F1; the first of several. */
  private @Nullable Tally best(
      Map<Tally.Case, Tally> tallies, String client, Predicate<Adversary> among) {
    return ALL.stream()
        .filter(among)
        .flatMap(one -> Stream.ofNullable(tallies.get(new Tally.Case(client, wallet, one.id()))))
        .min(Comparator.comparingDouble(tally -> -learned(tally)))
        .orElse(null);
  }

  private static double learned(Tally tally) {
    return Objects.requireNonNullElse(tally.f1(), 0.0);
  }

  private record Way(String client, Tally alone, Tally together) {}

  private double bytes(Way way) {
    return way.alone.mean("bytes") / blocks;
  }

  Table table() {
    return Table.of(
        "privacy-ways",
        "Bytes against what is learned, in wallets of " + wallet + " used addresses",
        ways,
        Column.text("client").of(Way::client),
        Column.number("bytes", "per block").of(this::bytes),
        Column.number("mainnet_year", "MB").of(way -> way.alone.mean("mainnet_year")),
        Column.text("alone").of(way -> way.alone.of().adversary()),
        Column.number("precision").of(way -> way.alone.precision()),
        Column.number("recall").of(way -> way.alone.recall()),
        Column.number("f1").of(way -> learned(way.alone)),
        Column.text("together").of(way -> way.together.of().adversary()),
        Column.number("together_precision").of(way -> way.together.precision()),
        Column.number("together_recall").of(way -> way.together.recall()),
        Column.number("together_f1").of(way -> learned(way.together)));
  }

  Plot plot() {
    return new Plot.Xy(
        "privacy-ways",
        "Bytes against what is learned (wallets of " + wallet + " addresses)",
        Plot.Axis.log("bytes downloaded per block"),
        Plot.Axis.linear("F1 of the best adversary, alone and together"),
        ways.stream()
            .map(
                way ->
                    new Plot.Series(
                        way.client,
                        Plot.Style.LINE_AND_POINTS,
                        List.of(
                            new Plot.Point(bytes(way), learned(way.alone)),
                            new Plot.Point(bytes(way), learned(way.together)))))
            .toList());
  }
}
