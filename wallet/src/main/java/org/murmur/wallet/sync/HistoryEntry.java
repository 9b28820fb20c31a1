package org.murmur.wallet.sync;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
    Optional<Replacement> replacedBy,
    Optional<PaymentState> state) {

  /** Copies the list. */
  public HistoryEntry {
    addresses = List.copyOf(addresses);
  }
}
