package org.murmur.bip37;

import java.util.Locale;

/**
 * Something that a person should know, as data: it names its kind, says how serious it is, and has
 * its sentence. Programs with their own words, or in another language, make theirs from the kind
 * and the data.
 */
public interface Notice {

  /** How serious a notice is. */
  enum Severity {
    /** Nothing to do: for a log or a page of details. */
    NOTE,
    /** The result may be incomplete or old, or someone learns more: show it with the result. */
    WARNING,
    /** Money or privacy is at risk: show it until the user has seen it. */
    SERIOUS
  }

  /**
   * Names the kind for programs.
   *
   * @return the type's name as lower-case words with underscores, such as {@code fee_rate_low}; the
   *     rules for shrinkers that the library brings keep the names of these types
   */
  default String kind() {
    // Not the simple name: a shrinker may drop what says that a type is nested.
    String type = getClass().getName().replaceFirst(".*[.$]", "");
    return type.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }

  /** {@return how serious it is, {@link Severity#WARNING} unless the kind says otherwise} */
  default Severity severity() {
    return Severity.WARNING;
  }

  /**
   * {@return the sentence for the user, in English; begins in lower case, or with a peer's address
   * or a number, and has no full stop}
   */
  String text();

  /** A notice of which nothing follows. */
  interface Minor extends Notice {
    @Override
    default Severity severity() {
      return Severity.NOTE;
    }
  }

  /** A notice that money or privacy is at risk. */
  interface Serious extends Notice {
    @Override
    default Severity severity() {
      return Severity.SERIOUS;
    }
  }
}
