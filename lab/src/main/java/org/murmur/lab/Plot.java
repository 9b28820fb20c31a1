package org.murmur.lab;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A picture as data: what is to be drawn, not how. */
public sealed interface Plot {

  /**
   * Returns what files call it.
   *
   * @return lower case, digits and dashes
   */
  String name();

  /**
   * Returns what people call it.
   *
   * @return the title
   */
  String title();

  /**
   * An axis.
   *
   * @param label what it measures, with its unit
   * @param logarithmic whether equal ratios are equally far apart; values must then be above 0, and
   *     those that are not are left out
   */
  record Axis(String label, boolean logarithmic) {

    /**
     * An axis on which equal differences are equally far apart.
     *
     * @param label what it measures, with its unit
     * @return the axis
     */
    public static Axis linear(String label) {
      return new Axis(label, false);
    }

    /**
     * An axis on which equal ratios are equally far apart.
     *
     * @param label what it measures, with its unit
     * @return the axis
     */
    public static Axis log(String label) {
      return new Axis(label, true);
    }
  }

  /** How a series is drawn. */
  enum Style {
    /** A line through its points: theory. */
    LINE,
    /** Marks: measurements. */
    POINTS,
    /** Both. */
    LINE_AND_POINTS
  }

  /**
   * A point.
   *
   * @param x to the right
   * @param y upwards
   * @param low the lower end of the interval around {@code y}, null without one
   * @param high its upper end, null without one
   */
  record Point(double x, double y, @Nullable Double low, @Nullable Double high) {

    /**
     * A point without an interval.
     *
     * @param x to the right
     * @param y upwards
     */
    public Point(double x, double y) {
      this(x, y, null, null);
    }
  }

  /**
   * Points that belong together.
   *
   * @param name what the legend calls them
   * @param style how they are drawn
   * @param points from left to right
   */
  record Series(String name, Style style, List<Point> points) {

    /** Copies the list. */
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * Points on two axes.
   *
   * @param name what files call it
   * @param title what people call it
   * @param x the axis to the right
   * @param y the axis upwards
   * @param series what is on it
   */
  record Xy(String name, String title, Axis x, Axis y, List<Series> series) implements Plot {

    /** Copies the list. */
    public Xy {
      series = List.copyOf(series);
    }
  }

  /**
   * Bars side by side.
   *
   * @param name what files call it
   * @param title what people call it
   * @param y the axis upwards
   * @param categories what the bars are of, from left to right
   * @param groups one bar each for every category
   */
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

  /**
   * Bars of one colour.
   *
   * @param name what the legend calls them
   * @param values one for each category
   */
  record Group(String name, List<Double> values) {

    /** Copies the list. */
    public Group {
      values = List.copyOf(values);
    }
  }

  /**
   * Makes a series of two columns of a table, of the rows where both are known.
   *
   * @param name what the legend calls it
   * @param style how it is drawn
   * @param rows the rows, from left to right
   * @param x the column to the right
   * @param y the column upwards
   * @return the series
   */
  static Series series(String name, Style style, List<Table.Row> rows, String x, String y) {
    List<Point> points = new ArrayList<>();
    for (Table.Row row : rows) {
      if (row.value(x) != null && row.value(y) != null) {
        points.add(new Point(row.number(x), row.number(y)));
      }
    }
    return new Series(name, style, points);
  }
}
