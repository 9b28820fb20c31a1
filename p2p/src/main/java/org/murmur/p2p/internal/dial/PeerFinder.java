package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Finds peers that are not pinned: calls addresses of the table, decides which of the peers that
 * answer stay, and searches for more addresses when too few are known.
 *
 * <p>Two kinds of peers stay. <em>Scanners</em> serve BIP-0037 and are asked for blocks; under the
 * private preset they are the guards. <em>Header peers</em> send only headers, so that the scanners
 * cannot hide a better chain. All are of different net groups, as long as there is a choice.
 *
 * <p>More peers are called than there is room for, since many addresses are dead. The first to
 * complete the version handshake stay. The others are asked for addresses and released; they get no
 * filter.
 */
final class PeerFinder extends Part<Peer> implements Finder {

  /** Maximum number of peers connecting at a time. */
  private static final int MAX_CALLS = 8;

  /** How long a sync that is otherwise complete waits for header peers. */
  private static final Duration GREETING = Duration.ofSeconds(3);

  /** A sync waits for addresses whose pause is at most this long. */
  private static final Duration SOON = Attempts.LONGEST_PAUSE;

  private final @Nullable Guards guards;
  private final AddressTable table;
  private final Contacts contacts;
  private final Redial redial;
  private final Line line;
  private final AddressSources sources;
  private final SearchRecord record;
  private final Feelers feelers;
  private final Places places;
  private final NetGroups groups;
  private final Candidates candidates;
  private final Gossip gossip;
  private final Search search;
  private final Looks looks;
  // Clock time of the last search.
  private Instant clock = Instant.MAX;
  private boolean begun;
  // When a scanner was last gained or lost, or the session began.
  private Instant hopeSince = Instant.MAX;
  private @Nullable Instant enoughSince;
  // As of the last search.
  private boolean more = true;
  private boolean seeking = true;
  private boolean headersToCome;

  PeerFinder(
      Part<?> machine,
      @Nullable Guards guards,
      Discovery how,
      List<KnownAddress> known,
      Contacts contacts,
      Redial redial,
      Function<NodeAddress, Link> links) {
    super(machine);
    this.guards = guards;
    this.contacts = contacts;
    this.redial = redial;
    this.table = new AddressTable(how.scope().orElse(Scope.INTERNET), known);
    this.line = new Line(settings.follow());
    this.sources = new AddressSources(this, how, table);
    this.record = new SearchRecord(this, how, redial, table, sources, line);
    this.feelers = new Feelers(this, table, links, record);
    this.places = new Places(this, guards, contacts);
    this.groups = new NetGroups(this, guards, contacts);
    this.candidates = new Candidates(this, guards, table, sources, line, places, groups, feelers);
    this.gossip = new Gossip(this, table, groups, record);
    this.search =
        new Search(this, how, table, sources, line, places, feelers, candidates, gossip, record);
    this.looks = new Looks(effects);
  }

  // ---- calls ----

  @Override
  public boolean take(Input input) {
    if (input instanceof Input.ProxyFailed failed) {
      record.proxyFailed(failed);
    } else if (input instanceof Input.Received) {
      record.heard();
    }
    int asking = feelers.count();
    boolean ours = feelers.take(input) || sources.take(input);
    if (ours && input instanceof Input.Received && feelers.count() == asking) {
      looks.soon();
    } else if (ours) {
      looks.atOnce();
    }
    return ours;
  }

  @Override
  public void call(boolean headersDone) {
    if (!isOverdue() && !looks.isDue()) {
      return;
    }
    looks.begin();
    expire();
    if (!begun) {
      begun = true;
      hopeSince = effects.now();
      search.askSeedNodes();
    }
    if (places.promote()) {
      effects.changed();
    }
    search.renew();
    callScanners();
    callHeaderPeers();
    if (isAtALoss()) {
      search.advance(isLate());
    }
    search.testSpare();
    estimate(headersDone);
    record.look();
    saveTable();
  }

  /** The number of searches of the table. */
  long looks() {
    return looks.count();
  }

  /** Whether a deadline or a pause is over: no other input may come. */
  private boolean isOverdue() {
    Alarm alarm = new Alarm(effects.now());
    feelers.setAlarm(alarm);
    sources.setAlarm(alarm);
    alarm.at(line.due());
    return alarm.isPast();
  }

  private void expire() {
    feelers.expire();
    sources.expire();
    if (!feelers.isAnybodyThere() && roster.peers().stream().noneMatch(Peer::isReady)) {
      line.nobodyIsThere();
    }
    if (effects.clock().isBefore(clock)) {
      table.settle(effects.clock());
    }
    clock = effects.clock();
  }

