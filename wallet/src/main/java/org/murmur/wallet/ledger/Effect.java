package org.murmur.wallet.ledger;

import java.util.List;
import org.murmur.bip37.bytes.OutPoint;

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
   * @param outPoint the coin
   * @param index the output's or input's place in the transaction
   * @param value in satoshi
   * @param script number of the own script
   */
  public record Part(OutPoint outPoint, int index, long value, int script) {}

  /**
   * Returns the change of the wallet's total.
   *
   * @return satoshi, including the fee if the wallet paid it
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
   * Returns whether the transaction concerns the wallet.
   *
   * @return true if the wallet gains or loses a coin
   */
  public boolean concernsWallet() {
    return !received.isEmpty() || !spent.isEmpty();
  }
}
