package org.murmur.wallet.ledger;

import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

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

  /**
   * Makes a batch in which nothing is signed only.
   *
   * @param forkHeight confirmations above this height are void, before anything else
   * @param tip the active chain's height afterwards
   * @param confirmed transactions in blocks of the active chain
   * @param pending transactions that were relayed, in the order seen
   * @param missing pending transactions that a peer that announced its whole memory pool does not
   *     have
   * @param time now, seconds since 1970
   * @param sent transactions that the user sends
   * @param abandoned transactions that the user forgets
   */
  public LedgerInput(
      int forkHeight,
      int tip,
      List<Mined> confirmed,
      List<Tx> pending,
      List<Hash256> missing,
      long time,
      List<Tx> sent,
      List<Hash256> abandoned) {
    this(forkHeight, tip, confirmed, pending, missing, time, sent, abandoned, List.of());
  }

  /**
   * Makes a batch of peers' data.
   *
   * @param forkHeight confirmations above this height are void, before anything else
   * @param tip the active chain's height afterwards
   * @param confirmed transactions in blocks of the active chain
   * @param pending transactions that were relayed, in the order seen
   * @param missing pending transactions that a peer that announced its whole memory pool does not
   *     have
   * @param time now, seconds since 1970
   */
  public LedgerInput(
      int forkHeight,
      int tip,
      List<Mined> confirmed,
      List<Tx> pending,
      List<Hash256> missing,
      long time) {
    this(forkHeight, tip, confirmed, pending, missing, time, List.of(), List.of());
  }

  /**
   * Makes a batch in which nothing is missing.
   *
   * @param forkHeight confirmations above this height are void, before anything else
   * @param tip the active chain's height afterwards
   * @param confirmed transactions in blocks of the active chain
   * @param pending transactions that were relayed, in the order seen
   * @param time now, seconds since 1970
   */
  public LedgerInput(int forkHeight, int tip, List<Mined> confirmed, List<Tx> pending, long time) {
    this(forkHeight, tip, confirmed, pending, List.of(), time);
  }

  /**
   * A transaction in a block.
   *
   * @param tx the transaction
   * @param confirmation where
   */
  public record Mined(Tx tx, Confirmation confirmation) {}
}
