package org.murmur.lab.privacy.adversaries;

import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Scripts that an adversary takes for a wallet's: which of its own keys, and which of others. An
 * immutable value in effect.
 *
 * @param own by place in the wallet's list of used keys
 * @param strangers numbers of scripts of others, ascending
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
