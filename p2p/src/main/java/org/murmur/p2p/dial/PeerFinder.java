package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.peers.ViewService;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.p2p.wire.Services;

/**
 * Peers that are not named. Calls addresses of the table, decides which of the peers that answer
 * stay, and searches for more addresses when too few are known.
 *
 * <p>Two kinds of peers stay. <em>Scanners</em> serve BIP-0037 and are asked for blocks; under the
 * private preset they are the guards. <em>Header peers</em> need not: they say what the best chain
 * is, so that those who hold our filters cannot show us another one unseen. All are of different
 * net groups, as long as there is a choice.
 *
 * <p>More are called than there is room for, since many addresses are dead. The first to complete
 * the version handshake stay. The others are asked for addresses and released before they are shown
 * anything.
 */
final class PeerFinder implements Finder {

  /** Connections being made at a time. */
  private static final int MAX_CALLS = 8;

  /** How long a sync that has all else waits for header peers. */
  private static final Duration GREETING = Duration.ofSeconds(3);

  /** Pauses up to this long are waited through. */
  private static final Duration SOON = Attempts.LONGEST_PAUSE;

  private final Effects effects;
  private final SyncSettings settings;
  private final Roster roster;
  private final Journal journal;
  private final @Nullable Guards guards;
  private final AddressTable table;
  private final Function<PeerAddress, Link> links;
  private final Line line;
  private final AddressSources sources;
  private final SearchRecord record;
  private final Outcomes outcomes;
  private final Feelers feelers;
  private final FoundPeers found;
  private final NetGroups groups;
  private final Candidates candidates;
  private final Gossip gossip;
  private final Search search;
  private final Spares spares;
  private final Looks looks;
  // What the clock showed at the last look.
  private Instant clock = Instant.MAX;
  private boolean begun;
  // When a scanner last came or went, or this began.
  private Instant hopeSince = Instant.MAX;
  private @Nullable Instant enoughSince;
  // As of the last look.
  private boolean more = true;
  private boolean seeking = true;
  private boolean headersToCome;

  PeerFinder(
      Effects effects,
      SyncSettings settings,
      ViewService service,
      Roster roster,
      Journal journal,
      @Nullable Guards guards,
      Discovery how,
      List<KnownAddress> known,
      int namedGuards,
      Function<PeerAddress, Link> links) {
    this.effects = effects;
    this.settings = settings;
    this.roster = roster;
    this.journal = journal;
    this.guards = guards;
    this.links = links;
    this.table = new AddressTable(how.scope(), known);
    this.line = new Line(settings.follow());
    this.sources = new AddressSources(effects, settings, how, table);
    this.record = new SearchRecord(effects, settings, service, how, table);
    this.outcomes = new Outcomes(effects, settings, service, table, sources, line, record);
    this.feelers = new Feelers(effects, settings, table, links, outcomes);
    this.found = new FoundPeers(settings, service, roster, guards, namedGuards);
    this.groups = new NetGroups(effects, settings, roster, guards, found);
    this.candidates =
        new Candidates(
            effects, settings, service, roster, guards, how, table, sources, line, found, groups,
            feelers);
    this.gossip = new Gossip(effects, roster, table, groups, record);
    this.search =
        new Search(
            effects, settings, how, table, sources, line, found, feelers, candidates, gossip);
    this.spares = new Spares(effects, settings, found, feelers, candidates, search);
    this.looks = new Looks(effects);
  }

  // ---- calling ----

