package org.murmur.p2p.dial;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.peers.ViewService;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/**
 * The peers that were found and are called or connected, and how many are wanted of each kind:
 * <em>scanners</em>, which serve the session's kind of view and are asked for blocks, and
 * <em>header peers</em>.
 */
final class FoundPeers {

  /** Header peers beside the scanners. */
  static final int HEADER_PEERS = 2;

  private final SyncSettings settings;
  private final ViewService service;
  private final Roster roster;
  private final @Nullable Guards guards;
  // Guards of earlier sessions, which are called by name.
  private final int namedGuards;
  // By link id, in the order of the calls.
  private final Map<Integer, FoundPeer> all = new LinkedHashMap<>();

  /**
   * A peer that is called or connected at an address of the table.
   *
   * @param peer the peer
   * @param endpoint its place in the table, where all is kept that outlives the connection
   * @param group the group of that address
   */
  record FoundPeer(Peer peer, Endpoint endpoint, NetGroup group) {}

  FoundPeers(
      SyncSettings settings,
      ViewService service,
      Roster roster,
      @Nullable Guards guards,
      int namedGuards) {
    this.settings = settings;
    this.service = service;
    this.roster = roster;
    this.guards = guards;
    this.namedGuards = namedGuards;
  }

  void add(Peer peer, Endpoint endpoint) {
    all.put(peer.link().id(), new FoundPeer(peer, endpoint, NetGroup.of(endpoint)));
    roster.add(peer);
  }

  /** Takes a peer off this list; the roster keeps it. */
  void remove(Peer peer) {
    all.remove(peer.link().id());
  }

  void clear() {
    all.clear();
  }

  Collection<FoundPeer> all() {
    return all.values();
  }

  /** The one at a link, or null if its peer was not found but named. */
  @Nullable FoundPeer find(Link link) {
    return all.get(link.id());
  }

  /**
   * The one at a peer's link.
   *
   * @throws IllegalArgumentException if it was not found but named
   */
  FoundPeer of(Peer peer) {
    FoundPeer found = find(peer.link());
    if (found == null) {
      throw new IllegalArgumentException("link " + peer.link() + " is of no peer that was found");
    }
    return found;
  }

  // ---- how many are there ----

  int scanners() {
    return ready(false);
  }

  int headerPeers() {
    return ready(true);
  }

  private int ready(boolean forHeaders) {
    int count = 0;
    for (FoundPeer each : all.values()) {
      count += each.peer().isReady() && each.peer().forHeaders() == forHeaders ? 1 : 0;
    }
    return count;
  }

  /** Those whose version handshake is not done. */
  List<FoundPeer> connecting() {
    List<FoundPeer> connecting = new ArrayList<>(all.values());
    connecting.removeIf(each -> each.peer().isReady());
    return connecting;
  }

  int connecting(boolean forHeaders) {
    int count = 0;
    for (FoundPeer each : connecting()) {
      count += each.peer().forHeaders() == forHeaders ? 1 : 0;
    }
    return count;
  }

  boolean isConnecting(Endpoint endpoint) {
    return connecting().stream().anyMatch(each -> endpoint.equals(each.endpoint()));
  }

  // ---- how many are wanted ----

  int wantedScanners() {
    return Math.max(0, settings.connections() - namedGuards);
  }

  int missingScanners() {
    return wantedScanners() - scanners();
  }

  int missingHeaderPeers() {
    int wanted = settings.headersOnly() ? 0 : HEADER_PEERS + (roster.wantsOneMore() ? 1 : 0);
    return wanted - headerPeers();
  }

  /** Whether a sync can do what it is asked to with the scanners that are there. */
  boolean areEnough() {
    return scanners() >= neededScanners();
  }

  private int neededScanners() {
    int wanted = wantedScanners();
    if (guards != null) {
      return guards.preset().onePeer() ? Math.min(1, wanted) : wanted;
    }
    return settings.headersOnly() ? 1 : Math.min(wanted, settings.verify());
  }

  /** What a peer must serve to be a scanner. */
  long scannerServices() {
    return settings.headersOnly() ? Services.NETWORK : service.withAllBlocks();
  }

  /** A header peer that can do more takes the place of a scanner that is gone. */
  boolean promote() {
    boolean any = false;
    for (Peer peer : guards == null ? roster.peers() : List.<Peer>of()) {
      Message.Version version = peer.version();
      if (missingScanners() > 0
          && peer.forHeaders()
          && version != null
          && Services.has(version.services(), service.withAllBlocks())) {
        peer.useForHeaders(false);
        any = true;
      }
    }
    return any;
  }
}
