package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Connections: who to call, when to call again, and when to give up on everybody. */
final class Dialer {

  /** First pause before calling again; doubled every time. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /** The longest pause before calling again. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  /** How often a peer that once answered is called again before a one-off sync gives up. */
  private static final int MAX_CALLS = 4;

  private final Session session;
  private final Set<PeerAddress> mempoolAtOnce;
  private final List<Target> targets = new ArrayList<>();
  private int nextLink = 1;
  private boolean everReady;

  private static final class Target {
    final PeerAddress address;
    @Nullable Link link;
    @Nullable Instant callAt;
    boolean answered;
    int calls;
    SyncEvent.NoUsablePeer.Kind kind = SyncEvent.NoUsablePeer.Kind.UNREACHABLE;
    String why = "not tried";

    Target(PeerAddress address, Instant callAt) {
      this.address = address;
      this.callAt = callAt;
    }
  }

  Dialer(Session session, Set<PeerAddress> mempoolAtOnce) {
    this.session = session;
    this.mempoolAtOnce = mempoolAtOnce;
    for (PeerAddress address : Set.copyOf(session.settings.peers())) {
      targets.add(new Target(address, Instant.EPOCH));
    }
    targets.sort(
        (a, b) ->
            Integer.compare(
                session.settings.peers().indexOf(a.address),
                session.settings.peers().indexOf(b.address)));
  }

  /** Calls whoever is due. */
  void call() {
    for (Target target : targets) {
      Instant at = target.callAt;
      if (at == null
          || session.now.isBefore(at)
          || session.peers.size() >= session.settings.connections()) {
        continue;
      }
      target.callAt = null;
      target.calls++;
      Link link = new Link(nextLink++, target.address);
      target.link = link;
      Peer peer = new Peer(link, session.dice.nextLong(), session.now);
      peer.mempoolAtOnce = mempoolAtOnce.contains(target.address);
      session.peers.put(link.id(), peer);
      session.output(new Output.Connect(link));
    }
  }

  void ready(Peer peer) {
    everReady = true;
    target(peer.link).answered = true;
  }

  /** A peer was of use, so calling it again is worth the while. */
  void useful(Link link) {
    target(link).calls = 0;
  }

  /** A link is gone; decides whether to call again. */
  void lost(Link link, SyncEvent.NoUsablePeer.Kind kind, String why, boolean callAgain) {
    Target target = target(link);
    target.link = null;
    target.kind = kind;
    target.why = why;
    boolean patient = session.settings.follow() && everReady;
    if (callAgain && (patient || (target.answered && target.calls < MAX_CALLS))) {
      long factor = 1L << Math.min(target.calls, 10);
      Duration pause = FIRST_PAUSE.multipliedBy(factor);
      target.callAt = session.now.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }
  }

  @Nullable Instant nextCall() {
    Instant next = null;
    for (Target target : targets) {
      Instant at = target.callAt;
      if (at != null && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return next;
  }

  /** Why nothing can be done any more, or null while somebody is there or will be called again. */
  SyncEvent.@Nullable NoUsablePeer despair() {
    SyncEvent.NoUsablePeer.Kind worst = SyncEvent.NoUsablePeer.Kind.UNREACHABLE;
    StringBuilder detail = new StringBuilder();
    for (Target target : targets) {
      if (target.link != null || target.callAt != null) {
        return null;
      }
      worst = target.kind.compareTo(worst) > 0 ? target.kind : worst;
      detail.append(detail.length() == 0 ? "" : "; ").append(target.address).append(": ");
      detail.append(target.why);
    }
    return new SyncEvent.NoUsablePeer(worst, detail.toString());
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
