package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;

/**
 * The peers that the user named, and the guards of earlier sessions. They are pinned: no other peer
 * takes the place of one that is gone.
 *
 * <p>A peer that misbehaved, in this session or an earlier one, is not called during its back-off
 * ({@link DisconnectReason#backOff}), unless nobody else is left: a user who names one peer means
 * that one, and is warned. A misdeed that no honest peer commits ends its part in the session. Only
 * a session that follows calls it again, after the back-off.
 */
final class NamedPeers {

  /** Nothing came from a peer: that says nothing about it, and may pass. */
  private static final Set<Obstacle.Kind> NOT_REACHED =
      Set.of(Obstacle.Kind.UNREACHABLE, Obstacle.Kind.PROXY);

  private final Effects effects;
  private final SyncSettings settings;
  private final Roster roster;
  private final @Nullable Guards guards;
  private final Function<PeerAddress, Link> links;
  private final List<NamedPeer> all = new ArrayList<>();
  // Whether any version handshake succeeded in this session.
  private boolean everReady;

  NamedPeers(
      Effects effects,
      SyncSettings settings,
      Roster roster,
      @Nullable Guards guards,
      Collection<PeerAddress> named,
      List<CommitBatch.PeerFacts> known,
      Function<PeerAddress, Link> links) {
    this.effects = effects;
    this.settings = settings;
    this.roster = roster;
    this.guards = guards;
    this.links = links;
    for (PeerAddress address : named) {
      NamedPeer peer = new NamedPeer(address);
      known.stream().filter(facts -> facts.address().equals(address)).forEach(peer::remember);
      all.add(peer);
    }
  }

  private @Nullable NamedPeer at(Link link) {
    for (NamedPeer named : all) {
      if (link.equals(named.link)) {
        return named;
      }
    }
    return null;
  }

  private NamedPeer of(Peer peer) {
    NamedPeer named = at(peer.link());
    if (named == null) {
      throw new IllegalArgumentException("link " + peer.link() + " is of no named peer");
    }
    return named;
  }

  /** Whether a peer is one of them. */
  boolean has(Peer peer) {
    return at(peer.link()) != null;
  }

  /** Whether any peer, named or found, ever completed the version handshake in this session. */
  boolean wasAnybodyReady() {
    return everReady;
  }

  private @Nullable Peer connection(NamedPeer named) {
    Link link = named.link;
    return link == null ? null : roster.get(link.id());
  }

  // ---- calling ----

  /** Calls those that are due. */
  void call() {
    for (NamedPeer named : all) {
      named.boundBackOff(effects.now());
      Instant at = named.callAt();
      if (at == null || effects.now().isBefore(at) || !hasRoom(named)) {
        continue;
      }
      if (!named.isInBackOff(effects.now())) {
        call(named);
      } else if (!isAnyCandidate()) {
        effects.emit(
            new SyncEvent.Warning(
                new SyncWarning.MisbehavedPeerCalled(
                    named.address, named.backOffReason, effects.onTheClock(named.backOffUntil))));
        call(named);
      } else if (!named.backOffReported) {
        named.backOffReported = true;
        effects.emit(
            new SyncEvent.PeerInBackOff(
                named.address, named.backOffReason, effects.onTheClock(named.backOffUntil)));
      }
    }
  }

  private void call(NamedPeer named) {
    if (named.attempts.calls() == 0) {
      named.lost = new Refusal(named.lost.reason(), named.lost.obstacle(), "no answer yet");
    }
    named.attempts.called();
    Link link = links.apply(named.address);
    named.link = link;
    Peer peer = new Peer(link, effects.dice().nextLong(), effects.now());
    peer.answersMempoolAtOnce(named.mempoolAtOnce);
    roster.add(peer);
    effects.output(new Output.Connect(link));
  }

  private boolean isAnyCandidate() {
    return all.stream().anyMatch(named -> named.isCandidate(effects.now()));
  }

  /**
   * Whether it may be called now. A guard always may, since no other peer can take its place; the
   * others leave it its slot. Where peers are found, all that are named are guards.
   */
  private boolean hasRoom(NamedPeer named) {
    return settings.discovery().isPresent()
        || isGuard(named)
        || roster.size() < mostAtOnce() - guardsToCall();
  }

  /** How many at once. */
  private int mostAtOnce() {
    return settings.connections() + (roster.wantsOneMore() ? 1 : 0);
  }

  private boolean isGuard(NamedPeer named) {
    return guards != null && guards.chosen().contains(named.address);
  }

  private int guardsToCall() {
    int waiting = 0;
    for (NamedPeer named : all) {
      waiting += isGuard(named) && named.callAt() != null ? 1 : 0;
    }
    return waiting;
  }

