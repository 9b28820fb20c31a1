package org.murmur.wallet.sync;

import java.util.Map;
import java.util.Optional;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact.NoUsablePeer;
import org.murmur.p2p.sync.SyncFact.PeerSearch;
import org.murmur.p2p.sync.SyncWarning;

/** A sync ended because no usable peer was left. Everything synced until then is kept. */
public final class NoUsablePeerException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The obstacles of the session. */
  private final Obstacle.Kind kind;

  private final transient Map<NodeAddress, Obstacle> obstacles;

  private final transient Optional<SyncWarning.MissingGuard> missing;

  private final transient SyncReport report;

  private final transient Optional<PeerSearch> search;

  /**
   * Makes one.
   *
   * @param none the obstacles, and their peers
   * @param message for people
   * @param report the report up to then
   * @param search the result of the search for peers, if they were discovered
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

  /** {@return the result of the search for peers; empty if peers were named} */
  public Optional<PeerSearch> search() {
    return search;
  }

  /** {@return the worst of all obstacles, for instance that no peer serves BIP-0037} */
  public Obstacle.Kind kind() {
    return kind;
  }

  /**
   * Returns the obstacle at each peer.
   *
   * @return for each named peer, in their order; if peers were discovered, for those that hindered
   *     the search; empty if a guard is missing; unmodifiable
   */
  public Map<NodeAddress, Obstacle> obstacles() {
    return obstacles;
  }

  /** {@return the missing guard; empty unless the kind is {@link Obstacle.Kind#NO_GUARD}} */
  public Optional<SyncWarning.MissingGuard> missing() {
    return missing;
  }

  /** {@return the report up to then, a report that is not complete} */
  public SyncReport report() {
    return report;
  }
}
