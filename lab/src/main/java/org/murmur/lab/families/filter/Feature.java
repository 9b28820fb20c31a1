package org.murmur.lab.families.filter;

/** What some families of filters can do besides answering. */
public enum Feature {
  /** Take one more element, as long as there is room for what it was planned for. */
  ADD("add"),
  /** Forget an element that was added, and only that. */
  DELETE("delete"),
  /** Take more elements than it was planned for without being built anew from all of them. */
  GROW("grow"),
  /** Become the union with another of the same plan, without knowing the elements. */
  MERGE("merge"),
  /** Tell how many times an element was added, never too few. */
  COUNT("count");

  private final String verb;

  Feature(String verb) {
    this.verb = verb;
  }

  /**
   * Returns what it is called in tables.
   *
   * @return a verb
   */
  public String verb() {
    return verb;
  }
}
