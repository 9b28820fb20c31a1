package org.murmur.p2p.internal.discovery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The connection attempts to one address in this session, and when the next one may be made: soon,
 * then after pauses that double up to a minute. They are not stored. Pinned peers and addresses of
 * the table are counted in the same way.
 */
public final class Attempts {

  /** How often a peer that once answered is called before a one-off sync gives it up. */
  public static final int MAX_CALLS = 4;

  /** The longest pause before calling again. */
  public static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /** Doubled this many times, a pause exceeds the longest. */
  private static final int MAX_DOUBLINGS = 10;

  private int calls;
  private Instant pausedSince = Instant.EPOCH;
  private Instant pausedUntil = Instant.EPOCH;
  // Unlike the calls, these two are never reset.
  private boolean tried;
  private boolean reached;
  // Failures of earlier sessions do not delay the next attempt.
  private boolean excused;
  private int askedIn;

  /** Creates the state of an address that was never called, and may be. */
  public Attempts() {}

  /**
   * Returns how long the pause is after some calls.
   *
   * @return at most {@link #LONGEST_PAUSE}
   */
  public static Duration pauseAfter(int calls) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(calls, MAX_DOUBLINGS));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /**
   * {@return the number of calls since it was last {@link #useful}, 0 after a useful connection}
   */
  public int calls() {
    return calls;
  }

  /** Records a call. */
  public void called() {
    calls++;
    tried = true;
    excused = false;
  }

  boolean wasTried() {
    return tried;
  }

  /** Records a version message. */
  void reached() {
    reached = true;
    // Perhaps it was called before it was in the table.
    tried = true;
  }

  /**
   * {@return whether its version message came in this session; true if so, even if the connection
   * failed later}
   */
  public boolean wasReached() {
    return reached;
  }

  /** Records that it was asked for addresses. */
  public void asked(int search) {
    askedIn = search;
  }

  /**
   * Returns whether it was asked for addresses in a search.
   *
   * @return true if that was the last one in which it was asked
   */
  public boolean wasAsked(int search) {
    return askedIn == search;
  }

  /** Records that the peer was useful, which resets the number of calls. */
  public void useful() {
    calls = 0;
  }

  /**
   * Begins a pause.
   *
   * @param until its end; {@link Instant#MAX} gives the address up for this session
   */
  public void pauseUntil(Instant now, Instant until) {
    pausedSince = now;
    pausedUntil = until;
  }

  /** Ends the pause and resets the number of calls, after this computer was offline. */
  public void retryNow() {
    calls = 0;
    pauseUntil(Instant.EPOCH, Instant.EPOCH);
  }

  /** The same; for a proven address, failures of earlier sessions are forgotten as well. */
  void retryNow(boolean proven) {
    retryNow();
    excused = proven;
  }

  /** Whether a call may be made, considering what is stored about the address. */
  boolean mayBeCalled(KnownAddress known, Instant now) {
    return !isPaused(now) && (excused ? !known.isBanned(now) : known.mayBeCalled(now));
  }

  /** {@return when it may be called again; null if it was given up} */
  public @Nullable Instant callAt() {
    return pausedUntil.equals(Instant.MAX) ? null : pausedUntil;
  }

  /**
   * Returns whether it must not be called now. A pause also ends when the clock is set to a time
   * before its begin.
   */
  boolean isPaused(Instant now) {
    return now.isBefore(pausedUntil) && !now.isBefore(pausedSince);
  }
}