  @Override
  public boolean take(Input input) {
    if (input instanceof Input.ProxyFailed failed) {
      record.proxyFailed(failed);
    } else if (input instanceof Input.Received) {
      outcomes.heard();
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
    if (found.promote()) {
      effects.changed();
    }
    search.renew();
    callScanners();
    callHeaderPeers();
    if (!found.areEnough() && found.connecting(false) == 0 && !knowsScanner(effects.now())) {
      search.advance();
    }
    spares.test();
    look(headersDone);
    record.look();
    saveTable();
  }

  /** How often the table was checked. */
  long looks() {
    return looks.count();
  }

  /** Whether a peer's time to answer, or a pause, is up: nothing else may ever happen. */
  private boolean isOverdue() {
    Instant due = Looks.earlier(Looks.earlier(feelers.due(), sources.due()), line.due());
    return due != null && !effects.now().isBefore(due);
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

  private boolean knowsScanner(Instant at) {
    return candidates.hold(candidates.scanner(), at);
  }

  private void callScanners() {
    int missing = found.missingScanners();
    // Twice as many and two more: about every second address of a fresh table is dead.
    int room = missing <= 0 ? 0 : 2 * missing + 2 - found.connecting(false);
    while (room > 0 && call(candidates::scanner, false)) {
      room--;
    }
  }

  private void callHeaderPeers() {
    int missing = found.missingHeaderPeers();
    int room = missing <= 0 ? 0 : missing + 1 - found.connecting(true);
    boolean any = found.missingScanners() <= 0 || !knowsScanner(effects.now());
    while (room > 0
        && (call(candidates::headersOnlyPeer, true)
            || (any && call(candidates::headerPeer, true)))) {
      room--;
    }
  }

  private boolean call(Supplier<AddressTable.Wanted> wanted, boolean forHeaders) {
    if (found.connecting().size() >= MAX_CALLS) {
      return false;
    }
    Optional<Endpoint> drawn = candidates.draw(wanted);
    drawn.ifPresent(endpoint -> call(endpoint, forHeaders));
    return drawn.isPresent();
  }

  private void call(Endpoint endpoint, boolean forHeaders) {
    PeerAddress address = PeerAddress.of(endpoint);
    outcomes.called(address);
    Link link = links.apply(address);
    Peer peer = new Peer(link, effects.dice().nextLong(), effects.now());
    peer.useForHeaders(forHeaders);
    found.add(peer, endpoint);
    effects.output(new Output.Connect(link));
  }

  @Override
  public @Nullable Instant due() {
    Instant due = Looks.earlier(feelers.due(), sources.due());
    boolean lacking = found.missingScanners() > 0 || found.missingHeaderPeers() > 0;
    if (lacking && (more || seeking || headersToCome)) {
      Instant callAt = line.due();
      due = Looks.earlier(due, callAt == null ? effects.now().plus(Looks.PAUSE) : callAt);
    } else if (settings.follow()) {
      due = Looks.earlier(due, effects.now().plus(lacking ? SOON : Spares.PAUSE));
    }
    return Looks.earlier(due, looks.due());
  }

  // ---- how connections begin and end ----

  @Override
  public boolean admit(Peer peer, Message.Version version) {
    looks.atOnce();
    record.reached(peer.link().address(), version.services());
    boolean alone = groups.isAlone(peer, found.of(peer).group());
    boolean scans = mayScan(peer, version.services(), alone);
    if (scans && found.missingScanners() > 0) {
      peer.useForHeaders(false);
      hopeSince = effects.now();
      return true;
    }
    boolean network = Services.has(version.services(), Services.NETWORK);
    if (network && alone && found.missingHeaderPeers() > 0) {
      peer.useForHeaders(true);
      return true;
    }
    release(peer, scans);
    return false;
  }

  private boolean mayScan(Peer peer, long services, boolean alone) {
    boolean fit = guards == null || (alone && guards.mayGuard(peer.link().address()));
    return fit && Services.has(services, found.scannerServices());
  }

  /** There is no room for it: it may send addresses, then it goes. */
  private void release(Peer peer, boolean spare) {
    Endpoint endpoint = found.of(peer).endpoint();
    roster.remove(peer.link().id());
    found.remove(peer);
    effects.send(peer, new Message.SendAddrV2());
    effects.send(peer, new Message.Verack());
    search.isAsked(endpoint);
    feelers.adopt(peer, endpoint);
    outcomes.released(endpoint, spare);
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
  public void lost(Peer peer, Refusal refusal, boolean useful) {
    looks.atOnce();
    if (peer.isReady() && !peer.forHeaders()) {
      hopeSince = effects.now();
    }
    outcomes.lost(found.of(peer), refusal, useful);
    found.remove(peer);
  }

  @Override
  public void backOff(PeerAddress address, DisconnectReason reason) {
    address.endpoint().ifPresent(endpoint -> outcomes.discourage(endpoint, reason));
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
    found.all().forEach(each -> table.measured(each.endpoint(), each.peer().latencyMillis()));
    found.clear();
    saveTable();
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

  // ---- what may still be hoped for ----

  /** Notes what may come, which costs too much to ask after every message. */
  private void look(boolean headersDone) {
    boolean hope = !isHopeOver();
    seeking = hope && (!found.connecting().isEmpty() || search.mayGoOn());
    more =
        hope
            && found.missingScanners() > 0
            && (found.connecting(false) > 0
                || knowsScanner(effects.now().plus(SOON))
                || (!found.areEnough() && seeking));
    headersToCome =
        !found.connecting().isEmpty() || candidates.hold(candidates.headerPeer(), effects.now());
    if (enoughSince == null && found.areEnough() && headersDone) {
      enoughSince = effects.now();
    }
  }

  /** Gossip of dead addresses could keep a one-off sync waiting for ever. */
  private boolean isHopeOver() {
    return begun && !settings.follow() && !effects.now().isBefore(hopeSince.plus(Search.LENGTH));
  }

  @Override
  public boolean hasMore() {
    return !isHopeOver() && (looks.isNews() || more);
  }

  @Override
  public boolean isAwaited(PeerAddress address) {
    Endpoint endpoint = address.endpoint().orElse(null);
    if (endpoint == null) {
      return false;
    }
    Instant soon = effects.now().plus(SOON);
    return found.isConnecting(endpoint)
        || (found.missingScanners() > 0
            && table.mayBeCalledAgain(endpoint, effects.onTheClock(soon)));
  }

  @Override
  public @Nullable Instant greetingDue() {
    if (enoughSince == null || found.missingHeaderPeers() <= 0) {
      return null;
    }
    Instant due = enoughSince.plus(GREETING);
    return headersToCome && effects.now().isBefore(due) ? due : null;
  }

  /**
   * Whether nobody is there who could tell what blocks hold. The others may be behind, and a chain
   * of theirs that holds nothing to look for completes nothing.
   */
  @Override
  public boolean lacksScanner() {
    return roster.peers().stream().noneMatch(peer -> peer.isReady() && !peer.forHeaders());
  }

  @Override
  public boolean isHopeless(boolean everReady) {
    boolean stays = settings.follow() && (everReady || !line.wasEverHeard());
    boolean guardsOnly = found.wantedScanners() == 0;
    boolean somebody = guardsOnly ? !roster.isEmpty() : found.scanners() > 0;
    boolean hope = hasMore() || seeking || (guardsOnly && headersToCome);
    return !(stays || somebody || hope);
  }

  // ---- what is said of it ----

  @Override
  public SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed) {
    SyncEvent.PeerSearch figures = record.figures(sources, feelers.answered());
    effects.emit(figures);
    String ofGuards = ofNamed.detail().isEmpty() ? "" : ". Guards: " + ofNamed.detail();
    return new SyncEvent.NoUsablePeer(
        record.kind(figures), record.obstacles(figures), record.explanation(figures) + ofGuards);
  }

  @Override
  public String outage() {
    String between = record.between();
    if (!between.isEmpty()) {
      return between;
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
