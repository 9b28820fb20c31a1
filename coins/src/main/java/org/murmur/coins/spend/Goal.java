package org.murmur.coins.spend;

/**
 * The goal of a selection.
 *
 * @param target value to be paid in satoshi, with the fee for everything except the inputs; at
 *     least 0
 * @param change the change to aim at in satoshi, with the fee for its output
 * @param costOfChange what change costs in satoshi, now and when it is spent: a selection without
 *     change may exceed the target by as much
 * @param maxWeight the largest weight of all inputs in weight units
 */
record Goal(long target, long change, long costOfChange, int maxWeight) {

  /** Value that pays the target and leaves change. */
  long withChange() {
    return target + change;
  }
}
