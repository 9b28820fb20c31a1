package org.murmur.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The observations of a study's trials, or of a part of them, by experiment in the study's order,
 * and the {@link CodeVersion} that ran it.
 */
public record StudyResult(
    String study, Parameters parameters, String codeVersion, List<Observed> experiments) {

  /** The column that holds the number of a row's trial. */
  public static final String TRIAL = "trial";

  public StudyResult {
    experiments = List.copyOf(experiments);
  }

  /**
   * The observations of one experiment.
   *
   * @param trials the number of trials of a complete run
   * @param done the numbers of the trials that ran, ascending
   * @param constants {@link Experiment#constants}
   * @param rows the rows of the trials, in order of the trials, with the column {@link #TRIAL}
   */
  public record Observed(
      String experiment, int trials, List<Integer> done, Parameters constants, Table rows) {

    public Observed {
      done = List.copyOf(done);
    }

    public boolean complete() {
      return done.size() == trials;
    }
  }

  /** The columns of an experiment's rows, with that of the trial. */
  static List<Column> columns(Experiment experiment) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.whole(TRIAL, ""));
    columns.addAll(experiment.columns());
    return columns;
  }

  /** Returns whether all trials ran; false for a shard, and after an interrupt. */
  public boolean complete() {
    return experiments.stream().allMatch(Observed::complete);
  }

  /** Returns how many trials ran, summed over the experiments: {@code 6 of 30 trials}. */
  public String trials() {
    return String.format(
        "%d of %d trials",
        experiments.stream().mapToLong(one -> one.done().size()).sum(),
        experiments.stream().mapToLong(Observed::trials).sum());
  }

  public List<Section> conclude(Study of) {
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < experiments.size(); i++) {
      if (!experiments.get(i).done().isEmpty()) {
        sections.add(of.experiments().get(i).conclude(experiments.get(i).rows()));
      }
    }
    return sections;
  }

  /** A result and its source's name in error messages, for instance a file name. */
  public record Part(String name, StudyResult result) {}

  /**
   * Merges shards, at least one, of the same study, parameters and code, without a common trial.
   * Throws {@link IllegalArgumentException} if they do not belong together; the message gives the
   * reason.
   */
  public static StudyResult merge(List<Part> parts) {
    Part first = parts.get(0);
    for (Part part : parts) {
      refuse(first, part, "study", StudyResult::study);
      refuse(first, part, "code version", StudyResult::codeVersion);
      refuse(first, part, "parameters", StudyResult::parameters);
      refuse(first, part, "experiments", StudyResult::shape);
    }
    List<Observed> merged = new ArrayList<>();
    for (int i = 0; i < first.result().experiments.size(); i++) {
      merged.add(join(parts, i));
    }
    StudyResult result = first.result();
    return new StudyResult(result.study, result.parameters, result.codeVersion, merged);
  }

  private List<String> shape() {
    return experiments.stream()
        .map(
            o -> o.experiment() + " " + o.trials() + " " + o.constants() + " " + o.rows().columns())
        .toList();
  }

  private static void refuse(
      Part first, Part other, String what, Function<StudyResult, Object> of) {
    Object expected = of.apply(first.result());
    Object found = of.apply(other.result());
    if (!expected.equals(found)) {
      throw new IllegalArgumentException(
          other.name()
              + " differs from "
              + first.name()
              + " in "
              + what
              + difference(found, expected));
    }
  }

  /** Of parameters, only those that differ. */
  private static String difference(Object found, Object expected) {
    List<String> ours = parts(found);
    List<String> theirs = parts(expected);
    return ": "
        + ours.stream().filter(part -> !theirs.contains(part)).collect(Collectors.joining(", "))
        + ", not "
        + theirs.stream().filter(part -> !ours.contains(part)).collect(Collectors.joining(", "));
  }

  private static List<String> parts(Object value) {
    return value instanceof Parameters
        ? List.of(value.toString().split(" ", -1))
        : List.of(value.toString());
  }

  private static Observed join(List<Part> parts, int experiment) {
    TreeMap<Integer, List<Table.Row>> byTrial = new TreeMap<>();
    for (Part part : parts) {
      Observed observed = part.result().experiments.get(experiment);
      for (int trial : observed.done()) {
        if (byTrial.put(trial, new ArrayList<>()) != null) {
          throw new IllegalArgumentException(
              part.name() + " repeats trial " + trial + " of " + observed.experiment());
        }
      }
      for (Table.Row row : observed.rows().rows()) {
        List<Table.Row> rows = byTrial.get((int) row.whole(TRIAL));
        if (rows == null) {
          throw new IllegalArgumentException(
              part.name() + " has rows of trial " + row.whole(TRIAL) + ", which was not run");
        }
        rows.add(row);
      }
    }
    Observed first = parts.get(0).result().experiments.get(experiment);
    List<Table.Row> rows = byTrial.values().stream().flatMap(List::stream).toList();
    Table table =
        new Table(first.rows().name(), first.rows().title(), first.rows().columns(), rows);
    return new Observed(
        first.experiment(),
        first.trials(),
        List.copyOf(byTrial.keySet()),
        first.constants(),
        table);
  }
}
