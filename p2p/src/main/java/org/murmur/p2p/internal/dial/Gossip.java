package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;

/** Asks the peers of the session for addresses, and adds announced addresses to the table. */
final class Gossip extends Part<Peer> {

  /** How long a search waits for an answer to {@code getaddr}. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final AddressTable table;
  private final NetGroups groups;
  private final SearchRecord record;
  private final Map<Integer, Asked> asked = new HashMap<>();

  private static final class Asked {
    // Time of the open request; null after the answer.
    @Nullable Instant at;
    boolean announcedAny;
  }

  Gossip(Part<?> machine, AddressTable table, NetGroups groups, SearchRecord record) {
    super(machine);
    this.table = table;
    this.groups = groups;
    this.record = record;
  }

  void ask(Peer peer) {
    asked.keySet().removeIf(link -> !roster.contains(link));
    of(peer).at = effects.now();
    effects.send(peer, new Message.GetAddr());
  }

  private Asked of(Peer peer) {
    return asked.computeIfAbsent(peer.link().id(), link -> new Asked());
  }

  /** Adds addresses; returns whether they answer the open request. */
  boolean announced(Peer peer, List<NetworkAddress> addresses) {
    Asked of = of(peer);
    // A single address may be the peer's own, announced unasked.
    boolean answer = addresses.size() != 1 && of.at != null;
    if (answer) {
      of.at = null;
    }
    if (!addresses.isEmpty() && !of.announcedAny) {
      of.announcedAny = true;
      record.announced();
    }
    table.add(addresses, groups.of(peer), effects.clock());
    return answer;
  }

  /** Whether an answer may still come in time. */
  boolean isAwaited() {
    for (Peer peer : roster.peers()) {
      Instant at = of(peer).at;
      if (at != null && effects.now().isBefore(at.plus(ANSWER))) {
        return true;
      }
    }
    return false;
  }
}
