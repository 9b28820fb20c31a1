package org.murmur.wallet.privacy;

import java.util.Optional;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The knowledge that linked addresses disclose to a peer that has filters of the wallet, before and
 * after a payment.
 *
 * @param peer who has the filters
 * @param strangers how many foreign scripts pass the peer's best test of single addresses
 * @param before the group that discloses most now; empty if nothing is linked
 * @param after the group that discloses most after the payment
 */
public record GroupSight(
    NodeAddress peer, double strangers, Optional<Cluster> before, Optional<Cluster> after) {

  /**
   * {@return whether the payment undoes the noise of the peer's filters: foreign addresses, and as
   * many foreign groups, hid the wallet's until now, and fewer than one group does after it; false
   * also if there was nothing to undo}
   */
  public boolean isNoiseUndone() {
    boolean hidden = strangers >= 1 && before.map(group -> group.strangers() >= 1).orElse(true);
    return hidden && after.map(group -> group.strangers() < 1).orElse(false);
  }
}
