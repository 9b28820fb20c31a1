package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.lab.ClaimVerdict;
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

/**
 * Compares formulas for the rate with measured rates: one tweak per trial, over sizes and target
 * rates.
 */
final class RatesOfFilters implements Experiment {

  /** Above this many steps, m·k·n, the exact formula takes too long. */
  private static final double MAX_STEPS = 3e8;

  /** Of each interval in the table, alone. */
  private static final double CONFIDENCE = 0.99;

  private final Parameters parameters;
  private final List<Long> elements;
  private final List<Double> rates;
  private final int queries;

  RatesOfFilters(Parameters parameters) {
    this.parameters = parameters;
    this.elements = parameters.wholes("elements");
    this.rates = parameters.rates("rates");
    this.queries = parameters.count("queries");
    // Rejects impossible parameters before anything runs.
    elements.forEach(n -> rates.forEach(p -> sized(n, p, 0)));
  }

  private static FilterParameters sized(long elements, double rate, int tweak) {
    FilterParameters sized;
    try {
      sized = FilterParameters.of(elements, rate, tweak, UpdateFlag.NONE, Rounding.CORE);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("elements " + elements + ": " + e.getMessage(), e);
    }
    if (sized.bytes() == FilterParameters.MAX_BYTES) {
      throw new IllegalArgumentException(
          "elements "
              + elements
              + " at "
              + Table.shown(rate)
              + " do not fit, expected up to 36000 bytes");
    }
    return sized;
  }

  @Override
  public String name() {
    return "rate";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.whole("elements", ""),
        Column.number("target", ""),
        Column.whole("bits", ""),
        Column.whole("functions", ""),
        Column.whole("bits_set", ""),
        Column.number("realised", ""),
        Column.whole("hits", ""),
        Column.whole("queries", ""));
  }

  @Override
  public int trials() {
    return parameters.trials();
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    Dice dice = trial.dice();
    for (long n : elements) {
      for (double target : rates) {
        FilterParameters sized = sized(n, target, (int) dice.number());
        BloomFilter filter = RandomFilter.of(sized, n, dice);
        rows.add(
            n,
            target,
            sized.bits(),
            sized.hashFunctions(),
            filter.bitsSet(),
            filter.realisedRate(),
            Measurement.hits(filter, queries, dice),
            queries);
      }
    }
  }

  /** The combined result of all tweaks for one size. */
  private record Pooled(
      long elements,
      double target,
      int bits,
      int functions,
      Measurement measured,
      int within,
      int trials) {

    double realised() {
      return measured.realised();
    }

    @Nullable Double exact() {
      double steps = (double) bits * functions * elements;
      return steps > MAX_STEPS
          ? null
          : (Double) FilterTheory.exactRate(bits, functions, (int) elements);
    }
  }

  private List<Pooled> pooled(Table observed) {
    List<Pooled> all = new ArrayList<>();
    for (long n : elements) {
      for (double target : rates) {
        List<Table.Row> rows =
            observed.rows().stream()
                .filter(r -> r.whole("elements") == n && r.number("target") == target)
                .toList();
        int within =
            (int)
                rows.stream()
                    .filter(row -> Measurement.of(List.of(row)).agrees(CONFIDENCE))
                    .count();
        FilterParameters sized = sized(n, target, 0);
        all.add(
            new Pooled(
                n,
                target,
                sized.bits(),
                sized.hashFunctions(),
                Measurement.of(rows),
                within,
                rows.size()));
      }
    }
    return all;
  }

  @Override
  public Section conclude(Table observed) {
    List<Pooled> all = pooled(observed);
    Table.Builder table =
        Table.of(
            "rates",
            "False-positive rates: four formulas and the measurement",
            Column.whole("elements", ""),
            Column.number("target", ""),
            Column.whole("bits", ""),
            Column.whole("functions", ""),
            Column.number("classic", ""),
            Column.number("standard", ""),
            Column.number("exact", ""),
            Column.number("realised", ""),
            Column.number("measured", ""),
            Column.number("low_99", ""),
            Column.number("high_99", ""),
            Column.text("tweaks_within"));
    for (Pooled one : all) {
      FilterTheory.Interval interval = one.measured.interval(CONFIDENCE);
      table.row(
          one.elements,
          one.target,
          one.bits,
          one.functions,
          FilterTheory.classicRate(one.bits, one.functions, (double) one.elements),
          FilterTheory.standardRate(one.bits, one.functions, (double) one.elements),
          one.exact(),
          one.realised(),
          one.measured.rate(),
          interval.low(),
          interval.high(),
          one.within + " of " + one.trials);
    }
    return new Section(
        "Four formulas and the measurement",
        explanation(),
        List.of(table.build()),
        List.of(plot(all)),
        List.of(verdict(all)));
  }

  private static List<String> explanation() {
    return List.of(
        "For each number of elements and each target rate, filters were built from random "
            + "elements, one for each trial with a random tweak (the number that selects the hash "
            + "functions), and queried for random elements that are not in them.",
        "Classic and standard are textbook formulas for the average filter; both are too "
            + "low for small filters, because they treat the bits as independent. Exact is the "
            + "true average (omitted where it would take too long to compute). Realised is the "
            + "rate of the very filters that were built: the share of set bits, to the power of "
            + "the number of hash functions. Every holder of a filter can compute it, and it "
            + "predicts best; the target rate can be far off.",
        "Measured is the result, with the interval that holds the truth 99 times in 100. "
            + "The last column counts in how many trials the realised rate lies in the interval "
            + "of that trial alone; about 1 in 100 may not.");
  }

  private static Plot plot(List<Pooled> all) {
    List<Plot.Point> classic = new ArrayList<>();
    List<Plot.Point> exact = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    for (Pooled one : all) {
      if (one.realised() <= 0) {
        continue;
      }
      FilterTheory.Interval interval = one.measured.interval(CONFIDENCE);
      double ratio = one.measured.rate() / one.realised();
      measured.add(
          new Plot.Point(
              one.bits, ratio, interval.low() / one.realised(), interval.high() / one.realised()));
      double byClassic = FilterTheory.classicRate(one.bits, one.functions, (double) one.elements);
      classic.add(new Plot.Point(one.bits, byClassic / one.realised()));
      Double byExact = one.exact();
      if (byExact != null) {
        exact.add(new Plot.Point(one.bits, byExact / one.realised()));
      }
    }
    return new Plot.Xy(
        "rates",
        "Measured and predicted rates, as multiples of the realised rate",
        Plot.Axis.log("size of the filter (bits)"),
        Plot.Axis.linear("rate / realised rate"),
        List.of(
            new Plot.Series("measured (99 %)", Plot.Style.POINTS, measured),
            new Plot.Series("classic formula", Plot.Style.POINTS, classic),
            new Plot.Series("exact formula", Plot.Style.POINTS, exact)));
  }

  private static ClaimVerdict verdict(List<Pooled> all) {
    double each = Binomial.each(FalsePositives.VERDICT, Math.max(1, all.size()));
    Comparison comparison = new Comparison();
    for (Pooled one : all) {
      comparison.add(
          one.elements + " elements at " + Table.shown(one.target),
          one.measured.interval(each),
          one.realised());
    }
    return comparison.verdict("The realised rate predicts the measured one", "sizes");
  }
}
