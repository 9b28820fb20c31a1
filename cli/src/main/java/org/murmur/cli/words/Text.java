package org.murmur.cli.words;

import java.util.Locale;

/** Texts with values in them: sentences that read as a whole, the same in every locale. */
public final class Text {

  private Text() {}

  /** Puts values into a format of {@link String#format}. */
  public static String of(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Names a constant as programs read it. */
  public static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
