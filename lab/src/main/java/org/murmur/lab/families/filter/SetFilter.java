package org.murmur.lab.families.filter;

import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;

/**
 * One filter of some family: answers whether an element may be in a set, without ever forgetting
 * one that is. Mutable where its family can change it; belongs to one thread.
 */
public interface SetFilter {

  /**
   * Returns the family.
   *
   * @return the family that built it
   */
  FilterFamily family();

  /**
   * Returns whether an element may be in the set.
   *
   * @param element the element
   * @return false only if it is not
   */
  boolean mayContain(Bytes element);

  /**
   * Counts which of some elements may be in the set. As fast as the family can where many are asked
   * for at once.
   *
   * @param elements the elements
   * @return for how many {@link #mayContain} is true
   */
  default int countContained(Collection<Bytes> elements) {
    int contained = 0;
    for (Bytes element : elements) {
      if (mayContain(element)) {
        contained++;
      }
    }
    return contained;
  }

  /**
   * Returns the size in which it could be sent, without what says which family, plan and number of
   * elements it has.
   *
   * @return bits
   */
  long bits();

  /**
   * Returns the false-positive rate predicted for this very filter, from what it holds and from how
   * its family really hashes.
   *
   * @return 0 to 1
   */
  double expectedRate();

  /**
   * Returns the rate by the formula that textbooks and the library itself give. In small arrays it
   * can be far from {@link #expectedRate}, where a family makes do with two hashes.
   *
   * @return 0 to 1
   */
  default double textbookRate() {
    return expectedRate();
  }

  /**
   * Adds an element.
   *
   * @param element the element
   * @return false if there is no room; the filter then holds what it held before
   * @throws UnsupportedOperationException if its family cannot
   */
  default boolean add(Bytes element) {
    throw family().cannot(Feature.ADD);
  }

  /**
   * Forgets an element that was added once more than it was deleted. What was never added must not
   * be deleted: a false positive would take a part of others with it.
   *
   * @param element the element
   * @return false if it is certainly not in the set; the filter is then as before
   * @throws UnsupportedOperationException if its family cannot
   */
  default boolean delete(Bytes element) {
    throw family().cannot(Feature.DELETE);
  }

  /**
   * Returns how many times an element was added and not deleted.
   *
   * @param element the element
   * @return that number or, where others have left their traces, more
   * @throws UnsupportedOperationException if its family cannot
   */
  default int count(Bytes element) {
    throw family().cannot(Feature.COUNT);
  }

  /**
   * Adds all elements of another filter, which are not known.
   *
   * @param other a filter of the same family and plan, which stays as it is
   * @throws UnsupportedOperationException if its family cannot
   * @throws IllegalArgumentException if the other is of another family or plan
   */
  default void merge(SetFilter other) {
    throw family().cannot(Feature.MERGE);
  }
}
