package org.murmur.p2p.peers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The peers that are called or connected, in the order in which they were called. */
public final class Roster {

  private final Map<Integer, Peer> peers = new LinkedHashMap<>();

  private boolean stale;

  /** Whether no block came for so long that somebody else may know more. */
  public boolean isStale() {
    return stale;
  }

  /** No block came for long, or one came. */
  public void stale(boolean now) {
    stale = now;
  }

  /** All peers; who goes must not be taken out while they are gone through. */
  public Collection<Peer> peers() {
    return peers.values();
  }

  /** The peers of whom something is true. */
  public List<Peer> peers(Predicate<Peer> which) {
    List<Peer> found = new ArrayList<>(peers.values());
    found.removeIf(which.negate());
    return found;
  }

  /** The peer at a link, or null if it is gone. */
  public @Nullable Peer get(int link) {
    return peers.get(link);
  }

  public boolean contains(int link) {
    return peers.containsKey(link);
  }

  public void add(Peer peer) {
    peers.put(peer.link().id(), peer);
  }

  public @Nullable Peer remove(int link) {
    return peers.remove(link);
  }

  public void clear() {
    peers.clear();
  }

  public int size() {
    return peers.size();
  }

  public boolean isEmpty() {
    return peers.isEmpty();
  }
}
