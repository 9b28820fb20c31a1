package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/** Nobody is looked for: only the peers that are named are called, and addresses are not asked. */
final class NamedOnly implements Finder {

  private final Roster roster;

  NamedOnly(Roster roster) {
    this.roster = roster;
  }

  @Override
  public boolean hasRoom(int most) {
    return roster.size() < most;
  }

  @Override
  public void plan(boolean headersDone) {}

  @Override
  public @Nullable Instant due() {
    return null;
  }

  @Override
  public void heard() {}

  @Override
  public boolean take(Input input) {
    return false;
  }

  @Override
  public void proxyFailed(Input.ProxyFailed failed) {}

  @Override
  public boolean admit(Peer peer, Endpoint endpoint, Message.Version version) {
    throw foundByNobody(endpoint);
  }

  @Override
  public void letGo(Peer peer, Endpoint endpoint) {
    throw foundByNobody(endpoint);
  }

  @Override
  public void greet(Peer peer) {}

  @Override
  public void ready(Peer peer) {}

  @Override
  public void told(Peer peer, List<NetworkAddress> addresses) {}

  @Override
  public void lost(
      Peer peer, Endpoint endpoint, Obstacle obstacle, String why, DisconnectReason reason) {
    throw foundByNobody(endpoint);
  }

  private static IllegalStateException foundByNobody(Endpoint endpoint) {
    return new IllegalStateException(endpoint + " was found, but nobody was looking");
  }

  @Override
  public void hurry() {}

  @Override
  public void shun(PeerAddress address, DisconnectReason reason) {}

  @Override
  public boolean lacksScanner() {
    return false;
  }

  @Override
  public boolean hasMore() {
    return false;
  }

  @Override
  public boolean isAwaited(PeerAddress address) {
    return false;
  }

  @Override
  public @Nullable Instant greetingDue() {
    return null;
  }

  @Override
  public boolean isHopeless(boolean everReady) {
    return roster.isEmpty();
  }

  @Override
  public SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed) {
    return ofNamed;
  }

  @Override
  public String outage() {
    return "nobody is named";
  }

  @Override
  public void warnOfOneGroup() {}

  @Override
  public AddressChanges takeChanges() {
    return AddressChanges.NONE;
  }

  @Override
  public int addresses() {
    return 0;
  }

  @Override
  public int remembered() {
    return 0;
  }

  @Override
  public void stop() {}
}
