package org.murmur.wallet.sync;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;

/**
 * A transaction as the wallet sees it.
 *
 * @param txid which
 * @param height its block's height; empty while unconfirmed
 * @param time its block's time, or when it was first seen
 * @param net its effect on the balance in satoshi, including a fee that the wallet paid
 * @param addresses own addresses it pays; if it pays none, those it spends from
 * @param status its status
 * @param heard whether a peer is known to have it: a peer announced or sent it, or a block held it.
 *     If not, peers may have refused it silently
 * @param coinbase whether it created new coins
 * @param counterparty addresses that the wallet pays with it, other than its own; none for a
 *     payment to the wallet
 * @param fee in satoshi; empty if inputs are not the wallet's, whose values are unknown
 * @param label what the user noted about it, else about the addresses it pays; empty for nothing
 * @param replacedBy its replacement, if its status is {@link TxStatus#REPLACED}
 * @param state if it is a payment of the wallet: how far it is, as far as the file knows
 */
public record HistoryEntry(
    Hash256 txid,
    OptionalInt height,
    Instant time,
    long net,
    List<String> addresses,
    TxStatus status,
    boolean heard,
    boolean coinbase,
    List<String> counterparty,
    OptionalLong fee,
    String label,
    Optional<Replacement> replacedBy,
    Optional<PaymentState> state) {

  /** Copies the lists. */
  public HistoryEntry {
    addresses = List.copyOf(addresses);
    counterparty = List.copyOf(counterparty);
  }

  /**
   * {@return the addresses whose labels stand for the transaction's, those that the wallet pays,
   * else its own}
   */
  public List<String> payees() {
    return counterparty.isEmpty() ? addresses : counterparty;
  }

  /**
   * Makes the same entry with a label.
   *
   * @param text the label; empty for none
   * @return a new value
   */
  public HistoryEntry withLabel(String text) {
    return new HistoryEntry(
        txid,
        height,
        time,
        net,
        addresses,
        status,
        heard,
        coinbase,
        counterparty,
        fee,
        text,
        replacedBy,
        state);
  }
}
