package org.murmur.wallet.pay;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.privacy.GroupSight;

/**
 * The links that a payment reveals to readers of the chain, and what they add to the filters that
 * peers have. A value, as of the commit from which the payment was planned.
 *
 * @param newLinks the groups of addresses that it joins and that nothing joined before: of each
 *     group those that this payment names; empty if it links nothing new
 * @param groupSize how many addresses of the wallet are one group after it, its change among them
 * @param changeHints by what the change stands out
 * @param apart the cheapest choice of coins that links nothing new; empty if there is none, and if
 *     this payment links nothing new
 * @param toSelf the places of its outputs that pay the wallet and are not change
 * @param sights what the links disclose to each peer that has filters; empty if nothing is new
 */
public record PaymentTrace(
    List<List<String>> newLinks,
    int groupSize,
    Set<ChangeHint> changeHints,
    Optional<Apart> apart,
    Set<Integer> toSelf,
    List<GroupSight> sights) {

  /**
   * Another choice of coins.
   *
   * @param coins to be named in the order, all of them
   * @param fee in satoshi
   */
  public record Apart(List<OutPoint> coins, long fee) {
    /** Copies the list. */
    public Apart {
      coins = List.copyOf(coins);
    }
  }

  /** Copies the collections. */
  public PaymentTrace {
    newLinks = newLinks.stream().map(List::copyOf).collect(Collectors.toList());
    newLinks = Collections.unmodifiableList(newLinks);
    EnumSet<ChangeHint> hints = EnumSet.noneOf(ChangeHint.class);
    hints.addAll(changeHints);
    changeHints = Collections.unmodifiableSet(hints);
    toSelf = Set.copyOf(toSelf);
    sights = List.copyOf(sights);
  }

  /**
   * Adds what peers can make of it.
   *
   * @param seen of each peer
   * @return a new trace
   */
  public PaymentTrace seenBy(List<GroupSight> seen) {
    return new PaymentTrace(newLinks, groupSize, changeHints, apart, toSelf, seen);
  }
}
