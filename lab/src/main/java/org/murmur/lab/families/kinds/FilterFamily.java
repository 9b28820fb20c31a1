package org.murmur.lab.families.kinds;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;

/** A way to build filters. Immutable. */
public abstract class FilterFamily {

  /** Families whose table may be unlucky try so many seeds, then one bucket more. */
  private static final int SEEDS_PER_SIZE = 8;

  private final String name;
  private final String source;
  private final Set<Feature> features;

  FilterFamily(String name, String source, Feature... features) {
    this.name = name;
    this.source = source;
    this.features = Set.of(features);
  }

  /** Makes a family with code of this project. */
  FilterFamily(String name, Feature... features) {
    this(name, "Murmur", features);
  }

  /** Returns the short name in lower case for the command line and tables. */
  public final String name() {
    return name;
  }

  public final String source() {
    return source;
  }

  /** Returns whether its filters support an operation besides queries, which throws otherwise. */
  public final boolean can(Feature feature) {
    return features.contains(feature);
  }

  /**
   * Returns the theoretical size of a large filter in bits per element, without rounding of widths.
   */
  public abstract double bitsInTheory(double rate);

  /**
   * Returns the reason why it cannot make a filter, a sentence without full stop, or null if it
   * can.
   */
  public @Nullable String refusal(Plan plan) {
    return null;
  }

  /**
   * Builds a filter of the initial elements, all distinct, no more than planned. Filled as planned
   * it has about the planned rate, or a better one where sizes come in steps. Throws {@link
   * IllegalArgumentException} if there is a {@link #refusal} or there are too many elements.
   */
  public final SetFilter build(Plan plan, Collection<Bytes> elements) {
    String refusal = refusal(plan);
    if (refusal != null) {
      throw new IllegalArgumentException(name + ": " + refusal);
    }
    if (elements.size() > plan.capacity()) {
      throw new IllegalArgumentException(
          elements.size() + " elements, planned for " + plan.capacity());
    }
    return make(plan, elements);
  }

  /** Builds it: from an empty filter, unless the family needs all elements at once. */
  SetFilter make(Plan plan, Collection<Bytes> elements) {
    for (int attempt = 0; ; attempt++) {
      SetFilter filter = empty(plan.attempt(attempt), attempt / SEEDS_PER_SIZE);
      if (elements.stream().allMatch(filter::add)) {
        return filter;
      }
    }
  }

  /** Makes a filter without elements; a table with so many buckets more than planned. */
  SetFilter empty(Plan plan, int more) {
    throw cannot(Feature.ADD);
  }

  UnsupportedOperationException cannot(Feature feature) {
    return new UnsupportedOperationException(name + " cannot " + feature.verb());
  }
}
