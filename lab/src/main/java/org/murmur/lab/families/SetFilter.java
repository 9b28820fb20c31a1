package org.murmur.lab.families;

import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;

/**
 * One filter of some family. It answers whether an element may be in a set, without false
 * negatives. Mutable if its family supports changes. For one thread.
 */
abstract class SetFilter {

  final FilterFamily family;
  final Plan plan;

  /** Its key follows from the plan's seed. */
  final KeyedHash hash;

  SetFilter(FilterFamily family, Plan plan) {
    this.family = family;
    this.plan = plan;
    this.hash = new KeyedHash(plan.seed());
  }

  /** Returns whether an element may be in the set; false only if it is not. */
  public abstract boolean mayContain(Bytes element);

  /**
   * Counts the elements for which {@link #mayContain} is true. Uses the family's bulk query if it
   * has one.
   */
  public int countContained(Collection<Bytes> elements) {
    int contained = 0;
    for (Bytes element : elements) {
      if (mayContain(element)) {
        contained++;
      }
    }
    return contained;
  }

  /** Returns the size on the wire, without the family, the plan and the number of elements. */
  public abstract long bits();

  /**
   * Returns the false-positive rate predicted for this filter, from its content and its family's
   * real hashing.
   */
  public abstract double expectedRate();

  /**
   * Returns the rate by the formula of textbooks and of the library. It can be far from {@link
   * #expectedRate} in small arrays if a family uses only two hashes.
   */
  public double textbookRate() {
    return expectedRate();
  }

  /**
   * Adds an element. False if there is no room; the filter is then unchanged. Throws {@link
   * UnsupportedOperationException} if its family cannot add.
   */
  public boolean add(Bytes element) {
    throw family.cannot(Feature.ADD);
  }

  /**
   * Deletes an element that was added more often than deleted. False if it is certainly not in the
   * set; the filter is then unchanged. Never delete other elements: deleting a false positive
   * damages real members. Throws {@link UnsupportedOperationException} if its family cannot delete.
   */
  public boolean delete(Bytes element) {
    throw family.cannot(Feature.DELETE);
  }

  /**
   * Returns how many times an element was added and not deleted, or more if other elements overlap.
   * Throws {@link UnsupportedOperationException} if its family cannot count.
   */
  public int count(Bytes element) {
    throw family.cannot(Feature.COUNT);
  }

  /**
   * Adds all elements of another filter of the same family and plan, without knowing them; the
   * other is not changed. Throws {@link UnsupportedOperationException} if its family cannot merge,
   * and {@link IllegalArgumentException} if the other is of another family or plan.
   */
  public void merge(SetFilter other) {
    throw family.cannot(Feature.MERGE);
  }

  /** Refuses to merge a filter of another family or plan. */
  final SetFilter samePlan(SetFilter other) {
    if (other.getClass() != getClass() || !other.plan.equals(plan)) {
      throw new IllegalArgumentException("not of the same plan");
    }
    return other;
  }
}
