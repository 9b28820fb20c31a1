package org.murmur.p2p.internal.dial;

import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Preset;

/** Selects addresses of the table for a role: scanner, header peer, feeler. */
final class Candidates extends Part<Peer> {

  /** Separates the random numbers of this selection from those of nonces and tweaks. */
  private static final long PEER_DICE = 0x50656572L;

  private final @Nullable Guards guards;
  private final AddressTable table;
  private final AddressSources sources;
  private final Line line;
  private final Places places;
  private final NetGroups groups;
  private final Feelers feelers;
  private final SplittableRandom dice;
  private final Set<Endpoint> avoided = new HashSet<>();

  Candidates(
      Part<?> machine,
      @Nullable Guards guards,
      AddressTable table,
      AddressSources sources,
      Line line,
      Places places,
      NetGroups groups,
      Feelers feelers) {
    super(machine);
    this.guards = guards;
    this.table = table;
    this.sources = sources;
    this.line = line;
    this.places = places;
    this.groups = groups;
    this.feelers = feelers;
    this.dice = new SplittableRandom(settings.seed() ^ PEER_DICE);
    settings.peers().avoided().forEach(address -> address.endpoint().ifPresent(avoided::add));
  }

  /** Selects an address to call now, if one fits. */
  Optional<Endpoint> draw(Supplier<AddressTable.Wanted> wanted) {
    return line.mayCall(effects.now())
        ? table.draw(wanted.get(), dice, effects.clock()).map(KnownAddress::endpoint)
        : Optional.empty();
  }

  /** Whether an address fits that may be called at this steady time. */
  boolean hold(AddressTable.Wanted wanted, Instant at) {
    return table.holds(wanted, effects.onTheClock(at));
  }

  /** Addresses of peers and feelers, connecting or connected. */
  Set<Endpoint> inUse() {
    Set<Endpoint> used = feelers.endpoints();
    for (Peer peer : roster.peers()) {
      peer.link().address().endpoint().ifPresent(used::add);
    }
    return used;
  }

  private AddressTable.Wanted wanted(
      long services, Set<NetGroup> excluded, Predicate<KnownAddress> also) {
    return wanted(services, excluded, also, known -> 0);
  }

  private AddressTable.Wanted wanted(
      long services,
      Set<NetGroup> excluded,
      Predicate<KnownAddress> also,
      ToIntFunction<KnownAddress> rank) {
    Set<Endpoint> not = inUse();
    not.addAll(avoided);
    return new AddressTable.Wanted(
        services, excluded, known -> !not.contains(known.endpoint()) && also.test(known), rank);
  }

  AddressTable.Wanted scanner() {
    Guards guarding = guards;
    if (guarding != null) {
      // Guards of one group may have one operator. A guard that was lost may return.
      Set<NetGroup> used = groups.inUse();
      return wanted(
          places.scannerServices(),
          Set.of(),
          known -> {
            NodeAddress address = NodeAddress.of(known.endpoint());
            boolean chosen = guarding.chosen().contains(address);
            return guarding.mayGuard(address) && (chosen || !used.contains(known.group()));
          });
    }
    if (!sources.isExhausted()) {
      return wanted(places.scannerServices(), groups.inUse(), known -> true);
    }
    // Several scanners of one group are better than none. But two that agree on the filters of
    // blocks must not have one operator.
    Set<NetGroup> taken =
        service.isWitnessed(settings)
            ? groups.inUse()
            : settings.preset() instanceof Preset.Compact ? groups.ofScanners() : Set.of();
    return wanted(places.scannerServices(), taken, known -> true);
  }

  /** A header peer that cannot be a scanner. */
  AddressTable.Wanted headersOnlyPeer() {
    return wanted(
        places.headerServices(), groups.inUse(), known -> !service.isIn(known.services()));
  }

  AddressTable.Wanted headerPeer() {
    return wanted(places.headerServices(), groups.inUse(), known -> true);
  }

  /** An address that was never reached and may be a scanner. */
  AddressTable.Wanted untested() {
    return wanted(service.withAllBlocks(), groups.inUse(), known -> !known.proven());
  }

  /** Any address not asked for addresses in this search; those that may help most come first. */
  AddressTable.Wanted notAskedIn(int search) {
    return wanted(
        0,
        Set.of(),
        known -> !table.attempts(known.endpoint()).wasAsked(search),
        known -> service.rank(known.services()));
  }

  /** The number of proven scanners that are not in use. */
  int spare() {
    Set<Endpoint> used = inUse();
    int spare = 0;
    for (KnownAddress known : table.all()) {
      boolean good = known.proven() && Services.has(known.services(), service.withAllBlocks());
      spare += good && known.failures() == 0 && !used.contains(known.endpoint()) ? 1 : 0;
    }
    return spare;
  }
}
