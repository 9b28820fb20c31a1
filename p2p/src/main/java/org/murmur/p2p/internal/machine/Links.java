package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.ClockCheck;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.OurVersion;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;

/** Connections: how they begin and how they end. */
final class Links extends Part<PoolPeer> {

  /** Log text for a peer that disconnects during the handshake. */
  private static final String HUNG_UP = "closed the connection before its version message";

  /** The first version that understands {@code sendheaders} (BIP-0130). */
  private static final int SENDHEADERS_VERSION = 70012;

  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final Settlement settlement;
  private final ScanPlan plan;
  private final Relay relay;
  private final UnconfirmedQuery mempool;

  Links(Parts parts, PresetParts preset) {
    super(parts);
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.settlement = parts.settlement;
    this.plan = preset.plan();
    this.relay = parts.relay;
    this.mempool = preset.mempool();
  }

  /** Handles an input about a connection; returns false for any other input. */
  boolean take(Input input) {
    if (!(input instanceof Input.OfLink about)) {
      return false;
    }
    if (about instanceof Input.Failed failed) {
      failed(failed.link(), failed.why());
    }
    PoolPeer peer = roster.get(about.link().id());
    if (peer != null) {
      take(peer, about);
    }
    return true;
  }

  private void take(PoolPeer peer, Input.OfLink input) {
    if (input instanceof Input.Connected connected) {
      connected(peer, connected);
    } else if (input instanceof Input.Accepted) {
      peer.connected(effects.now());
    } else if (input instanceof Input.ConnectFailed failed) {
      lost(peer, failed.obstacle(), why(failed));
    } else if (input instanceof Input.ProxyFailed failed) {
      lost(peer, failed.obstacle(), failed.why());
    } else if (input instanceof Input.Disconnected disconnected) {
      disconnected(peer, disconnected.why());
    } else if (input instanceof Input.Garbled garbled) {
      garbled(peer, DisconnectReason.DAMAGED, garbled.obstacle(), garbled.why());
    } else if (input instanceof Input.Malformed malformed) {
      garbled(peer, DisconnectReason.PROTOCOL_ERROR, Obstacle.NO_NODE, malformed.why());
    } else if (input instanceof Input.Oversized oversized) {
      drop(peer, DisconnectReason.OVERSIZED, oversized.why());
    } else if (input instanceof Input.Failed failed) {
      drop(peer, DisconnectReason.INTERNAL_ERROR, "internal error: " + failed.why());
    }
  }

  /** A connection is open. */
  private void connected(PoolPeer peer, Input.Connected connected) {
    NodeAddress at = connected.at();
    peer.encrypts(connected.encrypted());
    if (!isAvoided(peer, at) && !isDuplicate(peer, at)) {
      sendVersion(peer);
    }
  }

  /** Another name may lead to a peer that the session must not talk to. */
  private boolean isAvoided(PoolPeer peer, NodeAddress at) {
    boolean avoided =
        settings.peers().avoided().stream()
            .anyMatch(other -> other.equals(at) || isOneMachine(other, at));
    if (avoided) {
      String detail =
          "it is at "
              + at.canonical()
              + ", a peer that was shown a filter of this wallet or is not to be used";
      drop(peer, new Refusal(DisconnectReason.AVOIDED, Obstacle.NO_OTHER, detail));
    }
    return avoided;
  }

  /** Two numbers of the IPv4 loopback range may be two nodes. */
  private static boolean isOneMachine(NodeAddress a, NodeAddress b) {
    boolean loopback = a.host().startsWith("127.") && b.host().startsWith("127.");
    return !loopback && a.canonical().equals(b.canonical());
  }

  /** Two names of one peer do not count as two peers. */
  private boolean isDuplicate(PoolPeer peer, NodeAddress at) {
    for (PoolPeer other : roster.peers()) {
      if (other != peer && at.equals(other.at())) {
        String detail = "the same peer as " + other.link().address() + ", both are at " + at;
        drop(peer, new Refusal(DisconnectReason.DUPLICATE, Obstacle.NO_OTHER, detail));
        return true;
      }
    }
    peer.leadsTo(at);
    return false;
  }

  private void sendVersion(PoolPeer peer) {
    peer.connected(effects.now());
    // Core announces nothing, not even our own payment, to a peer whose version says relay=false.
    // No filter is loaded here, so a request for announcements reveals nothing about the wallet.
    boolean relayed = relay.hearsAll() || (settings.headersOnly() && relay.isSending());
    effects.send(peer, OurVersion.of(effects, peer.nonce(), relayed));
  }

  /** A version message came. */
  void welcome(PoolPeer peer, Message.Version version) {
    if (peer.isReady()) {
      return;
    }
    Refusal refusal =
        isOurs(version.nonce())
            ? new Refusal(DisconnectReason.SELF, Obstacle.NO_OTHER, "connected to ourselves")
            : dialer.refusal(peer, version);
    if (refusal.isRefusal()) {
      drop(peer, refusal);
    } else if (dialer.admit(peer, version)) {
      shakeHands(peer, version);
    }
  }

  private boolean isOurs(long nonce) {
    return roster.peers().stream().anyMatch(own -> own.nonce() == nonce);
  }

