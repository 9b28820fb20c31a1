package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * Who comes beside the peers that are named: those that are found, or {@link NamedOnly nobody}.
 * What a method does here is right where nobody is looked for.
 */
public interface Finder {

  /** Whether another of the named peers may be called when so many at once are the most. */
  boolean hasRoom(int most);

  /**
   * Calls whoever is to be called now.
   *
   * @param headersDone whether the peers have told all headers they have
   */
  default void plan(boolean headersDone) {}

  /** When {@link #plan} has something to do though nothing happens, or null. */
  default @Nullable Instant due() {
    return null;
  }

  /** Somebody says something. */
  default void heard() {}

  /** Takes what concerns nobody of the session's peers; returns whether it did. */
  default boolean take(Input input) {
    return false;
  }

  /** The proxy itself, not what is behind it, is in the way. */
  default void proxyFailed(Input.ProxyFailed failed) {}

  /**
   * Somebody who was found says hello: it is given a part, or none.
   *
   * @return whether it stays
   */
  default boolean admit(Peer peer, Endpoint endpoint, Message.Version version) {
    throw new IllegalStateException(endpoint + " was found, but nobody was looking");
  }

  /** It does not stay: it may tell of others, then it goes. */
  default void letGo(Peer peer, Endpoint endpoint) {
    throw new IllegalStateException(endpoint + " was found, but nobody was looking");
  }

  /** A peer stays, named or found: what is to be said before the handshake is done. */
  default void greet(Peer peer) {}

  /** The handshake is done. */
  default void ready(Peer peer) {}

  /** A peer tells of others. */
  default void told(Peer peer, List<NetworkAddress> addresses) {}

  /** A peer that was found is gone. */
  default void lost(
      Peer peer, Endpoint endpoint, Obstacle obstacle, String why, DisconnectReason reason) {
    throw new IllegalStateException(endpoint + " was found, but nobody was looking");
  }

  /** This end was away: whoever waits to be called again without fault may be called now. */
  default void hurry() {}

  /** It is known now that somebody who is gone did wrong. */
  default void backOff(PeerAddress address, DisconnectReason reason) {}

  /**
   * Whether nobody is there who could tell what is in blocks: those that are may be behind, and a
   * chain of theirs that holds nothing to look for completes nothing.
   */
  default boolean lacksScanner() {
    return false;
  }

  /** Whether a peer more may come before long. */
  default boolean hasMore() {
    return false;
  }

  /** Whether a peer that was found, and is gone, may be there again before long. */
  default boolean isAwaited(PeerAddress address) {
    return false;
  }

  /** Until when a sync that has all else waits for peers that say what the best chain is. */
  default @Nullable Instant greetingDue() {
    return null;
  }

  /**
   * Whether nobody is there, and nobody will be found before long.
   *
   * @param everReady whether anybody ever said hello in this session
   */
  boolean isHopeless(boolean everReady);

  /**
   * What is in the way at those that are named, and at those that are looked for.
   *
   * @param ofNamed at those that are named
   */
  SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed);

  /** Why no peer can be reached. {@link Outage} compares this text, so it holds no counters. */
  String outage();

  /** Says what a sync that is complete must know of its peers. */
  default void warnOfOneGroup() {}

  /** What has changed among the addresses since this was last asked. */
  default AddressChanges takeChanges() {
    return AddressChanges.NONE;
  }

  /** How many addresses are kept. */
  default int addresses() {
    return 0;
  }

  /** How many are remembered beside those, for what became of calls to them. */
  default int remembered() {
    return 0;
  }

  /** The session ends. */
  default void stop() {}
}
