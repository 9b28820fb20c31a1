package org.murmur.p2p.internal.discovery;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.wire.Services;

/**
 * An entry of the address table, as it is stored: an {@link Endpoint} and its history. Times are
 * seconds since 1970, 0 for never.
 *
 * @param firstHand whether the services come from the node's own version message, not from other
 *     nodes
 * @param lastSeen when it was last seen, as far as known
 * @param proven whether a handshake succeeded there
 * @param lastTry time of the last connection attempt
 * @param lastSuccess time of the last successful handshake
 * @param failures failed attempts since
 * @param latencyMillis the fastest round trip seen, or -1
 * @param bannedUntil end of its ban
 * @param bannedFor reason of the ban, or empty
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

  /** The first pause after a failed attempt, in seconds; doubled every time. */
  private static final long FIRST_BACK_OFF = 60;

  /** Doubled nine times, it exceeds eight hours, the longest pause. */
  private static final int MAX_DOUBLINGS = 9;

  /** Failed attempts after which a fresh address is removed (Core's number). */
  private static final int MAX_FRESH_FAILURES = 3;

  /** The same for a proven address that was last reached long ago. */
  private static final int MAX_PROVEN_FAILURES = 10;

  private static final Duration LONG_AGO = Duration.ofDays(7);

  /** No ban lasts longer, in seconds: a day, as in Bitcoin Core. */
  public static final long LONGEST_BAN = 24 * 3600;

  static KnownAddress announced(Endpoint endpoint, long services, long lastSeen, NetGroup source) {
    return new KnownAddress(endpoint, services, false, lastSeen, source, false, 0, 0, 0, -1, 0, "");
  }

  public NetGroup group() {
    return NetGroup.of(endpoint);
  }

  public boolean isBanned(Instant now) {
    return now.getEpochSecond() < bannedUntil;
  }

  /** Whether so many attempts failed that it is to be removed. */
  boolean isHopeless(Instant now) {
    return proven
        ? failures >= MAX_PROVEN_FAILURES && wasReachedLongAgo(now)
        : failures >= MAX_FRESH_FAILURES;
  }

  /** Whether it was last reached more than a week ago. */
  boolean wasReachedLongAgo(Instant now) {
    return lastSuccess < now.minus(LONG_AGO).getEpochSecond();
  }

  /** {@return the end of the pause after failed attempts, seconds since 1970} */
  public long backOffUntil() {
    if (failures == 0) {
      return 0;
    }
    int doublings = Math.min(failures - 1, MAX_DOUBLINGS);
    return lastTry + (FIRST_BACK_OFF << doublings);
  }

  /**
   * Returns whether a connection may be tried.
   *
   * @return false during a ban or a pause
   */
  public boolean mayBeCalled(Instant now) {
    return !isBanned(now) && now.getEpochSecond() >= backOffUntil();
  }

  boolean serves(long wanted) {
    return Services.has(services, wanted);
  }

  /**
   * Returns a copy without future times, which a wrong clock may have written.
   *
   * @return a copy whose past times are not after now, and whose ban is not longer than the maximum
   */
  KnownAddress asOf(long now) {
    return with(
        draft -> {
          draft.lastSeen = Math.min(lastSeen, now);
          draft.lastSuccess = Math.min(lastSuccess, now);
          // Its real time is unknown, so its pause is over.
          draft.lastTry = lastTry > now ? 0 : lastTry;
          draft.bannedUntil = Math.min(bannedUntil, now + LONGEST_BAN);
        });
  }

  KnownAddress announcedAgain(long reported, long seen, NetGroup by) {
    return with(
        draft -> {
          draft.services = firstHand ? services : services | reported;
          draft.lastSeen = Math.max(lastSeen, seen);
          draft.source = by;
        });
  }

  KnownAddress called(long now) {
    return with(draft -> draft.lastTry = now);
  }

  KnownAddress failed(long now) {
    return with(
        draft -> {
          draft.lastTry = now;
          draft.failures = failures + 1;
        });
  }

  KnownAddress reached(long offered, long now) {
    boolean over = now >= bannedUntil;
    return with(
        draft -> {
          draft.services = offered;
          draft.firstHand = true;
          draft.lastSeen = now;
          draft.lastTry = now;
          draft.lastSuccess = now;
          draft.failures = 0;
          draft.bannedUntil = over ? 0 : bannedUntil;
          draft.bannedFor = over ? "" : bannedFor;
        });
  }

  KnownAddress measured(long millis) {
    boolean faster = millis >= 0 && (latencyMillis < 0 || millis < latencyMillis);
    return faster ? with(draft -> draft.latencyMillis = millis) : this;
  }

  KnownAddress proven(boolean reachedBefore) {
    return with(draft -> draft.proven = reachedBefore);
  }

  KnownAddress banned(long until, String why) {
    return with(
        draft -> {
          draft.bannedUntil = until;
          draft.bannedFor = why;
        });
  }

  private KnownAddress with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** A mutable copy of the changing fields. */
  private static final class Draft {
    final Endpoint endpoint;
    long services;
    boolean firstHand;
    long lastSeen;
    NetGroup source;
    boolean proven;
    long lastTry;
    long lastSuccess;
    int failures;
    long latencyMillis;
    long bannedUntil;
    String bannedFor;

    Draft(KnownAddress known) {
      endpoint = known.endpoint;
      services = known.services;
      firstHand = known.firstHand;
      lastSeen = known.lastSeen;
      source = known.source;
      proven = known.proven;
      lastTry = known.lastTry;
      lastSuccess = known.lastSuccess;
      failures = known.failures;
      latencyMillis = known.latencyMillis;
      bannedUntil = known.bannedUntil;
      bannedFor = known.bannedFor;
    }

    KnownAddress done() {
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
          bannedUntil,
          bannedFor);
    }
  }
}
