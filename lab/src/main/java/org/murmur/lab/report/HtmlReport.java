package org.murmur.lab.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
import org.murmur.lab.plot.EmbeddedSvg;

/**
 * Studies and their findings as one self-contained HTML page: no script, and no external picture,
 * font or style.
 */
public final class HtmlReport {

  private static final Texts TEXTS = new Texts(HtmlReport.class);

  /** Longer tables are collapsed. */
  private static final int LONG_TABLE = 20;

  private static final String STYLE =
      """
body { font: 16px/1.5 sans-serif; color: #222; max-width: 62em; margin: 0 auto; padding: 1em; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 3em; border-bottom: 2px solid #0072b2; }
h3 { margin-top: 2em; }
table { border-collapse: collapse; font-size: 14px; margin: 1em 0; }
caption { text-align: left; font-weight: bold; padding: .3em 0; }
th, td { padding: .15em .7em; border-bottom: 1px solid #ddd; text-align: right; }
th.text, td.text { text-align: left; }
thead th { border-bottom: 2px solid #888; vertical-align: bottom; }
.wide { overflow-x: auto; }
figure { margin: 1em 0; }
figure svg { width: 100%; height: auto; }
ul.verdicts { list-style: none; padding: 0; }
ul.verdicts li { margin: .3em 0; }
.pass, .fail { font-weight: bold; color: #fff; padding: 0 .5em; border-radius: .2em; }
.pass { background: #00734f; }
.fail { background: #b03000; }
.incomplete { font-weight: bold; border: 3px solid #b03000; padding: .5em; }
.few { font-weight: bold; color: #222; background: #ddd; padding: 0 .5em; border-radius: .2em; }
ol.findings li { margin: .5em 0; }
.origin { color: #555; font-size: 13px; }
dt { font-weight: bold; }
""";

