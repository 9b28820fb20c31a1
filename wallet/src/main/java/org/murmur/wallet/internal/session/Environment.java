package org.murmur.wallet.internal.session;

import java.security.SecureRandom;
import java.time.Clock;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.net.CommitSink;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.net.Route;

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

  /**
   * Makes an idle loop that connects to peers of a network: through a proxy, if the route names
   * one, and never without it.
   */
  PeerLoop loop(Route route, Machine machine, CommitSink sink, ChainParams network) {
    return new PeerLoop(machine, sink, event -> {}, clock, network.magic(), route, dice);
  }
}
