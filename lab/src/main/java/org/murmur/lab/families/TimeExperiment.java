package org.murmur.lab.families;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;

/**
 * How long building and querying take. Reported without a verdict: times depend on the machine and
 * its load.
 */
final class TimeExperiment extends Experiment {

  /**
   * Enough for a clock with ticks of tens of nanoseconds, and few enough for the slowest family.
   */
  private static final int MAX_ASKED = 500;

  private final Subjects subjects;

  TimeExperiment(Subjects subjects, int trials) {
    super(
        "time",
        trials,
        "text family, number target, number build (ns per element), number member (ns),"
            + " number stranger (ns), whole answers");
    this.subjects = subjects;
  }

  @Override
  public Parameters constants() {
    return Parameters.none().with("queries-timed", Math.min(MAX_ASKED, subjects.queries()));
  }

  @Override
  public boolean alone() {
    return true;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    List<Bytes> elements = Subjects.draw(trial.dice("elements"), subjects.elements());
    List<Bytes> strangers =
        Subjects.draw(trial.dice("strangers"), Math.min(MAX_ASKED, subjects.queries()));
    List<Bytes> members = elements.subList(0, Math.min(MAX_ASKED, elements.size()));
    long seed = trial.dice("keys").number();
    subjects.forEach(
        (family, rate) -> {
          Plan plan = new Plan(elements.size(), rate, seed);
          if (family.refusal(plan) != null) {
            return;
          }
          long began = System.nanoTime();
          SetFilter filter = family.build(plan, elements);
          double build = (System.nanoTime() - began) / (double) elements.size();
          // The answers go into the row, so that the compiler cannot remove the queries.
          long[] answers = {0};
          double member = ask(filter, members, answers);
          double stranger = ask(filter, strangers, answers);
          rows.add(family.name(), rate, build, member, stranger, answers[0]);
        });
  }

  private static double ask(SetFilter filter, List<Bytes> asked, long[] answers) {
    long began = System.nanoTime();
    for (Bytes one : asked) {
      answers[0] += filter.mayContain(one) ? 1 : 0;
    }
    return (System.nanoTime() - began) / (double) asked.size();
  }

  private record Line(
      FilterFamily family, double rate, double build, double member, double stranger) {

    String name() {
      return family.name();
    }
  }

  @Override
  public Section conclude(Table observed) {
    List<Line> lines = new ArrayList<>();
    Map<String, Line> bars = new LinkedHashMap<>();
    subjects.forEach(
        (family, rate) -> {
          List<Table.Row> rows = Subjects.rows(observed, family, rate);
          Double build = Subjects.median(rows, "build");
          Double member = Subjects.median(rows, "member");
          Double stranger = Subjects.median(rows, "stranger");
          if (build == null || member == null || stranger == null) {
            return;
          }
          Line line = new Line(family, rate, build, member, stranger);
          lines.add(line);
          // A family that cannot have the middle rate is drawn with its first possible rate.
          if (rate == subjects.middleRate() || !bars.containsKey(family.name())) {
            bars.put(family.name(), line);
          }
        });
    Table table =
        Table.of(
            "times",
            "Median times",
            lines,
            Column.text("family").of(Line::name),
            Column.text("code").of(line -> line.family.source()),
            Column.number("target").of(Line::rate),
            Column.number("build", "ns per element").of(Line::build),
            Column.number("member", "ns").of(Line::member),
            Column.number("stranger", "ns").of(Line::stranger));
    List<Line> drawn = List.copyOf(bars.values());
    return new Section(
        "Time to build and to query",
        FamiliesStudy.TEXTS.of("time.explanation"),
        List.of(table),
        drawn.isEmpty() ? List.of() : List.of(queryTime(drawn), buildTime(drawn)),
        List.of());
  }

  /** Leaves out families slower than ten times the usual: they would hide the others. */
  private static Plot queryTime(List<Line> bars) {
    double usual = bars.stream().mapToDouble(Line::member).sorted().toArray()[bars.size() / 2];
    List<Line> shown = bars.stream().filter(bar -> bar.member < 10 * usual).toList();
    StringBuilder title = new StringBuilder("Time per query");
    for (Line bar : bars) {
      if (!shown.contains(bar)) {
        title.append(String.format(Locale.ROOT, "; %s: %.0f ns", bar.name(), bar.member));
      }
    }
    return new Plot.Bars(
        "query-time",
        title.toString(),
        Plot.Axis.linear("ns"),
        shown.stream().map(Line::name).toList(),
        List.of(
            new Plot.Group("member", shown.stream().map(Line::member).toList()),
            new Plot.Group("stranger", shown.stream().map(Line::stranger).toList())));
  }

  private static Plot buildTime(List<Line> bars) {
    return new Plot.Bars(
        "build-time",
        "Time to build, per element",
        Plot.Axis.linear("ns"),
        bars.stream().map(Line::name).toList(),
        List.of(new Plot.Group("build", bars.stream().map(Line::build).toList())));
  }
}
