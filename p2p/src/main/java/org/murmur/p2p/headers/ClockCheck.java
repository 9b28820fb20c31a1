package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;

/**
 * Whether this machine's clock is behind, by what peers say. Headers of the future are left out,
 * and a chain that ends where the clock says so is not complete. Computed anew from what is left
 * out now, so that nothing is remembered when the clock or a peer comes right.
 *
 * <p>One peer can make such headers up, so it takes more than half of those that are there and have
 * sent their chain.
 */
public final class ClockCheck {

  /** The last second that a header can be of: its field has 32 bits. */
  private static final long LATEST = 0xffff_ffffL;

  /**
   * A clock that is behind by less is no fault: miners date blocks up to the limit, and no clock is
   * exact. The chain then ends below the block, as if it had not been mined yet.
   */
  static final Duration FAULT = Duration.ofMinutes(10);

  private ClockCheck() {}

  /**
   * Returns by how much a peer's clock is ahead of a time.
   *
   * @param theirs seconds since 1970 as it says, which can be anything
   */
  public static Duration ahead(long theirs, Instant of) {
    long sane = Math.max(0, Math.min(LATEST, theirs));
    return Duration.ofSeconds(sane - of.getEpochSecond());
  }

  /**
   * Returns by how much the clock is behind, if it seems to be.
   *
   * @return what those peers say the time is, or at least what their headers show; empty if the
   *     clock seems right
   */
  public static Optional<Duration> behind(Effects effects, Roster roster) {
    int told = 0;
    List<Duration> said = new ArrayList<>();
    for (Peer peer : roster.peers()) {
      if (!peer.isReady() || !HeaderLink.of(peer).isDone()) {
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

  /** By how much the clock is behind by what one peer says; zero if none of its headers is out. */
  private static Duration behind(Peer peer, Effects effects) {
    Instant clock = effects.clock();
    Duration least = HeaderLink.of(peer).future.leftOutBy(clock);
    if (least.isZero()) {
      return least;
    }
    Duration ahead =
        Duration.between(clock, effects.now().plus(HeaderLink.of(peer).future.clockAhead()));
    return ahead.compareTo(least) > 0 ? ahead : least;
  }
}
