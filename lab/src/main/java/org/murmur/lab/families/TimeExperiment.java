package org.murmur.lab.families;

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
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/**
 * How long building and querying take. Reported without a verdict: times depend on the machine and
 * its load.
 */
record TimeExperiment(Subjects subjects, int trials) implements Experiment {

  /**
   * Enough for a clock with ticks of tens of nanoseconds, and few enough for the slowest family.
   */
  private static final int MAX_ASKED = 500;

  @Override
  public String name() {
    return "time";
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
  public List<Column> columns() {
    return List.of(
        Column.text(Subjects.FAMILY),
        Column.number("target", ""),
        Column.number("build", "ns per element"),
        Column.number("member", "ns"),
        Column.number("stranger", "ns"),
        Column.whole("answers", ""));
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

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "times",
            "Median times",
            Column.text(Subjects.FAMILY),
            Column.text("code"),
            Column.number("target", ""),
            Column.number("build", "ns per element"),
            Column.number("member", "ns"),
            Column.number("stranger", "ns"));
    Map<String, Bar> byName = new LinkedHashMap<>();
    subjects.forEach(
        (family, rate) -> {
          List<Table.Row> rows = Subjects.rows(observed, family, rate);
          Double build = Subjects.median(rows, "build");
          Double member = Subjects.median(rows, "member");
          Double stranger = Subjects.median(rows, "stranger");
          if (build == null || member == null || stranger == null) {
            return;
          }
          table.row(family.name(), family.source(), rate, build, member, stranger);
          // A family that cannot have the middle rate is drawn with its first possible rate.
          if (rate == subjects.middleRate() || !byName.containsKey(family.name())) {
            byName.put(family.name(), new Bar(family.name(), build, member, stranger));
          }
        });
    List<Bar> bars = List.copyOf(byName.values());
    return new Section(
        "Time to build and to query",
        List.of(
            "Median over the trials, on the machine that ran this, of the mean time per "
                + "element for building a filter, for querying a member, and for querying a "
                + "foreign element. All but the first two families hash with SipHash under a key, "
                + "which is part of their time. A Bloom filter answers \"no\" at the first clear "
                + "bit, so foreign elements take less time than members. A Golomb-coded set has "
                + "to be read from the start for every single query; clients query all their "
                + "elements in one pass, which takes hardly longer than one query.",
            "These numbers have no verdict: they change with the machine and from run to "
                + "run."),
        List.of(table.build()),
        bars.isEmpty() ? List.of() : List.of(queryTime(bars), buildTime(bars)),
        List.of());
  }

  private record Bar(String name, double build, double member, double stranger) {}

  /** Leaves out families slower than ten times the usual: they would hide the others. */
  private static Plot queryTime(List<Bar> bars) {
    double usual = bars.stream().mapToDouble(Bar::member).sorted().toArray()[bars.size() / 2];
    List<Bar> shown = bars.stream().filter(bar -> bar.member < 10 * usual).toList();
    StringBuilder title = new StringBuilder("Time per query");
    for (Bar bar : bars) {
      if (!shown.contains(bar)) {
        title.append(String.format(Locale.ROOT, "; %s: %.0f ns", bar.name, bar.member));
      }
    }
    return new Plot.Bars(
        "query-time",
        title.toString(),
        Plot.Axis.linear("ns"),
        shown.stream().map(Bar::name).toList(),
        List.of(
            new Plot.Group("member", shown.stream().map(Bar::member).toList()),
            new Plot.Group("stranger", shown.stream().map(Bar::stranger).toList())));
  }

  private static Plot buildTime(List<Bar> bars) {
    return new Plot.Bars(
        "build-time",
        "Time to build, per element",
        Plot.Axis.linear("ns"),
        bars.stream().map(Bar::name).toList(),
        List.of(new Plot.Group("build", bars.stream().map(Bar::build).toList())));
  }
}
