package org.murmur.lab.families;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.Trial;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.Normal;

/** How many bits each family takes per element, and how often it reports non-members as members. */
final class RateExperiment extends Experiment {

  /** Of each interval in the table, and of all those of the verdict together. */
  private static final double CONFIDENCE = 0.99;

  /** Predictions that differ from the textbook by less than this are not reported. */
  private static final double NOTABLE = 0.05;

  private static final Texts TEXTS = FamiliesStudy.TEXTS;

  private final Subjects subjects;

  RateExperiment(Subjects subjects, int trials) {
    super(
        "rate",
        trials,
        "text family, number target, whole size (bits), number predicted, whole hits, whole asked,"
            + " whole forgotten, number textbook, text refusal");
    this.subjects = subjects;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    List<Bytes> elements = Subjects.draw(trial.dice("elements"), subjects.elements());
    List<Bytes> strangers = Subjects.draw(trial.dice("strangers"), subjects.queries());
    long seed = trial.dice("keys").number();
    subjects.forEach(
        (family, rate) -> {
          Plan plan = new Plan(elements.size(), rate, seed);
          String refusal = family.refusal(plan);
          if (refusal != null) {
            rows.add(family.name(), rate, null, null, null, null, null, null, refusal);
            return;
          }
          SetFilter filter = family.build(plan, elements);
          rows.add(
              family.name(),
              rate,
              filter.bits(),
              filter.expectedRate(),
              filter.countContained(strangers),
              strangers.size(),
              elements.size() - filter.countContained(elements),
              filter.textbookRate(),
              null);
        });
  }

  private record Line(
      FilterFamily family,
      double target,
      double bitsEach,
      double predicted,
      double textbook,
      long hits,
      long asked,
      long forgotten) {

    String name() {
      return family.name();
    }

    double measured() {
      return hits / (double) asked;
    }

    FilterTheory.Interval interval(double confidence) {
      return Binomial.rate(hits, asked, confidence);
    }

    /** Whether the interval would contain both half and double the prediction. */
    boolean saysNothing(double confidence) {
      return ClaimVerdict.isTooWide(interval(confidence), predicted);
    }

    String inside() {
      return !interval(CONFIDENCE).holds(predicted)
          ? "no"
          : saysNothing(CONFIDENCE) ? "too few" : "yes";
    }

    boolean unlikeTextbook() {
      return Math.abs(predicted / textbook - 1) > NOTABLE;
    }
  }

  @Override
  public Section conclude(Table observed) {
    List<Line> lines = new ArrayList<>();
    List<Table.Row> refusals = new ArrayList<>();
    subjects.forEach(
        (family, rate) -> {
          List<Table.Row> all = Subjects.rows(observed, family, rate);
          List<Table.Row> rows = all.stream().filter(row -> row.value("size") != null).toList();
          if (!rows.isEmpty()) {
            lines.add(line(family, rate, rows));
          } else if (!all.isEmpty()) {
            refusals.add(all.get(0));
          }
        });
    return new Section(
        "Bits per element, and the rate of false matches",
        TEXTS.of("rate.explanation", subjects.elements(), subjects.queries()),
        List.of(
            table(lines),
            Table.of(
                "refusals",
                "What cannot be had",
                refusals,
                Column.text("family").of(row -> row.value("family")),
                Column.number("target").of(row -> row.value("target")),
                Column.text("reason").of(row -> row.value("refusal"))),
            Table.of(
                "textbook",
                "Where the textbook fails",
                lines.stream().filter(Line::unlikeTextbook).toList(),
                Column.text("family").of(Line::name),
                Column.number("target").of(Line::target),
                Column.number("textbook").of(Line::textbook),
                Column.number("measured").of(Line::measured),
                Column.number("times", "the textbook's")
                    .of(line -> finite(line.measured() / line.textbook))),
            Table.of(
                "notes",
                "The families",
                subjects.families(),
                Column.text("family").of(FilterFamily::name),
                Column.text("idea").of(one -> FamilyNote.of(one).idea()),
                Column.text("link").of(one -> FamilyNote.of(one).link()))),
        List.of(
            plot(
                "bits-fixed",
                "Bits per element: filters that cannot delete",
                lines.stream().filter(line -> !line.family.can(Feature.DELETE)).toList()),
            plot(
                "bits-deletable",
                "Bits per element: filters that can delete",
                lines.stream().filter(line -> line.family.can(Feature.DELETE)).toList())),
        verdicts(lines),
        findings(lines));
  }