  /**
   * Whether needed peers are missing, and no known address may be one. After the time of a call,
   * reports of such addresses count no longer: they cost nothing, and may all be dead.
   */
  private boolean isAtALoss() {
    boolean late = isLate();
    return (places.lacksScanners()
            && (late || (places.connecting(false) == 0 && !knowsScanner(effects.now()))))
        || (places.lacksWitness()
            && (late
                || (places.connecting(true) == 0
                    && !candidates.hold(candidates.headerPeer(), effects.now()))));
  }

  private boolean isLate() {
    return !effects.now().isBefore(hopeSince.plus(settings.connectTimeout()));
  }

  private boolean knowsScanner(Instant at) {
    return candidates.hold(candidates.scanner(), at);
  }

  private void callScanners() {
    int missing = places.missingScanners();
    // About every second address of a fresh table is dead.
    int room = missing <= 0 ? 0 : 2 * missing + 2 - places.connecting(false);
    while (room > 0 && call(candidates::scanner, false)) {
      room--;
    }
  }

  private void callHeaderPeers() {
    int missing = places.missingHeaderPeers();
    int room = missing <= 0 ? 0 : missing + 1 - places.connecting(true);
    boolean any = places.missingScanners() <= 0 || !knowsScanner(effects.now());
    while (room > 0
        && (call(candidates::headersOnlyPeer, true)
            || (any && call(candidates::headerPeer, true)))) {
      room--;
    }
  }

  private boolean call(Supplier<AddressTable.Wanted> wanted, boolean forHeaders) {
    if (places.connecting() >= MAX_CALLS) {
      return false;
    }
    Optional<Endpoint> drawn = candidates.draw(wanted);
    drawn.ifPresent(endpoint -> call(endpoint, forHeaders));
    return drawn.isPresent();
  }

  private void call(Endpoint endpoint, boolean forHeaders) {
    Contact contact =
        Contact.found(endpoint, table.encrypts(endpoint), () -> table.attempts(endpoint));
    record.called(contact.address);
    contacts.call(contact, forHeaders);
  }

  @Override
  public void setAlarm(Alarm alarm) {
    feelers.setAlarm(alarm);
    sources.setAlarm(alarm);
    looks.setAlarm(alarm);
    boolean lacking = places.missingScanners() > 0 || places.missingHeaderPeers() > 0;
    if (lacking && (more || seeking || headersToCome)) {
      Instant callAt = line.due();
      alarm.at(callAt == null ? effects.now().plus(Looks.PAUSE) : callAt);
    } else if (settings.follow()) {
      alarm.at(effects.now().plus(lacking ? SOON : Search.SPARE_PAUSE));
    }
  }

  // ---- begin and end of connections ----

  @Override
  public boolean admit(Peer peer, Message.Version version) {
    looks.atOnce();
    record.reached(peer.link().address(), version.services());
    boolean alone = groups.isAlone(peer, other -> true);
    boolean scans = mayScan(peer, version.services(), alone);
    if (scans && places.missingScanners() > 0) {
      peer.useForHeaders(false);
      hopeSince = effects.now();
      return true;
    }
    boolean fit = Services.has(version.services(), places.headerServices());
    if (fit && alone && places.missingHeaderPeers() > 0) {
      peer.useForHeaders(true);
      return true;
    }
    release(peer, scans);
    return false;
  }

  private boolean mayScan(Peer peer, long services, boolean alone) {
    // Two of one group may be called at once, one of them for headers.
    boolean fit =
        guards != null
            ? alone && guards.mayGuard(peer.link().address())
            : !(settings.preset() instanceof Preset.Compact)
                || groups.isAlone(peer, other -> !other.forHeaders());
    return fit && Services.has(services, places.scannerServices());
  }

  /** There is no room for it: it becomes a feeler. */
  private void release(Peer peer, boolean spare) {
    Contact contact = contacts.of(peer);
    Endpoint endpoint = endpointOf(contact);
    roster.remove(peer.link().id());
    contacts.disconnected(contact);
    effects.send(peer, new Message.SendAddrV2());
    effects.send(peer, new Message.Verack());
    search.markAsked(endpoint);
    feelers.adopt(peer, endpoint);
    redial.released(contact.attempts(), spare);
  }

  @Override
  public void greet(Peer peer) {
    // BIP-0155: before the verack.
    effects.send(peer, new Message.SendAddrV2());
  }

  @Override
  public void ready(Peer peer) {
    gossip.ask(peer);
  }

  @Override
  public void announced(Peer peer, List<NetworkAddress> addresses) {
    looks.soon();
    if (gossip.announced(peer, addresses)) {
      looks.atOnce();
    }
  }

  @Override
  public void lost(Contact contact, Peer peer) {
    looks.atOnce();
    if (peer.isReady() && !peer.forHeaders()) {
      hopeSince = effects.now();
    }
    record.lost(contact, endpointOf(contact), peer);
  }

