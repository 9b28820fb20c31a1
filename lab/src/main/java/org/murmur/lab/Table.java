package org.murmur.lab;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows of named columns, in the order they were added. The name in files has lower case, digits and
 * underscores. Immutable.
 */
public record Table(String name, String title, List<Column> columns, List<Row> rows) {

  private static final MathContext FOUR_DIGITS = new MathContext(4);

  /** Smaller numbers have an exponent: nobody counts seven zeros. */
  private static final double TINY = 1e-6;

  /** Numbers from here on have an exponent, too. */
  private static final double HUGE = 1e9;

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  public static Builder of(String name, String title, Column... columns) {
    return of(name, title, List.of(columns));
  }

  public static Builder of(String name, String title, List<Column> columns) {
    return new Builder(name, title, columns);
  }

  public List<Row> where(Predicate<Row> condition) {
    return rows.stream().filter(condition).toList();
  }

  /** Makes a table of a row for each item. */
  @SafeVarargs
  @SuppressWarnings("varargs") // it is only read
  public static <T> Table of(
      String name, String title, Collection<? extends T> items, Column.Of<T>... columns) {
    return of(name, title, items, Arrays.stream(columns).toList());
  }

  /** Makes a table of a row for each item. */
  public static <T> Table of(
      String name, String title, Collection<? extends T> items, List<Column.Of<T>> columns) {
    Builder table = of(name, title, columns.stream().map(Column.Of::column).toList());
    for (T item : items) {
      table.row(columns.stream().map(column -> column.value().apply(item)).toArray());
    }
    return table.build();
  }

  /**
   * Formats a value for readers: numbers with four digits, as a person writes them (0.0001, 14),
   * and a dash for a value that is not known.
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
    // A count of thousands is not rounded.
    return size >= 1000 && size < HUGE
        ? String.valueOf(Math.round(number))
        : written(BigDecimal.valueOf(number).round(FOUR_DIGITS), size);
  }

  /** A number for CSV: with all digits, so that it reads back as the same. */
  static String exact(double number) {
    return written(BigDecimal.valueOf(number), Math.abs(number));
  }

  private static String written(BigDecimal number, double size) {
    if (number.signum() == 0) {
      return "0";
    }
    BigDecimal least = number.stripTrailingZeros();
    if (size >= TINY && size < HUGE) {
      return least.toPlainString();
    }
    int exponent = least.precision() - least.scale() - 1;
    return least.movePointLeft(exponent).stripTrailingZeros().toPlainString() + "e" + exponent;
  }

  /** Collects rows. For one thread. */
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
     * Adds a row of one value for each column, of its type; null if not known. Throws {@link
     * IllegalArgumentException} if there are too many or too few values, or one has another type or
     * is not finite.
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

    public Table build() {
      return new Table(name, title, columns, rows);
    }
  }

  /** One row of one value for each column, null if not known. */
  public record Row(List<Column> columns, List<@Nullable Object> values) {

    /**
     * Returns a value of any type; null if not known. Throws {@link IllegalArgumentException} if
     * there is no such column.
     */
    public @Nullable Object value(String column) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).name().equals(column)) {
          return values.get(i);
        }
      }
      throw new IllegalArgumentException("no column " + column + " in " + columns);
    }

    public String text(String column) {
      return (String) known(column);
    }

    public long whole(String column) {
      return (Long) known(column);
    }

    public double number(String column) {
      return ((Number) known(column)).doubleValue();
    }

    public boolean flag(String column) {
      return (Boolean) known(column);
    }

    private Object known(String column) {
      return Objects.requireNonNull(value(column), () -> column + " is not known in this row");
    }
  }
}
