package org.murmur.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.words.ExitCode;
import org.murmur.lab.Section;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.report.Catalogue;
import org.murmur.testbed.browser.Browser;

/** The whole report, small: all studies run once, for all tests here. */
class WholeReportTest {

  /** Asks the browser for the size of each plot and each table. */
  private static final String MEASURE =
      "<script>const sizes = kind => [...document.querySelectorAll(kind)].map(one => {"
          + "const box = one.getBoundingClientRect();"
          + "return Math.round(box.width) + 'x' + Math.round(box.height); }).join(' ');"
          + "document.body.setAttribute('data-plots', sizes('svg'));"
          + "document.body.setAttribute('data-tables', sizes('table'));</script></body>";

  @TempDir static Path folder = Path.of("");

  private static Ran ran = new Ran(-1, "", "");

  @BeforeAll
  static void runAllStudies() {
    ran = Ran.murmur("lab", "report", "--small", "--out", folder.toString(), "--json");
  }

  @Test
  void putsEverythingOnOnePage() throws IOException {
    JsonNode json = ran.exits(ExitCode.DONE).json();
    assertThat(json.get("claims").asInt()).isGreaterThanOrEqualTo(5);
    assertThat(json.get("failed").asInt()).isZero();
    String page = Files.readString(folder.resolve("report.html"));
    assertThat(page).contains("<h2 id=\"fp\">").contains("claims hold").contains("<svg");
    for (String study : new String[] {"fp", "bandwidth", "families", "privacy"}) {
      columnsAreOnThePage(study, folder.resolve(study + ".json"));
    }
    // All studies are finished, so that there is nothing to run again.
    Ran resumed = Ran.murmur("lab", "report", "--small", "--out", folder.toString(), "--resume");
    assertThat(resumed.exits(ExitCode.DONE).err()).doesNotContain("trials");
    assertThat(folder.resolve("report.html")).hasContent(page);
    // From the files, without running anything.
    String file = folder.resolve("fp.json").toString();
    Ran again = Ran.murmur("lab", "report", file, "--out", folder.resolve("again").toString());
    assertThat(again.exits(ExitCode.DONE).out()).contains("0 failed");
    assertThat(Files.readString(folder.resolve("again").resolve("report.html")))
        .contains("<h2 id=\"fp\">");
  }

  /** The page has the columns and units of each table of the output, and no others. */
  private static void columnsAreOnThePage(String study, Path file) throws IOException {
    JsonNode result = new ObjectMapper().readTree(Files.readString(file));
    List<String> lines = new ArrayList<>();
    for (JsonNode one : result.get("experiments")) {
      lines.add("| `" + one.get("experiment").asText() + "` of trials | " + columns(one) + " |");
    }
    for (JsonNode section : result.get("summary")) {
      for (JsonNode one : section.get("tables")) {
        lines.add("| `" + one.get("name").asText() + "` | " + columns(one) + " |");
      }
    }
    String page = Files.readString(Path.of("..", "docs", "lab.md"));
    String part = page.substring(page.indexOf("\n### lab " + study + "\n") + 1);
    assertThat(part.lines().skip(4).takeWhile(line -> line.startsWith("|")).toList())
        .as(study)
        .isEqualTo(lines);
  }

  private static String columns(JsonNode table) {
    List<String> columns = new ArrayList<>();
    for (JsonNode one : table.get("columns")) {
      String unit = one.get("unit").asText();
      columns.add("`" + one.get("name").asText() + "`" + (unit.isEmpty() ? "" : " (" + unit + ")"));
    }
    return String.join(", ", columns);
  }

  /** As a real browser shows it. */
  @Tag("browser")
  @Test
  void everyStudyIsThereWithItsPlotsAndTheConsoleIsSilent() throws Exception {
    List<String> titles = new ArrayList<>();
    int plots = 0;
    for (StudyKind kind : Catalogue.all()) {
      StudyResult result = LabMerge.read(folder.resolve(kind.name() + ".json"));
      Study study = LabMerge.studyOf(result);
      titles.add(study.title());
      for (Section section : result.conclude(study)) {
        plots += section.plots().size();
      }
    }
    Path page = folder.resolve("measured.html");
    String report = Files.readString(folder.resolve("report.html"));
    Files.writeString(page, report.replace("</body>", MEASURE));

    Browser.Page seen = Browser.open(page, folder);

    assertThat(seen.console()).isEmpty();
    assertThat(titles)
        .isNotEmpty()
        .allSatisfy(title -> assertThat(seen.document()).contains(title));
    assertThat(sizes(seen, "data-plots")).hasSize(plots).allMatch(WholeReportTest::isVisible);
    assertThat(sizes(seen, "data-tables")).isNotEmpty().allMatch(WholeReportTest::isVisible);
    // Five studies' worth of plain words at the head, and a link for each family.
    assertThat(seen.document().split("\">More</a></li>", -1)).hasSizeGreaterThan(5);
    assertThat(seen.document()).contains("href=\"https://doi.org/10.1145/2674005.2674994\"");
  }

  private static List<String> sizes(Browser.Page seen, String attribute) {
    Matcher found = Pattern.compile(attribute + "=\"([^\"]*)\"").matcher(seen.document());
    assertThat(found.find()).as(attribute).isTrue();
    return Arrays.asList(found.group(1).split(" "));
  }

  private static boolean isVisible(String size) {
    int cross = size.indexOf('x');
    return Integer.parseInt(size.substring(0, cross)) >= 100
        && Integer.parseInt(size.substring(cross + 1)) >= 20;
  }
}
