package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  private static final String HEAD =
      "| family | code | target | bits | predicted | measured | inside |";

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

  private static String key(Table.Row row) {
    String target = Double.toString(row.number("target")).replace("1.0E-4", "0.0001");
    return "| `" + row.text("family") + "` | " + row.text("code") + " | " + target + " |";
  }

  private static String line(Table.Row row) {
    return String.format(
        Locale.ROOT,
        "%s %.1f | %s | %s | %s |",
        key(row),
        row.number("bits"),
        rate(row.number("predicted")),
        rate(row.number("measured")),
        row.text("inside"));
  }

  /** All rows, without their figures: those take a minute. */
  @Test
  void hasARowForEachFamilyAndRate() throws Exception {
    Parameters quick =
        KIND.defaults(Size.SMALL).with("trials", 1).with("queries", 100).with("elements", 2000);
    List<String> expected = new ArrayList<>();
    table(quick).rows().forEach(row -> expected.add(key(row)));
    assertThat(page().stream().map(line -> line.replaceAll("^((\\|[^|]*){3}\\|).*", "$1")))
        .containsExactlyElementsOf(expected);
  }

  /** Equal seeds give equal elements, whatever other families are measured. */
  @Test
  void hasTheFiguresOfTheUsualRun() throws Exception {
    List<String> expected = new ArrayList<>();
    table(KIND.defaults(Size.USUAL).with("family", "bloom,xor"))
        .rows()
        .forEach(row -> expected.add(line(row)));
    assertThat(page()).containsAll(expected);
  }
}
