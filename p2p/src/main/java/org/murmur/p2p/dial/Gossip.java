package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/** Asks the peers of the session for addresses, and takes in what they announce. */
final class Gossip {

  /** How long an answer to {@code getaddr} is waited for before a search is given up. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Effects effects;
  private final Roster roster;
  private final AddressTable table;
  private final NetGroups groups;
  private final SearchRecord record;
  private final PerPeer<Asked> asked = new PerPeer<>(peer -> new Asked());

  private static final class Asked {
    // Until it answers.
    @Nullable Instant at;
    boolean toldAny;
  }

  Gossip(
      Effects effects, Roster roster, AddressTable table, NetGroups groups, SearchRecord record) {
    this.effects = effects;
    this.roster = roster;
    this.table = table;
    this.groups = groups;
    this.record = record;
  }

  void ask(Peer peer) {
    asked.of(peer).at = effects.now();
    effects.send(peer, new Message.GetAddr());
  }

  /** Takes addresses in; returns whether they are the answer that was waited for. */
  boolean announced(Peer peer, List<NetworkAddress> addresses) {
    Asked of = asked.of(peer);
    // One address alone may be its own, sent unasked.
    boolean answer = addresses.size() != 1 && of.at != null;
    if (answer) {
      of.at = null;
    }
    if (!addresses.isEmpty() && !of.toldAny) {
      of.toldAny = true;
      record.told();
    }
    table.add(addresses, groups.of(peer), effects.clock());
    return answer;
  }

  /** Whether a peer may answer yet. */
  boolean isAwaited() {
    for (Peer peer : roster.peers()) {
      Instant at = asked.of(peer).at;
      if (at != null && effects.now().isBefore(at.plus(ANSWER))) {
        return true;
      }
    }
    return false;
  }
}
