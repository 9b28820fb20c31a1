package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.ViewService;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncSettings;

/**
 * What became of calls to addresses of the table, and when each may be called again. The table
 * keeps that; {@link Line} says which calls in vain count, and {@link SearchRecord} counts.
 */
final class Outcomes {

  /** How long an address of no use is left alone, in a session that lasts. */
  private static final Duration LATER = Attempts.LONGEST_PAUSE;

  private final Effects effects;
  private final SyncSettings settings;
  private final ViewService service;
  private final AddressTable table;
  private final AddressSources sources;
  private final Line line;
  private final SearchRecord record;

  Outcomes(
      Effects effects,
      SyncSettings settings,
      ViewService service,
      AddressTable table,
      AddressSources sources,
      Line line,
      SearchRecord record) {
    this.effects = effects;
    this.settings = settings;
    this.service = service;
    this.table = table;
    this.sources = sources;
    this.line = line;
    this.record = record;
  }

  /** A peer is called, perhaps by a host name. */
  void called(PeerAddress address) {
    line.called();
    record.called(address);
  }

  /** A version message came. */
  void reached(PeerAddress address, long services) {
    record.reached(address, services);
    sources.reached(address);
  }

  /** Something came from a peer or feeler: our line works. */
  void heard() {
    record.heard();
    line.heard(effects.now(), (endpoint, at) -> table.inVain(endpoint, effects.onTheClock(at)));
  }

  /** A feeler failed. */
  void failed(Endpoint endpoint, DisconnectReason reason, Obstacle obstacle) {
    failed(endpoint, reason, obstacle, table.attempts(endpoint).wasReached());
    notTried(endpoint);
  }

  /** It could not be tried: something else was in the way. */
  void notTried(Endpoint endpoint) {
    table.attempts(endpoint).pauseUntil(effects.clock(), later());
  }

  /** A peer of the session is gone. */
  void lost(FoundPeers.FoundPeer found, Refusal refusal, boolean useful) {
    Peer peer = found.peer();
    Endpoint endpoint = found.endpoint();
    DisconnectReason reason = refusal.reason();
    table.measured(endpoint, peer.latencyMillis());
    if (refusal.obstacle().kind() != Obstacle.Kind.PROXY) {
      failed(endpoint, reason, refusal.obstacle(), peer.isReady());
    }
    if (useful) {
      table.attempts(endpoint).useful();
    }
    int calls = table.attempts(endpoint).calls();
    boolean again = peer.isReady() && reason.passesSoon() && calls < Attempts.MAX_CALLS;
    Instant now = effects.clock();
    table
        .attempts(endpoint)
        .pauseUntil(now, again ? now.plus(Attempts.pauseAfter(calls)) : later());
    if (service.isFrom(peer)) {
      record.lost(peer.link().address(), refusal.detail());
    }
  }

  private void failed(
      Endpoint endpoint, DisconnectReason reason, Obstacle obstacle, boolean reached) {
    if (reason == DisconnectReason.NO_NODE) {
      record.strange(obstacle);
    }
    if (reason.isMisbehaviour()) {
      discourage(endpoint, reason);
    } else if (!reached) {
      line.inVain(endpoint, effects.now());
    }
  }

  /** It misbehaved: it is not called during its back-off. */
  void discourage(Endpoint endpoint, DisconnectReason reason) {
    table.banned(endpoint, reason.name(), effects.clock().plus(reason.backOff()));
  }

  /** There was no room for a peer. A spare one may be called as soon as there is. */
  void released(Endpoint endpoint, boolean spare) {
    if (!spare) {
      table.attempts(endpoint).pauseUntil(effects.clock(), effects.clock().plus(LATER));
    }
  }

  private Instant later() {
    return settings.follow() ? effects.clock().plus(LATER) : Instant.MAX;
  }
}
