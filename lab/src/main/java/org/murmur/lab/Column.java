package org.murmur.lab;

import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link Table}: its name in files (lower case, digits and underscores), and the unit
 * of its values, "" if they have none.
 */
public record Column(String name, String unit, Kind kind) {

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

  /** Makes a column of text. */
  public static Column text(String name) {
    return new Column(name, "", Kind.TEXT);
  }

  /** Makes a column of whole numbers. */
  public static Column whole(String name, String unit) {
    return new Column(name, unit, Kind.WHOLE);
  }

  /** Makes a column of numbers. */
  public static Column number(String name, String unit) {
    return new Column(name, unit, Kind.NUMBER);
  }

  /** Makes a column of booleans. */
  public static Column flag(String name) {
    return new Column(name, "", Kind.FLAG);
  }

  /** Converts a value to this column's type. Null means not known and stays null. */
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
