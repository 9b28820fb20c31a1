package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One number of the table: what was reached, what is to be reached, what others reach today.
 *
 * @param row the row it belongs to
 * @param what is measured, for people
 * @param reached the number
 * @param unit behind it: × for a ratio
 * @param target what is to be reached
 * @param atMost whether the target is the most allowed; the least otherwise
 * @param others today's best of others, for people; measured in the same run where it says so
 * @param raw everything the number was computed from
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

  static TableFigure atMost(
      String row,
      String what,
      double reached,
      String unit,
      double target,
      String others,
      ObjectNode raw) {
    return new TableFigure(row, what, reached, unit, target, true, others, raw);
  }

  static TableFigure atLeast(
      String row,
      String what,
      double reached,
      String unit,
      double target,
      String others,
      ObjectNode raw) {
    return new TableFigure(row, what, reached, unit, target, false, others, raw);
  }

  /** A number without a target. */
  static TableFigure noted(
      String row, String what, double reached, String unit, String others, ObjectNode raw) {
    return new TableFigure(row, what, reached, unit, Double.NaN, true, others, raw);
  }

  boolean hasTarget() {
    return !Double.isNaN(target);
  }

  boolean isMet() {
    return !hasTarget() || (atMost ? reached <= target : reached >= target);
  }
}
