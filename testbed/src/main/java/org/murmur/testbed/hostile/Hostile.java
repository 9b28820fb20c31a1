package org.murmur.testbed.hostile;

import java.util.function.Function;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Lie;

/**
 * A hostile peer, which treats its peers depending on one of the wallet's scripts, and the expected
 * end of a sync with it. The honest peers on its stage may behave slowly.
 */
public record Hostile(
    String name,
    Function<Bytes, Behaviour> behaviour,
    Behaviour others,
    Payment payment,
    Expectation expectation) {

  /** The unconfirmed payment in a play. */
  public enum Payment {
    /** There is none. */
    NONE,
    /** The user sends one, and the hostile peer fetches it. */
    FETCHED,
    /** The user sends one, and the hostile peer does not fetch it. */
    NOT_FETCHED,
    /** One waits at the honest peers, and not at this one. */
    HIDDEN;

    /** Whether the user sends it. */
    boolean isSent() {
      return this == FETCHED || this == NOT_FETCHED;
    }
  }

  /** Makes one that tells a lie which may name the wallet's script. */
  public static Hostile aimed(String name, Function<Bytes, Lie> lie, Expectation expectation) {
    return new Hostile(
        name,
        script -> Behaviour.honest().with(lie.apply(script)),
        Behaviour.honest(),
        Payment.NONE,
        expectation);
  }

  /** Makes one that tells a lie. */
  public static Hostile telling(String name, Lie lie, Expectation expectation) {
    return aimed(name, script -> lie, expectation);
  }

  /** Changes the payment in its play. */
  public Hostile with(Payment unconfirmed) {
    return new Hostile(name, behaviour, others, unconfirmed, expectation);
  }

  /** Changes the honest peers on its stage. */
  public Hostile among(Behaviour honest) {
    return new Hostile(name, behaviour, honest, payment, expectation);
  }

  @Override
  public String toString() {
    return name;
  }
}
