package org.murmur.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of named columns. An immutable value; the rows are in the order they were put.
 *
 * @param name what files call it: lower case, digits and dashes
 * @param title what people call it
 * @param columns what each row has
 * @param rows the values, each null where it is not known
 */
public record Table(String name, String title, List<Column> columns, List<Row> rows) {

  /** Copies the lists. */
  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * Begins a table.
   *
   * @param name what files call it
   * @param title what people call it
   * @param columns what each row has
   * @return a builder, for one thread
   */
  public static Builder of(String name, String title, Column... columns) {
    return new Builder(name, title, Arrays.asList(columns));
  }

  /**
   * Begins a table.
   *
   * @param name what files call it
   * @param title what people call it
   * @param columns what each row has
   * @return a builder, for one thread
   */
  public static Builder of(String name, String title, List<Column> columns) {
    return new Builder(name, title, columns);
  }

  /**
   * Shows a value to people: numbers to four digits.
   *
   * @param value one of a row's
   * @return the text; a dash for what is not known
   */
  public static String shown(@Nullable Object value) {
    if (value == null) {
      return "-";
    }
    if (value instanceof Boolean flag) {
      return flag ? "yes" : "no";
    }
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    double size = Math.abs(number);
    if (size == 0) {
      return "0";
    }
    if (size < 1e-3 || size >= 1e9) {
      return String.format(Locale.ROOT, "%.3e", number);
    }
    return size < 1000
        ? String.format(Locale.ROOT, "%.4g", number)
        : String.format(Locale.ROOT, "%.0f", number);
  }

  /** Collects rows. Belongs to one thread. */
  public static final class Builder {

    private final String name;
    private final String title;
    private final List<Column> columns;
    private final List<Row> rows = new ArrayList<>();

    private Builder(String name, String title, List<Column> columns) {
      this.name = name;
      this.title = title;
      this.columns = List.copyOf(columns);
    }

    /**
     * Adds a row.
     *
     * @param values one for each column, of its kind; null for one that is not known
     * @return this builder
     * @throws IllegalArgumentException if there are too many or too few, or one is of another kind
     *     or not finite
     */
    public Builder row(@Nullable Object... values) {
      return row(Arrays.asList(values));
    }

    Builder row(List<? extends @Nullable Object> values) {
      if (values.size() != columns.size()) {
        throw new IllegalArgumentException(
            "row of " + values.size() + " values in " + name + ", expected " + columns.size());
      }
      List<@Nullable Object> kept = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        kept.add(columns.get(i).checked(values.get(i)));
      }
      rows.add(new Row(columns, Collections.unmodifiableList(kept)));
      return this;
    }

    /**
     * Makes the table of the rows so far.
     *
     * @return the table
     */
    public Table build() {
      return new Table(name, title, columns, rows);
    }
  }

  /**
   * One row.
   *
   * @param columns the table's
   * @param values one for each of them, null where it is not known
   */
  public record Row(List<Column> columns, List<@Nullable Object> values) {

    /**
     * Returns a value as it is.
     *
     * @param column the column's name
     * @return the value; null if it is not known
     * @throws IllegalArgumentException if there is no such column
     */
    public @Nullable Object value(String column) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(column)) {
          return values.get(i);
        }
      }
      throw new IllegalArgumentException("no column " + column + " in " + columns);
    }

    /**
     * Returns a word.
     *
     * @param column the column's name
     * @return the value
     */
    public String text(String column) {
      return (String) known(column);
    }

    /**
     * Returns a whole number.
     *
     * @param column the column's name
     * @return the value
     */
    public long whole(String column) {
      return (Long) known(column);
    }

    /**
     * Returns a number, whole or not.
     *
     * @param column the column's name
     * @return the value
     */
    public double number(String column) {
      return ((Number) known(column)).doubleValue();
    }

    /**
     * Returns yes or no.
     *
     * @param column the column's name
     * @return the value
     */
    public boolean flag(String column) {
      return (Boolean) known(column);
    }

    private Object known(String column) {
      return Objects.requireNonNull(value(column), () -> column + " is not known in this row");
    }
  }
}
