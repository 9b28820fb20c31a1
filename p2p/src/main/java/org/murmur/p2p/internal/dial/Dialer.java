package org.murmur.p2p.internal.dial;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.ExpectedPeers;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Decides which peers to call, when to call again, and when to give up. It holds the list of all
 * {@link Contacts}; the rest of the machine need not know how a peer's address came to be known.
 */
public final class Dialer extends Part<Peer> implements ExpectedPeers, Alarm.Timed {

  private final @Nullable Guards guards;
  private final Contacts contacts;
  private final Redial redial;
  private final PinnedPeers pinned;
  private final Finder finder;
  private int nextLink = 1;

  public Dialer(
      Part<?> machine,
      @Nullable Guards guards,
      List<CommitBatch.PeerFacts> known,
      List<KnownAddress> addresses) {
    super(machine);
    this.guards = guards;
    this.contacts = new Contacts(this, this::newLink);
    this.redial = new Redial(this);
    this.pinned = new PinnedPeers(this, guards, contacts, redial);
    pin(known);
    this.finder =
        settings
            .peers()
            .discovery()
            .<Finder>map(
                how ->
                    new PeerFinder(this, guards, how, addresses, contacts, redial, this::newLink))
            .orElseGet(() -> new Finder.Nobody(roster));
  }

  private void pin(List<CommitBatch.PeerFacts> known) {
    Set<NodeAddress> addresses = new LinkedHashSet<>(settings.peers().named());
    if (guards != null && settings.peers().discovery().isPresent()) {
      // A guard is called by its address, and no other peer in its place.
      addresses.addAll(guards.chosen());
    }
    for (NodeAddress address : addresses) {
      Contact contact = contacts.pin(address);
      known.stream().filter(facts -> facts.address().equals(address)).forEach(contact::remember);
    }
  }

  private Link newLink(NodeAddress address) {
    return new Link(nextLink++, address);
  }

  // ---- calls ----

  /** Processes an input that concerns no peer of the session; returns whether this was one. */
  public boolean take(Input input) {
    return finder.take(input);
  }

  /** Calls the peers that are due. */
  public void call(boolean headersDone) {
    pinned.call();
    finder.call(headersDone);
  }

  @Override
  public void setAlarm(Alarm alarm) {
    pinned.setAlarm(alarm);
    finder.setAlarm(alarm);
  }

  // ---- begin of connections ----

  /** Whether a peer is pinned: the user named it, or it is a guard of an earlier session. */
  public boolean isPinned(Peer peer) {
    Contact contact = contacts.at(peer.link());
    return contact != null && contact.isPinned();
  }

  /**
   * Whether it is pinned, and on this machine or in the local network. Such a node may serve more
   * blocks than its service bits say, to peers with the permission noban.
   */
  public boolean isOwn(Peer peer) {
    return isPinned(peer) && peer.link().address().isLocal();
  }

  /** Why a peer cannot be used, by its version message; {@link Refusal#NONE} if it can. */
  public Refusal refusal(Peer peer, Message.Version version) {
    boolean serves =
        settings.headersOnly()
            || service.isIn(version.services())
            || (isPoolNode(peer) && ViewService.FILTERS.isIn(version.services()))
            || (service.isWitnessed(settings) && ViewService.COMPACT.isIn(version.services()));
    return serves || !isPinned(peer)
        ? Refusal.NONE
        : (isPoolNode(peer) ? ViewService.FILTERS : service)
            .refusal(version.userAgent(), version.services());
  }

  private boolean isPoolNode(Peer peer) {
    return settings.preset().poolNode().equals(Optional.of(peer.link().address()));
  }

  /**
   * Decides by a peer's version message what it is used for, and whether it stays; otherwise it is
   * not a peer of the session any more.
   */
  public boolean admit(Peer peer, Message.Version version) {
    if (isPoolNode(peer) && !service.isIn(version.services())) {
      peer.useForHeaders(true);
      contacts.of(peer).lost = service.refusal(version.userAgent(), version.services());
    }
    return isPinned(peer) || finder.admit(peer, version);
  }

  /** A peer stays: sends what must come before the {@code verack}. */
  public void greet(Peer peer) {
    finder.greet(peer);
  }

  /** The version handshake is done. */
  public void ready(Peer peer) {
    contacts.of(peer).answered = true;
    if (!redial.wasAnyPeerReady()) {
      redial.ready();
      pinned.firstReady();
    }
    finder.ready(peer);
  }

