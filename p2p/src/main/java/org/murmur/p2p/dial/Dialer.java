package org.murmur.p2p.dial;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.ExpectedPeers;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.peers.ViewService;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;

/**
 * Which peers to call, when to call again, and when to give up on all. The rest of the machine asks
 * here and need not know how a peer's address came to be known: {@link NamedPeers} holds those that
 * are named, {@link Finder} those that are found.
 */
public final class Dialer implements ExpectedPeers {

  private final Effects effects;
  private final SyncSettings settings;
  private final ViewService service;
  private final @Nullable Guards guards;
  private final NamedPeers named;
  private final Finder finder;
  private int nextLink = 1;

  public Dialer(
      Effects effects,
      SyncSettings settings,
      ViewService service,
      Roster roster,
      Journal journal,
      @Nullable Guards guards,
      List<CommitBatch.PeerFacts> known,
      List<KnownAddress> addresses) {
    this.effects = effects;
    this.settings = settings;
    this.service = service;
    this.guards = guards;
    Set<PeerAddress> pinned = new LinkedHashSet<>(settings.peers());
    if (guards != null && settings.discovery().isPresent()) {
      // A guard is called by its address, and no other peer in its place.
      pinned.addAll(guards.chosen());
    }
    this.named = new NamedPeers(effects, settings, roster, guards, pinned, known, this::newLink);
    this.finder =
        settings
            .discovery()
            .<Finder>map(
                how ->
                    new PeerFinder(
                        effects,
                        settings,
                        service,
                        roster,
                        journal,
                        guards,
                        how,
                        addresses,
                        pinned.size(),
                        this::newLink))
            .orElseGet(() -> new NamedOnly(roster));
  }

  private Link newLink(PeerAddress address) {
    return new Link(nextLink++, address);
  }

  // ---- calling ----

  /** Takes inputs that concern no peer of the session; returns whether this was one. */
  public boolean take(Input input) {
    return finder.take(input);
  }

  /**
   * Calls the peers that are due.
   *
   * @param headersDone whether the peers have sent all headers they have
   */
  public void call(boolean headersDone) {
    named.call();
    finder.call(headersDone);
  }

  /** When {@link #call} has something to do though nothing happens, or null. */
  public @Nullable Instant due() {
    return Looks.earlier(ifAhead(named.due()), ifAhead(finder.due()));
  }

  /** What is due already waits for something else, and must not hide what comes after it. */
  private @Nullable Instant ifAhead(@Nullable Instant due) {
    return due != null && due.isAfter(effects.now()) ? due : null;
  }

  // ---- how connections begin ----

  /** Whether the user named this peer, or it is a guard of an earlier session. */
  public boolean isNamed(Peer peer) {
    return named.has(peer);
  }

  /**
   * Whether the user named it and it is on this machine or in the local network. Such a node may
   * serve more blocks than its service bits say, to peers with the permission noban.
   */
  public boolean isOwn(Peer peer) {
    return isNamed(peer) && peer.link().address().isLocal();
  }

  /** Its version message came: why it is of no use, if so. */
  public Refusal refusal(Peer peer, Message.Version version) {
    boolean serves = settings.headersOnly() || service.isIn(version.services());
    return serves || !isNamed(peer)
        ? Refusal.NONE
        : new Refusal(
            DisconnectReason.NO_BLOOM,
            Obstacle.NO_BLOOM,
            version.userAgent() + " does not serve BIP-0037 (no NODE_BLOOM)");
  }

  /**
   * Gives a peer its part in the session, by its version message.
   *
   * @return whether it stays; otherwise it is no peer of the session any more
   */
  public boolean admit(Peer peer, Message.Version version) {
    return isNamed(peer) || finder.admit(peer, version);
  }

  /** A peer stays: sends what has to be sent before the {@code verack}. */
  public void greet(Peer peer) {
    finder.greet(peer);
  }

