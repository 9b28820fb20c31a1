package org.murmur.lab;

import java.util.List;

/** A study before its parameters are chosen. */
public interface StudyKind {

  /** How long a study may take. */
  enum Size {
    /** Seconds: for tests, and for a first try. */
    SMALL,
    /** A minute or two on two cores. */
    USUAL
  }

  String name();

  /**
   * Returns all its parameters for a run without options, of a size that says how long it may take.
   */
  Parameters defaults(Size size);

  /**
   * An option of the study's command, which sets the parameter of that name. Its label shows the
   * form of its value.
   */
  record Option(String name, String label, String description) {

    /** Returns the type of its value: a whole number, a rate, or text. */
    public Class<?> type() {
      return label.equals("N") ? Integer.class : label.equals("P") ? Double.class : String.class;
    }
  }

  /** Returns the options of its command, besides those of all studies. */
  List<Option> options();

  /**
   * Makes the study of every parameter that {@link #defaults} names. Throws {@link
   * IllegalArgumentException} if a value is not valid: "NAME VALUE, expected ..."
   */
  Study with(Parameters parameters);
}
