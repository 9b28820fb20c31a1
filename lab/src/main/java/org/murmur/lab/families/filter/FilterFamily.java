package org.murmur.lab.families.filter;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/** A way to build filters. Immutable. */
public interface FilterFamily {

  /**
   * Returns the name for the command line and tables.
   *
   * @return a short name in lower case
   */
  String name();

  /** Returns the source of the code that builds the filter. */
  String source();

  /** Returns the operations of its filters besides queries. */
  Set<Feature> features();

  /**
   * Returns whether its filters support an operation.
   *
   * @return false if the operation throws
   */
  default boolean can(Feature feature) {
    return features().contains(feature);
  }

  /**
   * Returns the theoretical size of a large filter.
   *
   * @return bits per element, without rounding of widths
   */
  double bitsInTheory(double rate);

  /**
   * Returns the reason why it cannot make a filter.
   *
   * @return a sentence without full stop, or null if it can
   */
  default @Nullable String refusal(Plan plan) {
    return null;
  }

  /**
   * Builds a filter.
   *
   * @param elements the initial elements, all distinct, no more than planned
   * @return a filter; filled as planned it has about the planned rate, or a better one where sizes
   *     come in steps
   * @throws IllegalArgumentException if there is a {@link #refusal} or there are too many elements
   */
  SetFilter build(Plan plan, Collection<Bytes> elements);

  /** Makes the exception for an operation that its filters do not support. */
  default UnsupportedOperationException cannot(Feature feature) {
    return new UnsupportedOperationException(name() + " cannot " + feature.verb());
  }

  /**
   * Checks that a filter can be built.
   *
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