  @Override
  public void backOff(NodeAddress address, DisconnectReason reason) {
    address.endpoint().ifPresent(endpoint -> record.discourage(endpoint, reason));
  }

  @Override
  public void retryNow() {
    looks.atOnce();
    hopeSince = effects.now();
    table.hurry();
    line.hurry();
  }

  @Override
  public void stop() {
    feelers.stop();
    for (Peer peer : roster.peers()) {
      Contact contact = contacts.at(peer.link());
      if (contact != null && !contact.isPinned()) {
        table.measured(endpointOf(contact), peer.latencyMillis());
      }
    }
    saveTable();
  }

  private static Endpoint endpointOf(Contact contact) {
    return Objects.requireNonNull(contact.endpoint, "found without an address");
  }

  private void saveTable() {
    if (table.hasChanged()) {
      journal.addresses(effects.now());
    }
  }

  @Override
  public AddressChanges takeChanges() {
    return table.takeChanges();
  }

  // ---- expectations ----

  /** Computes what may come, which is too slow to do after every message. */
  private void estimate(boolean headersDone) {
    boolean hope = !isHopeOver();
    seeking = hope && (places.connecting() > 0 || search.mayGoOn());
    headersToCome =
        places.connecting() > 0 || candidates.hold(candidates.headerPeer(), effects.now());
    more =
        hope
            && ((places.missingScanners() > 0
                    && (places.connecting(false) > 0
                        || knowsScanner(effects.now().plus(SOON))
                        || (!places.areEnough() && seeking)))
                || (places.lacksWitness() && (headersToCome || seeking)));
    if (enoughSince == null && places.areEnough() && headersDone) {
      enoughSince = effects.now();
    }
  }

  /** Limits the wait of a one-off sync: announced dead addresses could prolong it forever. */
  private boolean isHopeOver() {
    return begun
        && !settings.follow()
        && !effects.now().isBefore(hopeSince.plus(settings.limits().search()));
  }

  @Override
  public boolean hasMore() {
    return !isHopeOver() && (looks.isNews() || more);
  }

  @Override
  public boolean isAwaited(NodeAddress address) {
    Endpoint endpoint = address.endpoint().orElse(null);
    if (endpoint == null) {
      return false;
    }
    Instant soon = effects.now().plus(SOON);
    return places.isConnecting(endpoint)
        || (places.missingScanners() > 0
            && table.mayBeCalledAgain(endpoint, effects.onTheClock(soon)));
  }

  @Override
  public @Nullable Instant versionDue() {
    if (enoughSince == null || places.missingHeaderPeers() <= 0) {
      return null;
    }
    Instant due = enoughSince.plus(GREETING);
    return headersToCome && effects.now().isBefore(due) ? due : null;
  }

  /** Whether no scanner is connected: the chain of header peers alone completes no sync. */
  @Override
  public boolean lacksScanner() {
    return roster.peers().stream().noneMatch(peer -> peer.isReady() && !peer.forHeaders());
  }

  @Override
  public Optional<SyncEvent.Search> search() {
    return enoughSince != null || settings.headersOnly() || places.areEnough()
        ? Optional.empty()
        : Optional.of(places.search(table.reached(0), table.reached(Services.COMPACT_FILTERS)));
  }

  @Override
  public boolean isHopeless(boolean everReady) {
    boolean stays = settings.follow() && (everReady || !line.wasEverHeard());
    boolean guardsOnly = places.wantedScanners() == 0;
    boolean connected = guardsOnly ? !roster.isEmpty() : places.scanners() > 0;
    boolean hope = hasMore() || seeking || (guardsOnly && headersToCome);
    return !(stays || connected || hope);
  }

  // ---- texts ----

  @Override
  public SyncFact.NoUsablePeer inTheWay(SyncFact.NoUsablePeer ofNamed) {
    SyncFact.PeerSearch figures = record.figures(feelers.answered());
    effects.emit(figures);
    String ofGuards = ofNamed.detail().isEmpty() ? "" : ". Guards: " + ofNamed.detail();
    return new SyncFact.NoUsablePeer(
        record.kind(figures), record.obstacles(figures), record.explanation(figures) + ofGuards);
  }

  @Override
  public String outage() {
    String blocker = record.blocker();
    if (!blocker.isEmpty()) {
      return blocker;
    }
    if (table.size() > 0) {
      return "none of the known addresses answers";
    }
    return sources.seedsAnswered() == 0
        ? "no address is known, and no DNS seed answers"
        : "no address is known";
  }

  @Override
  public void warnOfOneGroup() {
    groups.warnOfOne();
  }

  @Override
  public int addresses() {
    return table.size();
  }

  @Override
  public int remembered() {
    return record.remembered() + line.remembered();
  }
}
