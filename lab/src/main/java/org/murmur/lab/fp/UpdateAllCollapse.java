package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.privacy.Rates;
import org.murmur.bip37.tx.Tx;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.regtest.chain.Dice;

/**
 * How a server-side filter changes, block by block, under each update flag. All flags of a trial
 * see the same stream of unrelated transactions.
 */
final class UpdateAllCollapse extends Experiment {

  private final List<Double> rates;
  private final int elements;
  private final int outputs;
  private final int blocks;

  UpdateAllCollapse(Parameters parameters) {
    super(
        "collapse",
        parameters.count("stream-trials"),
        "number target, text flag, whole block, number realised, whole matched (transactions),"
            + " whole outpoints_added");
    this.rates = parameters.rates("stream-rates");
    this.elements = parameters.count("stream-elements");
    this.outputs = parameters.count("stream-outputs");
    this.blocks = parameters.count("stream-blocks");
    rates.forEach(rate -> sized(rate, 0, UpdateFlag.ALL));
  }

  private FilterParameters sized(double rate, int tweak, UpdateFlag flag) {
    // Sized as by bitcoinj, whose default is ALL.
    return FilterParameters.of(elements, rate, tweak, flag, Rounding.BITCOINJ);
  }

  /** A server-side filter. */
  private record Copy(double target, UpdateFlag flag, ServerFilter server) {

    void add(Rows rows, int block, int matched) {
      rows.add(
          target,
          flag.name(),
          block,
          server.filter().realisedRate(),
          matched,
          server.outPointsAdded());
    }
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    List<Copy> copies = copies(trial.dice("filters"));
    copies.forEach(copy -> copy.add(rows, 0, 0));
    Strangers strangers = new Strangers(trial.dice("stream"));
    for (int block = 1; block <= blocks; block++) {
      List<Tx> transactions = strangers.withOutputs(outputs);
      for (Copy copy : copies) {
        int matched = 0;
        for (Tx tx : transactions) {
          matched += copy.server().matchAndUpdate(tx) ? 1 : 0;
        }
        copy.add(rows, block, matched);
      }
    }
  }

