package org.murmur.p2p.internal.headers;

import java.time.Duration;
import org.murmur.p2p.internal.peers.Peer;

/** The header sync's state of one peer. State only. */
public final class HeaderLink {

  final HeaderQuestions questions;
  final FutureHeaders future = new FutureHeaders();
  final UselessHeaders useless = new UselessHeaders();
  // Above this height it lacks the chain that leads to the checkpoints.
  private int lacksAbove = Integer.MAX_VALUE;
  // Whether the headers after the batch that is about to be processed are requested already.
  private boolean askedAhead;
  private boolean done;
  // Whether the user was warned that its claim is not checked, because of the limit of bytes.
  private boolean claimUnchecked;
  private int served;
  // The highest block that our chain had while it was connected, or that its own branch showed.
  private int shown;

  HeaderLink(Peer peer) {
    this.questions = new HeaderQuestions(peer);
  }

  /** How many headers it sent that were not known before. */
  public int served() {
    return served;
  }

  void serves(int count) {
    served += count;
  }

  /** Whether it has sent all headers that it has. */
  public boolean isDone() {
    return done;
  }

  void done(boolean all) {
    done = all;
  }

  /** Headers up to this height are known, by whomever, or are on its own branch. */
  void shows(int height) {
    shown = Math.max(shown, height);
  }

  /**
   * The highest block that our chain had while it was connected, or that its own branch showed. A
   * reorganisation to a lower height takes nothing from that.
   */
  int shown() {
    return shown;
  }

  /** Whether it owes headers. */
  public boolean isAsked() {
    return !questions.isEmpty();
  }

  /** By how much its clock is ahead of the steady time, by its version message. */
  public void clockIsAhead(Duration by) {
    future.clockIsAhead(by);
  }

  /** The headers after the batch that is about to be processed are requested. */
  void asksAhead() {
    askedAhead = true;
  }

  /** No request follows the batch that came. */
  public void passOver() {
    askedAhead = false;
  }

  /** The batch is processed; returns whether the headers after it are requested already. */
  boolean takeAskedAhead() {
    boolean taken = askedAhead;
    askedAhead = false;
    return taken;
  }

  /** Whether it may have the headers above a height that lead to the checkpoints. */
  boolean mayHaveAbove(int height) {
    return height < lacksAbove;
  }

  void lacksAbove(int height) {
    lacksAbove = Math.min(lacksAbove, height);
  }

  /** The limit of bytes leaves its claim unchecked; returns whether that is new. */
  boolean leaveClaimUnchecked() {
    boolean news = !claimUnchecked;
    claimUnchecked = true;
    return news;
  }

  boolean isClaimUnchecked() {
    return claimUnchecked;
  }
}
