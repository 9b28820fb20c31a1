package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.UpdateFlag;
import org.murmur.lab.Column;
import org.murmur.lab.Comparison;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.regtest.chain.Dice;

/** The rate of a filter of fixed size and number of elements, by the number of hash functions. */
final class RateByFunctions implements Experiment {

  private static final int ELEMENTS = 500;

  /** Ten bits per element. */
  private static final int BYTES = 625;

  private static final int MAX_FUNCTIONS = 20;

  /** Of each interval in the table, alone. */
  private static final double CONFIDENCE = 0.99;

  private final Parameters parameters;
  private final int queries;

  RateByFunctions(Parameters parameters) {
    this.parameters = parameters;
    this.queries = parameters.count("queries");
  }

  @Override
  public String name() {
    return "functions";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.whole("functions", ""),
        Column.number("realised", ""),
        Column.whole("hits", ""),
        Column.whole("queries", ""));
  }

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("elements", ELEMENTS)
        .with("bits", 8 * BYTES)
        .with("most-functions", MAX_FUNCTIONS)
        .with("queries-each", each());
  }

  @Override
  public int trials() {
    return parameters.trials();
  }

  /** The queries of each filter. */
  private int each() {
    return Math.max(1, queries / MAX_FUNCTIONS);
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    Dice dice = trial.dice();
    for (int functions = 1; functions <= MAX_FUNCTIONS; functions++) {
      FilterParameters sized =
          new FilterParameters(BYTES, functions, (int) dice.number(), UpdateFlag.NONE);
      BloomFilter filter = RandomFilter.of(sized, ELEMENTS, dice);
      int asked = each();
      long hits = Measurement.hits(filter, asked, dice);
      rows.add(functions, filter.realisedRate(), hits, asked);
    }
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "functions",
            "The rate by the number of hash functions",
            Column.whole("functions", ""),
            Column.number("formula", ""),
            Column.number("realised", ""),
            Column.number("measured", ""),
            Column.number("low_99", ""),
            Column.number("high_99", ""));
    List<Plot.Point> formula = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    Comparison comparison = new Comparison();
    double each = Binomial.each(FalsePositives.VERDICT, MAX_FUNCTIONS);
    for (int functions = 1; functions <= MAX_FUNCTIONS; functions++) {
      int k = functions;
      List<Table.Row> rows =
          observed.rows().stream().filter(row -> row.whole("functions") == k).toList();
      if (rows.isEmpty()) {
        continue;
      }
      Measurement all = Measurement.of(rows);
      double expected = FilterTheory.classicRate(8L * BYTES, k, (double) ELEMENTS);
      FilterTheory.Interval interval = all.interval(CONFIDENCE);
      table.row(k, expected, all.realised(), all.rate(), interval.low(), interval.high());
      formula.add(new Plot.Point(k, expected));
      measured.add(new Plot.Point(k, all.rate(), interval.low(), interval.high()));
      comparison.add("k = " + k, all.interval(each), all.realised());
    }
    if (formula.isEmpty()) {
      return new Section(title(), explanation(), List.of(table.build()), List.of(), List.of());
    }
    return new Section(
        title(),
        explanation(),
        List.of(table.build()),
        List.of(
            new Plot.Xy(
                "functions",
                "Rate by the number of hash functions, ten bits per element",
                Plot.Axis.linear("hash functions (k)"),
                Plot.Axis.log("false-positive rate"),
                List.of(
                    new Plot.Series("formula", Plot.Style.LINE, formula),
                    new Plot.Series("measured (99 %)", Plot.Style.POINTS, measured)))),
        List.of(
            comparison.verdict(
                "The realised rate predicts the measured one, with few functions and with many",
                "numbers of functions")),
        findings(formula));
  }

  private static String title() {
    return "How many hash functions";
  }

  private static List<String> explanation() {
    return List.of(
        "The same "
            + ELEMENTS
            + " elements in the same "
            + 8 * BYTES
            + " bits, with 1 to "
            + MAX_FUNCTIONS
            + " hash functions. Few functions test few bits of a foreign element; many fill "
            + "the filter until most bits are set. Between them lies the best number, ln 2 "
            + "times the bits per element: here about 7. BIP37 sends the number with the "
            + "filter, so it also reveals what a wallet took as the number of its elements.");
  }

  private static List<String> findings(List<Plot.Point> formula) {
    Plot.Point best = formula.get(0);
    for (Plot.Point one : formula) {
      best = one.y() < best.y() ? one : best;
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "The rate of a filter can be read from its bits, whatever its target was. With "
                + "ten bits per element %.0f hash functions are best (%s); a single one is wrong "
                + "%.0f times as often.",
            best.x(),
            Table.shown(best.y()),
            formula.get(0).y() / best.y()));
  }
}
