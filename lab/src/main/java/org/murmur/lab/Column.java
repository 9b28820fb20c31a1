package org.murmur.lab;

import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link Table}.
 *
 * @param name what programs call it: lower case, digits and underscores
 * @param unit of its values, "" if they have none
 * @param kind what its values are
 */
public record Column(String name, String unit, Kind kind) {

  /** What the values of a column are. */
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

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if programs would have trouble with it
   */
  public Column {
    if (!name.matches("[a-z][a-z0-9_]*")) {
      throw new IllegalArgumentException("column '" + name + "', expected [a-z][a-z0-9_]*");
    }
  }

  /**
   * A column of words.
   *
   * @param name its name
   * @return the column
   */
  public static Column text(String name) {
    return new Column(name, "", Kind.TEXT);
  }

  /**
   * A column of whole numbers.
   *
   * @param name its name
   * @param unit its unit, or ""
   * @return the column
   */
  public static Column whole(String name, String unit) {
    return new Column(name, unit, Kind.WHOLE);
  }

  /**
   * A column of numbers.
   *
   * @param name its name
   * @param unit its unit, or ""
   * @return the column
   */
  public static Column number(String name, String unit) {
    return new Column(name, unit, Kind.NUMBER);
  }

  /**
   * A column of yes and no.
   *
   * @param name its name
   * @return the column
   */
  public static Column flag(String name) {
    return new Column(name, "", Kind.FLAG);
  }

  /** The value as this column keeps it; null stays null: not known. */
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
