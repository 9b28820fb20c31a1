package org.murmur.coins.spend;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;

/**
 * A pending payment of the wallet, which another one may replace.
 *
 * @param txid its id
 * @param inputs the coins that it spends, all of the wallet
 * @param paid its outputs, without the change
 * @param change the script that took its change; empty if it had none
 * @param shrinks whether its one output may shrink
 */
public record SentPayment(
    Hash256 txid,
    List<InputCoin> inputs,
    List<Tx.Output> paid,
    Optional<ChangeScript> change,
    boolean shrinks) {

  /** Copies the lists. */
  public SentPayment {
    inputs = List.copyOf(inputs);
    paid = List.copyOf(paid);
  }

  /**
   * Lets its first output get what is left.
   *
   * @return a new value
   */
  public SentPayment shrinking() {
    return new SentPayment(txid, inputs, paid, change, true);
  }

  List<Recipient> recipients() {
    return shrinks
        ? List.of(Recipient.all(paid.get(0).script()))
        : paid.stream()
            .map(output -> Recipient.of(output.script(), output.value()))
            .collect(Collectors.toList());
  }

  List<OutPoint> outPoints() {
    return inputs.stream().map(InputCoin::outPoint).collect(Collectors.toList());
  }
}
