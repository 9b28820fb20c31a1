package org.murmur.wallet.internal.session;

import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;

/** The goal of a session. It ends when the goal is reached, if nothing ends it before. */
public sealed interface SessionGoal {

  /** All blocks up to the tip are scanned. */
  record Sync() implements SessionGoal {}

  /** All blocks from a birthday on are scanned again. */
  record Rescan(Birthday from) implements SessionGoal {}

  /**
   * Peers reported whether they accept a transaction. No block is scanned and no filter is sent.
   */
  record Broadcast(Tx tx) implements SessionGoal {}

  /** The last blocks were read for what they paid. Nothing of the wallet is asked for. */
  record Fees(int blocks) implements SessionGoal {}
}
