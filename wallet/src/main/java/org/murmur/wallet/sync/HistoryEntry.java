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
 * @param net by how many satoshi the wallet grows; a fee that the wallet paid is in it
 * @param addresses own addresses it pays; if it pays none, those it spends from
 * @param status what has become of it
 * @param heard whether anybody but the user is known to have it: a peer announced it or handed it
 *     over, or a block held it. If not, peers may have refused it in silence
 * @param coinbase whether it created new coins
 * @param replacedBy what took its place, if its status is {@link TxStatus#REPLACED}
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
    Optional<Replacement> replacedBy) {

  /** Copies the list. */
  public HistoryEntry {
    addresses = List.copyOf(addresses);
  }
}
