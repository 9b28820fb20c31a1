package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Awaited;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
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
 * Connections: who to call, when to call again, who is left alone for what it did, and when to give
 * up on everybody.
 *
 * <p>Who misbehaved, in this session or in an earlier one, is not called before its back-off is
 * over ({@link DisconnectReason#backOff}), unless nobody else is left: a user who names one peer
 * means that one, and is told. What no honest peer does ends its part in this session, unless that
 * follows: then it is over with the back-off.
 */
public final class Dialer implements Awaited {

  /** Nothing came from a peer: that says nothing of it, and may pass. */
  private static final Set<Obstacle.Kind> NOT_REACHED =
      Set.of(Obstacle.Kind.UNREACHABLE, Obstacle.Kind.PROXY);

  private final Effects effects;
  private final SyncSettings settings;
  private final Roster roster;
  // Who guards, where only some may be shown filters.
  private final @Nullable Guards guards;
  private final List<Target> targets = new ArrayList<>();
  private int nextLink = 1;
  private boolean everReady;
  private final Finder finder;

  private static final class Target {
    final PeerAddress address;
    boolean mempoolAtOnce;
    @Nullable Link link;
    @Nullable Instant callAt;
    Instant backOffUntil = Instant.EPOCH;
    DisconnectReason backOffReason = DisconnectReason.DONE;
    // Whether the user was told that it is left alone.
    boolean told;
    boolean answered;
    int calls;
    // From which height on it was asked for blocks when it hung up on that; negative if it did not.
    int refusedFrom = -1;
    boolean refusesAgain;
    // Why it was last lost.
    DisconnectReason lostFor = DisconnectReason.DONE;
    Obstacle obstacle = Obstacle.NO_CONNECTION;
    String why = "not tried";

    Target(PeerAddress address, Instant callAt) {
      this.address = address;
      this.callAt = callAt;
    }

    void backOff(DisconnectReason reason, Instant since) {
      backOffReason = reason;
      backOffUntil = since.plus(reason.backOff());
      told = false;
    }

    boolean isInBackOff(Instant now) {
      return now.isBefore(backOffUntil);
    }

    /** What a clock that was wrong left in the future is no longer than it would be from now on. */
    void settle(Instant now) {
      Instant longest = now.plus(backOffReason.backOff());
      backOffUntil = backOffUntil.isAfter(longest) ? longest : backOffUntil;
    }

    /** It is connected, or may be called whatever becomes of the others. */
    boolean isHope(Instant now) {
      return link != null || (callAt != null && !isInBackOff(now));
    }
  }

  public Dialer(
      Effects effects,
      SyncSettings settings,
      Roster roster,
      Journal journal,
      @Nullable Guards guards,
      List<CommitBatch.PeerFacts> known,
      List<KnownAddress> addresses) {
    this.effects = effects;
    this.settings = settings;
    this.roster = roster;
    this.guards = guards;
    Set<PeerAddress> named = new LinkedHashSet<>(settings.peers());
    if (guards != null && settings.discovery().isPresent()) {
      // Whoever holds a filter is called by its address, and nobody in its place.
      named.addAll(guards.chosen());
    }
    for (PeerAddress address : named) {
      Target target = new Target(address, Instant.EPOCH);
      known.stream()
          .filter(facts -> facts.address().equals(address))
          .forEach(facts -> remember(target, facts));
      targets.add(target);
    }
    this.finder =
        settings
            .discovery()
            .<Finder>map(
                how ->
                    new PeerFinder(
                        effects,
                        settings,
                        roster,
                        journal,
                        guards,
                        how,
                        addresses,
                        targets.size(),
                        this::newLink))
            .orElseGet(() -> new NamedOnly(roster));
  }

  private static void remember(Target target, CommitBatch.PeerFacts facts) {
    target.mempoolAtOnce = facts.mempoolAtOnce();
    for (DisconnectReason reason : DisconnectReason.values()) {
      if (reason.isMisbehaviour() && reason.name().equals(facts.misbehaviour())) {
        target.backOff(reason, Instant.ofEpochSecond(facts.lastSeen()));
      }
    }
  }

  /** Who comes beside those that are named. */
  public Finder finder() {
    return finder;
  }

  private Link newLink(PeerAddress address) {
    return new Link(nextLink++, address);
  }

  /**
   * Whether somebody may be called now. Who holds a filter always may, since nobody else can be
   * asked in its place; the others leave it its slot.
   */
  private boolean hasRoom(Target target) {
    return isGuard(target) || finder.hasRoom(most() - guardsToCall());
  }

  private boolean isGuard(Target target) {
    return guards != null && guards.chosen().contains(target.address);
  }

  private int guardsToCall() {
    int waiting = 0;
    for (Target target : targets) {
      waiting += isGuard(target) && target.link == null && target.callAt != null ? 1 : 0;
    }
    return waiting;
  }

  /** Calls whoever is due. */
  public void call() {
    for (Target target : targets) {
      target.settle(effects.now());
      Instant at = target.callAt;
      if (at == null || effects.now().isBefore(at) || !hasRoom(target)) {
        continue;
      }
      if (!target.isInBackOff(effects.now())) {
        call(target);
      } else if (!hasHope()) {
        warn(target);
        call(target);
      } else if (!target.told) {
        target.told = true;
        effects.emit(
            new SyncEvent.PeerInBackOff(
                target.address, target.backOffReason, effects.onTheClock(target.backOffUntil)));
      }
    }
  }

  /** How many at once. When no block comes any more, one more may know of some. */
  private int most() {
    return settings.connections() + (roster.isStale() ? 1 : 0);
  }

  private boolean hasHope() {
    return targets.stream().anyMatch(target -> target.isHope(effects.now()));
  }

  private void warn(Target target) {
    effects.emit(
        new SyncEvent.Warning(
            new SyncWarning.MisbehavedPeerCalled(
                target.address, target.backOffReason, effects.onTheClock(target.backOffUntil))));
  }

  private void call(Target target) {
    target.callAt = null;
    target.why = target.calls == 0 ? "no answer yet" : target.why;
    target.calls++;
    Link link = newLink(target.address);
    target.link = link;
    Peer peer = new Peer(link, effects.dice().nextLong(), effects.now());
    peer.answersMempoolAtOnce(target.mempoolAtOnce);
    roster.add(peer);
    effects.output(new Output.Connect(link));
  }

  public void ready(Peer peer) {
    if (peer.found() == null) {
      target(peer.link()).answered = true;
    }
    if (!everReady) {
      everReady = true;
      // A sync that follows will go on, so it calls those again whom it had given up.
      for (Target target : targets) {
        if (settings.follow() && target.link == null && target.callAt == null) {
          planNextCall(target);
        }
      }
    }
  }

  /** A peer was of use, so calling it again is worth the while. */
  public void useful(Link link) {
    target(link).calls = 0;
  }

  /**
   * It hung up on a question for blocks. Once may be chance; who does so again at the same place
   * will not change its mind while a one-off sync waits.
   */
  public void refused(Link link, int from) {
    Target target = target(link);
    target.refusesAgain = target.refusedFrom == from;
    target.refusedFrom = from;
  }

  /** This end was away: whoever waits to be called again without fault is called now. */
  public void hurry() {
    for (Target target : targets) {
      if (target.callAt != null && !target.lostFor.isMisbehaviour()) {
        target.callAt = effects.now();
        target.calls = 0;
      }
    }
  }

  /** What is known of a peer by now holds for its next link, too. */
  public void remember(Peer peer) {
    target(peer.link()).mempoolAtOnce = peer.mempoolAtOnce();
  }

  /** A link is gone; decides whether and when to call again. */
  public void lost(Link link, Obstacle obstacle, String why, DisconnectReason reason) {
    Target target = target(link);
    target.link = null;
    target.obstacle = obstacle;
    target.why = why;
    if (reason.isMisbehaviour()) {
      target.backOff(reason, effects.now());
      // That it is gone, and why, was said already.
      target.told = true;
    }
    target.lostFor = reason;
    planNextCall(target);
  }

  private void planNextCall(Target target) {
    DisconnectReason reason = target.lostFor;
    boolean reached = !NOT_REACHED.contains(target.obstacle.kind());
    boolean patient = settings.follow() && (everReady || !reached);
    if (patient && reason.isMisbehaviour() && !reason.isTransient()) {
      // A long session forgives in the end; nobody waits for that.
      target.callAt = target.backOffUntil;
    } else if (patient ? reason.isTransient() : isWorthAnotherCall(target)) {
      target.callAt = effects.now().plus(Retries.pauseAfter(target.calls));
    }
  }

  /**
   * Whether a session that is to end soon calls again. Silence for the whole time of a question, on
   * a connection that brought nothing, is not met with the same question.
   */
  private static boolean isWorthAnotherCall(Target target) {
    boolean mute = target.lostFor == DisconnectReason.STALLED && target.calls > 0;
    return target.lostFor.passesSoon()
        && target.answered
        && !mute
        && !target.refusesAgain
        && target.calls < Retries.MAX_CALLS;
  }

  /** Nobody is connected to this address, but it is known now what it did. */
  public void backOff(PeerAddress address, DisconnectReason reason) {
    for (Target target : targets) {
      if (target.address.equals(address)) {
        target.backOff(reason, effects.now());
        target.callAt = null;
        target.lostFor = reason;
        planNextCall(target);
      }
    }
  }

  /**
   * Whether a peer that is not ready yet may become so before long, whoever else is there. Who was
   * called in vain so often that a one-off sync gives up is called on and on by a sync that
   * follows, but not waited for.
   */
  @Override
  public boolean hasMore() {
    return targets.stream().anyMatch(this::isAwaited) || finder.hasMore();
  }

  @Override
  public boolean isAwaited(PeerAddress address) {
    return targets.stream().anyMatch(each -> each.address.equals(address) && isAwaited(each))
        || finder.isAwaited(address);
  }

  private boolean isAwaited(Target target) {
    boolean room = hasRoom(target);
    Link link = target.link;
    Peer peer = link == null ? null : roster.get(link.id());
    boolean coming = peer != null && !peer.isReady() && target.calls <= Retries.MAX_CALLS;
    boolean next = room && isToBeCalled(target) && target.calls < Retries.MAX_CALLS;
    return coming || (next && isForgivenSoon(target));
  }

  private boolean isForgivenSoon(Target target) {
    return !target.isInBackOff(effects.now().plus(Retries.LONGEST_PAUSE));
  }

  /**
   * Deadline of the version handshakes that a sync waits for before it ends. A user who names a
   * peer wants to hear it: it may know of higher blocks.
   */
  @Override
  public @Nullable Instant greetingDue() {
    Instant due = finder.greetingDue();
    for (Target target : targets) {
      Link link = target.link;
      Peer peer = link == null ? null : roster.get(link.id());
      if (peer == null || peer.isReady() || target.answered || target.calls > 1) {
        continue;
      }
      Instant until = peer.since().plus(settings.connectTimeout());
      if (effects.now().isBefore(until) && (due == null || until.isAfter(due))) {
        due = until;
      }
    }
    return due;
  }

  public @Nullable Instant nextCall() {
    boolean hope = hasHope();
    Instant next = null;
    for (Target target : targets) {
      Instant at = target.callAt;
      if (at != null && hope && at.isBefore(target.backOffUntil)) {
        at = target.backOffUntil;
      }
      if (at != null && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return next;
  }

  /** What was in the way at those that are named, for people; empty if nobody is named. */
  String obstacles() {
    StringBuilder detail = new StringBuilder();
    for (Target target : targets) {
      if (target.calls > 0) {
        detail.append(detail.length() == 0 ? "" : "; ").append(target.address).append(": ");
        detail.append(target.why);
      }
    }
    return detail.toString();
  }

  /** Why nothing can be done any more, or null while there is somebody, or hope. */
  public SyncEvent.@Nullable NoUsablePeer noUsablePeer() {
    for (Target target : targets) {
      if (target.link != null || isToBeCalled(target)) {
        return null;
      }
    }
    SyncEvent.NoUsablePeer ofNamed = inTheWay();
    return finder.isHopeless(everReady) ? finder.inTheWay(ofNamed) : null;
  }

  /**
   * Why nobody said hello, in a session that ends before all hope is gone; null if somebody did.
   */
  public SyncEvent.@Nullable NoUsablePeer nobodyYet() {
    return everReady ? null : finder.inTheWay(inTheWay());
  }

  /** What is in the way at those that are named, up to now. */
  private SyncEvent.NoUsablePeer inTheWay() {
    Obstacle.Kind worst = Obstacle.Kind.UNREACHABLE;
    Map<PeerAddress, Obstacle> obstacles = new LinkedHashMap<>();
    StringBuilder detail = new StringBuilder();
    for (Target target : targets) {
      boolean mute = isMute(target);
      Obstacle obstacle = mute ? Obstacle.NO_HELLO : target.obstacle;
      Obstacle.Kind kind = obstacle.kind();
      worst = kind.compareTo(worst) > 0 ? kind : worst;
      obstacles.put(target.address, obstacle);
      detail.append(detail.length() == 0 ? "" : "; ").append(target.address).append(": ");
      detail.append(mute ? "no hello yet" : target.why);
    }
    return new SyncEvent.NoUsablePeer(worst, obstacles, detail.toString());
  }

  /** Whether something takes the connection and has not said hello. */
  private boolean isMute(Target target) {
    Link link = target.link;
    Peer peer = link == null ? null : roster.get(link.id());
    return peer != null && peer.at() != null && !peer.isReady();
  }

  /** Whether it will be called within a time that is worth waiting for. */
  private boolean isToBeCalled(Target target) {
    Instant at = target.callAt;
    return at != null && !at.isAfter(effects.now().plus(Retries.LONGEST_PAUSE));
  }

  private Target target(Link link) {
    for (Target target : targets) {
      if (link.equals(target.link)) {
        return target;
      }
    }
    throw new IllegalArgumentException("link " + link + " was not asked for");
  }
}
