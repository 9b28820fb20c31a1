package org.murmur.wallet.internal.session;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.PeerReaction.Kind;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncReport;

/** The peers' reactions to the transaction that was sent in this session. */
final class BroadcastReplies {

  private final Hash256 txid;
  // Without those that refused it.
  private final Map<Kind, Set<NodeAddress>> peers = new EnumMap<>(Kind.class);
  private final Map<NodeAddress, String> refused = new LinkedHashMap<>();

  BroadcastReplies(Hash256 txid) {
    this.txid = txid;
  }

  /** A peer reacted to it. */
  void heard(SyncEvent.PeerReaction reaction) {
    if (reaction.kind() == Kind.REFUSED) {
      refused.put(reaction.peer(), reaction.reason());
    } else {
      peers(reaction.kind()).add(reaction.peer());
    }
  }

  private Set<NodeAddress> peers(Kind kind) {
    return peers.computeIfAbsent(kind, unheard -> new LinkedHashSet<>());
  }

  /** Whether this session announced it to a peer again. */
  boolean isOfferedTo(NodeAddress peer) {
    return peers(Kind.OFFERED).contains(peer);
  }

  /** Whether some peer has it or refused it, and each of those said whether it accepts it. */
  boolean isSettledBy(Set<NodeAddress> peers) {
    return (isAccepted() || !refused.isEmpty()) && haveReacted(peers);
  }

  /** Whether some peer has it, and each that fetched it said whether it accepts it. */
  boolean isSettled() {
    return isAccepted() && haveReacted(peers(Kind.FETCHED));
  }

  /** Whether a peer has it. */
  boolean isAccepted() {
    return !having().isEmpty();
  }

  private Set<NodeAddress> having() {
    Set<NodeAddress> having = new LinkedHashSet<>(peers(Kind.ACCEPTED));
    having.addAll(peers(Kind.ANNOUNCED));
    return having;
  }

  private boolean haveReacted(Set<NodeAddress> expected) {
    Set<NodeAddress> reacted = having();
    reacted.addAll(refused.keySet());
    return reacted.containsAll(expected);
  }

  /**
   * How peers took a payment of an earlier session; empty if this one did not announce it again.
   */
  Optional<SyncReport.Announced> rebroadcast() {
    Set<NodeAddress> offered = peers(Kind.OFFERED);
    return offered.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SyncReport.Announced(
                txid,
                List.copyOf(offered),
                List.copyOf(peers(Kind.FETCHED)),
                List.copyOf(having())));
  }

  BroadcastReport report(Map<NodeAddress, String> problems) {
    return new BroadcastReport(
        txid,
        List.copyOf(peers(Kind.FETCHED)),
        List.copyOf(peers(Kind.ACCEPTED)),
        List.copyOf(peers(Kind.ANNOUNCED)),
        refused,
        problems,
        Optional.empty(),
        Optional.empty());
  }
}
