package org.murmur.wallet.internal.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/**
 * The effect of a transaction on the wallet.
 *
 * @param received its outputs that are the wallet's, in order
 * @param spent its inputs that are the wallet's, in order
 */
public record Effect(List<Part> received, List<Part> spent) {

  /** Copies the lists. */
  public Effect {
    received = List.copyOf(received);
    spent = List.copyOf(spent);
  }

  /**
   * A coin that the wallet gains or loses.
   *
   * @param index the output's or input's place in the transaction
   * @param value in satoshi
   * @param script number of the own script
   */
  public record Part(OutPoint outPoint, int index, long value, int script) {}

  /**
   * Returns the change of the wallet's total in satoshi, including the fee if the wallet paid it.
   */
  public long net() {
    long net = 0;
    for (Part part : received) {
      net += part.value();
    }
    for (Part part : spent) {
      net -= part.value();
    }
    return net;
  }

  /**
   * Returns the fee of the transaction that has this effect; empty unless all inputs are the
   * wallet's, whose values are known.
   */
  public OptionalLong fee(Tx tx) {
    if (spent.size() < tx.inputs().size() || tx.isCoinbase()) {
      return OptionalLong.empty();
    }
    long in = spent.stream().mapToLong(Part::value).sum();
    return OptionalLong.of(in - tx.outputs().stream().mapToLong(Tx.Output::value).sum());
  }

  /**
   * Lists whom the wallet pays with the transaction that has this effect: the places of the outputs
   * that are not the wallet's; none if the wallet spends nothing.
   */
  public List<Integer> paid(Tx tx) {
    List<Integer> paid = new ArrayList<>();
    Set<Integer> own = received.stream().map(Part::index).collect(Collectors.toSet());
    for (int i = 0; i < tx.outputs().size() && !spent.isEmpty(); i++) {
      if (!own.contains(i)) {
        paid.add(i);
      }
    }
    return paid;
  }

  /** Returns whether the wallet gains or loses a coin. */
  public boolean concernsWallet() {
    return !received.isEmpty() || !spent.isEmpty();
  }
}
