package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.p2p.wire.Services;

/**
 * Peers that nobody named: whom to call of those that are known, as what to keep who answers, and
 * where to learn of more.
 *
 * <p>Two kinds of peers are kept. <em>Scanners</em> serve BIP-0037 and are asked for blocks; under
 * the private preset they are the guards. <em>Header peers</em> need not: they say what the best
 * chain is, so that whoever holds our filters cannot show us another one unseen. All of them are of
 * different {@link NetGroup}s, as long as there is a choice. More are called than there is room
 * for, since many addresses are dead: the first to say hello stay, the others are remembered, asked
 * for addresses, and let go before they are shown anything.
 *
 * <p>Besides, one address at a time is called only to see whether somebody is there (a feeler), so
 * that the table holds spare ones when a peer goes.
 */
final class PeerFinder implements Finder {

  /** Header peers beside those that hold filters. */
  static final int HEADER_PEERS = 2;

  /** Connections being made at a time. */
  private static final int MAX_CALLS = 8;

  /** Nodes asked for addresses at a time, when no scanner can be found otherwise. */
  private static final int MAX_SCOUTS = 4;

  /** And in all, in one search. */
  private static final int MAX_ASKED = 40;

  /**
   * A session that stays searches anew after this long, if it found too few; one that does not
   * hopes for no more, however many addresses it is told of meanwhile.
   */
  private static final Duration SEARCH = Duration.ofMinutes(10);

  /** Scanners known to be there, beside those in use, that make feelers needless for a while. */
  private static final int ENOUGH_SPARE = 6;

  /** Feelers of a session that does not stay. */
  private static final int MAX_FEELERS = 6;

  /** Between two feelers of a session that stays (Core's FEELER_INTERVAL). */
  private static final Duration FEELER_PAUSE = Duration.ofMinutes(2);

  /** How long the answer of a peer to {@code getaddr} is waited for before a search is given up. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** How often is looked whether somebody may be called by now. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** How long a sync that has all else waits for header peers. */
  private static final Duration GREETING = Duration.ofSeconds(3);

  /** Pauses up to this long are waited through. */
  private static final Duration SOON = Retries.LONGEST_PAUSE;

  /** Tells the dice of the choice of peers from those of nonces and tweaks. */
  private static final long PEER_DICE = 0x50656572L;

  private final Effects effects;
  private final SyncSettings settings;
  private final Roster roster;
  private final Journal journal;
  // Who guards, where only some may be shown filters.
  private final @Nullable Guards guards;
  private final Discovery how;
  private final AddressTable table;
  private final Function<PeerAddress, Link> calls;
  private final Scouts scouts;
  private final AddressSources sources;
  private final SplittableRandom dice;
  private final SearchRecord record;
  private final Line line;
  private final Set<Endpoint> avoided = new HashSet<>();
  // By link id, those that are called or connected, in the order of the calls.
  private final Map<Integer, FoundPeer> found = new LinkedHashMap<>();
  // Guards of earlier sessions that are called by name.
  private final int namedGuards;
  // What the clock showed when the table was last looked at.
  private Instant clock = Instant.MAX;
  private boolean begun;
  // Which search for scanners this is, since when, and how many were asked for addresses in it.
  private int search = 1;
  private @Nullable Instant searchSince;
  private int asked;
  // When a scanner last came or went, or the search for one began.
  private Instant hopeSince = Instant.MAX;
  private int feelers;
  private Instant feelerAt = Instant.EPOCH;
  private @Nullable Instant scannerSince;
  private boolean warned;
  // Something happened that may change whom to call.
  private boolean news = true;
  // The same, but the next look is soon enough, or whoever tells could keep us looking.
  private boolean gossip;
  private long looks;
  private Instant lookAt = Instant.EPOCH;
  // As of the last look.
  private boolean more = true;
  private boolean seeking = true;
  private boolean headersToCome;

