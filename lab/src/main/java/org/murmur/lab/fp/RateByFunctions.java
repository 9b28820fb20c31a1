package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.UpdateFlag;
import org.murmur.lab.Column;
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
final class RateByFunctions extends Experiment {

  private static final int ELEMENTS = 500;

  /** Ten bits per element. */
  private static final int BYTES = 625;

  private static final int MAX_FUNCTIONS = 20;

  private final int queries;

  RateByFunctions(Parameters parameters) {
    super(
        "functions",
        parameters.trials(),
        "whole functions, number realised, whole hits, whole queries");
    this.queries = Math.max(1, parameters.count("queries") / MAX_FUNCTIONS);
  }

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("elements", ELEMENTS)
        .with("bits", 8 * BYTES)
        .with("most-functions", MAX_FUNCTIONS)
        .with("queries-each", queries);
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    Dice dice = trial.dice();
    for (int functions = 1; functions <= MAX_FUNCTIONS; functions++) {
      FilterParameters sized =
          new FilterParameters(BYTES, functions, (int) dice.number(), UpdateFlag.NONE);
      BloomFilter filter = RandomFilter.of(sized, ELEMENTS, dice);
      long hits = Measurement.hits(filter, queries, dice);
      rows.add(functions, filter.realisedRate(), hits, queries);
    }
  }

  private record Line(int functions, Measurement all) {

    double formula() {
      return FilterTheory.classicRate(8L * BYTES, functions, (double) ELEMENTS);
    }

    Plot.Point measured() {
      FilterTheory.Interval interval = all.interval();
      return new Plot.Point(functions, all.rate(), interval.low(), interval.high());
    }
  }

  @Override
  public Section conclude(Table observed) {
    List<Line> lines = new ArrayList<>();
    Comparison comparison = new Comparison();
    double each = Binomial.each(FalsePositives.VERDICT, MAX_FUNCTIONS);
    for (int functions = 1; functions <= MAX_FUNCTIONS; functions++) {
      int k = functions;
      List<Table.Row> rows = observed.where(row -> row.whole("functions") == k);
      if (!rows.isEmpty()) {
        Measurement all = Measurement.of(rows);
        lines.add(new Line(k, all));
        comparison.add("k = " + k, all.interval(each), all.realised());
      }
    }
    Table table =
        Table.of(
            "functions",
            "The rate by the number of hash functions",
            lines,
            Column.whole("functions").of(Line::functions),
            Column.number("formula").of(Line::formula),
            Column.number("realised").of(line -> line.all.realised()),
            Column.number("measured").of(line -> line.all.rate()),
            Column.number("low_99").of(line -> line.all.interval().low()),
            Column.number("high_99").of(line -> line.all.interval().high()));
    boolean none = lines.isEmpty();
    return new Section(
        "How many hash functions",
        FalsePositives.TEXTS.of("functions.explanation", ELEMENTS, 8 * BYTES, MAX_FUNCTIONS),
        List.of(table),
        none ? List.of() : List.of(plot(lines)),
        none
            ? List.of()
            : List.of(
                comparison.verdict(
                    "The realised rate predicts the measured one, with few functions and with many",
                    "numbers of functions")),
        none ? List.of() : List.of(finding(lines)));
  }

  private static Plot plot(List<Line> lines) {
    return new Plot.Xy(
        "functions",
        "Rate by the number of hash functions, ten bits per element",
        Plot.Axis.linear("hash functions (k)"),
        Plot.Axis.log("false-positive rate"),
        List.of(
            new Plot.Series(
                "formula",
                Plot.Style.LINE,
                lines.stream().map(one -> new Plot.Point(one.functions, one.formula())).toList()),
            new Plot.Series(
                "measured (99 %)",
                Plot.Style.POINTS, lines.stream().map(Line::measured).toList())));
  }

  private static String finding(List<Line> lines) {
    Line best = lines.stream().min(Comparator.comparingDouble(Line::formula)).orElseThrow();
    return FalsePositives.TEXTS.line(
        "functions.findings",
        (double) best.functions,
        Table.shown(best.formula()),
        lines.get(0).formula() / best.formula());
  }
}
