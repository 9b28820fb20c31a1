package org.murmur.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link Table}: its name in files (lower case, digits and underscores), and the unit
 * of its values, "" if they have none.
 */
public record Column(String name, String unit, Kind kind) {

  private static final Pattern DESCRIBED = Pattern.compile("([a-z]+) ([^ ]+)(?: \\((.+)\\))?");

  /** The type of a column's values. */
  public enum Kind {
    /** A {@code String}. */
    TEXT,
    /** A {@code long}. */
    WHOLE,
    /** A finite {@code double}. */
    NUMBER,
    /** A {@code boolean}. */
    FLAG
  }

  public Column {
    if (!name.matches("[a-z][a-z0-9_]*")) {
      throw new IllegalArgumentException("column '" + name + "', expected [a-z][a-z0-9_]*");
    }
  }

  public static Column text(String name) {
    return new Column(name, "", Kind.TEXT);
  }

  public static Column whole(String name, String unit) {
    return new Column(name, unit, Kind.WHOLE);
  }

  public static Column whole(String name) {
    return whole(name, "");
  }

  public static Column number(String name) {
    return number(name, "");
  }

  public static Column number(String name, String unit) {
    return new Column(name, unit, Kind.NUMBER);
  }

  public static Column flag(String name) {
    return new Column(name, "", Kind.FLAG);
  }

  /**
   * Makes columns, separated by commas, of their kinds and names and, in parentheses, units: {@code
   * text flag, whole matched (transactions)}.
   */
  public static List<Column> list(String columns) {
    List<Column> all = new ArrayList<>();
    for (String one : columns.split(",\\s*", -1)) {
      Matcher matcher = DESCRIBED.matcher(one);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("column '" + one + "', expected KIND NAME (UNIT)");
      }
      Kind kind = Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
      String unit = matcher.group(3);
      all.add(new Column(matcher.group(2), unit == null ? "" : unit, kind));
    }
    return all;
  }

  /** Returns this column with the value that each item of a table has in it; null if not known. */
  public <T> Of<T> of(Function<? super T, ? extends @Nullable Object> value) {
    return new Of<>(this, value);
  }

  /** Returns the name in words, and the unit in parentheses. */
  public String heading() {
    return withUnit(name.replace('_', ' '));
  }

  String withUnit(String text) {
    return unit.isEmpty() ? text : text + " (" + unit + ")";
  }

  /** A column, and how its value follows from an item. */
  public record Of<T>(Column column, Function<? super T, ? extends @Nullable Object> value) {}

  @Nullable Object checked(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    Object kept =
        switch (kind) {
          case TEXT -> value instanceof String ? value : null;
          case WHOLE ->
              value instanceof Long ? value : value instanceof Integer i ? i.longValue() : null;
          case NUMBER ->
              value instanceof Number n && Double.isFinite(n.doubleValue())
                  ? (Object) n.doubleValue()
                  : null;
          case FLAG -> value instanceof Boolean ? value : null;
        };
    if (kept == null) {
      throw new IllegalArgumentException(
          name + " " + value + " (" + value.getClass().getSimpleName() + "), expected " + kind);
    }
    return kept;
  }
}