  /** Reports the worst case of two hashes instead of k, and the bits that newer filters save. */
  private List<String> findings(List<Line> lines) {
    List<String> findings = new ArrayList<>();
    double middle = subjects.middleRate();
    Line bloom = best(lines, line -> line.family.equals(Families.BIP37) && line.target == middle);
    Line least =
        best(
            lines,
            line ->
                line.target == middle
                    && !line.name().contains("-")
                    && !line.saysNothing(CONFIDENCE));
    if (bloom != null && least != null && !least.family.equals(Families.BIP37)) {
      findings.add(
          TEXTS.line(
              "rate.smallest",
              Table.shown(middle),
              least.name(),
              least.bitsEach,
              subjects.elements(),
              bloom.bitsEach));
    }
    lines.stream()
        .filter(line -> line.unlikeTextbook() && line.hits > 0 && line.textbook > 0)
        .max((a, b) -> Double.compare(a.measured() / a.textbook, b.measured() / b.textbook))
        .ifPresent(
            worst ->
                findings.add(
                    TEXTS.line(
                        "rate.shortcut",
                        subjects.elements(),
                        worst.name(),
                        Table.shown(worst.target),
                        worst.measured() / worst.textbook)));
    return findings;
  }

  private static @Nullable Line best(List<Line> lines, Predicate<Line> which) {
    return lines.stream()
        .filter(which)
        .min((a, b) -> Double.compare(a.bitsEach, b.bitsEach))
        .orElse(null);
  }

  private Line line(FilterFamily family, double rate, List<Table.Row> rows) {
    double bits = 0;
    double predicted = 0;
    double textbook = 0;
    long hits = 0;
    long asked = 0;
    long forgotten = 0;
    for (Table.Row row : rows) {
      bits += row.number("size") / subjects.elements() / rows.size();
      predicted += row.number("predicted") / rows.size();
      textbook += row.number("textbook") / rows.size();
      hits += row.whole("hits");
      asked += row.whole("asked");
      forgotten += row.whole("forgotten");
    }
    return new Line(family, rate, bits, predicted, textbook, hits, asked, forgotten);
  }

  private static Table table(List<Line> lines) {
    return Table.of(
        "families",
        "Size and rate",
        lines,
        Column.text("family").of(Line::name),
        Column.text("code").of(line -> line.family.source()),
        Column.number("target").of(Line::target),
        Column.number("bits", "per element").of(Line::bitsEach),
        Column.number("theory", "per element")
            .of(line -> finite(line.family.bitsInTheory(line.predicted))),
        Column.number("bound", "per element").of(line -> finite(Theory.bound(line.predicted))),
        Column.number("textbook").of(Line::textbook),
        Column.number("predicted").of(Line::predicted),
        Column.number("measured").of(Line::measured),
        Column.number("low99").of(line -> line.interval(CONFIDENCE).low()),
        Column.number("high99").of(line -> line.interval(CONFIDENCE).high()),
        Column.text("inside").of(Line::inside));
  }

  /** A number for a table; null if there is none: a rate of 0 has no number of bits. */
  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private Plot plot(String name, String title, List<Line> lines) {
    List<Plot.Series> series = new ArrayList<>();
    series.add(curve("bound: log2(1/rate)", Theory::bound));
    series.add(curve("Bloom: 1.44 log2(1/rate)", Theory::bloomBits));
    for (FilterFamily family : lines.stream().map(Line::family).distinct().toList()) {
      series.add(
          new Plot.Series(
              family.name(),
              Plot.Style.POINTS,
              lines.stream()
                  .filter(line -> line.family.equals(family))
                  .map(line -> new Plot.Point(line.predicted, line.bitsEach))
                  .sorted((a, b) -> Double.compare(a.x(), b.x()))
                  .toList()));
    }
    return new Plot.Xy(
        name,
        title,
        Plot.Axis.log("false-positive rate"),
        Plot.Axis.linear("bits per element"),
        series);
  }

