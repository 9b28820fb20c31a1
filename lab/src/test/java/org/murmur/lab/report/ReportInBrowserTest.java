package org.murmur.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Watcher;
import org.murmur.testbed.browser.Browser;

/** The whole report, small, as a real browser shows it. */
@Tag("browser")
class ReportInBrowserTest {

  /** Asks the browser for the size of each plot and each table. */
  private static final String MEASURE =
      "<script>const sizes = kind => [...document.querySelectorAll(kind)].map(one => {"
          + "const box = one.getBoundingClientRect();"
          + "return Math.round(box.width) + 'x' + Math.round(box.height); }).join(' ');"
          + "document.body.setAttribute('data-plots', sizes('svg'));"
          + "document.body.setAttribute('data-tables', sizes('table'));</script></body>";

  @TempDir Path folder = Path.of("");

  @Test
  void everyStudyIsThereWithItsPlotsAndTheConsoleIsSilent() throws Exception {
    System.setProperty("java.awt.headless", "true");
    HtmlReport report = new HtmlReport();
    List<String> titles = new ArrayList<>();
    int plots = 0;
    for (StudyKind kind : Catalogue.all()) {
      Study study = kind.with(kind.defaults(StudyKind.Size.SMALL));
      StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
      report.add(study, result);
      titles.add(study.title());
      for (Section section : result.conclude(study)) {
        plots += section.plots().size();
      }
    }
    Path page = folder.resolve("report.html");
    Files.writeString(page, report.page().replace("</body>", MEASURE));

    Browser.Page seen = Browser.open(page, folder);

    assertThat(seen.console()).isEmpty();
    assertThat(titles)
        .isNotEmpty()
        .allSatisfy(title -> assertThat(seen.document()).contains(title));
    assertThat(sizes(seen, "data-plots")).hasSize(plots).allMatch(ReportInBrowserTest::isVisible);
    assertThat(sizes(seen, "data-tables")).isNotEmpty().allMatch(ReportInBrowserTest::isVisible);
    assertThat(report.verdicts()).noneMatch(ClaimVerdict::failed);
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
