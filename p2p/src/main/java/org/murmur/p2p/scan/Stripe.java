package org.murmur.p2p.scan;

/** Consecutive heights kept for one peer, so that what it finds there it need not be told. */
final class Stripe {

  final int from;
  int to;

  Stripe(int from, int to) {
    this.from = from;
    this.to = to;
  }
}