  PeerFinder(
      Effects effects,
      SyncSettings settings,
      Roster roster,
      Journal journal,
      @Nullable Guards guards,
      Discovery how,
      List<KnownAddress> known,
      int namedGuards,
      Function<PeerAddress, Link> calls) {
    this.effects = effects;
    this.settings = settings;
    this.roster = roster;
    this.journal = journal;
    this.guards = guards;
    this.how = how;
    this.namedGuards = namedGuards;
    this.calls = calls;
    this.table = new AddressTable(how.scope(), known);
    this.scouts = new Scouts(effects, settings, table, calls, new Notes());
    this.sources = new AddressSources(effects, settings, how, table, scouts);
    this.dice = new SplittableRandom(settings.seed() ^ PEER_DICE);
    this.record = new SearchRecord(effects, settings, how, table);
    this.line = new Line(settings.follow());
    how.avoided().forEach(address -> address.endpoint().ifPresent(avoided::add));
  }

  private final class Notes implements Scouts.Notebook {
    @Override
    public void called(PeerAddress address) {
      noteCall(address);
    }

    @Override
    public void reached(PeerAddress address, long services) {
      record.reached(address, services);
      sources.reached(address);
    }

    @Override
    public void failed(Endpoint endpoint, DisconnectReason reason) {
      noteFailure(endpoint, reason, table.wasReached(endpoint));
      notTried(endpoint);
    }

    @Override
    public void notTried(Endpoint endpoint) {
      table.pause(endpoint, effects.clock(), laterAgain());
    }
  }

  // ---- who is there, and who is wanted ----

  private boolean anyServices() {
    return settings.headersOnly();
  }

  private int wantedScanners() {
    return Math.max(0, settings.connections() - namedGuards);
  }

  private int wantedHeaderPeers() {
    // When no block comes any more, one more may know of some.
    return anyServices() ? 0 : HEADER_PEERS + (roster.isStale() ? 1 : 0);
  }

  /** With so many scanners a sync can do what it is asked to. */
  private int neededScanners() {
    int wanted = wantedScanners();
    if (guards != null) {
      return guards.preset().onePeer() ? Math.min(1, wanted) : wanted;
    }
    return anyServices() ? 1 : Math.min(wanted, settings.verify());
  }

  private int scanners() {
    return count(false);
  }

  private int headerPeers() {
    return count(true);
  }

  private int count(boolean forHeaders) {
    int count = 0;
    for (FoundPeer each : found.values()) {
      count += each.peer().isReady() && each.peer().forHeaders() == forHeaders ? 1 : 0;
    }
    return count;
  }

  private List<Peer> callUnderWay() {
    List<Peer> calling = new ArrayList<>();
    for (FoundPeer each : found.values()) {
      if (!each.peer().isReady()) {
        calling.add(each.peer());
      }
    }
    return calling;
  }

  private @Nullable NetGroup groupOf(Peer peer) {
    FoundPeer known = found.get(peer.link().id());
    if (known != null) {
      return known.group();
    }
    PeerAddress at = peer.at() == null ? peer.link().address() : peer.at();
    return at.endpoint().map(NetGroup::of).orElse(null);
  }

  private Set<NetGroup> groupsInUse() {
    Set<NetGroup> groups = new HashSet<>();
    for (Peer peer : roster.peers()) {
      NetGroup group = groupOf(peer);
      if (group != null) {
        groups.add(group);
      }
    }
    if (guards != null) {
      for (PeerAddress guard : guards.chosen()) {
        guard.endpoint().ifPresent(endpoint -> groups.add(NetGroup.of(endpoint)));
      }
    }
    return groups;
  }

  private boolean anybodyIsThere() {
    for (Peer peer : roster.peers()) {
      if (peer.isReady()) {
        return true;
      }
    }
    return scouts.isAnybodyThere();
  }

