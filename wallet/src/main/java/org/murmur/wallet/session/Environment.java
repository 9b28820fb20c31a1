package org.murmur.wallet.session;

import java.security.SecureRandom;
import java.time.Clock;

/**
 * What a wallet needs of the world beside files and wires: the time, and dice. Everything further
 * in is handed what it needs of both.
 *
 * @param clock tells the time
 * @param dice for keys, tweaks, nonces and what a proxy is told
 */
public record Environment(Clock clock, SecureRandom dice) {

  /** The system's. */
  public static final Environment REAL = new Environment(Clock.systemUTC(), new SecureRandom());

  /**
   * Tells the time.
   *
   * @return seconds since 1970
   */
  public long seconds() {
    return clock.instant().getEpochSecond();
  }
}
