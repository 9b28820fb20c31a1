package org.murmur.p2p.internal.dial;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Calls the pinned peers that are due.
 *
 * <p>A peer that misbehaved, in this session or an earlier one, is not called during its back-off
 * ({@link DisconnectReason#backOff}) unless no other peer can take its place: a user who names one
 * peer means that one, and is warned. Nobody takes a guard's place. Misbehaviour that no honest
 * peer commits ends its part in a one-off sync.
 */
final class PinnedPeers extends Part<Peer> implements Alarm.Timed {

  private final @Nullable Guards guards;
  private final Contacts contacts;
  private final Redial redial;

  PinnedPeers(Part<?> machine, @Nullable Guards guards, Contacts contacts, Redial redial) {
    super(machine);
    this.guards = guards;
    this.contacts = contacts;
    this.redial = redial;
  }

  private List<Contact> all() {
    return contacts.pinned();
  }

  // ---- calls ----

  void call() {
    for (Contact contact : all()) {
      contact.boundBackOff(effects.now());
      Instant at = contact.callAt();
      if (at == null || effects.now().isBefore(at) || !hasRoom(contact)) {
        continue;
      }
      if (!contact.isInBackOff(effects.now())) {
        call(contact);
      } else if (!isReplaceable(contact)) {
        warn(contact);
        call(contact);
      } else {
        reportBackOff(contact);
      }
    }
  }

  /**
   * Whether its back-off is respected, because others can take its place. Nobody takes a guard's,
   * and a session would not wait for a long back-off of one.
   */
  private boolean isReplaceable(Contact contact) {
    return isAnyCandidate() && !(isGuard(contact) && isLong(contact));
  }

  private boolean isLong(Contact contact) {
    return contact.isInBackOff(effects.now().plus(Attempts.LONGEST_PAUSE));
  }

  /** Once for each reason. */
  private void warn(Contact contact) {
    if (contact.warnedOf != contact.backOffReason) {
      contact.warnedOf = contact.backOffReason;
      effects.emit(
          new SyncWarning.MisbehavedPeerCalled(
              contact.address, contact.backOffReason, effects.onTheClock(contact.backOffUntil)));
    }
  }

  private void reportBackOff(Contact contact) {
    if (!contact.backOffReported) {
      contact.backOffReported = true;
      effects.emit(
          new SyncWarning.PeerInBackOff(
              contact.address, contact.backOffReason, effects.onTheClock(contact.backOffUntil)));
    }
  }

  private void call(Contact contact) {
    if (contact.attempts().calls() == 0) {
      Refusal lost = contact.lost;
      contact.lost = new Refusal(lost.reason(), lost.obstacle(), "no answer yet");
    }
    contact.attempts().called();
    contacts.call(contact, false);
  }

  private boolean isAnyCandidate() {
    return all().stream()
        .anyMatch(contact -> contact.isCandidate(effects.now()) && !isOfAnotherKind(contact));
  }

  /** It is connected for something else: a witness with filters of blocks, say. */
  private boolean isOfAnotherKind(Contact contact) {
    Peer peer = contacts.peer(contact);
    return peer != null && peer.isReady() && !settings.headersOnly() && !service.isFrom(peer);
  }

  /**
   * Whether it may be called now. A guard always may, since no other peer can take its place; the
   * others leave it its slot. If peers are found, all pinned ones are guards.
   */
  private boolean hasRoom(Contact contact) {
    int connections = settings.peers().connections() + (roster.wantsOneMore() ? 1 : 0);
    return settings.peers().discovery().isPresent()
        || isGuard(contact)
        || roster.size() < connections - guardsToCall();
  }

  private boolean isGuard(Contact contact) {
    return guards != null && guards.chosen().contains(contact.address);
  }

  private int guardsToCall() {
    int waiting = 0;
    for (Contact contact : all()) {
      waiting += isGuard(contact) && contact.callAt() != null ? 1 : 0;
    }
    return waiting;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    for (Contact contact : all()) {
      Instant at = contact.callAt();
      boolean blocked = at != null && at.isBefore(contact.backOffUntil) && isReplaceable(contact);
      alarm.at(blocked ? contact.backOffUntil : at);
    }
  }

  // ---- results ----

  /** The first version handshake of the session succeeded, with any peer. */
  void firstReady() {
    // A sync that follows goes on from here, so it calls those again that it had given up.
    for (Contact contact : all()) {
      if (settings.follow() && contact.link == null && contact.callAt() == null) {
        redial.plan(contact);
      }
    }
  }

  /** A peer that is gone turned out to have misbehaved. */
  void backOff(NodeAddress address, DisconnectReason reason) {
    for (Contact contact : all()) {
      if (contact.address.equals(address)) {
        contact.backOff(reason, effects.now());
        Refusal lost = contact.lost;
        contact.lost = new Refusal(reason, lost.obstacle(), lost.detail());
        redial.plan(contact);
      }
    }
  }

  /** This computer was offline: pauses are over, except after misbehaviour. */
  void retryNow() {
    for (Contact contact : all()) {
      if (contact.callAt() != null && !contact.lost.reason().isMisbehaviour()) {
        contact.attempts().retryNow();
      }
    }
  }

  // ---- expectations ----

  /**
   * Whether one that is not ready yet may become ready soon. A sync that follows goes on calling a
   * peer that a one-off sync would give up, but does not wait for it.
   */
  boolean hasMore() {
    return all().stream().anyMatch(this::isAwaited);
  }

  boolean isAwaited(NodeAddress address) {
    return all().stream()
        .anyMatch(contact -> contact.address.equals(address) && isAwaited(contact));
  }

  private boolean isAwaited(Contact contact) {
    Peer peer = contacts.peer(contact);
    int calls = contact.attempts().calls();
    boolean coming = peer != null && !peer.isReady() && calls <= Attempts.MAX_CALLS;
    boolean next =
        hasRoom(contact) && contact.isCalledSoon(effects.now()) && calls < Attempts.MAX_CALLS;
    return coming || (next && (isGuard(contact) || !isLong(contact)));
  }

  /**
   * Deadline of the version handshakes that a sync waits for before it ends: a peer that the user
   * named may know of higher blocks.
   */
  @Nullable Instant versionDue() {
    Instant due = null;
    for (Contact contact : all()) {
      Peer peer = contacts.peer(contact);
      if (peer == null || peer.isReady() || contact.answered || contact.attempts().calls() > 1) {
        continue;
      }
      Instant until = peer.since().plus(settings.connectTimeout());
      if (effects.now().isBefore(until) && (due == null || until.isAfter(due))) {
        due = until;
      }
    }
    return due;
  }

  /** Whether none is connected that may serve blocks, and none is called soon. */
  boolean areGivenUp() {
    return all().stream()
        .noneMatch(
            contact ->
                (contact.link != null && !isForHeaders(contact))
                    || contact.isCalledSoon(effects.now()));
  }

  private boolean isForHeaders(Contact contact) {
    Peer peer = contacts.peer(contact);
    return peer != null && peer.forHeaders();
  }

  // ---- texts ----

  /** Why each of those called cannot be used, for people; empty if none was called. */
  String obstacles() {
    StringJoiner detail = new StringJoiner("; ");
    for (Contact contact : all()) {
      if (contact.attempts().calls() > 0) {
        detail.add(contact.address + ": " + contact.lost.detail());
      }
    }
    return detail.toString();
  }

  /** Why each of them cannot be used up to now. */
  SyncFact.NoUsablePeer inTheWay() {
    Obstacle.Kind worst = Obstacle.Kind.UNREACHABLE;
    Map<NodeAddress, Obstacle> obstacles = new LinkedHashMap<>();
    StringJoiner detail = new StringJoiner("; ");
    boolean others = all().size() > 1 || settings.peers().discovery().isPresent();
    for (Contact contact : all()) {
      if (others && isForHeaders(contact)) {
        continue;
      }
      boolean silent = isSilent(contact);
      Obstacle obstacle = silent ? Obstacle.NO_VERSION : contact.lost.obstacle();
      worst = obstacle.kind().compareTo(worst) > 0 ? obstacle.kind() : worst;
      obstacles.put(contact.address, obstacle);
      detail.add(
          contact.address + ": " + (silent ? "no version message yet" : contact.lost.detail()));
    }
    return new SyncFact.NoUsablePeer(worst, obstacles, detail.toString());
  }

  /** Whether it accepted the connection and has sent no version message yet. */
  private boolean isSilent(Contact contact) {
    Peer peer = contacts.peer(contact);
    return peer != null && peer.at() != null && !peer.isReady();
  }
}
