package org.murmur.p2p.internal.dial;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.SyncEvent;

/**
 * How many found peers of each kind are connected, and how many are wanted: <em>scanners</em>,
 * which serve the session's kind of view and are asked for blocks, and <em>header peers</em>.
 */
final class Places extends Part<Peer> {

  /** Wanted header peers, in addition to the scanners. */
  private static final int HEADER_PEERS = 2;

  private final @Nullable Guards guards;
  private final Contacts contacts;

  Places(Part<?> machine, @Nullable Guards guards, Contacts contacts) {
    super(machine);
    this.guards = guards;
    this.contacts = contacts;
  }

  // ---- connected ----

  int scanners() {
    return count(true, false);
  }

  /** Found peers whose version handshake is not done. */
  int connecting() {
    return count(false, false) + count(false, true);
  }

  int connecting(boolean forHeaders) {
    return count(false, forHeaders);
  }

  private int count(boolean ready, boolean forHeaders) {
    int count = 0;
    for (Contact contact : contacts.found()) {
      Peer peer = contacts.peer(contact);
      boolean fits = peer != null && peer.isReady() == ready && peer.forHeaders() == forHeaders;
      count += fits ? 1 : 0;
    }
    return count;
  }

  boolean isConnecting(Endpoint endpoint) {
    for (Contact contact : contacts.found()) {
      Peer peer = contacts.peer(contact);
      if (peer != null && !peer.isReady() && endpoint.equals(contact.endpoint)) {
        return true;
      }
    }
    return false;
  }

  // ---- wanted ----

  /** The number of found scanners wanted, in addition to the pinned peers. */
  int wantedScanners() {
    return Math.max(0, settings.peers().connections() - contacts.pinned().size());
  }

  int missingScanners() {
    return wantedScanners() - scanners();
  }

  int missingHeaderPeers() {
    int wanted = settings.headersOnly() ? 0 : HEADER_PEERS + (roster.wantsOneMore() ? 1 : 0);
    return wanted - count(true, true);
  }

  /** Whether the connected peers suffice for what this sync is asked to do. */
  boolean areEnough() {
    return !lacksScanners() && !lacksWitness();
  }

  boolean lacksScanners() {
    return scanners() < neededScanners();
  }

  /** Whether too few peers are connected whose block filters check the scan. */
  boolean lacksWitness() {
    return service.isWitnessed(settings) && witnesses() < settings.preset().filterPeers();
  }

  private int witnesses() {
    return roster.peers(peer -> peer.isReady() && ViewService.COMPACT.isAt(peer)).size();
  }

  /** The search for what is lacking, with the nodes that answered. */
  SyncEvent.Search search(int reached, int compact) {
    return lacksScanners()
        ? new SyncEvent.Search(service.flag(), scanners(), neededScanners(), reached, compact)
        : new SyncEvent.Search(
            ViewService.COMPACT.flag(),
            witnesses(),
            settings.preset().filterPeers(),
            reached,
            compact);
  }

  /** The service bits that a header peer needs. It is also a witness if these are wanted. */
  long headerServices() {
    return service.isWitnessed(settings) ? ViewService.COMPACT.withAllBlocks() : Services.NETWORK;
  }

  private int neededScanners() {
    int wanted = wantedScanners();
    if (guards != null) {
      return guards.preset().onePeer() ? Math.min(1, wanted) : wanted;
    }
    return settings.headersOnly() ? 1 : Math.min(wanted, settings.preset().verify());
  }

  /** The service bits that a scanner needs. */
  long scannerServices() {
    return settings.headersOnly() ? Services.NETWORK : service.withAllBlocks();
  }

  /** Turns header peers that serve views into scanners, as long as scanners are missing. */
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
