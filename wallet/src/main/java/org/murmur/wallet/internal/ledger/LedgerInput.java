package org.murmur.wallet.internal.ledger;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Confirmation;

/**
 * A batch for the books, true and false matches alike.
 *
 * @param forkHeight confirmations above this height are void, before anything else
 * @param tip the active chain's height afterwards
 * @param confirmed transactions in blocks of the active chain
 * @param pending transactions that were relayed, in the order seen
 * @param missing pending transactions that a peer that announced its whole memory pool does not
 *     have
 * @param time now, seconds since 1970
 * @param sent transactions that the user sends, which are always kept; those that were relayed as
 *     well count as known to a peer
 * @param abandoned transactions that the user forgets; those in a block are not affected
 * @param signed transactions that the user signs without an order to send them; always kept
 */
public record LedgerInput(
    int forkHeight,
    int tip,
    List<Mined> confirmed,
    List<Tx> pending,
    List<Hash256> missing,
    long time,
    List<Tx> sent,
    List<Hash256> abandoned,
    List<Tx> signed) {

  /** Copies the lists. */
  public LedgerInput {
    confirmed = List.copyOf(confirmed);
    pending = List.copyOf(pending);
    missing = List.copyOf(missing);
    sent = List.copyOf(sent);
    abandoned = List.copyOf(abandoned);
    signed = List.copyOf(signed);
  }

  /** Makes a batch of peers' data. */
  public static LedgerInput ofPeers(
      int forkHeight,
      int tip,
      List<Mined> confirmed,
      List<Tx> pending,
      List<Hash256> missing,
      long time) {
    return new LedgerInput(
        forkHeight, tip, confirmed, pending, missing, time, List.of(), List.of(), List.of());
  }

  /**
   * Makes a batch of a transaction that the user sends; a peer may be known to have accepted it.
   */
  public static LedgerInput ofSent(int tip, Tx tx, boolean accepted, long time) {
    List<Tx> heard = accepted ? List.of(tx) : List.of();
    return new LedgerInput(
        tip, tip, List.of(), heard, List.of(), time, List.of(tx), List.of(), List.of());
  }

  /**
   * Makes a batch of a transaction that this wallet signs, with the order to send it or without.
   */
  public static LedgerInput ofSigned(int tip, Tx tx, boolean ordered, long time) {
    List<Tx> sent = ordered ? List.of(tx) : List.of();
    return new LedgerInput(
        tip, tip, List.of(), List.of(), List.of(), time, sent, List.of(), List.of(tx));
  }

  /** Makes a batch of a transaction that the user forgets. */
  public static LedgerInput ofAbandoned(int tip, Hash256 txid, long time) {
    return new LedgerInput(
        tip, tip, List.of(), List.of(), List.of(), time, List.of(), List.of(txid), List.of());
  }

  /** A transaction in a block. */
  public record Mined(Tx tx, Confirmation confirmation) {}
}
