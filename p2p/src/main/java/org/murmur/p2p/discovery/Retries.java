package org.murmur.p2p.discovery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one address in this session, and when it is called again: soon, then after pauses that
 * double up to a minute. Named peers and addresses of the table are counted alike.
 */
public final class Retries {

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

  /** Makes one of an address that was never called, and may be. */
  public Retries() {}

  /**
   * Returns how long the pause is after some calls.
   *
   * @param calls how many failed
   * @return at most {@link #LONGEST_PAUSE}
   */
  public static Duration pauseAfter(int calls) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(calls, MAX_DOUBLINGS));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /**
   * Returns how often it was called since it was last {@link #useful of use}.
   *
   * @return how often
   */
  public int calls() {
    return calls;
  }

  /** Notes a call. */
  public void called() {
    calls++;
  }

  /** Notes that the peer was of use, so that it may be called again as often. */
  public void useful() {
    calls = 0;
  }

  /**
   * Begins a pause that suits the number of calls.
   *
   * @param now the time
   */
  public void pause(Instant now) {
    pauseUntil(now, now.plus(pauseAfter(calls)));
  }

  /**
   * Begins a pause.
   *
   * @param now the time
   * @param until its end
   */
  public void pauseUntil(Instant now, Instant until) {
    pausedSince = now;
    pausedUntil = until;
  }

  /**
   * Gives the address up for this session.
   *
   * @param now the time
   */
  public void giveUp(Instant now) {
    pauseUntil(now, Instant.MAX);
  }

  /** This machine was away: pauses are over, and calls before that do not count. */
  public void retryNow() {
    calls = 0;
    pauseUntil(Instant.EPOCH, Instant.EPOCH);
  }

  /**
   * Returns when it may be called again.
   *
   * @return null if it was given up
   */
  public @Nullable Instant callAt() {
    return pausedUntil.equals(Instant.MAX) ? null : pausedUntil;
  }

  /**
   * Returns whether it is not to be called now. A pause also ends when the clock is set to before
   * its begin.
   *
   * @param now the time
   * @return true during a pause, and if it was given up
   */
  public boolean isPaused(Instant now) {
    return now.isBefore(pausedUntil) && !now.isBefore(pausedSince);
  }
}
