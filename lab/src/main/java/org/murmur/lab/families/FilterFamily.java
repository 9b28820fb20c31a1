package org.murmur.lab.families;

import java.util.Collection;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/**
 * A way to build filters. Immutable.
 *
 * @param name short and in lower case, for the command line and tables
 * @param bits the size per element, as for {@link #bitsInTheory}
 */
public record FilterFamily(
    String name,
    String source,
    Set<Feature> features,
    DoubleUnaryOperator bits,
    Limits limits,
    Maker maker) {

  /** Families whose table may be unlucky try so many seeds, then one bucket more. */
  private static final int SEEDS_PER_SIZE = 8;

  static final String OURS = "Murmur";

  /** The reason why a family cannot make a filter; null if it can. */
  @FunctionalInterface
  interface Limits {
    @Nullable String refusal(Plan plan);
  }

  /** Builds a filter of all its initial elements. */
  @FunctionalInterface
  interface Maker {
    SetFilter make(FilterFamily family, Plan plan, Collection<Bytes> elements);
  }

  /** Makes a filter without elements; a table with so many buckets more than planned. */
  @FunctionalInterface
  interface Empty {
    SetFilter make(FilterFamily family, Plan plan, int more);
  }

  /** A maker of filters that take one element after the other. */
  static Maker filling(Empty empty) {
    return (family, plan, elements) -> {
      for (int attempt = 0; ; attempt++) {
        SetFilter filter = empty.make(family, plan.attempt(attempt), attempt / SEEDS_PER_SIZE);
        if (elements.stream().allMatch(filter::add)) {
          return filter;
        }
      }
    };
  }

  /** Returns whether its filters support an operation besides queries, which throws otherwise. */
  public boolean can(Feature feature) {
    return features.contains(feature);
  }

  /**
   * Returns the theoretical size of a large filter in bits per element, without rounding of widths.
   */
  public double bitsInTheory(double rate) {
    return bits.applyAsDouble(rate);
  }

  /**
   * Returns the reason why it cannot make a filter, a sentence without full stop, or null if it
   * can.
   */
  public @Nullable String refusal(Plan plan) {
    return limits.refusal(plan);
  }

  /**
   * Builds a filter of the initial elements, all distinct, no more than planned. Filled as planned
   * it has about the planned rate, or a better one where sizes come in steps. Throws {@link
   * IllegalArgumentException} if there is a {@link #refusal} or there are too many elements.
   */
  public SetFilter build(Plan plan, Collection<Bytes> elements) {
    String refusal = refusal(plan);
    if (refusal != null) {
      throw new IllegalArgumentException(name + ": " + refusal);
    }
    if (elements.size() > plan.capacity()) {
      throw new IllegalArgumentException(
          elements.size() + " elements, planned for " + plan.capacity());
    }
    return maker.make(this, plan, elements);
  }

  UnsupportedOperationException cannot(Feature feature) {
    return new UnsupportedOperationException(name + " cannot " + feature.verb());
  }
}