  /** Addresses at which somebody is, or is being called. */
  private Set<Endpoint> inUse() {
    Set<Endpoint> used = scouts.endpoints();
    for (Peer peer : roster.peers()) {
      FoundPeer known = found.get(peer.link().id());
      if (known != null) {
        used.add(known.endpoint());
      } else {
        peer.link().address().endpoint().ifPresent(used::add);
      }
    }
    return used;
  }

  /** Addresses that are not to be called now. */
  private Set<Endpoint> notForUse() {
    Set<Endpoint> not = inUse();
    not.addAll(avoided);
    return not;
  }

  private AddressTable.Wanted wanted(
      long services, Set<NetGroup> excluded, Predicate<KnownAddress> also) {
    Set<Endpoint> not = notForUse();
    return new AddressTable.Wanted(
        services, excluded, known -> !not.contains(known.endpoint()) && also.test(known));
  }

  private AddressTable.Wanted scanner() {
    long services = anyServices() ? Services.NETWORK : Scouts.FILTERING;
    Guards guarding = guards;
    if (guarding != null) {
      // Guards of one group could be one person; one that was lost comes back to its place.
      Set<NetGroup> groups = groupsInUse();
      return wanted(
          services,
          Set.of(),
          known -> {
            PeerAddress address = PeerAddress.of(known.endpoint());
            boolean chosen = guarding.chosen().contains(address);
            return guarding.mayGuard(address) && (chosen || !groups.contains(known.group()));
          });
    }
    // Who shares the work may be of a group that is there already, if nobody else is left.
    return wanted(services, sources.isExhausted() ? Set.of() : groupsInUse(), known -> true);
  }

  private AddressTable.Wanted headerPeer(boolean also) {
    return wanted(
        Services.NETWORK,
        groupsInUse(),
        known -> also || !Services.has(known.services(), Services.BLOOM));
  }

  /** Whom to ask for addresses. */
  private AddressTable.Wanted anybody() {
    return wanted(0, Set.of(), known -> !table.wasAsked(known.endpoint(), search));
  }

  private boolean knowsScanner(Instant at) {
    return table.holds(scanner(), effects.onTheClock(at));
  }

  // ---- calling ----

  /**
   * Calls whoever is to be called now, and asks for more addresses where too few are known. Looks
   * only when something happened, or a second has passed: this is asked after every message.
   */
  @Override
  public void call(boolean headersDone) {
    if (!news && !isOverdue() && effects.now().isBefore(lookAt)) {
      return;
    }
    news = false;
    gossip = false;
    looks++;
    lookAt = effects.now().plus(LOOK);
    scouts.expire();
    sources.expire();
    if (!anybodyIsThere()) {
      line.nobodyIsThere();
    }
    if (effects.clock().isBefore(clock)) {
      table.settle(effects.clock());
    }
    clock = effects.clock();
    if (!begun) {
      begun = true;
      hopeSince = effects.now();
      how.seedNodes().forEach(scouts::call);
    }
    promote();
    searchAnew();
    callScanners();
    callHeaderPeers();
    if (scanners() < neededScanners() && !isCallingScanner() && !knowsScanner(effects.now())) {
      seek();
    }
    feel();
    more = mayFindMore();
    seeking = isSeeking();
    headersToCome = !callUnderWay().isEmpty() || table.holds(headerPeer(true), effects.clock());
    if (scannerSince == null && scanners() >= neededScanners() && headersDone) {
      scannerSince = effects.now();
    }
    record.look();
    if (table.hasChanged()) {
      journal.addresses(effects.now());
    }
  }

  /** How often the table was looked at, which costs the more the more addresses are known. */
  long looks() {
    return looks;
  }

  /** A header peer that could do more takes the place of a scanner that is gone. */
  private void promote() {
    if (guards != null) {
      return;
    }
    for (Peer peer : roster.peers()) {
      if (scanners() >= wantedScanners()) {
        return;
      }
      Message.Version version = peer.version();
      if (peer.forHeaders()
          && version != null
          && Services.has(version.services(), Scouts.FILTERING)) {
        peer.useForHeaders(false);
        effects.changed();
      }
    }
  }

