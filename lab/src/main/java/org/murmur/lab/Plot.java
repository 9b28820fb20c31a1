package org.murmur.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plot as data, without its appearance. */
public sealed interface Plot {

  /** Returns the name used in files: lower case, digits and dashes. */
  String name();

  String title();

  /** An axis. A logarithmic scale leaves out values of 0 or less. */
  record Axis(String label, boolean logarithmic) {

    public static Axis linear(String label) {
      return new Axis(label, false);
    }

    public static Axis log(String label) {
      return new Axis(label, true);
    }
  }

  /** How to draw a series. */
  enum Style {
    /** A line through its points, for theory. */
    LINE,
    /** Marks, for measurements. */
    POINTS,
    /** A line and marks. */
    LINE_AND_POINTS
  }

  /** A point of a series, with the ends of the interval around {@code y}, null if there is none. */
  record Point(double x, double y, @Nullable Double low, @Nullable Double high) {

    public Point(double x, double y) {
      this(x, y, null, null);
    }
  }

  /** A series of points. */
  record Series(String name, Style style, List<Point> points) {

    public Series {
      points = List.copyOf(points);
    }
  }

  /** Series of points on two axes. */
  record Xy(String name, String title, Axis x, Axis y, List<Series> series) implements Plot {

    public Xy {
      series = List.copyOf(series);
    }
  }

  /** Groups of bars; each group has one bar for every category. */
  record Bars(String name, String title, Axis y, List<String> categories, List<Group> groups)
      implements Plot {

    /** Copies the lists, and checks that each group has a bar for every category. */
    public Bars {
      categories = List.copyOf(categories);
      groups = List.copyOf(groups);
      for (Group group : groups) {
        if (group.values().size() != categories.size()) {
          throw new IllegalArgumentException(
              group.name()
                  + " has "
                  + group.values().size()
                  + " bars, expected "
                  + categories.size());
        }
      }
    }
  }

  /** Bars of one colour. */
  record Group(String name, List<Double> values) {

    public Group {
      values = List.copyOf(values);
    }
  }
}
