package org.murmur.lab.privacy.adversaries;

import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Scripts that an adversary assigns to a wallet: some of its own keys, by place in its list of used
 * keys, and ascending numbers of other users' scripts. Effectively immutable.
 */
record Suspects(BitSet own, BitSet strangers) {

  static Suspects none() {
    return new Suspects(new BitSet(), new BitSet());
  }

  Suspects and(Suspects other) {
    Suspects both = copy();
    both.own.and(other.own);
    both.strangers.and(other.strangers);
    return both;
  }

  Suspects or(Suspects other) {
    Suspects either = copy();
    either.own.or(other.own);
    either.strangers.or(other.strangers);
    return either;
  }

  Suspects without(Suspects other) {
    Suspects rest = copy();
    rest.own.andNot(other.own);
    rest.strangers.andNot(other.strangers);
    return rest;
  }

  Suspects where(IntPredicate ownPasses, IntPredicate strangerPasses) {
    return new Suspects(passing(own, ownPasses), passing(strangers, strangerPasses));
  }

  private static BitSet passing(BitSet all, IntPredicate passes) {
    BitSet left = new BitSet();
    all.stream().filter(passes).forEach(left::set);
    return left;
  }

  private Suspects copy() {
    return new Suspects((BitSet) own.clone(), (BitSet) strangers.clone());
  }
}
