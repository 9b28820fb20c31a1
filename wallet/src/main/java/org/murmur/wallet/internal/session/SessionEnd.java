package org.murmur.wallet.internal.session;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncFact.NoUsablePeer;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.SyncReport.Ending;

/**
 * Why a session would end if it ended now, and what stood in the way at whom, if no usable peer was
 * left (also where an order came after that). One value that each event and each order turns into
 * the next.
 */
record SessionEnd(Ending why, Optional<NoUsablePeer> none) {

  /** Nothing is left to do. */
  static final SessionEnd DONE = new SessionEnd(Ending.DONE);

  /** Orders from outside, and limits: no later event changes these reasons. */
  private static final Set<Ending> ORDERS =
      EnumSet.of(Ending.STOPPED, Ending.TIMEOUT, Ending.MAX_BYTES);

  private SessionEnd(Ending why) {
    this(why, Optional.empty());
  }

  /**
   * It was ordered to end, or reached a limit. The first order counts. The obstacles are kept: the
   * sender of a transaction must learn that no peer was there.
   */
  SessionEnd ordered(Ending order) {
    return ORDERS.contains(why) ? this : new SessionEnd(order, none);
  }

  /** The machine emitted an event. */
  SessionEnd after(SyncEvent event) {
    if (event instanceof SyncFact.BudgetSpent) {
      return ordered(Ending.MAX_BYTES);
    }
    if (ORDERS.contains(why)) {
      return this;
    }
    if (event instanceof SyncFact.Complete) {
      return DONE;
    }
    if (why == Ending.PEERS_DISAGREE || event instanceof SyncWarning.Disagreement) {
      return new SessionEnd(Ending.PEERS_DISAGREE);
    }
    if (event instanceof NoUsablePeer nobody) {
      return new SessionEnd(Ending.NO_USABLE_PEER, Optional.of(nobody));
    }
    return none.isPresent() ? this : afterHalf(event);
  }

  /** Everything available is seen, and that is not enough. */
  private SessionEnd afterHalf(SyncEvent event) {
    if (event instanceof SyncFact.TooFewCrossChecks
        || event instanceof SyncWarning.BlockNotServed) {
      return new SessionEnd(Ending.TOO_FEW_PEERS);
    }
    if (event instanceof SyncWarning.ClockBehind) {
      return new SessionEnd(Ending.CLOCK_BEHIND);
    }
    return event instanceof SyncFact.EndsLongAgo ? new SessionEnd(Ending.ENDS_LONG_AGO) : this;
  }

  /** Whether a limit of time or of bytes ended it. */
  boolean isLimit() {
    return why == Ending.TIMEOUT || why == Ending.MAX_BYTES;
  }
}
