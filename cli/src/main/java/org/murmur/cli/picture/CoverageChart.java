package org.murmur.cli.picture;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.lab.html.Html;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.CoverageMap.Band;
import org.murmur.wallet.overview.CoverageMap.Column;
import org.murmur.wallet.overview.CoverageMap.Range;
import org.murmur.wallet.overview.CoverageMap.Share;

/**
 * Heights against peers as SVG. Positions along the heights are percentages, so that the drawing
 * fits a screen of any width and its text keeps its size.
 */
final class CoverageChart {

  private static final int MAX_COLUMNS = 400;

  /** Steps of a peer's part of a column, so that equal neighbours can be drawn as one. */
  private static final int STEPS = 8;

  /** The width of a gap, as a part of the chart, up to which it has no hatching. */
  private static final double NARROW = 0.015;

  private static final int LABEL = 17;
  private static final int SEEN = 44;
  private static final int BAND = 20;
  private static final int SPACE = 8;
  private static final int AXIS = 46;

  private final CoverageMap map;
  private final List<Column> columns;
  private final Html out = new Html();
  private int top;

  CoverageChart(CoverageMap map) {
    this.map = map;
    this.columns = map.columns(MAX_COLUMNS);
  }

  /** Consecutive columns that look the same. */
  private record Run(int first, int last) {}

  /** The properties of a column that decide how it is drawn. */
  private interface Looks {
    Object of(Column column);
  }

  Html svg() {
    int height = LABEL + SEEN + SPACE + map.bands().size() * (LABEL + BAND + SPACE) + AXIS;
    out.add(
        "<svg id=\"coverage\" class=\"chart\" role=\"img\" width=\"100%%\" height=\"%d\"", height);
    out.add(" aria-label=\"%s\">\n<defs><pattern id=\"hatch\" width=\"6\" height=\"6\"", summary());
    out.add(" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">");
    out.add("<rect class=\"ground\" width=\"6\" height=\"6\"/>");
    out.add("<rect class=\"stripe\" width=\"2\" height=\"6\"/></pattern></defs>\n");
    seen();
    for (int i = 0; i < map.bands().size(); i++) {
      band(i);
    }
    axis();
    return out.add("</svg>\n");
  }

  private String summary() {
    long missing = map.gaps().stream().mapToLong(Range::count).sum();
    return "Blocks "
        + heights(new Range(map.from(), map.to()))
        + " against the peers that served them. "
        + (missing == 0 ? "No block is missing." : Amounts.count(missing, "block") + " missing.");
  }

  private void seen() {
    label("covered by how many peers", "");
    int most = Math.max(1, columns.stream().mapToInt(Column::least).max().orElse(1));
    background(SEEN);
    List<Run> runs = runs(one -> List.of(one.least(), one.most(), gap(one)));
    for (Run run : runs) {
      if (columns.get(run.first()).missing() == 0) {
        covered(run, most);
      }
    }
    // Over their neighbours, so that a narrow one is seen.
    for (Run run : runs) {
      if (columns.get(run.first()).missing() > 0) {
        open(run);
      }
    }
    top += SEEN + SPACE;
  }

  private void covered(Run run, int most) {
    Column first = columns.get(run.first());
    int tall = Math.max(SEEN / 6, SEEN * first.least() / most);
    String by =
        first.least() == first.most()
            ? Amounts.count(first.least(), "peer")
            : first.least() + " to " + first.most() + " peers";
    rect(
        run,
        first.least() == 1 ? "once" : "more",
        top + SEEN - tall,
        tall,
        heights(range(run)) + ": covered by " + by);
  }

  private void open(Run run) {
    Range range = range(run);
    int missing = missing(run);
    String how =
        missing == range.count()
            ? "not covered by any peer"
            : number(missing) + " of " + number(range.count()) + " blocks not covered by any peer";
    // Hatching would hide most of a narrow gap.
    boolean wide = run.last() - run.first() + 1 > NARROW * columns.size();
    rect(run, wide ? "gap hatched" : "gap", top, SEEN, heights(range) + ": " + how);
  }

  /** A column that is open only in part is drawn, and described, alone. */
  private static int gap(Column column) {
    if (column.missing() == 0) {
      return -1;
    }
    return column.missing() == column.range().count() ? -2 : column.range().from();
  }

  private int missing(Run run) {
    int missing = 0;
    for (int i = run.first(); i <= run.last(); i++) {
      missing += columns.get(i).missing();
    }
    return missing;
  }

  private void band(int index) {
    Band band = map.bands().get(index);
    label(
        band.peer().toString(),
        number(band.blocks()) + (band.blocks() == 1 ? " block" : " blocks"));
    background(BAND);
    for (Run run : runs(one -> List.of(served(one, index), whole(one, index)))) {
      Column first = columns.get(run.first());
      int served = served(first, index);
      int whole = whole(first, index);
      if (served == 0) {
        continue;
      }
      String title = title(run, index);
      if (served > whole) {
        int tall = BAND * served / STEPS;
        rect(run, "part", top + BAND - tall, tall, title);
      }
      if (whole > 0) {
        int tall = BAND * whole / STEPS;
        rect(run, "whole", top + BAND - tall, tall, title);
      }
    }
    top += BAND + SPACE;
  }

  private String title(Run run, int index) {
    int served = 0;
    int whole = 0;
    for (int i = run.first(); i <= run.last(); i++) {
      Share share = columns.get(i).shares().get(index);
      served += share.served();
      whole += share.whole();
    }
    Range range = range(run);
    return heights(range)
        + ": served "
        + (served == range.count() ? "all" : number(served) + " of " + number(range.count()))
        + (whole == served
            ? ", with everything the wallet watches"
            : ", " + number(whole) + " of them with everything the wallet watches");
  }

  private static int served(Column column, int index) {
    return steps(column.shares().get(index).served(), column.range().count());
  }

  private static int whole(Column column, int index) {
    return steps(column.shares().get(index).whole(), column.range().count());
  }

  /** A part in steps: none only if there is nothing, and all only if nothing is missing. */
  private static int steps(int part, int all) {
    if (part == 0 || part == all) {
      return part == 0 ? 0 : STEPS;
    }
    return (int) Math.max(1, Math.min(STEPS - 1, Math.round((double) STEPS * part / all)));
  }

  private List<Run> runs(Looks looks) {
    List<Run> runs = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= columns.size(); i++) {
      if (i == columns.size() || !looks.of(columns.get(i)).equals(looks.of(columns.get(first)))) {
        runs.add(new Run(first, i - 1));
        first = i;
      }
    }
    return runs;
  }

