package org.murmur.wallet.internal.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/**
 * The peers of a session and their parts in it, for the report. A session of weeks meets more peers
 * than a report should list. Of the discovered peers, those that are gone and did least are
 * evicted.
 */
final class Participants {

  /** Maximum number of reported peers, far above what any session has at a time. */
  static final int MOST = 1_000;

  private final Set<NodeAddress> named;
  private final Map<NodeAddress, Participation> peers = new LinkedHashMap<>();

  /** A peer's part. */
  static final class Participation {
    String userAgent = "";
    boolean encrypted;
    int blocks;
    int headers;
    // Service bits; 0 before the version handshake.
    long services;
    Optional<String> misbehaviour = Optional.empty();
    Optional<String> problem = Optional.empty();
    boolean inBackOff;
    // Whether the version handshake is complete and the peer still there.
    boolean ready;
    // The height of its chain, as announced; negative before the version handshake.
    int height = -1;
  }

  /** Begins without peers. The named ones are always reported, in their order. */
  Participants(Set<NodeAddress> named) {
    this.named = Collections.unmodifiableSet(new LinkedHashSet<>(named));
  }

  /** A peer's part so far. */
  Participation of(NodeAddress peer) {
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

  /** The highest chain that one of them announced; negative if none did. */
  int highest() {
    return peers.values().stream().mapToInt(peer -> peer.height).max().orElse(-1);
  }

  /** Records the machine's events about peers. */
  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady ready) {
      Participation peer = of(ready.address());
      peer.ready = true;
      peer.userAgent = ready.userAgent();
      peer.encrypted = ready.encrypted();
      peer.height = ready.height();
      peer.services = ready.services();
      peer.inBackOff = false;
      peer.problem = Optional.empty();
    } else if (event instanceof SyncEvent.PeerLost lost) {
      Participation peer = of(lost.address());
      boolean done = lost.reason() == DisconnectReason.SERVED;
      peer.problem = done ? Optional.empty() : Optional.of(lost.detail());
      peer.ready = false;
      Optional<String> misbehaviour = lost.misbehaviour();
      if (misbehaviour.isPresent()) {
        peer.misbehaviour = misbehaviour;
      }
    } else if (event instanceof SyncWarning.PeerInBackOff left) {
      Participation peer = of(left.peer());
      peer.inBackOff = true;
      peer.problem = Optional.of("left alone for what it did before (" + left.reason() + ")");
    } else if (event instanceof SyncFact.HeadersServed served) {
      of(served.address()).headers += served.count();
    }
  }

  /** Those that are connected, after the version handshake. */
  Set<NodeAddress> ready() {
    return ready(0);
  }

  /** Those of them that have these service bits. */
  Set<NodeAddress> ready(long services) {
    Set<NodeAddress> ready = new LinkedHashSet<>();
    peers.forEach(
        (address, peer) -> {
          if (peer.ready && Services.has(peer.services, services)) {
            ready.add(address);
          }
        });
    return ready;
  }

  /** The warning that a peer does not say what waits in its memory pool; empty if it can. */
  Optional<WalletWarning> withoutPool(NodeAddress node) {
    Participation peer = peers.getOrDefault(node, new Participation());
    return ready(Services.BLOOM).contains(node)
        ? Optional.empty()
        : Optional.of(
            new WalletWarning.PoolNodeSilent(
                node, peer.problem.orElse(peer.ready ? "it has no NODE_BLOOM" : "no answer")));
  }

  /** The reasons why useless peers are useless. */
  Map<NodeAddress, String> problems() {
    Map<NodeAddress, String> problems = new LinkedHashMap<>();
    peers.forEach((address, peer) -> peer.problem.ifPresent(why -> problems.put(address, why)));
    return problems;
  }

  /** The number of new headers from all of them. */
  int headers() {
    return peers.values().stream().mapToInt(peer -> peer.headers).sum();
  }

  /** Their lines of a report, with one for each named peer that never answered. */
  List<SyncReport.Participant> report() {
    List<SyncReport.Participant> report = new ArrayList<>();
    peers.forEach(
        (address, p) ->
            report.add(
                new SyncReport.Participant(
                    address,
                    p.userAgent,
                    p.encrypted,
                    p.blocks,
                    p.headers,
                    p.misbehaviour,
                    p.problem)));
    for (NodeAddress address : named) {
      if (!peers.containsKey(address)) {
        report.add(
            new SyncReport.Participant(
                address,
                "",
                false,
                0,
                0,
                Optional.empty(),
                Optional.of("no answer before the end")));
      }
    }
    return report;
  }

  private void makeRoom() {
    if (!removeFirst(0) && !removeFirst(Integer.MAX_VALUE)) {
      // All of them are connected, or were named.
      Iterator<NodeAddress> first = peers.keySet().iterator();
      first.next();
      first.remove();
    }
  }

  /** Removes the first that is gone and served at most this many blocks. */
  private boolean removeFirst(int mostBlocks) {
    for (Map.Entry<NodeAddress, Participation> entry : peers.entrySet()) {
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

  /** A peer's part, or null if it is unknown. */
  @Nullable Participation find(NodeAddress peer) {
    return peers.get(peer);
  }

  /** All of them, in the order they came. */
  Set<Map.Entry<NodeAddress, Participation>> all() {
    return peers.entrySet();
  }

  /** How many there are. */
  int size() {
    return peers.size();
  }
}
