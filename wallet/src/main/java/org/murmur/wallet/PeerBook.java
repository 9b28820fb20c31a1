package org.murmur.wallet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.wallet.internal.store.WalletStore;

/**
 * The peers that a wallet has met, and counts of its known addresses.
 *
 * @param met peers that completed a version handshake in some session, last seen first
 * @param addresses how many addresses are in the table used for discovery
 * @param reached how many of these completed a version handshake
 * @param filtering how many of these serve BIP-0037 (NODE_BLOOM), as far as is known
 * @param compactFilters how many of these serve BIP-0157 (NODE_COMPACT_FILTERS)
 * @param groups of how many network groups they are
 * @param onion how many of them are of Tor, and called through a proxy only
 */
public record PeerBook(
    List<KnownPeer> met,
    int addresses,
    int reached,
    int filtering,
    int compactFilters,
    int groups,
    int onion) {

  /** Copies the list. */
  public PeerBook {
    met = List.copyOf(met);
  }

  /**
   * Reads what a store has.
   *
   * @param store of the wallet
   * @param now the time, against which ages are counted
   * @return the peers and the counts
   */
  static PeerBook of(WalletStore store, Instant now) {
    Map<NodeAddress, Integer> filters = new HashMap<>();
    Map<NodeAddress, Integer> most = new HashMap<>();
    store.showings(
        sent -> {
          filters.merge(sent.peer(), sent.times(), Integer::sum);
          most.merge(sent.peer(), sent.content().size(), Math::max);
        });
    Map<NodeAddress, KnownAddress> table = new HashMap<>();
    for (KnownAddress address : store.addresses()) {
      table.put(NodeAddress.of(address.endpoint()), address);
    }
    List<KnownPeer> peers = new ArrayList<>();
    for (PeerFacts facts : all(store.peers(), table)) {
      peers.add(
          known(
              facts,
              Optional.ofNullable(table.get(facts.address())),
              filters.getOrDefault(facts.address(), 0),
              most.getOrDefault(facts.address(), 0),
              now));
    }
    peers.sort(Comparator.comparing(KnownPeer::lastSeen).reversed());
    return book(peers, table.values());
  }

  /** The stored ones, and those of the table that were reached once, or are banned. */
  private static List<PeerFacts> all(List<PeerFacts> kept, Map<NodeAddress, KnownAddress> table) {
    List<PeerFacts> all = new ArrayList<>(kept);
    Set<NodeAddress> met = new HashSet<>();
    kept.forEach(facts -> met.add(facts.address()));
    table.forEach(
        (peer, address) -> {
          boolean known = address.lastSuccess() > 0 || !address.bannedFor().isEmpty();
          if (known && !met.contains(peer)) {
            all.add(
                new PeerFacts(
                    peer,
                    address.services(),
                    "",
                    0,
                    address.latencyMillis(),
                    Math.max(address.lastSuccess(), address.lastTry()),
                    false,
                    address.bannedFor()));
          }
        });
    return all;
  }

  private static PeerBook book(List<KnownPeer> peers, Collection<KnownAddress> table) {
    Set<NetGroup> groups = new HashSet<>();
    int reached = 0;
    int filtering = 0;
    int compact = 0;
    int onion = 0;
    for (KnownAddress address : table) {
      groups.add(address.group());
      reached += address.lastSuccess() > 0 ? 1 : 0;
      filtering += Services.has(address.services(), Services.BLOOM) ? 1 : 0;
      compact += Services.has(address.services(), Services.COMPACT_FILTERS) ? 1 : 0;
      onion += address.endpoint().network() == NetworkAddress.TORV3 ? 1 : 0;
    }
    return new PeerBook(peers, table.size(), reached, filtering, compact, groups.size(), onion);
  }

  private static KnownPeer known(
      PeerFacts facts, Optional<KnownAddress> address, int filters, int elements, Instant now) {
    return new KnownPeer(
        facts.address(),
        facts.userAgent(),
        facts.services(),
        facts.startHeight(),
        facts.latencyMillis() < 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(facts.latencyMillis())),
        Instant.ofEpochSecond(facts.lastSeen()),
        facts.misbehaviour().isEmpty() ? Optional.empty() : Optional.of(facts.misbehaviour()),
        filters,
        elements,
        facts.address().endpoint().map(endpoint -> NetGroup.of(endpoint).name()),
        address.map(KnownAddress::failures).orElse(0),
        bannedUntil(facts, address, now));
  }

  /** A ban is in the table of addresses, or follows from the misbehaviour of a named peer. */
  private static Optional<Instant> bannedUntil(
      PeerFacts facts, Optional<KnownAddress> address, Instant now) {
    Instant until = Instant.ofEpochSecond(address.map(KnownAddress::bannedUntil).orElse(0L));
    for (DisconnectReason reason : DisconnectReason.values()) {
      if (reason.name().equals(facts.misbehaviour())) {
        Instant named = Instant.ofEpochSecond(facts.lastSeen()).plus(reason.backOff());
        until = named.isAfter(until) ? named : until;
      }
    }
    return until.isAfter(now) ? Optional.of(until) : Optional.empty();
  }
}