  /** Whether somebody's time to answer, or a pause, is up: nothing else may ever happen. */
  private boolean isOverdue() {
    Instant due = Dialer.earlier(Dialer.earlier(scouts.due(), sources.due()), line.due());
    return due != null && !effects.now().isBefore(due);
  }

  private void callScanners() {
    int missing = wantedScanners() - scanners();
    int calling = 0;
    for (Peer peer : callUnderWay()) {
      calling += peer.forHeaders() ? 0 : 1;
    }
    // Twice as many and two more: about every second address of a fresh table is dead.
    while (missing > 0
        && calling < 2 * missing + 2
        && callUnderWay().size() < MAX_CALLS
        && call(this::scanner, false)) {
      calling++;
    }
  }

  private void callHeaderPeers() {
    int missing = wantedHeaderPeers() - headerPeers();
    int calling = 0;
    for (Peer peer : callUnderWay()) {
      calling += peer.forHeaders() ? 1 : 0;
    }
    boolean spare = scanners() >= wantedScanners() || !knowsScanner(effects.now());
    while (missing > 0
        && calling < missing + 1
        && callUnderWay().size() < MAX_CALLS
        && (call(() -> headerPeer(false), true) || (spare && call(() -> headerPeer(true), true)))) {
      calling++;
    }
  }

  private Optional<Endpoint> draw(Supplier<AddressTable.Wanted> wanted) {
    return line.mayCall(effects.now())
        ? table.draw(wanted.get(), dice, effects.clock()).map(KnownAddress::endpoint)
        : Optional.empty();
  }

  private boolean call(Supplier<AddressTable.Wanted> wanted, boolean forHeaders) {
    Optional<Endpoint> drawn = draw(wanted);
    if (!drawn.isPresent()) {
      return false;
    }
    Endpoint endpoint = drawn.get();
    noteCall(PeerAddress.of(endpoint));
    Link link = calls.apply(PeerAddress.of(endpoint));
    Peer peer = new Peer(link, effects.dice().nextLong(), effects.now());
    peer.useForHeaders(forHeaders);
    found.put(link.id(), new FoundPeer(peer, endpoint, NetGroup.of(endpoint)));
    roster.add(peer);
    effects.output(new Output.Connect(link));
    return true;
  }

  private boolean isCallingScanner() {
    for (Peer peer : callUnderWay()) {
      if (!peer.forHeaders()) {
        return true;
      }
    }
    return false;
  }

  /** No scanner is known: asks seeds, then whoever is there. */
  private void seek() {
    if (searchSince == null) {
      searchSince = effects.now();
    }
    if (sources.isPending() || awaitsAddresses()) {
      return;
    }
    if (!sources.isExhausted()) {
      sources.ask();
      return;
    }
    while (scouts.underWay() < MAX_SCOUTS && asked < MAX_ASKED) {
      Optional<Endpoint> drawn = draw(this::anybody);
      if (!drawn.isPresent()) {
        return;
      }
      asked++;
      ask(drawn.get());
    }
  }

  private void ask(Endpoint endpoint) {
    table.asked(endpoint, search);
    scouts.call(PeerAddress.of(endpoint));
  }

  /** A search ends when it found enough. One that did not begins anew after a while. */
  private void searchAnew() {
    Instant since = searchSince;
    boolean found = scanners() >= neededScanners();
    boolean again =
        since != null
            && settings.follow()
            && !effects.now().isBefore(since.plus(anybodyAnswered() ? SEARCH : SOON));
    if (since != null && (found || again)) {
      search++;
      asked = 0;
      searchSince = null;
    }
    if (again && !found) {
      how.seedNodes().forEach(scouts::call);
    }
  }

