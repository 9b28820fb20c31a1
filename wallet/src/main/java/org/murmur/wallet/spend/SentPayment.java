package org.murmur.wallet.spend;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * A pending payment of the wallet, which another one may replace.
 *
 * @param txid its id
 * @param inputs the coins that it spends, all of the wallet
 * @param recipients what it pays to others; {@link Recipient#all} for an output that may shrink
 * @param change the script that took its change; empty if it had none
 */
public record SentPayment(
    Hash256 txid,
    List<InputCoin> inputs,
    List<Recipient> recipients,
    Optional<ChangeScript> change) {

  /** Copies the lists. */
  public SentPayment {
    inputs = List.copyOf(inputs);
    recipients = List.copyOf(recipients);
  }

  List<OutPoint> outPoints() {
    return inputs.stream().map(InputCoin::outPoint).collect(Collectors.toList());
  }
}
