package org.murmur.p2p.internal.peers;

import java.util.List;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;

/**
 * The bits of {@link Services} that the session's kind of view needs, and how to find and name
 * them. A peer must have all of them. The machine chooses it once; all parts that choose peers ask
 * it.
 *
 * @param bits service bits
 * @param flag their name in Core
 * @param bip the proposal behind them
 * @param seedBits the numbers to ask DNS seeds for: seeds support certain ones only
 * @param reason why a peer without them is disconnected
 * @param obstacle the obstacle of such a peer, for the user
 */
public record ViewService(
    long bits,
    String flag,
    String bip,
    List<Long> seedBits,
    DisconnectReason reason,
    Obstacle obstacle) {

  /** Views made by {@code filterload}. Nearly all nodes that have them have NODE_WITNESS, too. */
  public static final ViewService FILTERS =
      new ViewService(
          Services.BLOOM,
          "NODE_BLOOM",
          "BIP-0037",
          List.of(
              Services.NETWORK | Services.BLOOM,
              Services.NETWORK | Services.BLOOM | Services.WITNESS),
          DisconnectReason.NO_BLOOM,
          Obstacle.NO_BLOOM);

  /** Views made by block filters. */
  public static final ViewService COMPACT =
      new ViewService(
          Services.COMPACT_FILTERS,
          "NODE_COMPACT_FILTERS",
          "BIP-0157",
          List.of(
              Services.NETWORK | Services.COMPACT_FILTERS | Services.WITNESS,
              Services.NETWORK | Services.COMPACT_FILTERS | Services.WITNESS | Services.P2P_V2,
              Services.NETWORK_LIMITED
                  | Services.COMPACT_FILTERS
                  | Services.WITNESS
                  | Services.P2P_V2),
          DisconnectReason.NO_FILTERS,
          Obstacle.NO_FILTERS);

  /** The service that a preset needs. */
  public static ViewService of(Preset preset) {
    return preset instanceof Preset.Compact ? COMPACT : FILTERS;
  }

  /** Whether block filters check what is seen under other filters in a session. */
  public boolean isWitnessed(SyncSettings settings) {
    return equals(FILTERS) && !settings.headersOnly() && settings.preset().filterPeers() > 0;
  }

  /** Whether a peer has such views for us: it serves them, and is not used for headers only. */
  public boolean isFrom(Peer peer) {
    return !peer.forHeaders() && isAt(peer);
  }

  /** Whether a peer says that it serves such views. */
  public boolean isAt(Peer peer) {
    Message.Version version = peer.version();
    return version != null && isIn(version.services());
  }

  /** Whether some service bits include these. */
  public boolean isIn(long services) {
    return Services.has(services, bits);
  }

  /**
   * The order in which a search asks nodes for addresses, the highest first, by their service bits
   * as known or reported. Block filters may do instead. A node with these bits is called anyway.
   */
  public int rank(long services) {
    return isIn(services) ? 0 : COMPACT.isIn(services) ? 2 : 1;
  }

  /** The bits of a peer that also keeps all blocks, which a search prefers. */
  public long withAllBlocks() {
    return Services.NETWORK | bits;
  }

  /** Why a peer of this software and these services, which lack them, cannot be used. */
  public Refusal refusal(String userAgent, long services) {
    boolean other = equals(FILTERS) && COMPACT.isIn(services);
    return new Refusal(
        reason,
        other ? Obstacle.ONLY_FILTERS : obstacle,
        userAgent
            + " does not serve "
            + bip
            + " (no "
            + flag
            + (other ? ", but " + COMPACT.flag : "")
            + ")");
  }
}
