package org.murmur.wallet;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * Who took part in a session, and what each did, for the report. A session of weeks meets more
 * peers than anybody wants to read of: of those that were found the ones that are gone and did
 * least make room.
 */
final class Participants {

  /** Peers that are told of. Far above what any session has at a time. */
  static final int MOST = 1_000;

  private final Set<PeerAddress> named;
  private final Map<PeerAddress, Participation> peers = new LinkedHashMap<>();

  /** What a peer did. */
  static final class Participation {
    String userAgent = "";
    int blocks;
    int headers;
    Optional<String> misbehaviour = Optional.empty();
    Optional<String> problem = Optional.empty();
    boolean shunned;
    // Of its chain, as it said; negative while it has not said hello.
    int height = -1;
  }

  /**
   * Begins with nobody.
   *
   * @param named who is told of in any case
   */
  Participants(Set<PeerAddress> named) {
    this.named = Set.copyOf(named);
  }

  /** What one peer did so far. */
  Participation of(PeerAddress peer) {
    Participation known = peers.get(peer);
    if (known == null) {
      if (peers.size() >= MOST) {
        makeRoom();
      }
      known = new Participation();
      peers.put(peer, known);
    }
    return known;
  }

  private void makeRoom() {
    if (!removeFirst(0) && !removeFirst(Integer.MAX_VALUE)) {
      // All of them are there, or were named.
      Iterator<PeerAddress> first = peers.keySet().iterator();
      first.next();
      first.remove();
    }
  }

  /** The first that is gone and served no more blocks than so many. */
  private boolean removeFirst(int mostBlocks) {
    for (Map.Entry<PeerAddress, Participation> entry : peers.entrySet()) {
      Participation peer = entry.getValue();
      if (peer.problem.isPresent()
          && peer.blocks <= mostBlocks
          && !named.contains(entry.getKey())) {
        peers.remove(entry.getKey());
        return true;
      }
    }
    return false;
  }

  /** What a peer did, or null if nothing is known of it. */
  @Nullable Participation find(PeerAddress peer) {
    return peers.get(peer);
  }

  /** Tells of all, in the order they came. */
  void forEach(BiConsumer<PeerAddress, Participation> told) {
    peers.forEach(told);
  }

  /** All of them, in the order they came. */
  Set<Map.Entry<PeerAddress, Participation>> all() {
    return peers.entrySet();
  }

  /** How many there are. */
  int size() {
    return peers.size();
  }
}
