package org.murmur.wallet;

import java.util.Optional;
import org.murmur.p2p.sync.SyncEvent.NoUsablePeer;
import org.murmur.p2p.sync.SyncEvent.PeerSearch;

/** A sync ended because no peer was left to work with. What was synced until then is kept. */
public final class NoUsablePeerException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What stood in the way. */
  private final NoUsablePeer.Kind kind;

  private final transient SyncReport report;

  private final transient Optional<PeerSearch> search;

  /**
   * Makes one.
   *
   * @param kind what stood in the way
   * @param message for people
   * @param report what was done until then
   * @param search how far the search for peers came, where they were to be found
   */
  public NoUsablePeerException(
      NoUsablePeer.Kind kind, String message, SyncReport report, Optional<PeerSearch> search) {
    super(message);
    this.kind = kind;
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
   * Returns what stood in the way.
   *
   * @return for instance that no peer serves BIP-0037
   */
  public NoUsablePeer.Kind kind() {
    return kind;
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
