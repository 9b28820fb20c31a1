package org.murmur.p2p.internal.dial;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Roster;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Finds peers beside the pinned ones. By default it finds none; {@link Dialer} says what the
 * methods are for.
 */
interface Finder extends Alarm.Timed {

  /** Calls nobody: the session ends when its pinned peers are gone. */
  record Nobody(Roster<?> roster) implements Finder {
    @Override
    public boolean isHopeless(boolean everReady) {
      return roster.peers().stream().allMatch(Peer::forHeaders);
    }
  }

  /** Whether no peer is connected, and none may be found. */
  boolean isHopeless(boolean everReady);

  default boolean take(Input input) {
    return false;
  }

  default void call(boolean headersDone) {}

  @Override
  default void setAlarm(Alarm alarm) {}

  default boolean admit(Peer peer, Message.Version version) {
    return true;
  }

  default void greet(Peer peer) {}

  default void ready(Peer peer) {}

  default void announced(Peer peer, List<NetworkAddress> addresses) {}

  default void lost(Contact contact, Peer peer) {}

  default void backOff(NodeAddress address, DisconnectReason reason) {}

  default void retryNow() {}

  default void stop() {}

  default AddressChanges takeChanges() {
    return AddressChanges.NONE;
  }

  default boolean hasMore() {
    return false;
  }

  default boolean isAwaited(NodeAddress address) {
    return false;
  }

  default @Nullable Instant versionDue() {
    return null;
  }

  default Optional<SyncEvent.Search> search() {
    return Optional.empty();
  }

  default boolean lacksScanner() {
    return false;
  }

  default SyncFact.NoUsablePeer inTheWay(SyncFact.NoUsablePeer ofPinned) {
    return ofPinned;
  }

  default String outage() {
    return "no peer is named";
  }

  default void warnOfOneGroup() {}

  default int addresses() {
    return 0;
  }

  default int remembered() {
    return 0;
  }
}
