package org.murmur.lab.families;

import org.jspecify.annotations.Nullable;

/** Number of places and hash functions of a family based on a Bloom filter. */
record BloomShape(int places, int functions) {

  static BloomShape of(Plan plan) {
    int functions = functions(plan.rate());
    double places = Math.ceil(functions * (double) plan.capacity() / hits(plan.rate()));
    return new BloomShape((int) Math.max(8, places), functions);
  }

  /** The best whole number of functions for a rate. */
  static int functions(double rate) {
    return (int) Math.max(1, Math.round(Theory.bound(rate)));
  }

  /** The mean number of hits per place at which this many functions give the rate: about ln 2. */
  static double hits(double rate) {
    double load = Math.pow(rate, 1.0 / functions(rate));
    return -Math.log1p(-load);
  }

  static @Nullable String refusal(Plan plan) {
    return plan.capacity() * Theory.bloomBits(plan.rate()) < 1 << 30
        ? null
        : "too large for this comparison";
  }
}
