package org.murmur.regtest.node;

/**
 * An attack of a node on its peers, beyond serving them badly. See {@link
 * Behaviour#committing(Misdeed)}.
 */
public enum Misdeed {
  /** Announces transactions that do not exist, without end, once it has a filter. */
  ENDLESS_ANNOUNCEMENTS,
  /** Sends addresses, without end, once it has a filter. */
  ENDLESS_ADDRESSES,
  /** Sends pings, without end, once it has a filter. */
  ENDLESS_PINGS,
  /** Asks for headers, without end, once it has a filter. */
  ENDLESS_QUESTIONS,
  /** Sends messages of an unknown command, without end, once it has a filter. */
  ENDLESS_NOISE,
  /** Sends a ping of a thousand bytes after the handshake. */
  OVERSIZED_MESSAGE,
  /** Sends the transactions of each filtered block once more, unsolicited. */
  UNASKED_TRANSACTIONS,
  /** Sends a transaction that does not match, unsolicited, after each filtered block. */
  FOREIGN_TRANSACTIONS,
  /** Proves the transactions that match and never sends them. */
  WITHHELD_TRANSACTIONS,
  /** Sends the transactions that match after the next filtered block. */
  LATE_TRANSACTIONS,
  /** Sends the transactions that match after the next pong. */
  TRANSACTIONS_AFTER_PONG,
  /** Sends made-up transactions that match as well instead of the proven ones. */
  REPLACED_TRANSACTIONS,
  /**
   * Sends the first transaction that matches once a second, for ever, and nothing else from then
   * on, not even the others of its block.
   */
  REPEATED_TRANSACTION,
  /** Sends every transaction with 3.9 MB of made-up witness data, which its txid does not cover. */
  PADDED_WITNESS
}
