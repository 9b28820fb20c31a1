package org.murmur.wallet.sync;

import java.util.Map;
import java.util.Optional;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent.NoUsablePeer;
import org.murmur.p2p.sync.SyncEvent.PeerSearch;
import org.murmur.p2p.sync.SyncWarning;

/** A sync ended because no peer was left to work with. What was synced until then is kept. */
public final class NoUsablePeerException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What stood in the way. */
  private final Obstacle.Kind kind;

  private final transient Map<PeerAddress, Obstacle> obstacles;

  private final transient Optional<SyncWarning.MissingGuard> missing;

  private final transient SyncReport report;

  private final transient Optional<PeerSearch> search;

  /**
   * Makes one.
   *
   * @param none what stood in the way, and at whom
   * @param message for people
   * @param report what was done until then
   * @param search how far the search for peers came, where they were to be found
   */
  public NoUsablePeerException(
      NoUsablePeer none, String message, SyncReport report, Optional<PeerSearch> search) {
    super(message);
    this.kind = none.kind();
    this.obstacles = none.obstacles();
    this.missing = none.missing();
    this.report = report;
    this.search = search;
  }

  /**
   * Returns how far the search for peers came.
   *
   * @return empty where peers were named
   */
  public Optional<PeerSearch> search() {
    return search;
  }

  /**
   * Returns what stood in the way, the worst of all.
   *
   * @return for instance that no peer serves BIP-0037
   */
  public Obstacle.Kind kind() {
    return kind;
  }

  /**
   * Returns what stood in the way at whom.
   *
   * @return for each peer that was named, in their order; where peers were looked for, of those
   *     that stood in the way of looking; empty where there is no guard; unmodifiable
   */
  public Map<PeerAddress, Obstacle> obstacles() {
    return obstacles;
  }

  /**
   * Returns which guard is missing.
   *
   * @return empty unless the kind is {@link Obstacle.Kind#NO_GUARD}
   */
  public Optional<SyncWarning.MissingGuard> missing() {
    return missing;
  }

  /**
   * Returns what was done until then.
   *
   * @return a report that is not complete
   */
  public SyncReport report() {
    return report;
  }
}
