package org.murmur.wallet.ledger;

import java.util.List;
import org.murmur.bip37.bytes.OutPoint;

/**
 * What a transaction does to the wallet.
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
   * One coin that comes or goes.
   *
   * @param outPoint the coin
   * @param index the output's or input's place in the transaction
   * @param value in satoshi
   * @param script number of the own script
   */
  public record Part(OutPoint outPoint, int index, long value, int script) {}

  /**
   * Returns by how much the wallet grows.
   *
   * @return satoshi; the fee is in it when the wallet paid it
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
   * @return true if a coin comes or goes
   */
  public boolean concernsWallet() {
    return !received.isEmpty() || !spent.isEmpty();
  }
}
