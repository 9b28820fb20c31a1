package org.murmur.wallet.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.SyncReport;

/**
 * Who took part in a session, and what each did, for the report. A session of weeks meets more
 * peers than anybody wants to read of: of those that were found the ones that are gone and did
 * least make room.
 */
final class Participants {

  /** The most peers that are reported. Far above what any session has at a time. */
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
    boolean inBackOff;
    // Whether the version handshake is complete and the peer still there.
    boolean ready;
    // Of its chain, as it said; negative before the version handshake.
    int height = -1;
  }

  /**
   * Begins with nobody.
   *
   * @param named who is reported in any case
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

  /** Notes what the machine says of peers. */
  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady ready) {
      Participation peer = of(ready.address());
      peer.ready = true;
      peer.userAgent = ready.userAgent();
      peer.height = ready.height();
      peer.inBackOff = false;
      peer.problem = Optional.empty();
    } else if (event instanceof SyncEvent.PeerLost lost) {
      Participation peer = of(lost.address());
      peer.problem = Optional.of(lost.detail());
      peer.ready = false;
      Optional<String> misbehaviour = misbehaviour(lost);
      if (misbehaviour.isPresent()) {
        peer.misbehaviour = misbehaviour;
      }
    } else if (event instanceof SyncEvent.PeerInBackOff left) {
      Participation peer = of(left.address());
      peer.inBackOff = true;
      peer.problem = Optional.of("left alone for what it did before (" + left.reason() + ")");
    } else if (event instanceof SyncEvent.HeadersServed served) {
      of(served.address()).headers += served.count();
    }
  }

  /** What a peer did wrong that was let go; empty if it is innocent. */
  static Optional<String> misbehaviour(SyncEvent.PeerLost lost) {
    return lost.reason().isMisbehaviour()
        ? Optional.of(lost.reason() + ": " + lost.detail())
        : Optional.empty();
  }

  /** Those that are connected, after the version handshake. */
  Set<PeerAddress> ready() {
    Set<PeerAddress> ready = new LinkedHashSet<>();
    peers.forEach(
        (address, peer) -> {
          if (peer.ready) {
            ready.add(address);
          }
        });
    return ready;
  }

  /** Why those that are of no use are of none. */
  Map<PeerAddress, String> problems() {
    Map<PeerAddress, String> problems = new LinkedHashMap<>();
    peers.forEach((address, peer) -> peer.problem.ifPresent(why -> problems.put(address, why)));
    return problems;
  }

  /** Headers that were new, of all of them. */
  int headers() {
    return peers.values().stream().mapToInt(peer -> peer.headers).sum();
  }

  /** What a report says of them. */
  List<SyncReport.Participant> report() {
    List<SyncReport.Participant> report = new ArrayList<>();
    peers.forEach(
        (address, p) ->
            report.add(
                new SyncReport.Participant(
                    address, p.userAgent, p.blocks, p.headers, p.misbehaviour, p.problem)));
    return report;
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

  /** All of them, in the order they came. */
  Set<Map.Entry<PeerAddress, Participation>> all() {
    return peers.entrySet();
  }

  /** How many there are. */
  int size() {
    return peers.size();
  }
}
