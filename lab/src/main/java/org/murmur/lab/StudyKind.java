package org.murmur.lab;

import java.util.List;

/** A study before its parameters are chosen. */
public abstract class StudyKind {

  /** How long a study may take. */
  public enum Size {
    /** Seconds: for tests, and for a first try. */
    SMALL,
    /** A minute or two on two cores. */
    USUAL
  }

  private final String name;
  private final String title;
  private final Texts texts;

  /** Makes a kind whose introduction and options are in the texts. */
  protected StudyKind(String name, String title, Texts texts) {
    this.name = name;
    this.title = title;
    this.texts = texts;
  }

  public final String name() {
    return name;
  }

  /**
   * Returns all its parameters for a run without options, of a size that says how long it may take.
   */
  public abstract Parameters defaults(Size size);

  /**
   * An option of the study's command, which sets the parameter of that name. Its label shows the
   * form of its value.
   */
  public record Option(String name, String label, String description) {

    /** Returns the type of its value: a whole number, a rate, or text. */
    public Class<?> type() {
      return label.equals("N") ? Integer.class : label.equals("P") ? Double.class : String.class;
    }
  }

  /** Returns the options of its command, besides those of all studies. */
  public final List<Option> options() {
    return texts.options();
  }

  /**
   * Makes the study of every parameter that {@link #defaults} names. Throws {@link
   * IllegalArgumentException} if a value is not valid: "NAME VALUE, expected ..."
   */
  public abstract Study with(Parameters parameters);

  protected final Study study(Parameters parameters, List<Experiment> experiments) {
    return new Study(name, title, texts.of("introduction"), parameters, experiments);
  }
}
