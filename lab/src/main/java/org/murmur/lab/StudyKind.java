package org.murmur.lab;

/** A study before its parameters are chosen. */
public interface StudyKind {

  /** How much time there is. */
  enum Size {
    /** Seconds: for tests, and for a first look. */
    SMALL,
    /** A minute or two on two cores. */
    USUAL
  }

  /**
   * Returns the name of its command.
   *
   * @return one word in lower case
   */
  String name();

  /**
   * Returns all its parameters.
   *
   * @param size how much time there is
   * @return the parameters that are used where nothing else is said
   */
  Parameters defaults(Size size);

  /**
   * Makes the study.
   *
   * @param parameters all that {@link #defaults} names
   * @return the study
   * @throws IllegalArgumentException if one makes no sense: "NAME VALUE, expected ..."
   */
  Study with(Parameters parameters);
}