  /** Makes filters with the same elements and tweak, for each rate and flag. */
  private List<Copy> copies(Dice dice) {
    int tweak = (int) dice.number();
    List<Bytes> members = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      members.add(dice.bytes(RandomFilter.ELEMENT_BYTES));
    }
    List<Copy> copies = new ArrayList<>();
    for (double rate : rates) {
      for (UpdateFlag flag : UpdateFlag.values()) {
        BloomFilter.Builder builder = BloomFilter.builder(sized(rate, tweak, flag));
        members.forEach(builder::add);
        copies.add(new Copy(rate, flag, new ServerFilter(builder.build())));
      }
    }
    return copies;
  }

  /**
   * The result of a trial under one flag: the actual rate before the first block and after each.
   */
  private record Course(double target, UpdateFlag flag, List<Double> realised) {

    /** The first block after which the rate has doubled; none within the blocks that ran. */
    int doubled() {
      for (int block = 1; block < realised.size(); block++) {
        if (realised.get(block) >= 2 * realised.get(0)) {
          return block;
        }
      }
      return Integer.MAX_VALUE;
    }
  }

  private List<Course> courses(Table observed, double target, UpdateFlag flag) {
    List<Course> courses = new ArrayList<>();
    List<Double> now = new ArrayList<>();
    for (Table.Row row : observed.rows()) {
      if (row.number("target") != target || !row.text("flag").equals(flag.name())) {
        continue;
      }
      if (row.whole("block") == 0) {
        now = new ArrayList<>();
        courses.add(new Course(target, flag, now));
      }
      now.add(row.number("realised"));
    }
    return courses;
  }

  /** The median of the doubling blocks; MAX_VALUE if the middle course did not double. */
  private static double median(List<Course> courses) {
    int[] doubled = courses.stream().mapToInt(Course::doubled).sorted().toArray();
    int low = doubled[(doubled.length - 1) / 2];
    int high = doubled[doubled.length / 2];
    return high == Integer.MAX_VALUE ? Integer.MAX_VALUE : (low + high) / 2.0;
  }

  private static double mean(List<Course> courses, int block) {
    return courses.stream().mapToDouble(one -> one.realised().get(block)).average().orElse(0);
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "collapse",
            "Blocks until the rate has doubled, and the rate after " + blocks + " blocks",
            Column.number("target"),
            Column.text("flag"),
            Column.number("rate_at_start"),
            Column.whole("doubles_predicted", "blocks"),
            Column.number("doubles_measured", "blocks, median"),
            Column.number("rate_predicted"),
            Column.number("rate_measured"));
    List<ClaimVerdict> verdicts = new ArrayList<>();
    for (double target : rates) {
      for (UpdateFlag flag : UpdateFlag.values()) {
        List<Course> courses = courses(observed, target, flag);
        if (courses.isEmpty()) {
          continue;
        }
        FilterParameters sized = sized(target, 0, flag);
        double updating = flag == UpdateFlag.ALL ? outputs : 0;
        List<Double> predicted =
            Rates.underUpdateAll(sized.bits(), sized.hashFunctions(), elements, updating, blocks);
        int expected = new Course(target, flag, predicted).doubled();
        double measured = median(courses);
        table.row(
            target,
            flag.name(),
            predicted.get(0),
            expected > blocks ? null : (Object) (long) expected,
            measured > blocks ? null : (Object) measured,
            flag == UpdateFlag.P2PUBKEY_ONLY ? null : predicted.get(blocks),
            mean(courses, blocks));
        verdicts.addAll(verdicts(target, flag, courses, expected, measured));
      }
    }
    return new Section(
        "UPDATE_ALL: a filter that degrades by itself",
        FalsePositives.TEXTS.of("collapse.explanation", elements, outputs),
        List.of(table.build()),
        List.of(plot(observed)),
        verdicts);
  }

  private List<ClaimVerdict> verdicts(
      double target, UpdateFlag flag, List<Course> courses, int expected, double measured) {
    if (flag == UpdateFlag.NONE) {
      boolean same = courses.stream().allMatch(c -> c.realised().stream().distinct().count() == 1);
      return List.of(
          new ClaimVerdict(
              "With NONE the server-side filter stays as it was sent (" + Table.shown(target) + ")",
              same,
              courses.size() + " filters, " + blocks + " blocks each"));
    }
    if (flag == UpdateFlag.ALL && expected <= blocks) {
      // Few false matches scatter widely: a third, or a block, whichever is more.
      double off = Math.max(1, expected / 3.0);
      return List.of(
          ClaimVerdict.of(
              "With ALL the rate doubles when it is predicted to (" + Table.shown(target) + ")",
              Math.abs(measured - expected) <= off,
              ClaimVerdict.isTooWide(
                  new FilterTheory.Interval(measured - off, measured + off), expected),
              FalsePositives.TEXTS.line(
                  "collapse.verdicts",
                  expected,
                  expected - off,
                  expected + off,
                  measured > blocks
                      ? "not within " + blocks + " blocks"
                      : String.format(Locale.ROOT, "%.1f (median)", measured),
                  courses.size())));
    }
    return List.of();
  }

  private Plot plot(Table observed) {
    List<Plot.Series> series = new ArrayList<>();
    for (double target : rates) {
      List<Course> courses = courses(observed, target, UpdateFlag.ALL);
      if (courses.isEmpty()) {
        continue;
      }
      FilterParameters sized = sized(target, 0, UpdateFlag.ALL);
      List<Double> predicted =
          Rates.underUpdateAll(sized.bits(), sized.hashFunctions(), elements, outputs, blocks);
      List<Plot.Point> formula = new ArrayList<>();
      List<Plot.Point> measured = new ArrayList<>();
      for (int block = 0; block <= blocks; block++) {
        formula.add(new Plot.Point(block, predicted.get(block)));
        measured.add(new Plot.Point(block, mean(courses, block)));
      }
      series.add(new Plot.Series(Table.shown(target) + " predicted", Plot.Style.LINE, formula));
      series.add(new Plot.Series(Table.shown(target) + " measured", Plot.Style.POINTS, measured));
    }
    return new Plot.Xy(
        "collapse",
        "UPDATE_ALL: the server-side filter, block by block",
        Plot.Axis.linear("blocks of " + outputs + " outputs"),
        Plot.Axis.log("false-positive rate"),
        series);
  }
}
