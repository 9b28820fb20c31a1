package org.murmur.p2p.sync;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The peers that are called or connected, in the order in which they were called. */
final class Roster {

  private final Map<Integer, Peer> peers = new LinkedHashMap<>();

  // Whether no block came for so long that somebody else may know more.
  boolean stale;

  /** All peers; who goes must not be taken out while they are gone through. */
  Collection<Peer> peers() {
    return peers.values();
  }

  /** The peers of whom something is true. */
  List<Peer> peers(Predicate<Peer> which) {
    List<Peer> found = new ArrayList<>(peers.values());
    found.removeIf(which.negate());
    return found;
  }

  /** The peer at a link, or null if it is gone. */
  @Nullable Peer get(int link) {
    return peers.get(link);
  }

  boolean contains(int link) {
    return peers.containsKey(link);
  }

  void add(Peer peer) {
    peers.put(peer.link.id(), peer);
  }

  @Nullable Peer remove(int link) {
    return peers.remove(link);
  }

  void clear() {
    peers.clear();
  }

  int size() {
    return peers.size();
  }

  boolean isEmpty() {
    return peers.isEmpty();
  }
}
