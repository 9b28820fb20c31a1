package org.murmur.p2p.sync;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * Who is shown which filters: one peer the scripts, another the outpoints, nobody anything else.
 *
 * <p>Chosen once, in the order in which the user named the peers, and kept: who was shown an epoch
 * last is the guard of its role in every later session, whatever the order then. The record of
 * filters shown is the only memory this needs. A guard that does not come is not replaced, unless
 * it is dismissed by name.
 */
final class Guards {

  private final Session session;
  private final PrivatePreset preset;
  private final Map<FilterRole, PeerAddress> chosen = new EnumMap<>(FilterRole.class);
  // What every peer was ever shown: who knows the scripts must not learn the outpoints.
  private final Map<PeerAddress, Set<FilterRole>> shown = new HashMap<>();
  // Whether all were there at once in this session.
  private boolean met;
  private FilterRole lacking = FilterRole.SCRIPTS;
  private Awaited awaited = address -> false;
  private BooleanSupplier moreToCome = () -> false;

  /** Says whether a peer that is not ready may become so before long. */
  @FunctionalInterface
  interface Awaited {
    boolean isAwaited(PeerAddress address);
  }

  Guards(Session session, PrivatePreset preset, List<Load> loads) {
    this.session = session;
    this.preset = preset;
    for (Load load : loads) {
      if (load.content() instanceof Content.Epoch epoch) {
        chosen.put(epoch.role(), load.peer());
        shows(load.peer(), epoch.role());
      }
    }
    chosen.values().removeIf(preset.dismissed()::contains);
  }

  /**
   * Says who knows of peers that are not there yet.
   *
   * @param dialer of those that are named, or held a filter before
   * @param finder whether another one may be found
   */
  void awaitedBy(Awaited dialer, BooleanSupplier finder) {
    awaited = dialer;
    moreToCome = finder;
  }

  private boolean isDiscovering() {
    return session.settings.discovery().isPresent();
  }

  /** Who guards a role by now, or did when it was last shown a filter. */
  Collection<PeerAddress> chosen() {
    return chosen.values();
  }

  /** Whether a peer may become a guard, or be one again: none that was given up, or knows more. */
  boolean mayGuard(PeerAddress address) {
    if (chosen.containsValue(address)) {
      return true;
    }
    if (preset.dismissed().contains(address) || shown.containsKey(address)) {
      return false;
    }
    for (FilterRole role : FilterRole.values()) {
      PeerAddress guard = chosen.get(role);
      if (guard == null || !hasSeen(guard, role)) {
        return true;
      }
    }
    return false;
  }

  /** Those that may be chosen: as they were named, or as they came where nobody is named. */
  private Set<PeerAddress> candidates() {
    Set<PeerAddress> candidates = new LinkedHashSet<>(session.settings.peers());
    if (isDiscovering()) {
      for (Peer peer : session.peers.values()) {
        if (peer.servesBloom()) {
          candidates.add(peer.link.address());
        }
      }
    }
    return candidates;
  }

  /** Guards that nobody named must not be of one group: they could be one person. */
  private boolean isBesideTheOther(PeerAddress address, FilterRole role) {
    for (FilterRole other : FilterRole.values()) {
      PeerAddress guard = chosen.get(other);
      if (isDiscovering()
          && other != role
          && guard != null
          && groupOf(guard).equals(groupOf(address))) {
        return true;
      }
    }
    return false;
  }

  private static NetGroup groupOf(PeerAddress address) {
    return address.endpoint().map(NetGroup::of).orElse(NetGroup.ofName(address.host()));
  }

  PrivatePreset preset() {
    return preset;
  }

  /** Chooses where nobody is chosen, all roles at once; returns whether every role has a guard. */
  boolean choose() {
    // Who went before it was shown anything need not be waited for.
    chosen
        .entrySet()
        .removeIf(guard -> !hasSeen(guard.getValue(), guard.getKey()) && isGone(guard.getValue()));
    Map<FilterRole, PeerAddress> before = new EnumMap<>(chosen);
    for (FilterRole role : FilterRole.values()) {
      if (!chosen.containsKey(role)) {
        PeerAddress found = first(role);
        if (found == null) {
          lacking = role;
          chosen.clear();
          chosen.putAll(before);
          return false;
        }
        chosen.put(role, found);
        session.changes++;
      }
    }
    met |= allPresent();
    return true;
  }

