package org.murmur.p2p.internal.peers;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.sync.Preset;

/**
 * Chooses the peer for each filter: one gets the scripts, another the outpoints, no other any.
 *
 * <p>Guards are chosen once, in the order in which the user named the peers, and kept. The last
 * peer that got an epoch is the guard of its role in every later session, whatever the order then.
 * The record of sent filters is the only memory this needs. An absent guard is not replaced, unless
 * it is dismissed by name.
 */
public final class Guards {

  private final Preset.Private preset;
  private final Map<FilterRole, NodeAddress> chosen = new EnumMap<>(FilterRole.class);
  // The filters that every peer ever got: a peer that knows the scripts must not learn the
  // outpoints.
  private final Map<NodeAddress, Set<FilterRole>> shown = new HashMap<>();

  // All peers that ever got a filter, also under another preset; canonical addresses.
  private final Set<NodeAddress> exposed = new HashSet<>();

  public Guards(Preset.Private preset, List<Load> epochs, Collection<NodeAddress> exposed) {
    this.preset = preset;
    exposed.forEach(peer -> this.exposed.add(peer.canonical()));
    for (Load load : epochs) {
      if (load.content() instanceof Content.Epoch epoch) {
        chosen.put(epoch.role(), load.peer());
        shows(load.peer(), epoch.role());
      }
    }
    chosen.values().removeIf(preset.dismissed()::contains);
  }

  /** The current guards, including those that were the last to get a filter of a role. */
  public Collection<NodeAddress> chosen() {
    return chosen.values();
  }

  /** Whether a peer may become a guard, or be one again: not if it was given up, or knows more. */
  public boolean mayGuard(NodeAddress address) {
    if (chosen.containsValue(address)) {
      return true;
    }
    if (preset.dismissed().contains(address) || shown.containsKey(address)) {
      return false;
    }
    for (FilterRole role : FilterRole.values()) {
      NodeAddress guard = chosen.get(role);
      if (guard == null || !hasSeen(guard, role)) {
        return true;
      }
    }
    return false;
  }

  public Preset.Private preset() {
    return preset;
  }

  /** The guard of a role, or null if none is chosen. */
  public @Nullable NodeAddress of(FilterRole role) {
    return chosen.get(role);
  }

  /** The guards by role: a copy. */
  public Map<FilterRole, NodeAddress> byRole() {
    return new EnumMap<>(chosen);
  }

  /** Sets the guards; a missing role has no guard. */
  public void choose(Map<FilterRole, NodeAddress> guards) {
    chosen.clear();
    chosen.putAll(guards);
  }

  /** A guard is about to get an epoch: from now on it is one for good. */
  public void shows(NodeAddress guard, FilterRole role) {
    exposed.add(guard.canonical());
    shown.computeIfAbsent(guard, peer -> EnumSet.noneOf(FilterRole.class)).add(role);
  }

  /**
   * Whether a peer is a guard, or ever got a filter, also under another preset, and by any name of
   * its address.
   */
  public boolean knows(Peer peer) {
    NodeAddress at = peer.at();
    return knows(peer.link().address()) || (at != null && knows(at));
  }

  private boolean knows(NodeAddress address) {
    NodeAddress one = address.canonical();
    return exposed.contains(one)
        || chosen.values().stream().anyMatch(guard -> guard.canonical().equals(one));
  }

  /** Whether every role has a guard that got a filter: then no other peer becomes one. */
  public boolean areSettled() {
    for (FilterRole role : FilterRole.values()) {
      NodeAddress guard = chosen.get(role);
      if (guard == null || !hasSeen(guard, role)) {
        return false;
      }
    }
    return true;
  }

  public boolean hasSeen(NodeAddress address, FilterRole role) {
    return shown.getOrDefault(address, Set.of()).contains(role);
  }

  public boolean knowsTheOther(NodeAddress address, FilterRole role) {
    for (FilterRole other : FilterRole.values()) {
      boolean guards = address.equals(chosen.get(other));
      boolean saw = hasSeen(address, other);
      if (other != role && (guards || saw)) {
        return true;
      }
    }
    return false;
  }

  public boolean isGuard(NodeAddress address, FilterRole role) {
    return address.equals(chosen.get(role));
  }

  public boolean isGuard(Peer peer) {
    return chosen.containsValue(peer.link().address());
  }
}
