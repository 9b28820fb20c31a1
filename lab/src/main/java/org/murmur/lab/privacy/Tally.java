package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.adversaries.Score;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.Sample;

/** The rows of all trials of one case, and their means. */
record Tally(Case of, List<Table.Row> rows) {

  /** Of each interval over wallets, alone. */
  private static final double OVER_WALLETS = 0.95;

  /** A client, the used scripts of its wallets, and the adversary. */
  record Case(String client, int wallet, String adversary) {

    static Case of(Table.Row row) {
      return new Case(row.text("client"), (int) row.whole("wallet"), row.text("adversary"));
    }
  }

  long sum(String column) {
    return sum(rows, column);
  }

  private static long sum(List<Table.Row> rows, String column) {
    return rows.stream().mapToLong(row -> row.whole(column)).sum();
  }

  int trials() {
    return rows.size();
  }

  double filters() {
    return sum("filters") / (double) trials();
  }

  /** By wallet. */
  Collection<List<Table.Row>> each() {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.whole("wallet_number"), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** One value of each wallet. */
  Sample decoys() {
    return new Sample(
        each().stream().map(wallet -> sum(wallet, "fp") / (double) wallet.size()).toList());
  }

  /** One value of each wallet of which the adversary picks anything. */
  Sample precisions() {
    List<Double> precisions = new ArrayList<>();
    for (List<Table.Row> wallet : each()) {
      long tp = sum(wallet, "tp");
      long picked = tp + sum(wallet, "fp");
      if (picked > 0) {
        precisions.add(tp / (double) picked);
      }
    }
    return new Sample(precisions);
  }

  /** The two ends of the interval over wallets; of none, nulls. */
  @Nullable Double[] precisionEnds() {
    return ends(precisions().interval(OVER_WALLETS, 0, 1));
  }

  @Nullable Double[] decoyEnds() {
    return ends(decoys().interval(OVER_WALLETS, 0, Double.POSITIVE_INFINITY));
  }

  private static @Nullable Double[] ends(FilterTheory.@Nullable Interval interval) {
    return interval == null
        ? new @Nullable Double[2]
        : new @Nullable Double[] {interval.low(), interval.high()};
  }

  double strangers() {
    return Objects.requireNonNull(decoys().mean());
  }

  double own() {
    return sum("tp") / (double) trials();
  }

  double recall() {
    long all = sum("tp") + sum("fn");
    return all == 0 ? 0 : sum("tp") / (double) all;
  }

  @Nullable Double precision() {
    return precisions().mean();
  }

  @Nullable Double f1() {
    Double precision = precision();
    return precision == null || precision + recall() == 0
        ? null
        : 2 * precision * recall() / (precision + recall());
  }

  @Nullable Double allTrue(double part) {
    long whole = Math.round(own());
    return whole == 0
        ? null
        : Score.allTrue(whole, strangers(), (int) Math.max(1, Math.ceil(part * whole)));
  }

  @Nullable Double anonymity() {
    return sum("tp") == 0 ? null : (sum("tp") + sum("fp")) / (double) sum("tp");
  }

  double mean(String column) {
    return rows.stream().map(row -> row.number(column)).reduce(0.0, Double::sum) / trials();
  }

  boolean isPredicted() {
    return rows.stream().allMatch(row -> row.value("predicted_fp") != null);
  }

  /** Where theory expects a number in some trials only, their sum. */
  double predicted() {
    return rows.stream()
        .filter(row -> row.value("predicted_fp") != null)
        .map(row -> row.number("predicted_fp"))
        .reduce(0.0, Double::sum);
  }

  double predictedRate() {
    return predicted() / sum("negatives");
  }

  @Nullable Double decoysPredicted() {
    return isPredicted() ? (Double) (predicted() / trials()) : null;
  }

  boolean isAsPredicted() {
    return decoyRate(0.99).holds(predictedRate());
  }

  boolean saysNothing() {
    return ClaimVerdict.isTooWide(decoyRate(0.99), predictedRate());
  }

  FilterTheory.Interval decoyRate(double confidence) {
    return Binomial.rate(sum("fp"), sum("negatives"), confidence);
  }

  /** The scripts of the wallet, and others, that the adversary picks in each trial. */
  List<List<Long>> picks() {
    return rows.stream().map(row -> List.of(row.whole("tp"), row.whole("fp"))).toList();
  }
}
