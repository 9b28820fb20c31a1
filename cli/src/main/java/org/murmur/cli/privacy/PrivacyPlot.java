package org.murmur.cli.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.lab.Plot;
import org.murmur.wallet.privacy.KnowledgeOverTime;
import org.murmur.wallet.privacy.PrivacyReport;

/** Plots the number of foreign scripts left after each filter, one line per peer. */
final class PrivacyPlot {

  private static final int MAX_PEERS = 7;

  /** Values below this look the same; a longer scale would hide the rest. */
  private static final double LEAST = 1e-12;

  private PrivacyPlot() {}

  static Plot of(PrivacyReport report) {
    List<Plot.Series> series = new ArrayList<>();
    int longest = 1;
    // Peers that received transactions but no filter have no line.
    List<KnowledgeOverTime> courses =
        report.courses().stream().filter(course -> !course.strangers().isEmpty()).toList();
    for (KnowledgeOverTime course : courses.subList(0, Math.min(MAX_PEERS, courses.size()))) {
      List<Plot.Point> points = new ArrayList<>();
      for (double strangers : course.strangers()) {
        points.add(new Plot.Point(points.size() + 1, Math.max(LEAST, strangers)));
      }
      longest = Math.max(longest, points.size());
      series.add(new Plot.Series(course.peer().toString(), Plot.Style.LINE_AND_POINTS, points));
    }
    series.add(
        new Plot.Series(
            "one foreign script",
            Plot.Style.LINE,
            List.of(new Plot.Point(0.5, 1), new Plot.Point(longest + 0.5, 1))));
    return new Plot.Xy(
        "privacy",
        "Foreign scripts that pass like the wallet's (below one: what passes is yours)",
        Plot.Axis.linear("filters sent so far"),
        Plot.Axis.log("foreign scripts expected to pass"),
        series);
  }
}
