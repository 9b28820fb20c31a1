package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.internal.wire.Headers;

/** The headers of one peer that our clock refuses as from the future. State only. */
final class FutureHeaders {

  // Our clock refuses the newest of these headers until it shows this; null if none was refused, or
  // later headers were accepted.
  private @Nullable Instant leftOutUntil;
  // Whether the user was warned of this peer's.
  private boolean reported;
  // Whether the peer was asked for the headers after them.
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

  /** Leaves out the headers from an index on. */
  boolean leaveOut(Headers headers, int index) {
    int last = headers.count() - 1;
    leftOutUntil =
        Instant.ofEpochSecond(
            Math.max(headers.time(index), headers.time(last)) - ConsensusRules.FUTURE_SECONDS);
    boolean first = !reported;
    reported = true;
    return first;
  }

  /** Headers came that our clock accepts. */
  void forget() {
    leftOutUntil = null;
  }

  /**
   * The peer has no more headers, so our clock refuses none. An empty answer about those after
   * refused ones does not mean that.
   */
  void ends() {
    if (!askedBeyond) {
      leftOutUntil = null;
    }
    askedBeyond = false;
  }

  /** Sets whether the request for the headers after them is open. */
  void askedBeyond(boolean asked) {
    askedBeyond = asked;
  }

  boolean isAskedBeyond() {
    return askedBeyond;
  }

  /** How much our clock is behind at least, if the headers are honest; zero if none is refused. */
  Duration leftOutBy(Instant clock) {
    Instant until = leftOutUntil;
    return until == null || !clock.isBefore(until) ? Duration.ZERO : Duration.between(clock, until);
  }

  /** Whether our clock accepts by now what it refused. */
  boolean isLetIn(Instant clock) {
    return leftOutUntil != null && !clock.isBefore(leftOutUntil);
  }
}
