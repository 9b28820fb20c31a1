package org.murmur.p2p.internal.dial;

import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Records the results of calls to addresses of the table: in the table, in the {@link SearchRecord}
 * and, if the call failed, in {@link Line}, which decides whether that counts.
 */
final class Outcomes extends Part<Peer> {

  private final Redial redial;
  private final AddressTable table;
  private final AddressSources sources;
  private final Line line;
  private final SearchRecord record;

  Outcomes(
      Part<?> machine,
      Redial redial,
      AddressTable table,
      AddressSources sources,
      Line line,
      SearchRecord record) {
    super(machine);
    this.redial = redial;
    this.table = table;
    this.sources = sources;
    this.line = line;
    this.record = record;
  }

  /** A peer or feeler is called, perhaps by a host name. */
  void called(NodeAddress address) {
    line.called();
    record.called(address);
  }

  /** A version message came. */
  void reached(NodeAddress address, long services) {
    record.reached(address, services);
    sources.reached(address);
  }

  /** A peer or feeler sent something, so our line works. */
  void heard() {
    record.heard();
    line.heard(effects.now(), (endpoint, at) -> table.failed(endpoint, effects.onTheClock(at)));
  }

  /** A feeler failed. */
  void failed(Endpoint endpoint, DisconnectReason reason, Obstacle obstacle) {
    failed(endpoint, reason, obstacle, table.attempts(endpoint).wasReached());
    notTried(endpoint);
  }

  /** A feeler was not tried, because the proxy failed. */
  void notTried(Endpoint endpoint) {
    redial.postpone(table.attempts(endpoint));
  }

  /** A found peer was lost. */
  void lost(Contact contact, Endpoint endpoint, Peer peer) {
    Refusal lost = contact.lost;
    table.measured(endpoint, peer.latencyMillis());
    if (lost.obstacle().kind() != Obstacle.Kind.PROXY && !contact.isExcused()) {
      failed(endpoint, lost.reason(), lost.obstacle(), peer.isReady());
    }
    if (service.isFrom(peer)) {
      record.lost(contact.address, lost.detail());
    }
  }

  private void failed(
      Endpoint endpoint, DisconnectReason reason, Obstacle obstacle, boolean reached) {
    if (reason == DisconnectReason.NO_NODE) {
      record.wrongAnswer(obstacle);
    }
    if (reason.isMisbehaviour()) {
      discourage(endpoint, reason);
    } else if (!reached) {
      line.failed(endpoint, effects.now());
    }
  }

  /** Bans an address that misbehaved for the length of its back-off. */
  void discourage(Endpoint endpoint, DisconnectReason reason) {
    table.banned(endpoint, reason.name(), effects.clock().plus(reason.backOff()));
  }
}
