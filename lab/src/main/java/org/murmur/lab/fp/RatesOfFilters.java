package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
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

/**
 * Compares formulas for the rate with measured rates: one tweak per trial, over sizes and target
 * rates.
 */
final class RatesOfFilters extends Experiment {

  /** Above this many steps, m·k·n, the exact formula takes too long. */
  private static final double MAX_STEPS = 3e8;

  private final List<Long> elements;
  private final List<Double> rates;
  private final int queries;

  RatesOfFilters(Parameters parameters) {
    super(
        "rate",
        parameters.trials(),
        "whole elements, number target, whole bits, whole functions, whole bits_set,"
            + " number realised, whole hits, whole queries");
    this.elements = parameters.wholes("elements");
    this.rates = parameters.rates("rates");
    this.queries = parameters.count("queries");
    // Rejects impossible parameters before anything runs.
    elements.forEach(n -> rates.forEach(p -> sized(n, p)));
  }

  private static FilterParameters sized(long elements, double rate) {
    String wrong = "elements " + elements;
    FilterParameters sized;
    try {
      sized = RandomFilter.sized(elements, rate, 0);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(wrong + ": " + e.getMessage(), e);
    }
    if (sized.bytes() == FilterParameters.MAX_BYTES) {
      throw new IllegalArgumentException(
          wrong + " at " + Table.shown(rate) + " do not fit, expected up to 36000 bytes");
    }
    return sized;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    Dice dice = trial.dice();
    for (long n : elements) {
      for (double target : rates) {
        BloomFilter filter = RandomFilter.of(n, target, dice);
        rows.add(
            n,
            target,
            filter.parameters().bits(),
            filter.parameters().hashFunctions(),
            filter.bitsSet(),
            filter.realisedRate(),
            Measurement.hits(filter, queries, dice),
            queries);
      }
    }
  }

  /** The combined result of all tweaks for one size. */
  private record Pooled(
      long elements, double target, FilterParameters sized, Measurement measured, String within) {

    static Pooled of(long elements, double target, List<Table.Row> rows) {
      long within =
          rows.stream().filter(row -> Measurement.of(List.of(row)).isAsRealised()).count();
      return new Pooled(
          elements,
          target,
          RatesOfFilters.sized(elements, target),
          Measurement.of(rows),
          within + " of " + rows.size());
    }

    double classic() {
      return FilterTheory.classicRate(sized.bits(), sized.hashFunctions(), (double) elements);
    }

    double standard() {
      return FilterTheory.standardRate(sized.bits(), sized.hashFunctions(), (double) elements);
    }

    @Nullable Double exact() {
      double steps = (double) sized.bits() * sized.hashFunctions() * elements;
      return steps > MAX_STEPS
          ? null
          : (Double) FilterTheory.exactRate(sized.bits(), sized.hashFunctions(), (int) elements);
    }
  }

  @Override
  public Section conclude(Table observed) {
    List<Pooled> all = new ArrayList<>();
    for (long n : elements) {
      for (double target : rates) {
        all.add(
            Pooled.of(
                n,
                target,
                observed.where(r -> r.whole("elements") == n && r.number("target") == target)));
      }
    }
    Table table =
        Table.of(
            "rates",
            "False-positive rates: four formulas and the measurement",
            all,
            Column.whole("elements").of(Pooled::elements),
            Column.number("target").of(Pooled::target),
            Column.whole("bits").of(one -> one.sized.bits()),
            Column.whole("functions").of(one -> one.sized.hashFunctions()),
            Column.number("classic").of(Pooled::classic),
            Column.number("standard").of(Pooled::standard),
            Column.number("exact").of(Pooled::exact),
            Column.number("realised").of(one -> one.measured.realised()),
            Column.number("measured").of(one -> one.measured.rate()),
            Column.number("low_99").of(one -> one.measured.interval().low()),
            Column.number("high_99").of(one -> one.measured.interval().high()),
            Column.text("tweaks_within").of(Pooled::within));
    double each = Binomial.each(FalsePositives.VERDICT, Math.max(1, all.size()));
    Comparison comparison = new Comparison();
    for (Pooled one : all) {
      comparison.add(
          one.elements + " elements at " + Table.shown(one.target),
          one.measured.interval(each),
          one.measured.realised());
    }
    return new Section(
        "Four formulas and the measurement",
        FalsePositives.TEXTS.of("rate.explanation"),
        List.of(table),
        List.of(plot(all)),
        List.of(comparison.verdict("The realised rate predicts the measured one", "sizes")));
  }

  private static Plot plot(List<Pooled> all) {
    List<Plot.Point> classic = new ArrayList<>();
    List<Plot.Point> exact = new ArrayList<>();
    List<Plot.Point> measured = new ArrayList<>();
    for (Pooled one : all) {
      double realised = one.measured.realised();
      if (realised <= 0) {
        continue;
      }
      int bits = one.sized.bits();
      FilterTheory.Interval interval = one.measured.interval();
      measured.add(
          new Plot.Point(
              bits,
              one.measured.rate() / realised,
              interval.low() / realised,
              interval.high() / realised));
      classic.add(new Plot.Point(bits, one.classic() / realised));
      Double byExact = one.exact();
      if (byExact != null) {
        exact.add(new Plot.Point(bits, byExact / realised));
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
}