  /** A peer announces addresses of others. */
  public void announced(Peer peer, List<NetworkAddress> addresses) {
    finder.announced(peer, addresses);
  }

  // ---- end of connections ----

  /**
   * A peer is gone, and off the roster. Decides whether and when it is called again. It was useful
   * if it sent anything that was not known before.
   */
  public void lost(Peer peer, Refusal refusal, boolean useful) {
    Contact contact = contacts.of(peer);
    contact.lost = refusal;
    contact.mempoolAtOnce = peer.mempoolAtOnce();
    if (useful) {
      contact.attempts().useful();
    }
    if (!contact.isPinned()) {
      finder.lost(contact, peer);
    } else if (refusal.reason().isMisbehaviour() && !contact.isExcused()) {
      contact.backOff(refusal.reason(), effects.now());
      // The user already learned why it is gone.
      contact.backOffReported = true;
    }
    contacts.disconnected(contact);
    redial.plan(contact);
  }

  /** A peer disconnects on a request for blocks from this height on. */
  public void refusedBlocks(Peer peer, int from) {
    contacts.of(peer).refusedBlocks(from);
  }

  /** A peer that is gone turned out to have misbehaved. */
  public void backOff(NodeAddress address, DisconnectReason reason) {
    pinned.backOff(address, reason);
    finder.backOff(address, reason);
  }

  /**
   * Whether to report its loss to the user. One of many found addresses that did not answer is not
   * worth a message.
   */
  public boolean isNews(Peer peer, DisconnectReason reason) {
    return isPinned(peer) || peer.isReady() || reason.isMisbehaviour();
  }

  /** Whether facts about it are stored by name; those of other peers are in the address table. */
  public boolean isRememberedByName(Peer peer) {
    return isPinned(peer) || (guards != null && guards.isGuard(peer));
  }

  /** This computer was offline: pauses are over, except after misbehaviour. */
  public void retryNow() {
    pinned.retryNow();
    finder.retryNow();
  }

  // ---- expectations ----

  @Override
  public boolean hasMore() {
    return pinned.hasMore() || finder.hasMore();
  }

  @Override
  public boolean isAwaited(NodeAddress address) {
    return pinned.isAwaited(address) || finder.isAwaited(address);
  }

  @Override
  public @Nullable Instant versionDue() {
    Instant ofPinned = pinned.versionDue();
    Instant ofFound = finder.versionDue();
    return ofPinned == null || (ofFound != null && ofFound.isAfter(ofPinned)) ? ofFound : ofPinned;
  }

  /** Whether peers are to be found, and no connected one serves blocks. */
  public boolean lacksScanner() {
    return finder.lacksScanner();
  }

  /** Why the session must end; null while a peer is connected or may still connect. */
  public SyncFact.@Nullable NoUsablePeer noUsablePeer() {
    boolean hopeless = pinned.areGivenUp() && finder.isHopeless(redial.wasAnyPeerReady());
    return hopeless ? inTheWay() : null;
  }

  /** Why no version handshake succeeded, in a session that ends early; null if one did. */
  public SyncFact.@Nullable NoUsablePeer nobodyYet() {
    return redial.wasAnyPeerReady() ? null : inTheWay();
  }

  /** The peers that are looked for, and must be found before anything is scanned. */
  public Optional<SyncEvent.Search> search() {
    return finder.search();
  }

  private SyncFact.NoUsablePeer inTheWay() {
    return finder.inTheWay(pinned.inTheWay());
  }

  /** Why no peer can be reached, for people. */
  String outage() {
    String ofPinned = pinned.obstacles();
    return ofPinned.isEmpty() ? finder.outage() : ofPinned;
  }

  /** The kind of the outage. The text for people may change while the kind stays. */
  Object kindOfOutage() {
    return pinned.obstacles().isEmpty() ? finder.outage() : pinned.inTheWay().kind();
  }

  /** Warns, when a sync is complete, if all its peers are of one net group. */
  public void warnOfOneGroup() {
    finder.warnOfOneGroup();
  }

  // ---- stored state ----

  /** The changes of the address table since the last call. */
  public AddressChanges takeChanges() {
    return finder.takeChanges();
  }

  /** The number of known addresses. */
  public int addresses() {
    return finder.addresses();
  }

  /** The number of further addresses in memory, for the results of calls. */
  public int remembered() {
    return finder.remembered();
  }

  /** The session ends. */
  public void stop() {
    finder.stop();
  }
}
