package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;

/** The reproduction of a published work, as an experiment of one trial. */
final class ReproductionTrial implements Experiment {

  /** The works to reproduce. */
  enum Work {
    GERVAIS("gervais", "Gervais et al. 2014, computed again", Reproduction.GERVAIS),
    NICK("nick", "Nick 2015, computed again", Reproduction.NICK);

    private final String id;
    private final String title;
    private final String source;

    Work(String id, String title, String source) {
      this.source = source;
      this.id = id;
      this.title = title;
    }

    String id() {
      return id;
    }

    Parameters constants() {
      return switch (this) {
        case GERVAIS -> Reproduction.gervaisConstants();
        case NICK -> Reproduction.nickConstants();
      };
    }

    Reproduction reproduce(long seed) {
      return switch (this) {
        case GERVAIS -> Reproduction.gervais();
        case NICK -> Reproduction.nick(seed);
      };
    }
  }

  private final Work work;

  ReproductionTrial(Work work) {
    this.work = work;
  }

  @Override
  public String name() {
    return "reproduce-" + work.id();
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.text("figure"),
        Column.text("published"),
        Column.text("ours"),
        Column.text("agreement"),
        Column.text("remark"));
  }

  @Override
  public Parameters constants() {
    return work.constants();
  }

  @Override
  public int trials() {
    return 1;
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    for (Reproduction.Line line : work.reproduce(trial.dice().number()).lines()) {
      rows.add(line.what(), line.published(), line.ours(), line.agreement().name(), line.remark());
    }
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table = Table.of(name(), work.title, columns());
    List<String> failed = new ArrayList<>();
    List<String> near = new ArrayList<>();
    Map<Reproduction.Agreement, Integer> counts = new EnumMap<>(Reproduction.Agreement.class);
    for (Table.Row row : observed.rows()) {
      String agreement = row.text("agreement");
      table.row(
          row.text("figure"),
          row.text("published"),
          row.text("ours"),
          agreement,
          row.text("remark"));
      if (agreement.equals(Reproduction.Agreement.FAIL.name())) {
        failed.add(row.text("figure"));
      } else if (agreement.equals(Reproduction.Agreement.NEAR.name())) {
        near.add(near(row));
      }
      counts.merge(Reproduction.Agreement.valueOf(agreement), 1, Integer::sum);
    }
    List<ClaimVerdict> verdicts =
        observed.rows().isEmpty()
            ? List.of()
            : List.of(
                new ClaimVerdict(
                    work.title + ": no comparable figure differs",
                    failed.isEmpty(),
                    detail(counts, near, failed)));
    return new Section(work.title, explanation(), List.of(table.build()), List.of(), verdicts);
  }

  private static String near(Table.Row row) {
    return row.text("figure")
        + " (published "
        + row.text("published")
        + ", ours "
        + row.text("ours")
        + ", "
        + row.text("remark")
        + ")";
  }

  private static String detail(
      Map<Reproduction.Agreement, Integer> counts, List<String> near, List<String> failed) {
    List<String> parts = new ArrayList<>();
    if (!failed.isEmpty()) {
      parts.add("not: " + String.join("; ", failed));
    }
    parts.add(counts.getOrDefault(Reproduction.Agreement.PASS, 0) + " to the digits printed");
    int derived = counts.getOrDefault(Reproduction.Agreement.DERIVED, 0);
    if (derived > 0) {
      parts.add(derived + " only with the printed rate, which was cut off");
    }
    parts.add(counts.getOrDefault(Reproduction.Agreement.SHAPE, 0) + " in words only");
    if (!near.isEmpty()) {
      parts.add("close, and not counted as agreeing: " + String.join("; ", near));
    }
    return String.join("; ", parts);
  }

  private List<String> explanation() {
    String read =
        "PASS: our figure equals the published one, to the printed digits. SHAPE: the "
            + "paper's statement in words holds. PREDICTED: we could not see a published figure; "
            + "ours agrees with an independent computation. DERIVED: the published figure follows "
            + "from the printed rate, which is cut off; ours, from the exact rate, is slightly "
            + "larger. NEAR: close, the gap is known and not explained.";
    return switch (work) {
      case GERVAIS ->
          List.of(
              "In 2014 Gervais, Karame, Gruber and Capkun showed that the filters of the "
                  + "bitcoinj of the time exposed small wallets. P_h(j) is the chance that j "
                  + "addresses picked from all that match are all the wallet's. A wallet of N "
                  + "addresses, each with its key, in a filter made for 2N + 100 at 0.05%; the "
                  + "adversary tests 33 million addresses.",
              work.source, read);
      case NICK ->
          List.of(
              "In 2015 Jonas Nick measured what bitcoinj's filters reveal: both the key and "
                  + "its hash are in the filter, so a foreign address must match twice by chance, "
                  + "and hardly any does.",
              "His table 5.2 needs filters of real wallets. Our synthetic chain can show "
                  + "its order, but not its numbers. His precision for scripts that were spent "
                  + "together (90.79%, legacy wallets) is not reproduced: on our chain no two "
                  + "users sign together, so here it would be 1 by construction.",
              work.source,
              read);
    };
  }
}
