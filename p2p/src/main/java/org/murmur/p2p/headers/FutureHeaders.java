package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.wire.Headers;

/**
 * Headers of one peer that were left out because our clock says that they are of the future. State
 * only.
 */
final class FutureHeaders {

  // Until our clock shows this, the newest header that was left out stays out; null if none was
  // left out, or headers came since that were not.
  private @Nullable Instant leftOutUntil;
  // Whether the user was warned of this peer's.
  private boolean reported;
  // Whether the peer was asked for what follows on them.
  private boolean askedBeyond;
  // By how much its clock is ahead of the session's steady time, by its version message.
  private Duration clockAhead = Duration.ZERO;

  void clockIsAhead(Duration by) {
    clockAhead = by;
  }

  /** By how much the peer's clock is ahead of the steady time, by its version message. */
  Duration clockAhead() {
    return clockAhead;
  }

  /**
   * Leaves out the headers from an index on.
   *
   * @return whether the user is to be warned
   */
  boolean leaveOut(Headers headers, int index) {
    int last = headers.count() - 1;
    leftOutUntil =
        Instant.ofEpochSecond(
            Math.max(headers.time(index), headers.time(last)) - ConsensusRules.FUTURE_SECONDS);
    boolean first = !reported;
    reported = true;
    return first;
  }

  /** Headers came that are not left out. */
  void forget() {
    leftOutUntil = null;
  }

  /** The peer has nothing more: that says something of its chain, except beyond these headers. */
  void ends() {
    if (!askedBeyond) {
      leftOutUntil = null;
    }
    askedBeyond = false;
  }

  /** The question for what follows on them is open, or is not. */
  void askedBeyond(boolean asked) {
    askedBeyond = asked;
  }

  boolean isAskedBeyond() {
    return askedBeyond;
  }

  /** By how much our clock is behind at least if they are honest; zero if none is left out. */
  Duration leftOutBy(Instant clock) {
    Instant until = leftOutUntil;
    return until == null || !clock.isBefore(until) ? Duration.ZERO : Duration.between(clock, until);
  }

  /** Whether there are some that our clock lets in by now. */
  boolean isLetIn(Instant clock) {
    return leftOutUntil != null && !clock.isBefore(leftOutUntil);
  }
}