  /** When a peer is called next, or null. */
  @Nullable Instant due() {
    boolean others = isAnyCandidate();
    Instant next = null;
    for (NamedPeer named : all) {
      Instant at = named.callAt();
      if (at != null && others && at.isBefore(named.backOffUntil)) {
        at = named.backOffUntil;
      }
      if (at != null && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return next;
  }

  // ---- how connections begin and end ----

  /** A version handshake succeeded, with a peer that is named or found. */
  void ready(Peer peer) {
    NamedPeer ready = at(peer.link());
    if (ready != null) {
      ready.answered = true;
    }
    if (everReady) {
      return;
    }
    everReady = true;
    // A sync that follows goes on from here, so it calls those again that it had given up.
    for (NamedPeer named : all) {
      if (settings.follow() && named.link == null && named.callAt() == null) {
        planNextCall(named);
      }
    }
  }

  /** Its connection is gone; decides whether and when it is called again. */
  void lost(Peer peer, Refusal refusal, boolean useful) {
    NamedPeer named = of(peer);
    named.link = null;
    named.mempoolAtOnce = peer.mempoolAtOnce();
    if (useful) {
      named.attempts.useful();
    }
    named.lost = refusal;
    if (refusal.reason().isMisbehaviour()) {
      named.backOff(refusal.reason(), effects.now());
      // The user was told why it is gone.
      named.backOffReported = true;
    }
    planNextCall(named);
  }

  /** It disconnected on a request for blocks. */
  void refusedBlocks(Peer peer, int from) {
    of(peer).refusedBlocks(from);
  }

  /** A peer that is gone is known by now to have misbehaved. */
  void backOff(PeerAddress address, DisconnectReason reason) {
    for (NamedPeer named : all) {
      if (named.address.equals(address)) {
        named.backOff(reason, effects.now());
        named.lost = new Refusal(reason, named.lost.obstacle(), named.lost.detail());
        planNextCall(named);
      }
    }
  }

  private void planNextCall(NamedPeer named) {
    DisconnectReason reason = named.lost.reason();
    boolean reached = !NOT_REACHED.contains(named.lost.obstacle().kind());
    boolean patient = settings.follow() && (everReady || !reached);
    if (patient && reason.isMisbehaviour() && !reason.isTransient()) {
      // A long session forgives in the end; nobody waits for that.
      named.attempts.pauseUntil(effects.now(), named.backOffUntil);
    } else if (patient ? reason.isTransient() : named.isWorthAnotherCall()) {
      named.attempts.pause(effects.now());
    } else {
      named.attempts.giveUp(effects.now());
    }
  }

  /** This machine was away: pauses are over, except after misbehaviour. */
  void retryNow() {
    for (NamedPeer named : all) {
      if (named.callAt() != null && !named.lost.reason().isMisbehaviour()) {
        named.attempts.retryNow();
      }
    }
  }

  // ---- what may still be hoped for ----

  /**
   * Whether one that is not ready yet may become so before long. A sync that follows goes on
   * calling a peer that a one-off sync would give up, but does not wait for it.
   */
  boolean hasMore() {
    return all.stream().anyMatch(this::isAwaited);
  }

  boolean isAwaited(PeerAddress address) {
    return all.stream().anyMatch(named -> named.address.equals(address) && isAwaited(named));
  }

  private boolean isAwaited(NamedPeer named) {
    Peer peer = connection(named);
    boolean coming =
        peer != null && !peer.isReady() && named.attempts.calls() <= Attempts.MAX_CALLS;
    boolean next =
        hasRoom(named)
            && named.isCalledSoon(effects.now())
            && named.attempts.calls() < Attempts.MAX_CALLS;
    return coming || (next && !named.isInBackOff(effects.now().plus(Attempts.LONGEST_PAUSE)));
  }

  /**
   * Deadline of the version handshakes that a sync waits for before it ends. A user who names a
   * peer wants to hear it: it may know of higher blocks.
   */
  @Nullable Instant greetingDue() {
    Instant due = null;
    for (NamedPeer named : all) {
      Peer peer = connection(named);
      if (peer == null || peer.isReady() || named.answered || named.attempts.calls() > 1) {
        continue;
      }
      Instant until = peer.since().plus(settings.connectTimeout());
      if (effects.now().isBefore(until) && (due == null || until.isAfter(due))) {
        due = until;
      }
    }
    return due;
  }

  /** Whether none is connected, and none is called soon. */
  boolean areGivenUp() {
    return all.stream().noneMatch(named -> named.link != null || named.isCalledSoon(effects.now()));
  }

  /** What keeps us from each of those that were called, for people; empty if none was. */
  String obstacles() {
    StringBuilder detail = new StringBuilder();
    for (NamedPeer named : all) {
      if (named.attempts.calls() > 0) {
        detail.append(detail.length() == 0 ? "" : "; ").append(named.address).append(": ");
        detail.append(named.lost.detail());
      }
    }
    return detail.toString();
  }

  /** What keeps us from each of them up to now. */
  SyncEvent.NoUsablePeer inTheWay() {
    Obstacle.Kind worst = Obstacle.Kind.UNREACHABLE;
    Map<PeerAddress, Obstacle> obstacles = new LinkedHashMap<>();
    StringBuilder detail = new StringBuilder();
    for (NamedPeer named : all) {
      boolean mute = isMute(named);
      Obstacle obstacle = mute ? Obstacle.NO_HELLO : named.lost.obstacle();
      Obstacle.Kind kind = obstacle.kind();
      worst = kind.compareTo(worst) > 0 ? kind : worst;
      obstacles.put(named.address, obstacle);
      detail.append(detail.length() == 0 ? "" : "; ").append(named.address).append(": ");
      detail.append(mute ? "no hello yet" : named.lost.detail());
    }
    return new SyncEvent.NoUsablePeer(worst, obstacles, detail.toString());
  }

  /** Whether something accepts the connection and has sent no version message yet. */
  private boolean isMute(NamedPeer named) {
    Peer peer = connection(named);
    return peer != null && peer.at() != null && !peer.isReady();
  }
}
