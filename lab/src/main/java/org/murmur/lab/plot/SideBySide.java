package org.murmur.lab.plot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.lab.Plot;

/**
 * Moves points that would cover those of another series to the right, by the width of a marker.
 * Lines stay in place.
 */
final class SideBySide {

  /** Width and height of a marker, as shares of the plot's size. */
  private static final double MARKER_WIDTH = 0.016;

  private static final double MARKER_HEIGHT = 0.022;

  private SideBySide() {}

  /** The same series without overlapping points. */
  static List<Plot.Series> of(Plot.Xy plot) {
    Scale x = Scale.of(plot, true);
    Scale y = Scale.of(plot, false);
    if (x == null || y == null) {
      return plot.series();
    }
    List<double[]> taken = new ArrayList<>();
    List<Plot.Series> apart = new ArrayList<>();
    for (Plot.Series series : plot.series()) {
      if (series.style() != Plot.Style.POINTS) {
        apart.add(series);
        continue;
      }
      List<Plot.Point> points = new ArrayList<>();
      List<double[]> own = new ArrayList<>();
      for (Plot.Point point : series.points()) {
        if (!x.shows(point.x()) || !y.shows(point.y())) {
          continue;
        }
        double right = x.share(point.x());
        double up = y.share(point.y());
        double moved = right;
        while (covers(taken, moved, up)) {
          moved += MARKER_WIDTH;
        }
        own.add(new double[] {moved, up});
        points.add(
            moved == right
                ? point
                : new Plot.Point(x.value(moved), point.y(), point.low(), point.high()));
      }
      taken.addAll(own);
      apart.add(new Plot.Series(series.name(), series.style(), points));
    }
    return apart;
  }

  private static boolean covers(List<double[]> taken, double right, double up) {
    for (double[] one : taken) {
      // Slightly less, so that a move by one marker's width is enough.
      if (Math.abs(one[0] - right) < 0.99 * MARKER_WIDTH && Math.abs(one[1] - up) < MARKER_HEIGHT) {
        return true;
      }
    }
    return false;
  }

  /** An axis and its range. */
  private record Scale(boolean logarithmic, double low, double high) {

    static @Nullable Scale of(Plot.Xy plot, boolean right) {
      boolean logarithmic = right ? plot.x().logarithmic() : plot.y().logarithmic();
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (Plot.Series series : plot.series()) {
        for (Plot.Point point : series.points()) {
          double value = right ? point.x() : point.y();
          if (Double.isFinite(value) && (!logarithmic || value > 0)) {
            double placed = logarithmic ? Math.log(value) : value;
            low = Math.min(low, placed);
            high = Math.max(high, placed);
          }
        }
      }
      return low < high ? new Scale(logarithmic, low, high) : null;
    }

    boolean shows(double value) {
      return Double.isFinite(value) && (!logarithmic || value > 0);
    }

    double share(double value) {
      return ((logarithmic ? Math.log(value) : value) - low) / (high - low);
    }

    double value(double share) {
      double placed = low + share * (high - low);
      return logarithmic ? Math.exp(placed) : placed;
    }
  }
}
