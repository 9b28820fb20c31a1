package org.murmur.lab.families.filter;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/** A way to build filters. Immutable. */
public interface FilterFamily {

  /**
   * Returns the name on the command line and in tables.
   *
   * @return a short name in lower case
   */
  String name();

  /**
   * Returns whose code builds the filter.
   *
   * @return a library with its version, or "Murmur"
   */
  String source();

  /**
   * Returns what its filters can do besides answering.
   *
   * @return a set that cannot be changed
   */
  Set<Feature> features();

  /**
   * Returns whether its filters can do something.
   *
   * @param feature what
   * @return false if they throw
   */
  default boolean can(Feature feature) {
    return features().contains(feature);
  }

  /**
   * Returns the size that theory gives to a large filter.
   *
   * @param rate the false-positive rate
   * @return bits for each element, as if widths were no whole numbers
   */
  double bitsInTheory(double rate);

  /**
   * Returns why it can not make a filter.
   *
   * @param plan what is wanted
   * @return a sentence without full stop, or null if it can
   */
  default @Nullable String refusal(Plan plan) {
    return null;
  }

  /**
   * Builds a filter.
   *
   * @param plan what it is to be
   * @param elements what it holds at first, all different, no more than planned
   * @return a filter whose rate with as many elements as planned is about the one wanted or, where
   *     sizes come in steps, better
   * @throws IllegalArgumentException if there is a {@link #refusal} or there are too many elements
   */
  SetFilter build(Plan plan, Collection<Bytes> elements);

  /**
   * What its filters throw if they are asked for something they cannot do.
   *
   * @param feature what was asked
   * @return an exception, to be thrown
   */
  default UnsupportedOperationException cannot(Feature feature) {
    return new UnsupportedOperationException(name() + " cannot " + feature.verb());
  }

  /**
   * Refuses what cannot be built.
   *
   * @param plan what is wanted
   * @param elements what it is to hold
   * @throws IllegalArgumentException if there is a {@link #refusal} or there are too many elements
   */
  default void require(Plan plan, Collection<Bytes> elements) {
    String refusal = refusal(plan);
    if (refusal != null) {
      throw new IllegalArgumentException(name() + ": " + refusal);
    }
    if (elements.size() > plan.capacity()) {
      throw new IllegalArgumentException(
          elements.size() + " elements, planned for " + plan.capacity());
    }
  }
}
