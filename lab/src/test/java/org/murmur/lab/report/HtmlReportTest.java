package org.murmur.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.Watcher;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {

  /** Finds texts that would break the page if they were not escaped. */
  private static final class Nasty extends Experiment {

    Nasty() {
      super("nasty", 1, "text word");
    }

    @Override
    public void observe(Trial trial, Rows rows) {
      rows.add("<script>alert(1)</script>");
    }

    @Override
    public Section conclude(Table observed) {
      Plot plot =
          new Plot.Xy(
              "p",
              "a < b & \"c\"",
              Plot.Axis.linear("x"),
              Plot.Axis.linear("y"),
              List.of(
                  new Plot.Series(
                      "s", Plot.Style.LINE, List.of(new Plot.Point(0, 0), new Plot.Point(1, 1)))));
      return new Section(
          "Nasty & <b>",
          List.of("1 < 2"),
          List.of(observed),
          List.of(plot, plot),
          List.of(
              new ClaimVerdict("that <holds>", true, "a & b"),
              new ClaimVerdict("does not", false, "c"),
              new ClaimVerdict("nobody knows", ClaimVerdict.Outcome.TOO_FEW, "d")),
          List.of("Found: 3 < 4"));
    }
  }

  private static HtmlReport report() throws Exception {
    Study study =
        new Study("n", "N & co", List.of("in & out"), Parameters.of(1, 1), List.of(new Nasty()));
    return new HtmlReport().add(study, new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run());
  }

  @Test
  void isOnePageThatNeedsNothingElse() throws Exception {
    String page = report().page();
    assertThat(page).startsWith("<!DOCTYPE html>").doesNotContain("<script");
    // The names of XML's languages are not fetched.
    String without = page.replaceAll(" xmlns(:xlink)?=\"[^\"]*\"", "");
    assertThat(without).doesNotContain("http:").doesNotContain("https:").doesNotContain("@import");
    assertThat(Pattern.compile("(src|href)=\"(?!#|data:,)").matcher(without).find()).isFalse();
  }

  /** The warning comes before everything else, and again before the summary's count. */
  @Test
  void beginsWithTheTrialsThatAreMissing() throws Exception {
    Study study =
        new Study("n", "N & co", List.of("in & out"), Parameters.of(1, 1), List.of(new Holding()));
    StudyResult part = new StudyRun(study, new Shard(1, 5), 1, Watcher.NONE).run();

    String page = new HtmlReport().add(study, part).page();

    String warning = "INCOMPLETE: n has 6 of 30 trials.";
    int first = page.indexOf(warning);
    int second = page.indexOf(warning, first + 1);
    assertThat(first).isBetween(0, page.indexOf("<h1>"));
    assertThat(second)
        .isBetween(page.indexOf("id=\"summary\""), page.indexOf("1 of 1 claims hold"));
    assertThat(page.substring(0, page.indexOf("1 of 1 claims hold"))).doesNotContain(">PASS<");
    StudyResult whole = new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run();
    assertThat(new HtmlReport().add(study, whole).page())
        .doesNotContain("INCOMPLETE")
        .contains("<span class=\"pass\">PASS</span> 1 of 1 claims hold");
  }

  /** Thirty trials without rows. */
  private static final class Holding extends Experiment {

    Holding() {
      super("holding", 30, "text word");
    }

    @Override
    public void observe(Trial trial, Rows rows) {}

    @Override
    public Section conclude(Table observed) {
      return new Section(
          "Holding", List.of(), List.of(), List.of(), List.of(new ClaimVerdict("a", true, "b")));
    }
  }

  @Test
  void isWellFormedWithEveryPlotAndVerdict() throws Exception {
    String page = report().page();
    // Elements that HTML never closes.
    String xml = page.replaceAll("<(meta|link)([^>]*)>", "<$1$2/>").replace("&middot;", "");
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml.replace("<!DOCTYPE html>", ""))));
    assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(2);
    assertThat(Pattern.compile("\\bid=\"([^\"]*)\"").matcher(page).results().map(m -> m.group(1)))
        .doesNotHaveDuplicates();
    assertThat(page)
        .contains("1 of 3 claims hold; of 1 too little was measured to say.")
        .contains("&lt;script&gt;")
        .contains("<span class=\"few\">TOO FEW</span> nobody knows");
    // The findings are at the top, with links to their places.
    assertThat(page.indexOf("<li>Found: 3 &lt; 4 <a href=\"#n\">More</a></li>"))
        .isBetween(page.indexOf("id=\"summary\""), page.indexOf("<h2 id=\"n\">"));
    NodeList items = document.getElementsByTagName("span");
    assertThat(items.getLength()).isGreaterThanOrEqualTo(3);
    assertThat(report().verdicts()).hasSize(3);
    assertThat(report().page()).isEqualTo(page);
  }
}