  /** Whether a scout, or a peer that was asked for addresses, may tell of a scanner yet. */
  private boolean awaitsAddresses() {
    if (scouts.underWay() > 0) {
      return true;
    }
    for (Peer peer : roster.peers()) {
      Instant asked = Gossip.of(peer).askedAt;
      if (asked != null && effects.now().isBefore(asked.plus(ANSWER))) {
        return true;
      }
    }
    return false;
  }

  private void feel() {
    boolean stays = settings.follow();
    boolean quiet = scanners() >= wantedScanners() && scouts.underWay() == 0;
    if (anyServices()
        || !quiet
        || effects.now().isBefore(feelerAt)
        || (!stays && (feelers >= MAX_FEELERS || spare() >= ENOUGH_SPARE))) {
      return;
    }
    Optional<Endpoint> drawn =
        draw(() -> wanted(Scouts.FILTERING, groupsInUse(), known -> !known.proven()));
    if (drawn.isPresent()) {
      feelers++;
      feelerAt = stays ? effects.now().plus(FEELER_PAUSE) : effects.now();
      ask(drawn.get());
    }
  }

  private int spare() {
    Set<Endpoint> used = inUse();
    int spare = 0;
    for (KnownAddress known : table.all()) {
      boolean good = known.proven() && Services.has(known.services(), Scouts.FILTERING);
      spare += good && known.failures() == 0 && !used.contains(known.endpoint()) ? 1 : 0;
    }
    return spare;
  }

  // ---- what becomes of them ----

  /** Takes what concerns scouts and look-ups; returns whether it did. */
  @Override
  public boolean take(Input input) {
    if (input instanceof Input.ProxyFailed failed) {
      record.proxyFailed(failed);
    } else if (input instanceof Input.Received) {
      heard();
    }
    int asking = scouts.underWay();
    boolean ours = scouts.take(input) || sources.take(input);
    if (ours && input instanceof Input.Received && scouts.underWay() == asking) {
      gossip = true;
    } else {
      news |= ours;
    }
    return ours;
  }

  @Override
  public boolean admit(Peer peer, Message.Version version) {
    news = true;
    record.reached(peer.link().address(), version.services());
    NetGroup group = of(peer).group();
    boolean alone = true;
    for (Peer other : roster.peers()) {
      alone &= other == peer || !other.isReady() || !group.equals(groupOf(other));
    }
    boolean serves =
        Services.has(version.services(), anyServices() ? Services.NETWORK : Scouts.FILTERING);
    boolean fit = guards == null || guards.mayGuard(peer.link().address());
    boolean scans = serves && fit && (alone || guards == null);
    if (scans && scanners() < wantedScanners()) {
      peer.useForHeaders(false);
      hopeSince = effects.now();
      return true;
    }
    boolean network = Services.has(version.services(), Services.NETWORK);
    if (network && alone && headerPeers() < wantedHeaderPeers()) {
      peer.useForHeaders(true);
      return true;
    }
    release(peer, scans);
    return false;
  }

  private FoundPeer of(Peer peer) {
    FoundPeer known = found.get(peer.link().id());
    if (known == null) {
      throw new IllegalArgumentException("link " + peer.link() + " is of no peer that was found");
    }
    return known;
  }

  /** There is no room for it: it may tell of others, then it goes. */
  private void release(Peer peer, boolean spare) {
    Endpoint endpoint = of(peer).endpoint();
    roster.remove(peer.link().id());
    found.remove(peer.link().id());
    effects.send(peer, new Message.SendAddrV2());
    effects.send(peer, new Message.Verack());
    table.asked(endpoint, search);
    scouts.adopt(peer, endpoint);
    // A spare one is not called before there is room, and then it must not have to wait.
    if (!spare) {
      table.pause(endpoint, effects.clock(), effects.clock().plus(SOON));
    }
  }

  @Override
  public void greet(Peer peer) {
    // BIP-0155: before the verack.
    effects.send(peer, new Message.SendAddrV2());
  }

  @Override
  public void ready(Peer peer) {
    Gossip.of(peer).askedAt = effects.now();
    effects.send(peer, new Message.GetAddr());
  }