  private Range range(Run run) {
    return new Range(columns.get(run.first()).range().from(), columns.get(run.last()).range().to());
  }

  private void label(String name, String right) {
    int y = top + LABEL - 5;
    out.add("<text x=\"0\" y=\"%d\">%s</text>", y, name);
    if (!right.isEmpty()) {
      out.add("<text class=\"muted\" text-anchor=\"end\" x=\"100%%\" y=\"%d\">%s</text>", y, right);
    }
    out.add("\n");
    top += LABEL;
  }

  private void background(int tall) {
    out.add("<rect class=\"none\" x=\"0\" y=\"%d\" width=\"100%%\" height=\"%d\"/>\n", top, tall);
  }

  private void rect(Run run, String kind, int y, int tall, String title) {
    out.add(
        "<rect class=\"%s\" x=\"%.3f%%\" y=\"%d\" width=\"%.3f%%\" height=\"%d\"><title>%s</title>"
            + "</rect>\n",
        kind,
        100.0 * run.first() / columns.size(),
        y,
        100.0 * (run.last() - run.first() + 1) / columns.size(),
        Math.max(1, tall),
        title);
  }

  private void axis() {
    out.add("<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%1$d\" y2=\"%1$d\"/>\n", top);
    List<CoverageMap.Mark> marks = map.marks();
    double all = (double) map.to() - map.from() + 1;
    int central = central(marks);
    for (int i = 0; i < marks.size(); i++) {
      CoverageMap.Mark mark = marks.get(i);
      boolean first = i == 0;
      boolean last = i == marks.size() - 1 && !first;
      double at = first ? 0 : last ? 100 : 100 * (mark.height() - map.from() + 0.5) / all;
      String anchor = first ? "start" : last ? "end" : "middle";
      boolean minor = !first && !last && i != central;
      out.add(
          "<g class=\"%1$s\"><line class=\"axis\" x1=\"%2$.2f%%\" x2=\"%2$.2f%%\" y1=\"%3$d\""
              + " y2=\"%4$d\"/><text text-anchor=\"%5$s\" x=\"%2$.2f%%\""
              + " y=\"%6$d\">%7$s</text><text class=\"muted\" text-anchor=\"%5$s\" x=\"%2$.2f%%\""
              + " y=\"%8$d\">%9$s</text></g>\n",
          minor ? "mark minor" : "mark",
          at,
          top,
          top + 6,
          anchor,
          top + 21,
          number(mark.height()),
          top + 38,
          mark.time().atOffset(ZoneOffset.UTC).toLocalDate());
    }
  }

  /** The mark nearest to the middle, which a narrow screen shows besides the ends. */
  private int central(List<CoverageMap.Mark> marks) {
    long middle = ((long) map.from() + map.to()) / 2;
    int central = 0;
    for (int i = 1; i < marks.size(); i++) {
      long distance = Math.abs(marks.get(i).height() - middle);
      central = distance < Math.abs(marks.get(central).height() - middle) ? i : central;
    }
    return central;
  }

  private static String heights(Range range) {
    return range.count() == 1
        ? "block " + number(range.from())
        : "blocks " + number(range.from()) + " to " + number(range.to());
  }

  /** With thousands apart, as people read it. */
  static String number(long number) {
    return Text.of("%,d", number);
  }
}
