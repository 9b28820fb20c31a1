package org.murmur.p2p.discovery;

import java.time.Instant;
import java.util.Objects;
import org.murmur.p2p.wire.Services;

/**
 * What is known of an address. Times are seconds since 1970, 0 for never.
 *
 * @param endpoint where
 * @param services service bits
 * @param firstHand whether the node itself told its services; otherwise somebody else did
 * @param lastSeen when it was last there, as far as is known
 * @param source the group of who told of it first
 * @param proven whether it is among those that were reached
 * @param lastTry when it was last called
 * @param lastSuccess when it last said hello
 * @param failures how often it was called in vain since
 * @param latencyMillis the fastest round trip seen, or -1
 * @param bannedUntil until when it is left alone for what it did
 * @param bannedFor what that was, or empty
 */
public record KnownAddress(
    Endpoint endpoint,
    long services,
    boolean firstHand,
    long lastSeen,
    NetGroup source,
    boolean proven,
    long lastTry,
    long lastSuccess,
    int failures,
    long latencyMillis,
    long bannedUntil,
    String bannedFor) {

  /** The first pause after a call in vain, in seconds; doubled every time. */
  private static final long FIRST_BACK_OFF = 60;

  /** Doubled nine times this is above eight hours, which is the longest pause. */
  private static final int MOST_DOUBLINGS = 9;

  static KnownAddress heardOf(Endpoint endpoint, long services, long lastSeen, NetGroup source) {
    return new KnownAddress(endpoint, services, false, lastSeen, source, false, 0, 0, 0, -1, 0, "");
  }

  /**
   * Returns the group of the address.
   *
   * @return its group
   */
  public NetGroup group() {
    return NetGroup.of(endpoint);
  }

  /**
   * Returns whether it is left alone for what it did.
   *
   * @param now the time
   * @return true before the end of its ban
   */
  public boolean isBanned(Instant now) {
    return now.getEpochSecond() < bannedUntil;
  }

  /**
   * Returns until when it is not called because calls were in vain.
   *
   * @return seconds since 1970
   */
  public long backOffUntil() {
    if (failures == 0) {
      return 0;
    }
    int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
    return lastTry + (FIRST_BACK_OFF << doublings);
  }

  /**
   * Returns whether it may be called.
   *
   * @param now the time
   * @return false during a ban or a pause; a pause is over when the clock was set back to before it
   *     began
   */
  public boolean mayBeCalled(Instant now) {
    long seconds = now.getEpochSecond();
    return !isBanned(now) && (seconds >= backOffUntil() || seconds < lastTry);
  }

  boolean serves(long wanted) {
    return Services.has(services, wanted);
  }

  KnownAddress toldAgain(long told, long seen, NetGroup by) {
    return new KnownAddress(
        endpoint,
        firstHand ? services : services | told,
        firstHand,
        Math.max(lastSeen, seen),
        by,
        proven,
        lastTry,
        lastSuccess,
        failures,
        latencyMillis,
        bannedUntil,
        bannedFor);
  }

  KnownAddress called(long now) {
    return with(proven, lastSeen, now, lastSuccess, failures, latencyMillis);
  }

  KnownAddress inVain(long now) {
    return with(proven, lastSeen, now, lastSuccess, failures + 1, latencyMillis);
  }

  KnownAddress reached(long offered, long now) {
    boolean over = now >= bannedUntil;
    return new KnownAddress(
        endpoint,
        offered,
        true,
        now,
        source,
        proven,
        now,
        now,
        0,
        latencyMillis,
        over ? 0 : bannedUntil,
        over ? "" : bannedFor);
  }

  KnownAddress measured(long millis) {
    boolean faster = millis >= 0 && (latencyMillis < 0 || millis < latencyMillis);
    return with(proven, lastSeen, lastTry, lastSuccess, failures, faster ? millis : latencyMillis);
  }

  KnownAddress proven(boolean reachedBefore) {
    return with(reachedBefore, lastSeen, lastTry, lastSuccess, failures, latencyMillis);
  }

  KnownAddress banned(long until, String why) {
    return new KnownAddress(
        endpoint,
        services,
        firstHand,
        lastSeen,
        source,
        proven,
        lastTry,
        lastSuccess,
        failures,
        latencyMillis,
        until,
        Objects.requireNonNull(why));
  }

  private KnownAddress with(
      boolean isProven, long seen, long tried, long success, int inVain, long latency) {
    return new KnownAddress(
        endpoint,
        services,
        firstHand,
        seen,
        source,
        isProven,
        tried,
        success,
        inVain,
        latency,
        bannedUntil,
        bannedFor);
  }
}