  @Override
  public void announced(Peer peer, List<NetworkAddress> addresses) {
    NetGroup group = groupOf(peer);
    gossip = true;
    if (addresses.size() != 1 && Gossip.of(peer).askedAt != null) {
      // The answer. One address alone may be its own, told unasked.
      Gossip.of(peer).askedAt = null;
      news = true;
    }
    if (!addresses.isEmpty() && !Gossip.of(peer).toldAny) {
      Gossip.of(peer).toldAny = true;
      record.told();
    }
    NetGroup source = group == null ? NetGroup.ofName(peer.link().address().host()) : group;
    table.add(addresses, source, effects.clock());
  }

  @Override
  public void lost(Peer peer, Refusal refusal, boolean useful) {
    news = true;
    DisconnectReason reason = refusal.reason();
    Endpoint endpoint = of(peer).endpoint();
    found.remove(peer.link().id());
    if (peer.isReady() && !peer.forHeaders()) {
      hopeSince = effects.now();
    }
    table.measured(endpoint, peer.latencyMillis());
    if (refusal.obstacle().kind() != Obstacle.Kind.PROXY) {
      noteFailure(endpoint, reason, peer.isReady());
    }
    if (useful) {
      table.useful(endpoint);
    }
    int calls = table.calls(endpoint);
    boolean again = peer.isReady() && reason.passesSoon() && calls < Retries.MAX_CALLS;
    Instant now = effects.clock();
    table.pause(endpoint, now, again ? now.plus(Retries.pauseAfter(calls)) : laterAgain());
    if (peer.servesBloom()) {
      record.lost(peer.link().address(), refusal.detail());
    }
  }

  @Override
  public void retryNow() {
    news = true;
    hopeSince = effects.now();
    table.hurry();
    line.hurry();
  }

  @Override
  public void backOff(PeerAddress address, DisconnectReason reason) {
    address
        .endpoint()
        .ifPresent(
            endpoint ->
                table.banned(endpoint, reason.name(), effects.clock().plus(reason.backOff())));
  }

  private Instant laterAgain() {
    return settings.follow() ? effects.clock().plus(SOON) : Instant.MAX;
  }

  private void noteCall(PeerAddress address) {
    line.called();
    record.called(address);
  }

  private void noteFailure(Endpoint endpoint, DisconnectReason reason, boolean greeted) {
    if (reason == DisconnectReason.NO_NODE) {
      record.strange();
    }
    if (reason.isMisbehaviour()) {
      table.banned(endpoint, reason.name(), effects.clock().plus(reason.backOff()));
    } else if (!greeted) {
      line.inVain(endpoint, effects.now());
    }
  }

  private void heard() {
    record.heard();
    line.heard(effects.now(), (endpoint, at) -> table.inVain(endpoint, effects.onTheClock(at)));
  }

  @Override
  public void stop() {
    scouts.stop();
    for (FoundPeer each : found.values()) {
      table.measured(each.endpoint(), each.peer().latencyMillis());
    }
    found.clear();
    if (table.hasChanged()) {
      journal.addresses(effects.now());
    }
  }

  @Override
  public AddressChanges takeChanges() {
    return table.takeChanges();
  }

  // ---- hope and its end ----