  /** Whether all guards were there at once in this session: who goes then may come back. */
  boolean haveMet() {
    return met;
  }

  /** The first named peer that is fit, unless one named before it may still turn out to be. */
  private @Nullable PeerAddress first(FilterRole role) {
    for (PeerAddress address : candidates()) {
      if (preset.dismissed().contains(address)
          || knowsTheOther(address, role)
          || isBesideTheOther(address, role)) {
        continue;
      }
      if (connected(address) != null) {
        return address;
      }
      if (awaited.isAwaited(address)) {
        return null;
      }
    }
    return preset.onePeer() ? anyOther(role) : null;
  }

  /** A guard is about to be shown an epoch: from now on it is one for good. */
  void shows(PeerAddress guard, FilterRole role) {
    shown.computeIfAbsent(guard, peer -> EnumSet.noneOf(FilterRole.class)).add(role);
  }

  /** Whether a peer is a guard, or was ever shown an epoch. */
  boolean knows(PeerAddress address) {
    return shown.containsKey(address) || chosen.containsValue(address);
  }

  /** Whether every role has a guard that was shown a filter: nobody else becomes one then. */
  boolean areSettled() {
    for (FilterRole role : FilterRole.values()) {
      PeerAddress guard = chosen.get(role);
      if (guard == null || !hasSeen(guard, role)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasSeen(PeerAddress address, FilterRole role) {
    return shown.getOrDefault(address, Set.of()).contains(role);
  }

  private boolean isGone(PeerAddress address) {
    return connected(address) == null && !awaited.isAwaited(address);
  }

  private boolean knowsTheOther(PeerAddress address, FilterRole role) {
    for (FilterRole other : FilterRole.values()) {
      boolean guards = address.equals(chosen.get(other));
      boolean saw = hasSeen(address, other);
      if (other != role && (guards || saw)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable PeerAddress anyOther(FilterRole role) {
    for (PeerAddress address : candidates()) {
      boolean fit = !preset.dismissed().contains(address) && knowsTheOther(address, role);
      if (fit && connected(address) != null) {
        return address;
      }
    }
    return null;
  }

  private @Nullable Peer connected(PeerAddress address) {
    for (Peer peer : session.peers.values()) {
      if (peer.servesBloom() && peer.link.address().equals(address)) {
        return peer;
      }
    }
    return null;
  }

  /** The guard of a role, if it is there. */
  @Nullable Peer of(FilterRole role) {
    PeerAddress address = chosen.get(role);
    return address == null ? null : connected(address);
  }

  boolean isGuard(PeerAddress address, FilterRole role) {
    return address.equals(chosen.get(role));
  }

  boolean isGuard(Peer peer) {
    return chosen.containsValue(peer.link.address());
  }

  /** The guards that are there, each once. */
  Set<Peer> present() {
    Set<Peer> present = new LinkedHashSet<>();
    for (FilterRole role : FilterRole.values()) {
      Peer peer = of(role);
      if (peer != null) {
        present.add(peer);
      }
    }
    return present;
  }

  /** Whether all guards are there. */
  boolean allPresent() {
    return of(FilterRole.SCRIPTS) != null && of(FilterRole.OUTPOINTS) != null;
  }

  /** Why a role has no guard; null while there is hope. */
  SyncWarning.@Nullable MissingGuard missing() {
    if (!choose()) {
      return mayChooseLater() ? null : new SyncWarning.NobodyToGuard(lacking, isDiscovering());
    }
    for (FilterRole role : FilterRole.values()) {
      PeerAddress address = chosen.get(role);
      if (address != null && isGone(address)) {
        boolean named = isDiscovering() || session.settings.peers().contains(address);
        return new SyncWarning.GuardAbsent(role, address, named);
      }
    }
    return null;
  }

  private boolean mayChooseLater() {
    return session.settings.peers().stream().anyMatch(awaited::isAwaited)
        || moreToCome.getAsBoolean();
  }
}
