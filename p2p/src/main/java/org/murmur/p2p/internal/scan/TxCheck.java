package org.murmur.p2p.internal.scan;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Conduct;
import org.murmur.p2p.internal.peers.Refusal;

/** Whether a peer may send a transaction. */
public final class TxCheck {

  private TxCheck() {}

  /**
   * Judges a transaction by the model of the filter on its link, if the server has one. It was
   * asked for if it belongs to a block or answers {@code getdata}. It is {@code onUntaken} if it
   * spends a transaction that this peer announced and that came from another peer: a server-side
   * filter that grows may have grown by that.
   */
  public static Refusal sent(
      Conduct conduct,
      Tx tx,
      @Nullable FilterCopy copy,
      boolean asked,
      boolean onUntaken,
      WatchedLog own,
      Instant now) {
    boolean fixed = copy != null && copy.isFixed();
    if (copy != null && !copy.matches(tx, own) && (fixed || !onUntaken)) {
      return conduct.commits(
          fixed ? Conduct.Offence.FOREIGN_TO_A_FIXED_FILTER : Conduct.Offence.FOREIGN_TRANSACTION,
          "transaction " + tx.txid() + " does not match the filter",
          now);
    }
    return asked
        ? Refusal.NONE
        : conduct.commits(
            Conduct.Offence.UNASKED_TRANSACTION,
            "transaction " + tx.txid() + " was not requested",
            now);
  }
}