  /** Whether a scanner more may come before long. */
  @Override
  public boolean lacksScanner() {
    for (Peer peer : roster.peers()) {
      if (peer.isReady() && !peer.forHeaders()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean hasMore() {
    return !isHopeOver() && (news || gossip || more);
  }

  /** Whoever tells of addresses at which nobody is could keep a sync waiting for ever. */
  private boolean isHopeOver() {
    return begun && !settings.follow() && !effects.now().isBefore(hopeSince.plus(SEARCH));
  }

  private boolean mayFindMore() {
    return !isHopeOver()
        && scanners() < wantedScanners()
        && (isCallingScanner()
            || knowsScanner(effects.now().plus(SOON))
            || (scanners() < neededScanners() && isSeeking()));
  }

  @Override
  public boolean isAwaited(PeerAddress address) {
    Endpoint endpoint = address.endpoint().orElse(null);
    if (endpoint == null) {
      return false;
    }
    for (FoundPeer each : found.values()) {
      if (!each.peer().isReady() && endpoint.equals(each.endpoint())) {
        return true;
      }
    }
    Instant soon = effects.now().plus(SOON);
    return scanners() < wantedScanners()
        && table.mayBeCalledAgain(endpoint, effects.onTheClock(soon));
  }

  /** Whether there is still somebody to ask for addresses, or an answer to come. */
  private boolean isSeeking() {
    return !isHopeOver()
        && (!callUnderWay().isEmpty()
            || sources.isPending()
            || awaitsAddresses()
            || !sources.isExhausted()
            || (asked < MAX_ASKED && table.holds(anybody(), effects.clock())));
  }

  @Override
  public @Nullable Instant greetingDue() {
    Instant since = scannerSince;
    int missing = wantedHeaderPeers() - headerPeers();
    if (since == null || missing <= 0) {
      return null;
    }
    Instant due = since.plus(GREETING);
    return headersToCome && effects.now().isBefore(due) ? due : null;
  }

  @Override
  public @Nullable Instant due() {
    Instant due = Dialer.earlier(scouts.due(), sources.due());
    if (news) {
      // It came after the last look of this step: nothing else may ever happen.
      due = Dialer.earlier(due, effects.now().plus(LOOK));
    }
    boolean lacking = scanners() < wantedScanners() || headerPeers() < wantedHeaderPeers();
    if (lacking && (more || seeking || headersToCome)) {
      Instant callAt = line.due();
      due = Dialer.earlier(due, callAt == null ? effects.now().plus(LOOK) : callAt);
    } else if (settings.follow()) {
      due = Dialer.earlier(due, effects.now().plus(lacking ? SOON : FEELER_PAUSE));
    }
    return gossip ? Dialer.earlier(due, lookAt) : due;
  }

  @Override
  public boolean isHopeless(boolean everReady) {
    boolean stays = settings.follow() && (everReady || !anybodyAnswered());
    boolean somebody = wantedScanners() == 0 ? !roster.isEmpty() : scanners() > 0;
    boolean hope = hasMore() || seeking || (wantedScanners() == 0 && headersToCome);
    return !(stays || somebody || hope);
  }

  @Override
  public SyncEvent.NoUsablePeer inTheWay(SyncEvent.NoUsablePeer ofNamed) {
    SyncEvent.PeerSearch figures = record.figures(sources, scouts);
    effects.emit(figures);
    String ofGuards = ofNamed.detail().isEmpty() ? "" : ". Guards: " + ofNamed.detail();
    return new SyncEvent.NoUsablePeer(
        record.kind(figures), record.obstacles(figures), record.explanation(figures) + ofGuards);
  }

  /** Whether anything came back from the network in this session. */
  private boolean anybodyAnswered() {
    return line.wasEverHeard();
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
  public int addresses() {
    return table.size();
  }

  @Override
  public int remembered() {
    return record.remembered() + line.remembered();
  }

  /** Says once that all peers there are belong to one group, who could be one person. */
  @Override
  public void warnOfOneGroup() {
    Set<NetGroup> groups = new LinkedHashSet<>();
    int ready = 0;
    for (Peer peer : roster.peers()) {
      if (peer.isReady()) {
        ready++;
        NetGroup group = groupOf(peer);
        groups.add(group == null ? NetGroup.ofName(peer.link().address().host()) : group);
      }
    }
    if (!warned && groups.size() == 1 && !anyServices()) {
      warned = true;
      effects.emit(
          new SyncEvent.Warning(new SyncWarning.OneNetworkGroup(ready, groups.iterator().next())));
    }
  }
}
