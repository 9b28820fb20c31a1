package org.murmur.lab.families;

/** An operation of some filter families besides queries. */
enum Feature {
  /** Add one element, up to the planned capacity. */
  ADD("add"),
  /** Delete an element that was added, and only that. */
  DELETE("delete"),
  /** Grow beyond the planned capacity without a rebuild from all elements. */
  GROW("grow"),
  /** Merge with another filter of the same plan, without knowing the elements. */
  MERGE("merge"),
  /** Count how many times an element was added; the count is never too low. */
  COUNT("count");

  private final String verb;

  Feature(String verb) {
    this.verb = verb;
  }

  public String verb() {
    return verb;
  }
}
