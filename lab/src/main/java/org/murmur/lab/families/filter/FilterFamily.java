package org.murmur.lab.families.filter;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/** A way to build filters. Immutable. */
public interface FilterFamily {

  /** Returns the short name in lower case for the command line and tables. */
  String name();

  /** Returns the source of the code that builds the filter. */
  default String source() {
    return "Murmur";
  }

  /** Returns the operations of its filters besides queries. */
  default Set<Feature> features() {
    return Set.of();
  }

  /** Returns whether its filters support an operation, which throws otherwise. */
  default boolean can(Feature feature) {
    return features().contains(feature);
  }

  /**
   * Returns the theoretical size of a large filter in bits per element, without rounding of widths.
   */
  double bitsInTheory(double rate);

  /**
   * Returns the reason why it cannot make a filter, a sentence without full stop, or null if it
   * can.
   */
  default @Nullable String refusal(Plan plan) {
    return null;
  }

  /**
   * Builds a filter of the initial elements, all distinct, no more than planned. Filled as planned
   * it has about the planned rate, or a better one where sizes come in steps. Throws {@link
   * IllegalArgumentException} if there is a {@link #refusal} or there are too many elements.
   */
  SetFilter build(Plan plan, Collection<Bytes> elements);

  /** Makes the exception for an operation that its filters do not support. */
  default UnsupportedOperationException cannot(Feature feature) {
    return new UnsupportedOperationException(name() + " cannot " + feature.verb());
  }

  /**
   * Throws {@link IllegalArgumentException} if there is a {@link #refusal} or there are too many
   * elements.
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
