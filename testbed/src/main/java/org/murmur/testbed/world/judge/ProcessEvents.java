package org.murmur.testbed.world.judge;

import org.murmur.p2p.sync.SyncEvent;

/** The events that a process has reported, as far as they matter for the checks at its end. */
public final class ProcessEvents {

  private boolean complete;
  private boolean guardMissing;
  private boolean mempoolAsked;
  private boolean mempoolTold;
  private boolean peerLost;
  private boolean damaged;

  public void complete() {
    complete = true;
  }

  public void mempool(SyncEvent.MempoolAnswered answered) {
    mempoolAsked = answered.answer() != SyncEvent.MempoolAnswered.Answer.SKIPPED;
    mempoolTold = answered.answer() == SyncEvent.MempoolAnswered.Answer.COMPLETE;
  }

  public void peerLost() {
    peerLost |= !mempoolAsked;
  }

  /** A message was damaged on its way. */
  public void damaged() {
    damaged = true;
  }

  /** Whether a message was damaged: the command is not in the checksum, so it may be lost. */
  boolean isDamaged() {
    return damaged;
  }

  public void guardMissing(boolean missing) {
    guardMissing |= missing;
  }

  boolean isComplete() {
    return complete;
  }

  /** Whether the user learned which guard to give up. */
  public boolean isGuardMissing() {
    return guardMissing;
  }

  /** Whether any peer was asked for its mempool. */
  boolean isMempoolAsked() {
    return mempoolAsked;
  }

  /** Whether all peers that were asked for their mempool answered. */
  boolean isMempoolTold() {
    return mempoolTold;
  }

  /** Whether a peer was lost before it was asked for its mempool. */
  boolean isPeerLost() {
    return peerLost;
  }
}
