package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.Trial;

/** The reproduction of a published work, as an experiment of one trial. */
final class ReproductionTrial extends Experiment {

  private static final Texts TEXTS = PrivacyStudy.TEXTS;

  /** The works to reproduce. */
  enum Work {
    GERVAIS("Gervais et al. 2014, computed again"),
    NICK("Nick 2015, computed again");

    private final String title;

    Work(String title) {
      this.title = title;
    }

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Work work;

  ReproductionTrial(Work work) {
    super(
        "reproduce-" + work.id(),
        1,
        "text figure, text published, text ours, text agreement, text remark");
    this.work = work;
  }

  @Override
  public Parameters constants() {
    return switch (work) {
      case GERVAIS -> Reproduction.gervaisConstants();
      case NICK -> Reproduction.nickConstants();
    };
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    long seed = trial.dice().number();
    Reproduction done =
        switch (work) {
          case GERVAIS -> Reproduction.gervais();
          case NICK -> Reproduction.nick(seed);
        };
    for (Reproduction.Line line : done.lines()) {
      rows.add(line.what(), line.published(), line.ours(), line.agreement().name(), line.remark());
    }
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table = Table.of(name(), work.title, columns());
    observed
        .rows()
        .forEach(row -> table.row(columns().stream().map(c -> row.value(c.name())).toArray()));
    List<String> text = new ArrayList<>(TEXTS.of(work.id() + ".explanation"));
    text.add(TEXTS.line(work.id() + ".source"));
    text.add(TEXTS.line("reproduce.key"));
    boolean failed = !with(observed, Reproduction.Agreement.FAIL).isEmpty();
    return new Section(
        work.title,
        text,
        List.of(table.build()),
        List.of(),
        observed.rows().isEmpty()
            ? List.of()
            : List.of(
                new ClaimVerdict(
                    work.title + ": no comparable figure differs", !failed, detail(observed))));
  }

  private static List<Table.Row> with(Table observed, Reproduction.Agreement agreement) {
    return observed.where(row -> row.text("agreement").equals(agreement.name()));
  }

  private static String detail(Table observed) {
    List<String> failed =
        with(observed, Reproduction.Agreement.FAIL).stream()
            .map(row -> row.text("figure"))
            .toList();
    List<String> near =
        with(observed, Reproduction.Agreement.NEAR).stream()
            .map(
                row ->
                    TEXTS.line(
                        "reproduce.near",
                        row.text("figure"),
                        row.text("published"),
                        row.text("ours"),
                        row.text("remark")))
            .toList();
    int derived = with(observed, Reproduction.Agreement.DERIVED).size();
    List<String> parts = new ArrayList<>();
    if (!failed.isEmpty()) {
      parts.add("not: " + String.join("; ", failed));
    }
    parts.add(with(observed, Reproduction.Agreement.PASS).size() + " to the digits printed");
    if (derived > 0) {
      parts.add(derived + " only with the printed rate, which was cut off");
    }
    parts.add(with(observed, Reproduction.Agreement.SHAPE).size() + " in words only");
    if (!near.isEmpty()) {
      parts.add("close, and not counted as agreeing: " + String.join("; ", near));
    }
    return String.join("; ", parts);
  }
}
