package org.murmur.p2p.internal.dial;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.SyncWarning;

/** The net groups of all peers. Peers of one group may have one operator. */
final class NetGroups extends Part<Peer> {

  private final @Nullable Guards guards;
  private final Contacts contacts;
  private boolean warned;

  NetGroups(Part<?> machine, @Nullable Guards guards, Contacts contacts) {
    super(machine);
    this.guards = guards;
    this.contacts = contacts;
  }

  /** The group of a peer; a host name without a known address is a group of its own. */
  NetGroup of(Peer peer) {
    NetGroup group = known(peer);
    return group == null ? NetGroup.ofName(peer.link().address().host()) : group;
  }

  private @Nullable NetGroup known(Peer peer) {
    Contact contact = contacts.at(peer.link());
    return contact == null ? null : contact.group(peer);
  }

  /** Whether no other connected peer among some is of its group. */
  boolean isAlone(Peer peer, Predicate<Peer> among) {
    NetGroup group = of(peer);
    return roster.peers(other -> other != peer && other.isReady() && among.test(other)).stream()
        .noneMatch(other -> group.equals(known(other)));
  }

  /** The groups of the peers that blocks are scanned with, connecting or connected. */
  Set<NetGroup> ofScanners() {
    return of(peer -> !peer.forHeaders());
  }

  private Set<NetGroup> of(Predicate<Peer> some) {
    Set<NetGroup> groups = new HashSet<>();
    for (Peer peer : roster.peers()) {
      NetGroup group = known(peer);
      if (group != null && some.test(peer)) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** The groups of all peers, connecting or connected, and of all guards. */
  Set<NetGroup> inUse() {
    Set<NetGroup> groups = of(peer -> true);
    if (guards != null) {
      for (NodeAddress guard : guards.chosen()) {
        guard.endpoint().ifPresent(endpoint -> groups.add(NetGroup.of(endpoint)));
      }
    }
    return groups;
  }

  /** Warns once if all connected peers are of one group. */
  void warnOfOne() {
    Set<NetGroup> groups = new LinkedHashSet<>();
    int ready = 0;
    for (Peer peer : roster.peers()) {
      if (peer.isReady()) {
        ready++;
        groups.add(of(peer));
      }
    }
    if (!warned && groups.size() == 1 && !settings.headersOnly()) {
      warned = true;
      effects.emit(new SyncWarning.OneNetworkGroup(ready, groups.iterator().next()));
    }
  }
}
