package org.murmur.lab.report;

import java.util.ArrayList;
import java.util.List;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Study;
import org.murmur.lab.StudyResult;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.html.Html;
import org.murmur.lab.plot.Drawing;

/**
 * Studies and their findings as one self-contained HTML page: no script, and no external picture,
 * font or style.
 */
public final class HtmlReport {

  private static final Texts TEXTS = new Texts(HtmlReport.class);

  /** Longer tables are collapsed. */
  private static final int LONG_TABLE = 20;

  private static final String STYLE = Texts.file(HtmlReport.class, "page.css");

  private Html out = new Html();
  private final List<Chapter> chapters = new ArrayList<>();

  private int plots;

  private record Chapter(Study study, StudyResult result, List<Section> sections) {}

  public HtmlReport add(Study study, StudyResult result) {
    chapters.add(new Chapter(study, result, result.conclude(study)));
    return this;
  }

  public List<ClaimVerdict> verdicts() {
    return chapters.stream()
        .flatMap(chapter -> chapter.sections().stream())
        .flatMap(section -> section.verdicts().stream())
        .toList();
  }

  /** Returns the studies without all their trials: {@code fp has 6 of 30 trials}. */
  public List<String> incompleteStudies() {
    return chapters.stream()
        .filter(chapter -> !chapter.result().complete())
        .map(chapter -> chapter.study().name() + " has " + chapter.result().trials())
        .toList();
  }

  public String page() {
    out = Html.page("Murmur lab report", STYLE, "");
    plots = 0;
    incomplete();
    out.add("<h1>What a Bloom filter reveals</h1>\n");
    TEXTS.of("introduction").forEach(this::paragraph);
    contents();
    chapters.forEach(this::chapter);
    glossary();
    return out.end();
  }

  /** Warns of studies without all their trials: their verdicts are not those of the study. */
  private void incomplete() {
    List<String> parts = incompleteStudies();
    if (!parts.isEmpty()) {
      out.add(
          "<p class=\"incomplete\">INCOMPLETE: %s. The verdicts are those of a part.</p>\n",
          String.join(", ", parts));
    }
  }

  private void contents() {
    List<ClaimVerdict> all = verdicts();
    long failed = all.stream().filter(ClaimVerdict::failed).count();
    long holding = all.stream().filter(ClaimVerdict::holds).count();
    out.add("<h2 id=\"summary\">Summary</h2>\n");
    incomplete();
    findings();
    out.add("<p>");
    boolean complete = chapters.stream().allMatch(chapter -> chapter.result().complete());
    if (failed > 0 || complete) {
      mark(failed == 0 ? ClaimVerdict.Outcome.PASS : ClaimVerdict.Outcome.FAIL);
    }
    out.add("%d of %d claims hold", holding, all.size());
    if (all.size() > holding + failed) {
      out.add("; of %d too little was measured to say", all.size() - holding - failed);
    }
    out.add(".</p>\n<ul>\n");
    for (Chapter chapter : chapters) {
      out.add("<li><a href=\"#%s\">%s</a></li>\n", chapter.study().name(), chapter.study().title());
    }
    out.add("<li><a href=\"#words\">Words</a></li>\n</ul>\n");
    if (failed > 0) {
      verdicts(all.stream().filter(ClaimVerdict::failed).toList());
    }
  }

  /** Writes the findings of all studies at the top, before the details. */
  private void findings() {
    Html items = new Html();
    for (Chapter chapter : chapters) {
      for (Section section : chapter.sections()) {
        for (String finding : section.findings()) {
          items.add("<li>%s <a href=\"#%s\">More</a></li>\n", finding, chapter.study().name());
        }
      }
    }
    if (!items.isEmpty()) {
      out.add("<p>The findings, with this run's numbers:</p>\n<ol class=\"findings\">\n");
      out.add(items).add("</ol>\n");
    }
  }

  private void chapter(Chapter chapter) {
    String name = chapter.study().name();
    out.add("<h2 id=\"%s\">%s</h2>\n", name, chapter.study().title());
    chapter.study().introduction().forEach(this::paragraph);
    for (Section section : chapter.sections()) {
      out.add("<section>\n<h3>%s</h3>\n", section.title());
      section.explanation().forEach(this::paragraph);
      section.plots().forEach(this::figure);
      section.tables().forEach(this::table);
      verdicts(section.verdicts());
      out.add("</section>\n");
    }
    StudyResult result = chapter.result();
    out.add("<p class=\"origin\">murmur lab %s: %s", name, result.parameters());
    out.add(" &middot; code %s", result.codeVersion());
    out.add(result.complete() ? "</p>\n" : " &middot; not all trials were run</p>\n");
  }

  private void figure(Plot plot) {
    plots++;
    String svg = EmbeddedSvg.of(Drawing.svg(plot), "plot-" + plots, plot.title());
    out.add("<figure>\n").addSvg(svg);
    out.add("<figcaption>%s</figcaption>\n</figure>\n", plot.title());
  }

  private void table(Table table) {
    boolean folded = table.rows().size() > LONG_TABLE;
    if (folded) {
      String summary = "<details><summary>%s (%d rows)</summary>\n";
      out.add(summary, table.title(), table.rows().size());
    }
    out.add("<div class=\"wide\"><table>\n");
    if (!folded) {
      out.add("<caption>%s</caption>\n", table.title());
    }
    out.add("<thead><tr>");
    table.columns().forEach(column -> cell("th", column, column.heading()));
    out.add("</tr></thead>\n<tbody>\n");
    for (Table.Row row : table.rows()) {
      out.add("<tr>");
      for (int i = 0; i < table.columns().size(); i++) {
        cell("td", table.columns().get(i), Table.shown(row.values().get(i)));
      }
      out.add("</tr>\n");
    }
    out.add("</tbody>\n</table></div>\n").add(folded ? "</details>\n" : "");
  }

  private void cell(String tag, Column column, String text) {
    boolean words = column.kind() == Column.Kind.TEXT || column.kind() == Column.Kind.FLAG;
    out.add(words ? "<%s class=\"text\">" : "<%s>", tag);
    if (text.startsWith("https://")) {
      out.add("<a href=\"%s\">%s</a>", text, text.substring("https://".length()));
    } else {
      out.add("%s", text);
    }
    out.add("</%s>", tag);
  }

  private void verdicts(List<ClaimVerdict> verdicts) {
    if (verdicts.isEmpty()) {
      return;
    }
    out.add("<ul class=\"verdicts\">\n");
    for (ClaimVerdict verdict : verdicts) {
      out.add("<li>");
      mark(verdict.outcome());
      out.add("%s: %s</li>\n", verdict.claim(), verdict.detail());
    }
    out.add("</ul>\n");
  }

  private void mark(ClaimVerdict.Outcome outcome) {
    String style =
        switch (outcome) {
          case PASS -> "pass";
          case FAIL -> "fail";
          case TOO_FEW -> "few";
        };
    out.add("<span class=\"%s\">%s</span> ", style, outcome.label());
  }

  private void glossary() {
    out.add("<h2 id=\"words\">Words</h2>\n<dl>\n");
    for (String entry : TEXTS.of("glossary")) {
      String[] parts = entry.split(": ", 2);
      out.add("<dt>%s</dt><dd>%s</dd>\n", parts[0], parts[1]);
    }
    out.add("</dl>\n");
  }

  private void paragraph(String text) {
    out.add("<p>%s</p>\n", text);
  }
}