  /** The version handshake is done. */
  public void ready(Peer peer) {
    named.ready(peer);
    finder.ready(peer);
  }

  /** A peer announces addresses of others. */
  public void announced(Peer peer, List<NetworkAddress> addresses) {
    finder.announced(peer, addresses);
  }

  // ---- how they end ----

  /**
   * A peer is gone, and off the roster. Decides whether and when it is called again.
   *
   * @param useful whether it brought anything that was not known before
   */
  public void lost(Peer peer, Refusal refusal, boolean useful) {
    if (isNamed(peer)) {
      named.lost(peer, refusal, useful);
    } else {
      finder.lost(peer, refusal, useful);
    }
  }

  /** A peer disconnects on a request for blocks from this height on. */
  public void refusedBlocks(Peer peer, int from) {
    if (isNamed(peer)) {
      named.refusedBlocks(peer, from);
    }
  }

  /** A peer that is gone is known by now to have misbehaved. */
  public void backOff(PeerAddress address, DisconnectReason reason) {
    named.backOff(address, reason);
    finder.backOff(address, reason);
  }

  /**
   * Whether its loss is news to the user. One of many addresses where nobody answered is not, if
   * nobody named it.
   */
  public boolean isNews(Peer peer, DisconnectReason reason) {
    return isNamed(peer) || peer.isReady() || reason.isMisbehaviour();
  }

  /** Whether it is remembered by name; the others have their place in the address table. */
  public boolean isRememberedByName(Peer peer) {
    return isNamed(peer) || (guards != null && guards.isGuard(peer));
  }

  /** This machine was away: pauses are over, except after misbehaviour. */
  public void retryNow() {
    named.retryNow();
    finder.retryNow();
  }

  // ---- what may still be hoped for ----

  @Override
  public boolean hasMore() {
    return named.hasMore() || finder.hasMore();
  }

  @Override
  public boolean isAwaited(PeerAddress address) {
    return named.isAwaited(address) || finder.isAwaited(address);
  }

  @Override
  public @Nullable Instant greetingDue() {
    Instant ofNamed = named.greetingDue();
    Instant ofFound = finder.greetingDue();
    return ofNamed == null || (ofFound != null && ofFound.isAfter(ofNamed)) ? ofFound : ofNamed;
  }

  /** Whether nobody is there who could tell what blocks hold, where peers are found. */
  public boolean lacksScanner() {
    return finder.lacksScanner();
  }

  /** Why nothing can be done any more, or null while a peer is there or may come. */
  public SyncEvent.@Nullable NoUsablePeer noUsablePeer() {
    boolean over = named.areGivenUp() && finder.isHopeless(named.wasAnybodyReady());
    return over ? finder.inTheWay(named.inTheWay()) : null;
  }

  /** Why no version handshake succeeded, in a session that ends early; null if one did. */
  public SyncEvent.@Nullable NoUsablePeer nobodyYet() {
    return named.wasAnybodyReady() ? null : finder.inTheWay(named.inTheWay());
  }

  /** Why no peer can be reached, for people. */
  String outage() {
    String ofNamed = named.obstacles();
    return ofNamed.isEmpty() ? finder.outage() : ofNamed;
  }

  /** What kind of outage it is. The words of one kind may change while it lasts. */
  Object kindOfOutage() {
    return named.obstacles().isEmpty() ? finder.outage() : named.inTheWay().kind();
  }

  /** Warns of what a sync that is complete must know about its peers. */
  public void warnOfOneGroup() {
    finder.warnOfOneGroup();
  }

  // ---- what is kept ----

  /** What changed in the address table since this was last asked. */
  public AddressChanges takeChanges() {
    return finder.takeChanges();
  }

  /** How many addresses are kept. */
  public int addresses() {
    return finder.addresses();
  }

  /** How many more are remembered, for the outcome of calls. */
  public int remembered() {
    return finder.remembered();
  }

  /** The session ends. */
  public void stop() {
    finder.stop();
  }
}
