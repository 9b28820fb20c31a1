package org.murmur.regtest.hostile;

import org.murmur.regtest.node.Behaviour;

/** A peer that means no good. */
public interface Hostile {

  /**
   * Returns its name.
   *
   * @return one word
   */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Says what it does.
   *
   * @return one sentence
   */
  String sentence();

  /**
   * Returns how it treats those who connect.
   *
   * @return the embedded node's behaviour
   */
  default Behaviour behaviour() {
    return Behaviour.honest();
  }

  /**
   * Returns what it does on a connection besides its behaviour.
   *
   * @param scene what it knows
   * @return a mask for this connection alone
   */
  default Mask mask(Scene scene) {
    return Mask.NONE;
  }

  /**
   * Returns how the honest peers on its stage behave.
   *
   * @return an honest behaviour, perhaps a slow one
   */
  default Behaviour others() {
    return Behaviour.honest();
  }

  /**
   * Whether the user sends a payment.
   *
   * @return true if it does its harm there
   */
  default boolean meetsPayment() {
    return false;
  }

  /**
   * Says what must become of the sync.
   *
   * @return of each situation
   */
  Expectation expectation();
}