  private final StringBuilder out = new StringBuilder();
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
    out.setLength(0);
    plots = 0;
    out.append(Html.begin("Murmur lab report", STYLE, ""));
    incomplete();
    introduction();
    contents();
    chapters.forEach(this::chapter);
    glossary();
    out.append(Html.end());
    return out.toString();
  }

  /** Warns of studies without all their trials: their verdicts are not those of the study. */
  private void incomplete() {
    List<String> parts = incompleteStudies();
    if (parts.isEmpty()) {
      return;
    }
    out.append("<p class=\"incomplete\">INCOMPLETE: ");
    out.append(Html.escaped(String.join(", ", parts)));
    out.append(". The verdicts are those of a part.</p>\n");
  }

  private void introduction() {
    out.append("<h1>What a Bloom filter reveals</h1>\n");
    TEXTS.of("introduction").forEach(this::paragraph);
  }

  private void contents() {
    List<ClaimVerdict> all = verdicts();
    long failed = all.stream().filter(ClaimVerdict::failed).count();
    long holding = all.stream().filter(ClaimVerdict::holds).count();
    out.append("<h2 id=\"summary\">Summary</h2>\n");
    incomplete();
    findings();
    out.append("<p>");
    boolean complete = chapters.stream().allMatch(chapter -> chapter.result().complete());
    if (failed > 0 || complete) {
      out.append(mark(failed == 0 ? ClaimVerdict.Outcome.PASS : ClaimVerdict.Outcome.FAIL))
          .append(' ');
    }
    out.append(holding).append(" of ").append(all.size()).append(" claims hold");
    if (all.size() > holding + failed) {
      out.append("; of ").append(all.size() - holding - failed);
      out.append(" too little was measured to say");
    }
    out.append(".</p>\n<ul>\n");
    for (Chapter chapter : chapters) {
      out.append("<li><a href=\"#").append(chapter.study().name()).append("\">");
      out.append(Html.escaped(chapter.study().title())).append("</a></li>\n");
    }
    out.append("<li><a href=\"#words\">Words</a></li>\n</ul>\n");
    if (failed > 0) {
      verdicts(all.stream().filter(ClaimVerdict::failed).toList());
    }
  }

  /** Writes the findings of all studies at the top, before the details. */
  private void findings() {
    StringBuilder items = new StringBuilder();
    for (Chapter chapter : chapters) {
      for (Section section : chapter.sections()) {
        for (String finding : section.findings()) {
          items.append("<li>").append(Html.escaped(finding)).append(" <a href=\"#");
          items.append(chapter.study().name()).append("\">More</a></li>\n");
        }
      }
    }
    if (!items.isEmpty()) {
      out.append("<p>The findings, with this run's numbers:</p>\n<ol class=\"findings\">\n");
      out.append(items).append("</ol>\n");
    }
  }

  private void chapter(Chapter chapter) {
    String name = chapter.study().name();
    out.append("<h2 id=\"").append(name).append("\">");
    out.append(Html.escaped(chapter.study().title())).append("</h2>\n");
    chapter.study().introduction().forEach(this::paragraph);
    for (Section section : chapter.sections()) {
      out.append("<section>\n<h3>").append(Html.escaped(section.title())).append("</h3>\n");
      section.explanation().forEach(this::paragraph);
      section.plots().forEach(this::figure);
      section.tables().forEach(this::table);
      verdicts(section.verdicts());
      out.append("</section>\n");
    }
    StudyResult result = chapter.result();
    out.append("<p class=\"origin\">murmur lab ").append(Html.escaped(name)).append(": ");
    out.append(Html.escaped(result.parameters().toString()));
    out.append(" &middot; code ").append(Html.escaped(result.codeVersion()));
    if (!result.complete()) {
      out.append(" &middot; not all trials were run");
    }
    out.append("</p>\n");
  }

  private void figure(Plot plot) {
    plots++;
    String id = "plot-" + plots;
    out.append("<figure>\n").append(EmbeddedSvg.of(Drawing.svg(plot), id, plot.title()));
    out.append("<figcaption>").append(Html.escaped(plot.title())).append("</figcaption>\n");
    out.append("</figure>\n");
  }

  private void table(Table table) {
    boolean folded = table.rows().size() > LONG_TABLE;
    if (folded) {
      out.append("<details><summary>").append(Html.escaped(table.title())).append(" (");
      out.append(table.rows().size()).append(" rows)</summary>\n");
    }
    out.append("<div class=\"wide\"><table>\n");
    if (!folded) {
      out.append("<caption>").append(Html.escaped(table.title())).append("</caption>\n");
    }
    out.append("<thead><tr>");
    for (Column column : table.columns()) {
      cell("th", column, column.heading());
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (Table.Row row : table.rows()) {
      out.append("<tr>");
      for (int i = 0; i < table.columns().size(); i++) {
        @Nullable Object value = row.values().get(i);
        cell("td", table.columns().get(i), Table.shown(value));
      }
      out.append("</tr>\n");
    }
    out.append("</tbody>\n</table></div>\n").append(folded ? "</details>\n" : "");
  }

  private void cell(String tag, Column column, String text) {
    boolean words = column.kind() == Column.Kind.TEXT || column.kind() == Column.Kind.FLAG;
    out.append('<').append(tag).append(words ? " class=\"text\">" : ">");
    if (text.startsWith("https://")) {
      out.append("<a href=\"").append(Html.escaped(text)).append("\">");
      out.append(Html.escaped(text.substring("https://".length()))).append("</a>");
    } else {
      out.append(Html.escaped(text));
    }
    out.append("</").append(tag).append('>');
  }

  private void verdicts(List<ClaimVerdict> verdicts) {
    if (verdicts.isEmpty()) {
      return;
    }
    out.append("<ul class=\"verdicts\">\n");
    for (ClaimVerdict verdict : verdicts) {
      out.append("<li>").append(mark(verdict.outcome())).append(' ');
      out.append(Html.escaped(verdict.claim())).append(": ");
      out.append(Html.escaped(verdict.detail())).append("</li>\n");
    }
    out.append("</ul>\n");
  }

  private static String mark(ClaimVerdict.Outcome outcome) {
    String style =
        switch (outcome) {
          case PASS -> "pass";
          case FAIL -> "fail";
          case TOO_FEW -> "few";
        };
    return "<span class=\"" + style + "\">" + outcome.label() + "</span>";
  }

  private void glossary() {
    out.append("<h2 id=\"words\">Words</h2>\n<dl>\n");
    for (String entry : TEXTS.of("glossary")) {
      String[] parts = entry.split(": ", 2);
      out.append("<dt>").append(Html.escaped(parts[0])).append("</dt><dd>");
      out.append(Html.escaped(parts[1])).append("</dd>\n");
    }
    out.append("</dl>\n");
  }

  private void paragraph(String text) {
    out.append("<p>").append(Html.escaped(text)).append("</p>\n");
  }
}
