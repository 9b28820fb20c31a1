package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * The peers beside those that are named: {@link PeerFinder those that are found}, or {@link
 * NamedOnly nobody}. The methods here do what is right where nobody is looked for; {@link Dialer}
 * says what each is for.
 */
interface Finder {

  default boolean take(Input input) {
    return false;
  }

  default void call(boolean headersDone) {}

  default @Nullable Instant due() {
    return null;
  }

  default boolean admit(Peer peer, Message.Version version) {
    throw new IllegalStateException(peer.link() + " was found, but nobody was looking");
  }

  default void greet(Peer peer) {}

  default void ready(Peer peer) {}

  default void announced(Peer peer, List<NetworkAddress> addresses) {}

  default void lost(Peer peer, Refusal refusal, boolean useful) {
    throw new IllegalStateException(peer.link() + " was found, but nobody was looking");
  }

  default void backOff(PeerAddress address, DisconnectReason reason) {}

  default void retryNow() {}

  default boolean hasMore() {
    return false;
  }

  default boolean isAwaited(PeerAddress address) {
    return false;
  }

  default @Nullable Instant greetingDue() {
    return null;
  }

  default boolean lacksScanner() {
    return false;
  }

  /**
   * Whether no peer is there, and none will be found before long.
   *
   * @param everReady whether any version handshake succeeded in this session
   */
  boolean isHopeless(boolean everReady);

  /**
   * What keeps us from all peers.
   *
   * @param ofNamed what keeps us from those that are named
   */
  SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed);

  String outage();

  default void warnOfOneGroup() {}

  default AddressChanges takeChanges() {
    return AddressChanges.NONE;
  }

  default int addresses() {
    return 0;
  }

  default int remembered() {
    return 0;
  }

  default void stop() {}
}