  private void shakeHands(PoolPeer peer, Message.Version version) {
    peer.greeted(version);
    peer.headers().clockIsAhead(ClockCheck.ahead(version.time(), effects.now()));
    peer.pace().answered(Duration.between(peer.since(), effects.now()));
    tips.claimed(peer, version.startHeight());
    effects.changed();
    peer.patience().begins(effects.now());
    dialer.greet(peer);
    effects.send(peer, new Message.Verack());
    if (version.protocol() >= SENDHEADERS_VERSION) {
      effects.send(peer, new Message.SendHeaders());
    }
    headers.ask(peer);
    dialer.ready(peer);
    relay.announceTo(peer);
    effects.emit(
        new SyncEvent.PeerReady(
            peer.link().address(),
            version.userAgent(),
            version.services(),
            version.startHeight(),
            peer.isEncrypted()));
  }

  /**
   * Without a version message, the other side may be no peer, and the next one at that address may
   * be. Otherwise it is a peer that is lost, and no other network: its magic is this network's.
   */
  private void garbled(PoolPeer peer, DisconnectReason reason, Obstacle obstacle, String why) {
    drop(
        peer,
        peer.isReady()
            ? new Refusal(reason, why)
            : new Refusal(DisconnectReason.NO_NODE, obstacle, why));
  }

  /** A row may cover a block whose transactions the step did not process. */
  private void failed(Link link, String why) {
    settlement.disown(link.address());
    effects.emit(new SyncWarning.InternalFault(link.address(), why));
  }

  private void disconnected(PoolPeer peer, String why) {
    String detail = HUNG_UP + " (" + why + ")";
    if (peer.isReady()) {
      plan.refusedFrom(peer).ifPresent(from -> dialer.refusedBlocks(peer, from));
      Obstacle answer = plan.hangUp(peer);
      lost(peer, answer, why + BlockScan.afterQuestion(answer));
    } else if (!peer.objection().isEmpty()) {
      lost(peer, Obstacle.LOST, peer.objection() + " (" + why + ")");
    } else if (settings.proxied()) {
      // Some proxies report a connection before they try to open it.
      String perhaps = "; through a proxy this often means that the peer could not be reached";
      lost(peer, Obstacle.HANGS_UP_BEHIND_PROXY, detail + perhaps);
    } else {
      lost(peer, Obstacle.HANGS_UP, detail);
    }
  }

  private String why(Input.ConnectFailed failed) {
    return settings.proxied() && failed.link().address().isLocal()
        ? failed.why()
            + " (for a proxy this is an address of its own machine or network, and Tor leads to"
            + " none of these)"
        : failed.why();
  }

  /** A connection ended or failed. */
  private void lost(PoolPeer peer, Obstacle obstacle, String why) {
    part(peer, new Refusal(DisconnectReason.DONE, obstacle, why));
  }

  void drop(Peer peer, DisconnectReason reason, String detail) {
    drop(peer, new Refusal(reason, detail));
  }

  void drop(Peer peer, Refusal refusal) {
    effects.changed();
    effects.output(new Output.Disconnect(peer.link(), refusal.reason(), refusal.detail()));
    part(peer, refusal);
  }

  /** A peer is gone: every part that holds state about it is notified. */
  private void part(Peer gone, Refusal refusal) {
    PoolPeer peer = Objects.requireNonNull(roster.remove(gone.link().id()), "not connected");
    reportLost(peer, refusal.reason(), refusal.detail());
    remember(peer, refusal.reason());
    mempool.lost(peer);
    relay.lost(peer);
    headers.lost(peer);
    dialer.lost(peer, refusal, plan.wasUseful(peer));
  }

  void reportLost(Peer peer, DisconnectReason reason, String detail) {
    if (dialer.isNews(peer, reason)) {
      effects.emit(new SyncEvent.PeerLost(peer.link().address(), reason, detail));
    }
  }

  /** Records facts about a peer, with its misbehaviour. */
  void remember(Peer peer, DisconnectReason how) {
    DisconnectReason reason =
        settlement.isConvicted(peer.link().address()) ? DisconnectReason.OMISSION : how;
    Message.Version version = peer.version();
    if (version == null || !dialer.isRememberedByName(peer)) {
      return;
    }
    journal.peer(
        new CommitBatch.PeerFacts(
            peer.link().address(),
            version.services(),
            version.userAgent(),
            version.startHeight(),
            peer.latencyMillis(),
            effects.clock().getEpochSecond(),
            peer.mempoolAtOnce(),
            reason.isMisbehaviour() ? reason.name() : ""),
        effects.now());
  }

  /** Records that a peer omitted something, which stays until the session ends. */
  void mark(Settlement.Conviction conviction) {
    roster.peers().stream()
        .filter(peer -> peer.link().address().equals(conviction.peer()))
        .forEach(peer -> remember(peer, DisconnectReason.OMISSION));
  }

  void convict(Settlement.Conviction conviction) {
    for (PoolPeer peer : List.copyOf(roster.peers())) {
      if (peer.link().address().equals(conviction.peer())) {
        drop(peer, DisconnectReason.OMISSION, conviction.detail());
        return;
      }
    }
    effects.emit(
        new SyncEvent.PeerLost(conviction.peer(), DisconnectReason.OMISSION, conviction.detail()));
    dialer.backOff(conviction.peer(), DisconnectReason.OMISSION);
  }
}
