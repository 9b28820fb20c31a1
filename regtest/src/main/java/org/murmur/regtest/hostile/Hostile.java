package org.murmur.regtest.hostile;

import org.murmur.regtest.node.Behaviour;

/** A hostile peer. */
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
   * Describes its attack.
   *
   * @return one sentence
   */
  String sentence();

  /**
   * Returns how it treats its peers.
   *
   * @return the embedded node's behaviour
   */
  default Behaviour behaviour() {
    return Behaviour.honest();
  }

  /**
   * Returns its deeds on a connection in addition to its behaviour.
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
   * @return true if the attack needs one
   */
  default boolean meetsPayment() {
    return false;
  }

  /**
   * Whether it fetches the payment that the user sends.
   *
   * @return as a rule, true if there is one
   */
  default boolean fetchesPayment() {
    return meetsPayment();
  }

  /**
   * Whether a pending payment to the wallet waits at the honest peers, and not at this one.
   *
   * @return true if the attack needs one
   */
  default boolean hidesPayment() {
    return false;
  }

  /**
   * Returns the expected end of the sync.
   *
   * @return of each situation
   */
  Expectation expectation();
}
