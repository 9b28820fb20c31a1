package org.murmur.wallet.internal.session;

import java.security.SecureRandom;
import java.time.Clock;

/**
 * The wallet's surroundings besides files and sockets: a clock, and randomness for keys, tweaks,
 * nonces and the names for a proxy. Parts of the session get from it what they need.
 */
public record Environment(Clock clock, SecureRandom dice) {

  /** The system's clock and randomness. */
  public static final Environment REAL = new Environment(Clock.systemUTC(), new SecureRandom());

  /** Returns the seconds since 1970. */
  public long seconds() {
    return clock.instant().getEpochSecond();
  }
}
