package org.murmur.wallet.internal.session;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.sync.SyncOptions;

/** The machine's settings, from a user's request. */
public final class SessionSettings {

  /** Enough to continue when one is lost, and for good speed when one is slow. */
  private static final int FOUND_PEERS = 3;

  private SessionSettings() {}

  static SyncSettings of(
      Books books, ChainParams network, SessionRequest request, SecureRandom dice) {
    SyncOptions options = request.options();
    Preset preset = request.preset();
    Limits limits = options.limits();
    boolean scans = request.isScan();
    long seed = dice.nextLong();
    boolean keyed = scans && (request.isGuarded() || !options.headersOnly());
    Bytes key = keyed ? books.filterKey(dice) : new ByteWriter(Long.BYTES).int64(seed).toBytes();
    return new SyncSettings(
        peers(books, request).connections(connections(options.peers(), preset)),
        options.route().proxy().isPresent(),
        preset,
        scans ? limits : limits.mempoolWait(Duration.ZERO),
        !scans || options.headersOnly(),
        request.goal() instanceof SessionGoal.Fees fees ? fees.blocks() : 0,
        scans && options.follow(),
        options.checkpoints().orElseGet(() -> Checkpoints.of(network)),
        key,
        seed);
  }

  /** Even if few may be connected at once, the guards must be among them. */
  private static Peers peers(Books books, SessionRequest request) {
    Peers peers = request.options().peers();
    if (!request.isGuarded()) {
      return peers;
    }
    List<NodeAddress> guardsFirst = new ArrayList<>(books.shown(true));
    guardsFirst.retainAll(peers.named());
    List<NodeAddress> others = new ArrayList<>(peers.named());
    others.removeAll(guardsFirst);
    guardsFirst.addAll(others);
    return peers.named(guardsFirst);
  }

  /**
   * Returns how many peers a session connects to: 0 for all named peers, otherwise 1 or more. Each
   * found one learns a filter.
   */
  public static int connections(Peers peers, Preset preset) {
    int wanted = peers.connections();
    if (wanted == 0 && peers.discovery().isPresent()) {
      wanted = preset.guarded().isPresent() ? Preset.Private.GUARDS : FOUND_PEERS;
    }
    int besides = preset.poolNode().isPresent() ? 1 : 0;
    return wanted == 0 ? 0 : Math.max(wanted, preset.leastPeers()) + besides;
  }

  /** Whether fewer connections are allowed than there are guards. */
  static boolean isShortOfGuards(SessionRequest request) {
    int wanted = request.options().peers().connections();
    return request.isGuarded() && wanted > 0 && wanted < request.preset().leastPeers();
  }
}
