package org.murmur.lab.families;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.families.filter.Feature;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/**
 * Measures a filter when the wallet changes: elements are deleted, twice as many are added, or two
 * wallets are merged.
 */
record ChangeExperiment(Subjects subjects, int trials) implements Experiment {

  @Override
  public String name() {
    return "change";
  }

  @Override
  public Parameters constants() {
    return Parameters.none().with("fp-used", subjects.middleRate());
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.text(Subjects.FAMILY),
        Column.number("target", ""),
        Column.flag("restored"),
        Column.whole("refused", ""),
        Column.flag("same_union"),
        Column.number("taken", ""),
        Column.number("bits_doubled", "per element"),
        Column.number("rate_doubled", ""),
        Column.whole("forgotten", ""));
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    List<Bytes> elements = Subjects.draw(trial.dice("elements"), 2 * subjects.elements());
    List<Bytes> strangers = Subjects.draw(trial.dice("strangers"), subjects.queries());
    long seed = trial.dice("keys").number();
    for (FilterFamily family : subjects.families()) {
      Plan plan = new Plan(subjects.elements(), subjects.middleRate(), seed);
      if (family.refusal(plan) == null) {
        observe(family, plan, elements, strangers, rows);
      }
    }
  }

  private static void observe(
      FilterFamily family, Plan plan, List<Bytes> elements, List<Bytes> strangers, Rows rows) {
    int planned = plan.capacity();
    Restored restored =
        family.can(Feature.DELETE)
            ? restores(family, plan, elements.subList(0, planned), strangers)
            : new Restored(null, null);
    Boolean sameUnion =
        family.can(Feature.MERGE)
            ? merges(family, plan, elements.subList(0, planned), strangers)
            : null;
    if (!family.can(Feature.ADD)) {
      rows.add(
          family.name(),
          plan.rate(),
          restored.holds,
          restored.refused,
          sameUnion,
          null,
          null,
          null,
          null);
      return;
    }
    SetFilter filter = family.build(plan, elements.subList(0, planned));
    List<Bytes> held = new ArrayList<>(elements.subList(0, planned));
    for (Bytes more : elements.subList(planned, elements.size())) {
      if (filter.add(more)) {
        held.add(more);
      }
    }
    rows.add(
        family.name(),
        plan.rate(),
        restored.holds,
        restored.refused,
        sameUnion,
        held.size() / (double) elements.size(),
        filter.bits() / (double) held.size(),
        filter.expectedRate(),
        held.size() - filter.countContained(held));
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
    List<Boolean> answers = new ArrayList<>(some.size() + others.size());
    some.forEach(one -> answers.add(filter.mayContain(one)));
    others.forEach(one -> answers.add(filter.mayContain(one)));
    return answers;
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "abilities",
            "What can be done with a filter",
            Column.text(Subjects.FAMILY),
            Column.text("code"),
            Column.flag("add"),
            Column.flag("delete"),
            Column.flag("grow"),
            Column.flag("merge"),
            Column.flag("count"),
            Column.whole("refused", "within the plan"),
            Column.number("taken", "of twice the plan"),
            Column.number("bits_doubled", "per element"),
            Column.number("rate_doubled", "times the target"));
    List<String> spoilt = new ArrayList<>();
    List<String> unlike = new ArrayList<>();
    long forgotten = 0;
    for (FilterFamily family : subjects.families()) {
      List<Table.Row> rows = Subjects.rows(observed, family, null);
      Double rate = Subjects.median(rows, "rate_doubled");
      table.row(
          family.name(),
          family.source(),
          family.can(Feature.ADD),
          family.can(Feature.DELETE),
          family.can(Feature.GROW),
          family.can(Feature.MERGE),
          family.can(Feature.COUNT),
          refused(rows),
          Subjects.median(rows, "taken"),
          Subjects.median(rows, "bits_doubled"),
          rate == null ? null : rate / subjects.middleRate());
      for (Table.Row row : rows) {
        addIfFalse(spoilt, row, "restored");
        addIfFalse(unlike, row, "same_union");
        forgotten += row.value("forgotten") == null ? 0 : row.whole("forgotten");
      }
    }
    return new Section(
        "Deletion, growth, merging",
        List.of(
            "A wallet changes: keys are added, coins are spent, two devices share one "
                + "wallet. Which filters can follow without a rebuild from all elements? Tested "
                + "on filters planned for "
                + subjects.elements()
                + " elements at a rate of "
                + Table.shown(subjects.middleRate())
                + ": a fifth was added and deleted again, and every answer had to be as "
                + "before; two halves were merged, and the union had to answer like a filter "
                + "of the whole. \"Refused\" counts insertions, over all trials, that a "
                + "filter refused before it held the planned number. A cuckoo table moves "
                + "fingerprints until one finds a free place, and in a small table it may "
                + "find none. A refused element is not in the filter, and deleting restores "
                + "the earlier state.",
            "The last three columns show what happens if twice the planned number of "
                + "elements come: how many found room, the bits per element then, and the "
                + "resulting rate as a multiple of the target. Some families are made to grow. "
                + "Others take everything and match far too often, or are full."),
        List.of(table.build()),
        List.of(),
        observed.rows().isEmpty()
            ? List.of()
            : List.of(
                verdict(
                    "Deletion restores every answer, if a family took the elements and can "
                        + "delete",
                    spoilt),
                verdict(
                    "A union answers like a filter built from all elements, if a family can "
                        + "merge",
                    unlike),
                new ClaimVerdict(
                    "No filter forgot an element that it took beyond its plan",
                    forgotten == 0,
                    forgotten + " forgotten")));
  }

  /** The sum over all trials; null if the family cannot delete. */
  private static @Nullable Long refused(List<Table.Row> rows) {
    List<Table.Row> known = rows.stream().filter(row -> row.value("refused") != null).toList();
    return known.isEmpty() ? null : known.stream().mapToLong(row -> row.whole("refused")).sum();
  }

  private static void addIfFalse(List<String> names, Table.Row row, String column) {
    @Nullable Object value = row.value(column);
    if (value instanceof Boolean holds && !holds && !names.contains(row.text(Subjects.FAMILY))) {
      names.add(row.text(Subjects.FAMILY));
    }
  }

  private static ClaimVerdict verdict(String claim, List<String> failed) {
    return new ClaimVerdict(
        claim, failed.isEmpty(), failed.isEmpty() ? "all" : "not so: " + String.join(", ", failed));
  }
}
