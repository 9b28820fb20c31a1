package org.murmur.regtest.world.judge;

import org.murmur.p2p.sync.SyncEvent;

/** What a process has told of itself, as far as it matters for what is asked of it at the end. */
public final class ProcessEvents {

  private boolean complete;
  private boolean guardMissing;
  private boolean mempoolAsked;
  private boolean mempoolTold;
  private boolean peerLost;

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

  public void guardMissing(boolean missing) {
    guardMissing |= missing;
  }

  boolean isComplete() {
    return complete;
  }

  /** Whether the user was told whom to give up. */
  public boolean isGuardMissing() {
    return guardMissing;
  }

  /** Whether somebody was asked for what is unconfirmed. */
  boolean isMempoolAsked() {
    return mempoolAsked;
  }

  /** Whether all who were asked for what is unconfirmed answered. */
  boolean isMempoolTold() {
    return mempoolTold;
  }

  /** Whether a peer was lost before what is unconfirmed was asked for. */
  boolean isPeerLost() {
    return peerLost;
  }
}
