package org.murmur.p2p.internal.scan;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.ExpectedPeers;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.sync.SyncWarning;

/** Chooses the guards among the connected peers, and reports missing ones. */
public final class GuardChoice<P extends ScanPeer> extends Part<P> {

  private final Guards guards;
  private final ExpectedPeers awaited;
  // Whether all were connected at once in this session.
  private boolean met;
  // A role for which no guard was found at the last attempt.
  private @Nullable FilterRole lacking = FilterRole.SCRIPTS;

  public GuardChoice(Part<? extends P> machine, Guards guards, ExpectedPeers awaited) {
    super(machine);
    this.guards = guards;
    this.awaited = awaited;
  }

  /** The record of the guards. */
  public Guards guards() {
    return guards;
  }

  private boolean isDiscovering() {
    return settings.peers().discovery().isPresent();
  }

  /** Whether a peer that is still connecting may announce higher blocks. */
  boolean awaitsGreeting() {
    return awaited.versionDue() != null;
  }

  /** The candidates: in the order of names, or of arrival if no peer is named. */
  private Set<NodeAddress> candidates() {
    Set<NodeAddress> candidates = new LinkedHashSet<>(settings.peers().named());
    if (isDiscovering()) {
      for (P peer : roster.peers()) {
        if (service.isFrom(peer)) {
          candidates.add(peer.link().address());
        }
      }
    }
    return candidates;
  }

  /** Discovered guards must not be of one network group: they could be one person. */
  private boolean isBesideTheOther(NodeAddress address, FilterRole role) {
    for (FilterRole other : FilterRole.values()) {
      NodeAddress guard = guards.of(other);
      if (isDiscovering()
          && other != role
          && guard != null
          && groupOf(guard).equals(groupOf(address))) {
        return true;
      }
    }
    return false;
  }

  private static NetGroup groupOf(NodeAddress address) {
    return address.endpoint().map(NetGroup::of).orElse(NetGroup.ofName(address.host()));
  }

  /** Chooses guards for all empty roles at once; returns whether every role has a guard. */
  boolean choose() {
    letGoWhoSawNothing();
    Map<FilterRole, NodeAddress> before = guards.byRole();
    for (FilterRole role : FilterRole.values()) {
      if (guards.of(role) == null) {
        NodeAddress found = first(role);
        if (found == null) {
          lacking = role;
          guards.choose(before);
          return false;
        }
        // The guard of the next role must be another one.
        Map<FilterRole, NodeAddress> more = guards.byRole();
        more.put(role, found);
        guards.choose(more);
        effects.changed();
      }
    }
    lacking = null;
    met |= allPresent();
    return true;
  }

  /** Dismisses a guard that left before it got a filter. */
  private void letGoWhoSawNothing() {
    Map<FilterRole, NodeAddress> stay = guards.byRole();
    stay.entrySet()
        .removeIf(
            guard -> !guards.hasSeen(guard.getValue(), guard.getKey()) && isGone(guard.getValue()));
    guards.choose(stay);
  }

  /** Whether all guards were connected at once in this session: one that leaves may come back. */
  public boolean haveMet() {
    return met;
  }

  /** The first named peer that is fit, unless an earlier one may still prove fit. */
  private @Nullable NodeAddress first(FilterRole role) {
    for (NodeAddress address : candidates()) {
      if (guards.preset().dismissed().contains(address)
          || guards.knowsTheOther(address, role)
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
    return guards.preset().onePeer() ? anyOther(role) : null;
  }

  private boolean isGone(NodeAddress address) {
    return connected(address) == null && !awaited.isAwaited(address);
  }

  private @Nullable NodeAddress anyOther(FilterRole role) {
    for (NodeAddress address : candidates()) {
      boolean fit =
          !guards.preset().dismissed().contains(address) && guards.knowsTheOther(address, role);
      if (fit && connected(address) != null) {
        return address;
      }
    }
    return null;
  }

  private @Nullable P connected(NodeAddress address) {
    for (P peer : roster.peers()) {
      if (service.isFrom(peer) && peer.link().address().equals(address)) {
        return peer;
      }
    }
    return null;
  }

  /** The guard of a role, if it is connected. */
  @Nullable P of(FilterRole role) {
    NodeAddress address = guards.of(role);
    return address == null ? null : connected(address);
  }

  /** The connected guards, each once. */
  public Set<P> present() {
    Set<P> present = new LinkedHashSet<>();
    for (FilterRole role : FilterRole.values()) {
      P peer = of(role);
      if (peer != null) {
        present.add(peer);
      }
    }
    return present;
  }

  /** Whether all guards are connected. */
  public boolean allPresent() {
    return of(FilterRole.SCRIPTS) != null && of(FilterRole.OUTPOINTS) != null;
  }

  /** Why a role has no guard; null while one may still come. */
  SyncWarning.@Nullable MissingGuard missing() {
    FilterRole without = lacking;
    if (without != null) {
      return mayChooseLater() ? null : new SyncWarning.NobodyToGuard(without, isDiscovering());
    }
    for (FilterRole role : FilterRole.values()) {
      NodeAddress address = guards.of(role);
      if (address != null && isGone(address)) {
        boolean named = isDiscovering() || settings.peers().named().contains(address);
        return new SyncWarning.GuardAbsent(role, address, named);
      }
    }
    return null;
  }

  private boolean mayChooseLater() {
    return settings.peers().named().stream().anyMatch(awaited::isAwaited) || awaited.hasMore();
  }
}
