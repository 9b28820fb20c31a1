package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Decides when an address is called again, and when it is given up.
 *
 * <p>A one-off sync calls a peer again only if {@link Contact#isWorthAnotherCall it once answered
 * and may recover soon}. A session that follows calls a pinned peer again after growing pauses,
 * since no other peer takes its place. It calls a found one as soon as a one-off sync would, or
 * after a minute.
 */
final class Redial extends Part<Peer> {

  /** The pause before a found address that cannot be used now is called again. */
  private static final Duration LATER = Attempts.LONGEST_PAUSE;

  /** The peer sent nothing: these obstacles say nothing about it, and they may pass. */
  private static final Set<Obstacle.Kind> NOT_REACHED =
      Set.of(Obstacle.Kind.UNREACHABLE, Obstacle.Kind.PROXY);

  private boolean everReady;

  Redial(Part<?> machine) {
    super(machine);
  }

  /** A version handshake succeeded, with any peer. */
  void ready() {
    everReady = true;
  }

  /** Whether any version handshake succeeded in this session. */
  boolean wasAnyPeerReady() {
    return everReady;
  }

  /** Plans the next call of a contact that was lost. */
  void plan(Contact contact) {
    // The table's pauses are compared with its bans, which are in clock time.
    Instant now = contact.isPinned() ? effects.now() : effects.clock();
    contact.attempts().pauseUntil(now, nextCall(contact, now));
  }

  private Instant nextCall(Contact contact, Instant now) {
    Instant soon = now.plus(Attempts.pauseAfter(contact.attempts().calls()));
    if (settings.follow() && contact.isPinned()) {
      return nextCallOfPinned(contact, soon);
    }
    return contact.isWorthAnotherCall() || contact.isExcused() ? soon : later();
  }

  private Instant nextCallOfPinned(Contact contact, Instant soon) {
    DisconnectReason reason = contact.lost.reason();
    boolean patient =
        everReady || NOT_REACHED.contains(contact.lost.obstacle().kind()) || contact.isExcused();
    if (patient && reason.isTransient()) {
      return soon;
    }
    // During its back-off it is called only if no other peer can take its place.
    return patient && reason.isMisbehaviour() ? effects.now().plus(LATER) : Instant.MAX;
  }

  /** Postpones calls to an address of the table; a one-off sync gives it up. */
  void postpone(Attempts attempts) {
    attempts.pauseUntil(effects.clock(), later());
  }

  private Instant later() {
    return settings.follow() ? effects.clock().plus(LATER) : Instant.MAX;
  }

  /** The session had no place for a peer. A spare one may be called as soon as there is one. */
  void released(Attempts attempts, boolean spare) {
    if (!spare) {
      attempts.pauseUntil(effects.clock(), effects.clock().plus(LATER));
    }
  }
}
