package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Roster;

/**
 * Checks by the peers' data whether this machine's clock is behind. Headers from the future are
 * refused, and a chain that ends where the clock says so is not complete. The result follows from
 * the currently refused headers, so it is right again once the clock or a peer is.
 *
 * <p>One peer can invent such headers, so it takes more than half of the connected peers that have
 * sent their chain.
 */
public final class ClockCheck {

  /** The last second that a header can have: its field has 32 bits. */
  private static final long LATEST = 0xffff_ffffL;

  /**
   * A smaller error of the clock is no fault: miners date blocks up to the limit, and no clock is
   * exact. The chain then ends below the block, as if it had not been mined yet.
   */
  static final Duration FAULT = Duration.ofMinutes(10);

  private ClockCheck() {}

  /**
   * Returns by how much a peer's clock is ahead of a time; its seconds since 1970 can be anything.
   */
  public static Duration ahead(long theirs, Instant of) {
    long sane = Math.max(0, Math.min(LATEST, theirs));
    return Duration.ofSeconds(sane - of.getEpochSecond());
  }

  /**
   * Returns by how much the clock is behind the time that peers announce, or at least behind that
   * of their headers; empty if it seems to be right.
   */
  public static Optional<Duration> behind(Effects effects, Roster<? extends HeaderPeer> roster) {
    int told = 0;
    List<Duration> said = new ArrayList<>();
    for (HeaderPeer peer : roster.peers()) {
      if (!peer.isReady() || !peer.headers().isDone()) {
        continue;
      }
      told++;
      Duration by = behind(peer, effects);
      if (by.compareTo(FAULT) >= 0) {
        said.add(by);
      }
    }
    if (2 * said.size() <= told) {
      return Optional.empty();
    }
    said.sort(Duration::compareTo);
    return Optional.of(said.get(said.size() / 2));
  }

  /**
   * By how much the clock is behind according to one peer; zero if none of its headers is refused.
   */
  private static Duration behind(HeaderPeer peer, Effects effects) {
    Instant clock = effects.clock();
    Duration least = peer.headers().future.leftOutBy(clock);
    if (least.isZero()) {
      return least;
    }
    Duration ahead =
        Duration.between(clock, effects.now().plus(peer.headers().future.clockAhead()));
    return ahead.compareTo(least) > 0 ? ahead : least;
  }
}
