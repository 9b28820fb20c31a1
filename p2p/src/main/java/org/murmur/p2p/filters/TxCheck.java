package org.murmur.p2p.filters;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.peers.Conduct;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;

/** Whether a peer may send the transactions that it sends. */
public final class TxCheck {

  private TxCheck() {}

  /**
   * Judges a transaction that came on the link, asked for or not, by what the filter there can have
   * matched.
   *
   * @param conduct what the peer did so far
   * @param copy what the server's filter can have become, or null if it has none
   * @param asked whether it is a block's or was asked for
   * @param onUntaken whether it spends what the peer announced and was not asked for, as another
   *     one had sent that: its server's copy, if it grows, may have grown by it
   * @param own what the wallet watches
   */
  public static Refusal sent(
      Conduct conduct,
      Tx tx,
      @Nullable FilterCopy copy,
      boolean asked,
      boolean onUntaken,
      WatchedLog own,
      Instant now) {
    FilterCopy.Match match = copy == null ? FilterCopy.Match.OWN : copy.match(tx, own, now);
    boolean fixed = copy != null && copy.isFixed();
    if (match == FilterCopy.Match.NONE && (fixed || !onUntaken)) {
      return conduct.commits(
          fixed ? Conduct.Offence.FOREIGN_TO_A_FIXED_FILTER : Conduct.Offence.FOREIGN_TRANSACTION,
          "transaction " + tx.txid() + " is none that the filter matches",
          now);
    }
    if (match == FilterCopy.Match.TOO_MANY) {
      return new Refusal(
          DisconnectReason.NOT_MATCHING,
          "so many transactions match by chance as chance does not explain");
    }
    return asked
        ? Refusal.NONE
        : conduct.commits(
            Conduct.Offence.UNASKED_TRANSACTION,
            "transaction " + tx.txid() + " was not asked for",
            now);
  }
}
