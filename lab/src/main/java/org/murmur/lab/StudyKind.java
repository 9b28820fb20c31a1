package org.murmur.lab;

/** A study before its parameters are chosen. */
public interface StudyKind {

  /** How long a study may take. */
  enum Size {
    /** Seconds: for tests, and for a first try. */
    SMALL,
    /** A minute or two on two cores. */
    USUAL
  }

  /** Returns the name of the study's command. */
  String name();

  /**
   * Returns all its parameters for a run without options, of a size that says how long it may take.
   */
  Parameters defaults(Size size);

  /**
   * Makes the study of every parameter that {@link #defaults} names. Throws {@link
   * IllegalArgumentException} if a value is not valid: "NAME VALUE, expected ..."
   */
  Study with(Parameters parameters);
}
