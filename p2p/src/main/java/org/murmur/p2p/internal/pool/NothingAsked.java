package org.murmur.p2p.internal.pool;

import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.sync.SyncEvent;

/** Asks no peer for unconfirmed transactions. */
public final class NothingAsked extends Part<PoolPeer> implements UnconfirmedQuery {

  private final SyncEvent.MempoolAnswered.Answer answer;
  private final Unchecked unchecked;
  private boolean over;

  /** Gives this answer at once. */
  public NothingAsked(
      Part<PoolPeer> machine,
      Pending pending,
      Relay relay,
      SyncEvent.MempoolAnswered.Answer answer) {
    super(machine);
    this.answer = answer;
    this.unchecked = new Unchecked(machine, pending, relay);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean advance() {
    if (!over) {
      over = true;
      if (answer == SyncEvent.MempoolAnswered.Answer.BLOCKS_ONLY) {
        unchecked.settle();
      }
      effects.emit(new SyncEvent.MempoolAnswered(answer));
    }
    return false;
  }
}
