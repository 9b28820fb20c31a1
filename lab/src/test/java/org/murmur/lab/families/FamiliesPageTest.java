package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind.Size;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;

/** The table of docs/filter-families.md is what `murmur lab families` gives. */
class FamiliesPageTest {

  private static final FamiliesStudy KIND = new FamiliesStudy();
  private static final String HEAD = "| family | code | targets | bits | predicted | measured |";

  /** The first experiment only: the others have other tables. */
  private static Table table(Parameters parameters) throws Exception {
    Study all = KIND.with(parameters);
    List<Experiment> rates = List.of(all.experiments().get(0));
    Study study = new Study(all.name(), "", List.of(), parameters, rates);
    StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
    return result.conclude(study).get(0).tables().get(0);
  }

  private static List<String> page() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "filter-families.md"));
    int head = lines.indexOf(HEAD);
    assertThat(head).as("the heading of the table").isPositive();
    return lines.subList(head + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static String rate(double rate) {
    return String.format(Locale.ROOT, rate < 1e-3 ? "%.2e" : "%.3g", rate);
  }

  /** The rows of each family, in the table's order. */
  private static Collection<List<Table.Row>> families(Table table) {
    return table.rows().stream()
        .collect(
            Collectors.groupingBy(
                row -> row.text("family"), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  private static String each(List<Table.Row> rows, Function<Table.Row, String> cell) {
    return rows.stream().map(cell).collect(Collectors.joining(", ")) + " |";
  }

  private static String key(List<Table.Row> rows) {
    Table.Row row = rows.get(0);
    return "| `"
        + row.text("family")
        + "` | "
        + row.text("code")
        + " | "
        + each(rows, one -> Double.toString(one.number("target")).replace("1.0E-4", "0.0001"));
  }

  private static String line(List<Table.Row> rows) {
    return key(rows)
        + " "
        + each(rows, row -> String.format(Locale.ROOT, "%.1f", row.number("bits")))
        + " "
        + each(rows, row -> rate(row.number("predicted")))
        + " "
        + each(rows, row -> rate(row.number("measured")));
  }

  /** All families and targets, without their figures: those take a minute. */
  @Test
  void hasARowForEachFamily() throws Exception {
    Parameters quick =
        KIND.defaults(Size.SMALL).with("trials", 1).with("queries", 100).with("elements", 2000);
    List<String> expected = new ArrayList<>();
    families(table(quick)).forEach(rows -> expected.add(key(rows)));
    assertThat(page().stream().map(line -> line.replaceAll("^((\\|[^|]*){3}\\|).*", "$1")))
        .containsExactlyElementsOf(expected);
  }

  /** Equal seeds give equal elements, whatever other families are measured. */
  @Test
  void hasTheFiguresOfTheUsualRun() throws Exception {
    Table table = table(KIND.defaults(Size.USUAL).with("family", "bloom,xor"));
    List<String> expected = new ArrayList<>();
    families(table).forEach(rows -> expected.add(line(rows)));
    assertThat(page()).containsAll(expected);
    assertThat(table.rows()).allMatch(row -> row.text("inside").equals("yes"));
  }
}
