package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One number of the table: our result, our target, and the others' best today.
 *
 * @param atMost whether the target is a maximum; else it is a minimum
 * @param others the others' best today, for readers; measured in the same run if it says so
 */
record TableFigure(
    String row,
    String what,
    double reached,
    String unit,
    double target,
    boolean atMost,
    String others,
    ObjectNode raw) {

  boolean hasTarget() {
    return !Double.isNaN(target);
  }

  boolean isMet() {
    return !hasTarget() || (atMost ? reached <= target : reached >= target);
  }
}
