package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.Verdict;
import org.murmur.regtest.Dice;

/**
 * Adversary A9: some of all peers are his. How likely is one of them shown a wallet's filter, by
 * how many peers a client shows it to and whether it keeps them?
 */
final class SybilTrials implements Experiment {

  /** The share of crawlers' addresses in answers of DNS seeds (Nick 2015: 4.3%). */
  static final double SHARE = 0.043;

  private static final List<Integer> SESSIONS = List.of(1, 3, 10, 30);

  /** Wallets drawn in each trial. */
  private static final int WALLETS = 400;

  private final int trials;

  SybilTrials(int trials) {
    this.trials = trials;
  }

  /** A way to show filters: how many peers see one, and whether they stay the same. */
  private record Habit(String client, int peers, boolean keeps) {

    /** Peers that see a filter over some sessions, at most. */
    int seen(int sessions) {
      return keeps ? peers : peers * sessions;
    }

    double exposure(int sessions) {
      return -Math.expm1(seen(sessions) * Math.log1p(-SHARE));
    }
  }

  /** Of the private preset one guard sees the scripts; two if a second is to watch the first. */
  private static List<Habit> habits() {
    return List.of(
        new Habit("murmur-private, guard A", 1, true),
        new Habit("murmur-private, all guards", PrivateClient.OUT_POINT_GUARD + 1, true),
        habit(ModelClient.fast()),
        new Habit("bitcoinj", 12, false),
        habit(ModelClient.bcoin()),
        habit(ModelClient.breadwallet()),
        habit(ModelClient.bitcoinKit()));
  }

  private static Habit habit(Client client) {
    return new Habit(client.name(), client.peers(), client.keepsPeers());
  }

  @Override
  public String name() {
    return "sybil";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.text("client"),
        Column.whole("sessions", ""),
        Column.whole("exposed", "wallets"),
        Column.whole("wallets", ""));
  }

  @Override
  public int trials() {
    return trials;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    for (Habit habit : habits()) {
      Dice dice = trial.dice(habit.client());
      for (int sessions : SESSIONS) {
        int exposed = 0;
        for (int wallet = 0; wallet < WALLETS; wallet++) {
          boolean seen = false;
          for (int peer = 0; peer < habit.seen(sessions); peer++) {
            seen |= dice.fraction() < SHARE;
          }
          exposed += seen ? 1 : 0;
        }
        rows.add(habit.client(), sessions, exposed, WALLETS);
      }
    }
  }

  @Override
  public Section conclude(Table observed) {
    Map<String, long[]> sums = new LinkedHashMap<>();
    for (Table.Row row : observed.rows()) {
      long[] sum =
          sums.computeIfAbsent(
              row.text("client") + "/" + row.whole("sessions"), any -> new long[2]);
      sum[0] += row.whole("exposed");
      sum[1] += row.whole("wallets");
    }
    Table.Builder table =
        Table.of(
            "sybil",
            "Chance that a spy is shown the filter, if 4.3% of all peers are spies",
            Column.text("client"),
            Column.whole("peers", ""),
            Column.flag("keeps_them"),
            Column.whole("sessions", ""),
            Column.number("formula", ""),
            Column.number("drawn", ""),
            Column.number("low", "99%"),
            Column.number("high", "99%"));
    List<Plot.Series> series = new ArrayList<>();
    int outside = 0;
    for (Habit habit : habits()) {
      List<Plot.Point> points = new ArrayList<>();
      for (int sessions : SESSIONS) {
        double formula = habit.exposure(sessions);
        points.add(new Plot.Point(sessions, formula));
        long[] sum = sums.get(habit.client() + "/" + sessions);
        if (sum == null) {
          continue;
        }
        FilterTheory.Interval drawn = FilterTheory.wilson(sum[0], sum[1], Reproduction.Z99);
        outside += drawn.holds(formula) ? 0 : 1;
        table.row(
            habit.client(),
            habit.peers(),
            habit.keeps(),
            sessions,
            formula,
            sum[0] / (double) sum[1],
            drawn.low(),
            drawn.high());
      }
      series.add(new Plot.Series(habit.client(), Plot.Style.LINE_AND_POINTS, points));
    }
    int cases = habits().size() * SESSIONS.size();
    List<Verdict> verdicts =
        sums.isEmpty()
            ? List.of()
            : List.of(
                new Verdict(
                    "Exposure follows 1 - (1 - a)^(peers shown)",
                    outside <= 3,
                    String.format(
                        Locale.ROOT,
                        "%d of %d cases outside of their 99%% interval",
                        outside,
                        cases)));
    return new Section(
        "Spies among the peers (A9)",
        List.of(
            "Anybody can run a server and wait for wallets. In 2015 one answer of a DNS seed in 23"
                + " held a known crawler (4.3%, Nick). A client that shows its filter to many peers,"
                + " and to others each time, meets a spy sooner or later. Murmur's private preset"
                + " keeps its guards: what was not seen at first is not seen later.",
            "How many peers the others use at once is their default as far as their sources were"
                + " read; that of bcoin (8) and bitcoin-kit (10) is recalled."),
        List.of(table.build()),
        List.of(
            new Plot.Xy(
                "sybil",
                "Chance that a spy has seen the filter",
                Plot.Axis.log("sessions"),
                Plot.Axis.linear("probability"),
                series)),
        verdicts);
  }
}
