package org.murmur.lab.families;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;

/**
 * Measures a filter when the wallet changes: elements are deleted, twice as many are added, or two
 * wallets are merged.
 */
final class ChangeExperiment extends Experiment {

  private final Subjects subjects;

  ChangeExperiment(Subjects subjects, int trials) {
    super(
        "change",
        trials,
        "text family, number target, flag restored, whole refused, flag same_union, number taken,"
            + " number bits_doubled (per element), number rate_doubled, whole forgotten");
    this.subjects = subjects;
  }

  @Override
  public Parameters constants() {
    return Parameters.none().with("fp-used", subjects.middleRate());
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    List<Bytes> elements = Subjects.draw(trial.dice("elements"), 2 * subjects.elements());
    List<Bytes> strangers = Subjects.draw(trial.dice("strangers"), subjects.queries());
    Plan plan = new Plan(subjects.elements(), subjects.middleRate(), trial.dice("keys").number());
    for (FilterFamily family : subjects.families()) {
      if (family.refusal(plan) == null) {
        observe(family, plan, elements, strangers, rows);
      }
    }
  }

  private static void observe(
      FilterFamily family, Plan plan, List<Bytes> elements, List<Bytes> strangers, Rows rows) {
    List<Bytes> planned = elements.subList(0, plan.capacity());
    Restored restored =
        family.can(Feature.DELETE)
            ? restores(family, plan, planned, strangers)
            : new Restored(null, null);
    Boolean sameUnion = family.can(Feature.MERGE) ? merges(family, plan, planned, strangers) : null;
    @Nullable Object[] doubled = new @Nullable Object[4];
    if (family.can(Feature.ADD)) {
      SetFilter filter = family.build(plan, planned);
      List<Bytes> held = new ArrayList<>(planned);
      elements.subList(planned.size(), elements.size()).stream()
          .filter(filter::add)
          .forEach(held::add);
      doubled[0] = held.size() / (double) elements.size();
      doubled[1] = filter.bits() / (double) held.size();
      doubled[2] = filter.expectedRate();
      doubled[3] = held.size() - filter.countContained(held);
    }
    rows.add(
        family.name(),
        plan.rate(),
        restored.holds,
        restored.refused,
        sameUnion,
        doubled[0],
        doubled[1],
        doubled[2],
        doubled[3]);
  }

  /**
   * The result of adding a fifth of the wallet and deleting it again: whether every answer is as
   * before, null if the family cannot delete; and the number of elements that found no room,
   * although the filter was planned for them, and are not deleted either.
   */
  private record Restored(@Nullable Boolean holds, @Nullable Integer refused) {}

  private static Restored restores(
      FilterFamily family, Plan plan, List<Bytes> elements, List<Bytes> strangers) {
    int kept = elements.size() - elements.size() / 5;
    SetFilter filter = family.build(plan, elements.subList(0, kept));
    List<Boolean> before = answers(filter, elements, strangers);
    List<Bytes> passing = elements.subList(kept, elements.size());
    List<Bytes> added = passing.stream().filter(filter::add).toList();
    boolean deleted = added.stream().allMatch(filter::delete);
    return new Restored(
        deleted && answers(filter, elements, strangers).equals(before),
        passing.size() - added.size());
  }

  /** Whether two merged halves of the wallet answer like a filter of the whole. */
  private static boolean merges(
      FilterFamily family, Plan plan, List<Bytes> elements, List<Bytes> strangers) {
    int half = elements.size() / 2;
    SetFilter union = family.build(plan, elements.subList(0, half));
    union.merge(family.build(plan, elements.subList(half, elements.size())));
    SetFilter whole = family.build(plan, elements);
    return answers(union, elements, strangers).equals(answers(whole, elements, strangers));
  }

  private static List<Boolean> answers(SetFilter filter, List<Bytes> some, List<Bytes> others) {
    return Stream.concat(some.stream(), others.stream()).map(filter::mayContain).toList();
  }

  @Override
  public Section conclude(Table observed) {
    Table table =
        Table.of(
            "abilities",
            "What can be done with a filter",
            subjects.families(),
            Column.text("family").of(FilterFamily::name),
            Column.text("code").of(FilterFamily::source),
            Column.flag("add").of(one -> one.can(Feature.ADD)),
            Column.flag("delete").of(one -> one.can(Feature.DELETE)),
            Column.flag("grow").of(one -> one.can(Feature.GROW)),
            Column.flag("merge").of(one -> one.can(Feature.MERGE)),
            Column.flag("count").of(one -> one.can(Feature.COUNT)),
            Column.whole("refused", "within the plan").of(one -> refused(observed, one)),
            Column.number("taken", "of twice the plan")
                .of(one -> Subjects.median(observed, one, "taken")),
            Column.number("bits_doubled", "per element")
                .of(one -> Subjects.median(observed, one, "bits_doubled")),
            Column.number("rate_doubled", "times the target")
                .of(one -> timesTarget(Subjects.median(observed, one, "rate_doubled"))));
    long forgotten =
        observed.where(row -> row.value("forgotten") != null).stream()
            .mapToLong(row -> row.whole("forgotten"))
            .sum();
    return new Section(
        "Deletion, growth, merging",
        FamiliesStudy.TEXTS.of(
            "change.explanation", subjects.elements(), Table.shown(subjects.middleRate())),
        List.of(table),
        List.of(),
        observed.rows().isEmpty()
            ? List.of()
            : List.of(
                verdict(
                    "Deletion restores every answer, if a family took the elements and can delete",
                    observed,
                    "restored"),
                verdict(
                    "A union answers like a filter built from all elements, if a family can merge",
                    observed,
                    "same_union"),
                new ClaimVerdict(
                    "No filter forgot an element that it took beyond its plan",
                    forgotten == 0,
                    forgotten + " forgotten")));
  }

  private @Nullable Double timesTarget(@Nullable Double rate) {
    return rate == null ? null : (Double) (rate / subjects.middleRate());
  }

  /** The sum over all trials; null if the family cannot delete. */
  private static @Nullable Long refused(Table observed, FilterFamily family) {
    List<Table.Row> known =
        Subjects.rows(observed, family, null).stream()
            .filter(row -> row.value("refused") != null)
            .toList();
    return known.isEmpty() ? null : (Long) known.stream().mapToLong(r -> r.whole("refused")).sum();
  }

  private static ClaimVerdict verdict(String claim, Table observed, String column) {
    List<String> failed =
        observed.where(row -> Objects.equals(row.value(column), false)).stream()
            .map(row -> row.text(Subjects.FAMILY))
            .distinct()
            .toList();
    return new ClaimVerdict(
        claim, failed.isEmpty(), failed.isEmpty() ? "all" : "not so: " + String.join(", ", failed));
  }
}