  /** A formula as a curve over the range of all rates. */
  private Plot.Series curve(String name, DoubleUnaryOperator formula) {
    double low = subjects.rates().stream().mapToDouble(r -> r).min().orElse(1e-4) / 4;
    double high = subjects.rates().stream().mapToDouble(r -> r).max().orElse(1e-2);
    List<Plot.Point> points = new ArrayList<>();
    int steps = 20;
    for (int i = 0; i <= steps; i++) {
      double rate = low * Math.pow(high / low, i / (double) steps);
      points.add(new Plot.Point(rate, formula.applyAsDouble(rate)));
    }
    return new Plot.Series(name, Plot.Style.LINE, points);
  }

  private static List<ClaimVerdict> verdicts(List<Line> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    long forgotten = lines.stream().mapToLong(Line::forgotten).sum();
    // All of them together hold with CONFIDENCE, although filters of the same bits err together.
    double each = Binomial.each(CONFIDENCE, lines.size());
    List<String> outside =
        lines.stream()
            .filter(line -> !line.interval(each).holds(line.predicted))
            .map(line -> line.name() + " at " + Table.shown(line.target))
            .toList();
    long least =
        lines.stream()
            .filter(line -> line.predicted > 0)
            .filter(line -> line.bitsEach < Theory.bound(line.predicted) - 0.01)
            .count();
    return List.of(
        new ClaimVerdict("No filter forgot an element", forgotten == 0, forgotten + " forgotten"),
        agreement(lines, outside, each),
        new ClaimVerdict(
            "No filter is smaller than any filter can be", least == 0, least + " below the bound"));
  }

  private static ClaimVerdict agreement(List<Line> lines, List<String> outside, double each) {
    String claim = "Every family's measured rate agrees with its predicted rate";
    if (!outside.isEmpty()) {
      return new ClaimVerdict(claim, false, "not so: " + String.join(", ", outside));
    }
    long outside99 =
        lines.stream().filter(line -> !line.interval(CONFIDENCE).holds(line.predicted)).count();
    List<Line> unsaid = lines.stream().filter(line -> line.saysNothing(each)).toList();
    boolean tooFew = ClaimVerdict.isMostlyUnsaid(unsaid.size(), lines.size());
    String detail = lines.size() - unsaid.size() + " of " + lines.size() + " compared";
    if (lines.size() > unsaid.size()) {
      detail += TEXTS.line("rate.agreement", outside99);
    }
    if (!unsaid.isEmpty()) {
      detail +=
          "; too few hits to say anything of "
              + named(unsaid, lines)
              + ". "
              + needed(unsaid, Normal.z(each));
    }
    return new ClaimVerdict(
        claim, tooFew ? ClaimVerdict.Outcome.TOO_FEW : ClaimVerdict.Outcome.PASS, detail);
  }

  /** The families by rate: not each by its name if it is all of them. */
  private static String named(List<Line> some, List<Line> lines) {
    List<String> texts = new ArrayList<>();
    for (double target : some.stream().mapToDouble(Line::target).distinct().toArray()) {
      List<String> names =
          some.stream().filter(line -> line.target == target).map(line -> line.name()).toList();
      long all = lines.stream().filter(line -> line.target == target).count();
      boolean each = names.size() > 1 && names.size() == all;
      texts.add(
          (each ? "all " + all + " families" : String.join(", ", names))
              + " at "
              + Table.shown(target));
    }
    return String.join(", and of ", texts);
  }

  /** How much to measure for a verdict on all families: the rarest hits need most. */
  private static String needed(List<Line> unsaid, double z) {
    double rarest =
        unsaid.stream().mapToDouble(Line::predicted).filter(rate -> rate > 0).min().orElse(0);
    if (rarest == 0) {
      return "No number of foreign elements shows a rate of 0";
    }
    long asked = unsaid.stream().mapToLong(Line::asked).min().orElseThrow();
    return TEXTS.line("rate.needed", ClaimVerdict.pairsNeeded(rarest, z), asked);
  }
}
