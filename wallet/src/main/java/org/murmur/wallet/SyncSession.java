package org.murmur.wallet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.net.PeerLoop;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncMachine;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncStart;
import org.murmur.wallet.Participants.Participation;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.LedgerChange.Transition;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.store.SessionFacts;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.sync.Books;
import org.murmur.wallet.sync.CommitOutcome;
import org.murmur.wallet.sync.Scans;
import org.murmur.wallet.sync.WalletView;

/**
 * One run of the machine over the books: tells the listener, counts for the report, knows when to
 * stop.
 *
 * <p>Events come on two threads, the loop's and the one that commits; {@link #heard} lets in one at
 * a time.
 */
final class SyncSession {

  /** One is shown the scripts, the other the outpoints. */
  private static final int GUARDS = 2;

  /** Enough to go on when one is lost, and not slow when one is. */
  private static final int FOUND_PEERS = 3;

  /** So many peers are asked what they speak, when all is in vain anyway. */
  private static final int MOST_DIAGNOSED = 3;

  /** Core's DEFAULT_MAX_TIP_AGE: with an older tip a node thinks that it is not synced. */
  private static final Duration OLD_TIP = Duration.ofHours(24);

  /** A session may last for months. */
  private static final int MOST_WARNINGS = 100;

  private final Books books;
  private final Network network;
  private final SyncOptions options;
  private final SyncSettings settings;
  private final SyncListener listener;
  private final Wires wires;
  private final Clock clock;
  private final Instant began;
  // What is to be told before anything is sent.
  private final boolean exposes;
  private final PeerLoop loop;

  private volatile SyncReport.@Nullable Ending ending;
  private volatile boolean broadcasting;

  // Guarded by this.
  private final Participants peers;
  private final Map<Long, PeerAddress> loads = new HashMap<>();
  private final Map<Long, Integer> rowEnds = new HashMap<>();
  private final Set<WalletWarning> warnings = new LinkedHashSet<>();
  private final Set<PeerAddress> taken = new LinkedHashSet<>();
  private final Set<PeerAddress> accepted = new LinkedHashSet<>();
  private final Set<PeerAddress> announced = new LinkedHashSet<>();
  private final Map<PeerAddress, String> refused = new LinkedHashMap<>();
  private final Set<PeerAddress> ready = new LinkedHashSet<>();
  // Of whom it is known whether they are there.
  private final Set<PeerAddress> resolved = new LinkedHashSet<>();
  private SyncEvent.MempoolAnswered.Answer mempool = SyncEvent.MempoolAnswered.Answer.SKIPPED;
  private SyncEvent.@Nullable NoUsablePeer noUsablePeer;
  private SyncEvent.@Nullable PeerSearch search;
  // How the machine last came to an end of all there was to see: Complete, EndsLongAgo, ClockBehind
  // or TooFewWitnesses; null before.
  private @Nullable SyncEvent end;
  // Until it was complete for the first time.
  private @Nullable SessionFacts cost;
  private boolean disagree;
  private int spotChecked;
  private int blocks;
  private int falsePositives;

  SyncSession(
      Books books,
      Network network,
      SyncOptions options,
      boolean exposes,
      SyncListener listener,
      Surroundings around)
      throws StoreException, WalletException {
    this.exposes = exposes;
    this.books = books;
    this.network = network;
    this.options = options;
    this.listener = listener;
    this.clock = around.clock();
    this.began = clock.instant();
    this.settings = settings(books, network, options, around.dice());
    this.peers = new Participants(Set.copyOf(settings.peers()));
    SyncStart start = books.start(settings.compares(), settings.discovery().isPresent());
    start.loads().forEach(load -> loads.put(load.id(), load.peer()));
    start.rows().forEach(row -> rowEnds.put(row.id(), row.to()));
    this.wires = new Wires(options, around);
    this.loop = wires.loop(new SyncMachine(start, settings), this::commit, this::emitted, network);
  }

  private static SyncSettings settings(
      Books books, Network network, SyncOptions options, SecureRandom dice)
      throws StoreException, WalletException {
    List<PeerAddress> addresses = addresses(network, options);
    boolean guarded = options.isPrivate();
    if (guarded) {
      // However few may be called at once, those who hold the filters are among them.
      List<PeerAddress> guards = new ArrayList<>(books.shown(true));
      guards.retainAll(addresses);
      addresses.removeAll(guards);
      addresses.addAll(0, guards);
    }
    SyncSettings usual = SyncSettings.of(addresses, dice.nextLong());
    SyncSettings settings =
        usual
            .connections(
                options.discovers()
                    ? wanted(options)
                    : options.connections() == 0
                        ? usual.connections()
                        : Math.max(options.connections(), least(options)))
            .verifiedBy(options.verify())
            .rate(options.rate())
            .headersOnly(options.headersOnly())
            .maxBytes(options.maxBytes())
            .follow(options.follow())
            .mempoolWait(options.mempoolWait())
            .checkpoints(options.checkpoints().orElseGet(() -> Checkpoints.of(network)))
            .spotChecks(options.spotChecks())
            .proxied(options.proxy().isPresent());
    if (options.discovers()) {
      settings = settings.discoveringBy(discovery(network, options));
    }
    return guarded ? settings.guardedBy(preset(books, network, options, dice)) : settings;
  }

  /** How many peers that are found share the work; each more learns a filter. */
  static int wanted(SyncOptions options) {
    int usual = options.isPrivate() ? GUARDS : FOUND_PEERS;
    return Math.max(options.connections() == 0 ? usual : options.connections(), least(options));
  }

  private static int least(SyncOptions options) {
    return options.isPrivate() ? leastGuards(options) : options.verify();
  }

  private static int leastGuards(SyncOptions options) {
    return options.guards().onePeer() ? 1 : GUARDS;
  }

  private static Discovery discovery(Network network, SyncOptions options) throws WalletException {
    boolean regtest = network.equals(Network.REGTEST);
    return new Discovery(
        options.dnsSeeds().orElseGet(network::dnsSeeds),
        addresses(options.seedNodes(), network),
        (regtest ? Scope.LOCAL : Scope.INTERNET).withOnion(options.proxy().isPresent()),
        network.defaultPort(),
        Set.copyOf(addresses(options.avoided(), network)));
  }

  private static PrivatePreset preset(
      Books books, Network network, SyncOptions options, SecureRandom dice)
      throws StoreException, WalletException {
    GuardOptions how = options.guards();
    return new PrivatePreset(
        books.filterKey(dice),
        how.rate(),
        how.onePeer(),
        Set.copyOf(addresses(how.dismissed(), network)));
  }

  /** The peers of a session, of which there must be some if none are to be found. */
  static List<PeerAddress> addresses(Network network, SyncOptions options) throws WalletException {
    List<PeerAddress> addresses = addresses(options.peers(), network);
    if (addresses.isEmpty() && !options.discovers()) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT, "no peer to connect to: name at least one");
    }
    checkHidden(addresses, options);
    checkHidden(addresses(options.seedNodes(), network), options);
    return addresses;
  }

  private static void checkHidden(List<PeerAddress> addresses, SyncOptions options)
      throws WalletException {
    for (PeerAddress address : addresses) {
      if (address.isHidden() && !options.proxy().isPresent()) {
        throw new WalletException(
            WalletException.Kind.BAD_INPUT,
            address + " can only be reached through a proxy, and none is named");
      }
    }
  }

  static List<PeerAddress> addresses(List<String> peers, Network network) throws WalletException {
    List<PeerAddress> addresses = new ArrayList<>();
    for (String peer : peers) {
      try {
        addresses.add(PeerAddress.parse(peer, network.defaultPort()));
      } catch (IllegalArgumentException e) {
        throw new WalletException(
            WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
      }
    }
    return addresses;
  }

  void stop(SyncReport.Ending why) {
    if (ending == null) {
      ending = why;
      loop.post(new Input.Stop());
    }
  }

  SyncReport sync() throws WalletException, NoUsablePeerException {
    if (exposes) {
      forewarn(new WalletWarning.WalletExposed());
    }
    books.takeLosses().forEach(loss -> forewarn(new WalletWarning.FileDamaged(loss)));
    int wanted = options.connections();
    if (options.isPrivate() && wanted > 0 && wanted < leastGuards(options)) {
      heard(warning(new WalletWarning.TwoGuardsNeeded(wanted)));
    }
    run(options.timeout());
    SyncReport report = report();
    note();
    SyncEvent.NoUsablePeer none;
    synchronized (this) {
      none = noUsablePeer;
    }
    // Who follows wants to hear of what comes, and nobody is left to tell of it.
    boolean wanting = options.follow() || !report.complete();
    if (none != null && wanting && ending == null) {
      throw failure(none, report);
    }
    return report;
  }

  private NoUsablePeerException failure(SyncEvent.NoUsablePeer none, SyncReport report)
      throws WalletException {
    String detail = detail(none);
    synchronized (this) {
      return new NoUsablePeerException(none, detail, report, Optional.ofNullable(search));
    }
  }

  /** What stood in the way; of peers that hung up on our hello it is found out what they speak. */
  private String detail(SyncEvent.NoUsablePeer none) throws WalletException {
    List<PeerAddress> strangers = new ArrayList<>(addresses(options.peers(), network));
    synchronized (this) {
      strangers.removeIf(address -> !hungUp(none.obstacles().get(address), peers.find(address)));
    }
    StringBuilder detail =
        new StringBuilder(none.missing().map(Object::toString).orElse(none.detail()));
    NetworkDiagnosis diagnosis = new NetworkDiagnosis(network, wires);
    for (PeerAddress stranger : strangers.subList(0, Math.min(MOST_DIAGNOSED, strangers.size()))) {
      diagnosis
          .of(stranger)
          .ifPresent(
              other -> detail.append("; ").append(stranger).append(" speaks ").append(other));
    }
    return detail.toString();
  }

  private static boolean hungUp(@Nullable Obstacle obstacle, @Nullable Participation peer) {
    boolean onHello = obstacle == Obstacle.HANGS_UP || obstacle == Obstacle.HANGS_UP_BEHIND_PROXY;
    return onHello && peer != null && peer.height < 0;
  }

  /** What it cost up to now. */
  private SessionFacts cost() {
    int headers = 0;
    for (Map.Entry<PeerAddress, Participation> peer : peers.all()) {
      headers += peer.getValue().headers;
    }
    return new SessionFacts(
        began.getEpochSecond(),
        elapsed().toMillis(),
        headers,
        blocks,
        loop.bytesReceived(),
        loop.bytesSent());
  }

  /** Keeps what it cost to get complete, for estimates: who stays then waits, and does no work. */
  private void note() {
    SessionFacts facts;
    synchronized (this) {
      facts = cost == null ? cost() : cost;
    }
    if (facts.headers() == 0 && facts.blocks() == 0) {
      return;
    }
    try {
      books.writeStore(store -> store.note(facts));
    } catch (StoreException e) {
      // The sync is done and written; all that is lost is a figure for estimates.
      warning(new WalletWarning.CostNotKept(String.valueOf(e.getMessage())));
    }
  }

  SyncReport rescan(Birthday from) throws WalletException, NoUsablePeerException {
    loop.post(new Input.RescanFrom(from));
    return sync();
  }

  /**
   * For a broadcast: every peer that is there accepted it or refused it, and of the others it is
   * known that they are not, so nobody is left to announce it back.
   */
  private synchronized void stopIfAllSpoke() {
    int callable = Math.min(settings.connections(), Set.copyOf(settings.peers()).size());
    boolean heardOfAll =
        options.discovers() ? ready.size() >= settings.connections() : resolved.size() >= callable;
    boolean answered =
        ready.stream()
            .allMatch(
                peer ->
                    accepted.contains(peer)
                        || announced.contains(peer)
                        || refused.containsKey(peer));
    if (broadcasting && heardOfAll && answered && !(accepted.isEmpty() && announced.isEmpty())) {
      stop(SyncReport.Ending.DONE);
    }
  }

  private static TimerTask task(Runnable what) {
    return new TimerTask() {
      @Override
      public void run() {
        what.run();
      }
    };
  }

  BroadcastReport broadcast(Tx tx) throws WalletException, NoUsablePeerException {
    broadcasting = true;
    loop.post(new Input.BroadcastTx(tx, fee(tx)));
    run(options.broadcastWait());
    SyncReport report = report();
    SyncEvent.NoUsablePeer none;
    synchronized (this) {
      boolean nothing =
          taken.isEmpty() && accepted.isEmpty() && announced.isEmpty() && refused.isEmpty();
      none = nothing ? noUsablePeer : null;
    }
    if (none != null) {
      throw failure(none, report);
    }
    synchronized (this) {
      return new BroadcastReport(
          tx.txid(),
          List.copyOf(taken),
          List.copyOf(accepted),
          List.copyOf(announced),
          Map.copyOf(refused),
          problems(report),
          Optional.empty());
    }
  }

  private static Map<PeerAddress, String> problems(SyncReport report) {
    Map<PeerAddress, String> problems = new LinkedHashMap<>();
    for (SyncReport.Participant peer : report.peers()) {
      peer.problem().ifPresent(why -> problems.put(peer.address(), why));
    }
    return problems;
  }

  /** What it pays, in satoshi, if the wallet knows all the coins that it spends. */
  private OptionalLong fee(Tx tx) throws WalletException {
    try {
      return books.read(
          view -> {
            long fee = 0;
            for (Tx.Input input : tx.inputs()) {
              Fact fact = view.ledger().fact(input.outPoint().txid());
              int index = input.outPoint().index();
              if (fact == null || index < 0 || index >= fact.tx().outputs().size()) {
                return OptionalLong.empty();
              }
              fee += fact.tx().outputs().get(index).value();
            }
            for (Tx.Output output : tx.outputs()) {
              fee -= output.value();
            }
            return OptionalLong.of(fee);
          });
    } catch (StoreException e) {
      throw Failures.of(e);
    }
  }

  private void run(Duration limit) throws WalletException {
    Timer watch = watch(limit);
    try {
      loop.run();
    } catch (InterruptedIOException e) {
      ending = SyncReport.Ending.STOPPED;
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw Failures.of(e);
    } catch (UncheckedIOException e) {
      // Headers that the machine wanted to look at again could not be read.
      throw Failures.of(Objects.requireNonNull(e.getCause()));
    } finally {
      if (watch != null) {
        watch.cancel();
      }
    }
  }

  /** Watches the limit of time, if there is one; without, no thread is started. */
  private @Nullable Timer watch(Duration limit) {
    if (limit.isZero()) {
      return null;
    }
    Timer watch = new Timer("murmur-limits", true);
    watch.schedule(task(() -> stop(SyncReport.Ending.TIMEOUT)), limit.toMillis());
    return watch;
  }

  private List<Input> commit(CommitBatch batch) throws IOException {
    CommitOutcome outcome = books.commit(batch, clock.instant().getEpochSecond());
    count(batch, outcome);
    if (outcome.forkHeight() < outcome.oldHeight()) {
      heard(new WalletEvent.Reorganised(outcome.forkHeight(), outcome.oldHeight()));
    }
    for (WalletEvent event : payments(books, outcome.transitions())) {
      heard(event);
    }
    return outcome.inputs();
  }

  private synchronized void count(CommitBatch batch, CommitOutcome outcome) {
    for (Load load : batch.loads()) {
      loads.put(load.id(), load.peer());
    }
    for (ScanRow row : batch.rows()) {
      int before = rowEnds.getOrDefault(row.id(), row.from() - 1);
      int more = Math.max(0, row.to() - before);
      rowEnds.put(row.id(), row.to());
      blocks += more;
      PeerAddress peer = loads.get(row.load());
      if (peer != null) {
        peers.of(peer).blocks += more;
      }
    }
    falsePositives += outcome.falsePositives();
  }

  /** What became of payments, as events. */
  static List<WalletEvent> payments(Books books, List<Transition> transitions)
      throws StoreException {
    if (transitions.isEmpty()) {
      return List.of();
    }
    return books.read(
        view -> {
          Statements statements = new Statements(view);
          List<WalletEvent> events = new ArrayList<>();
          for (Transition transition : transitions) {
            HistoryEntry entry = statements.entry(transition.txid());
            boolean undone = transition.before() == TxStatus.CONFIRMED;
            events.add(
                switch (transition.after()) {
                  case CONFIRMED -> new WalletEvent.PaymentConfirmed(entry);
                  case PENDING ->
                      undone
                          ? new WalletEvent.PaymentUnconfirmed(entry)
                          : new WalletEvent.PaymentSeen(entry);
                  case REPLACED -> new WalletEvent.PaymentReplaced(entry);
                  case MISSING, ABANDONED, DEAD -> new WalletEvent.PaymentGone(entry);
                });
          }
          return events;
        });
  }

  private void emitted(SyncEvent event) {
    WalletEvent translated = translate(event);
    if (translated != null) {
      heard(translated);
    }
  }

  private void heard(WalletEvent event) {
    synchronized (this) {
      listener.onEvent(event);
    }
  }

  private @Nullable WalletEvent translate(SyncEvent event) {
    if (event instanceof SyncEvent.Progress p) {
      return new WalletEvent.Progress(
          p.headers(), p.target(), p.scanned(), p.toScan(), p.bytesReceived(), elapsed());
    }
    if (event instanceof SyncEvent.PeerReady ready) {
      return ready(ready);
    }
    if (event instanceof SyncEvent.PeerLost lost) {
      return lost(lost);
    }
    if (event instanceof SyncEvent.HeadersServed served) {
      synchronized (this) {
        peers.of(served.address()).headers += served.count();
      }
      return null;
    }
    if (event instanceof SyncEvent.PeerShunned shunned) {
      return shunned(shunned);
    }
    if (event instanceof SyncEvent.PeerSearch ended) {
      synchronized (this) {
        search = ended;
      }
      return null;
    }
    if (event instanceof SyncEvent.NoUsablePeer none) {
      synchronized (this) {
        noUsablePeer = none;
      }
      return null;
    }
    if (event instanceof SyncEvent.BudgetSpent) {
      stop(SyncReport.Ending.MAX_BYTES);
      return null;
    }
    if (event instanceof SyncEvent.Complete complete) {
      synchronized (this) {
        cost = cost == null ? cost() : cost;
        end = complete;
        noUsablePeer = null;
      }
      return new WalletEvent.Complete(complete.height(), complete.tip(), balance());
    }
    if (event instanceof SyncEvent.ClockBehind clock) {
      return clockBehind(clock);
    }
    if (event instanceof SyncEvent.EndsLongAgo) {
      synchronized (this) {
        end = event;
      }
      return null;
    }
    if (event instanceof SyncEvent.TooFewWitnesses few) {
      return tooFewWitnesses(few);
    }
    if (event instanceof SyncEvent.SpotChecked) {
      synchronized (this) {
        spotChecked++;
      }
      return null;
    }
    if (event instanceof SyncEvent.Disagreement disagreement) {
      return disagreement(disagreement);
    }
    if (event instanceof SyncEvent.MempoolAnswered answered) {
      synchronized (this) {
        mempool = answered.answer();
      }
      return new WalletEvent.MempoolAnswered(answered.answer());
    }
    if (event instanceof SyncEvent.MempoolAwaited awaited) {
      return new WalletEvent.MempoolAwaited(awaited.peer(), awaited.limit());
    }
    if (event instanceof SyncEvent.Warning warning) {
      return warning(new WalletWarning.OfSession(warning.what()));
    }
    if (event instanceof SyncEvent.Note note) {
      return new WalletEvent.Note(note.topic(), note.peer(), note.text());
    }
    return broadcasting(event);
  }

  private synchronized WalletEvent clockBehind(SyncEvent.ClockBehind clock) {
    end = clock;
    return warning(new WalletWarning.ClockBehind(clock.height(), clock.by()));
  }

  private synchronized WalletEvent tooFewWitnesses(SyncEvent.TooFewWitnesses few) {
    end = few;
    return warning(tooFew(few.wanted(), few.seen()));
  }

  /** Names those that do not count, each with the reason. */
  private WalletWarning tooFew(int wanted, int seen) {
    Map<PeerAddress, String> useless = new LinkedHashMap<>();
    peers.forEach((address, peer) -> peer.problem.ifPresent(why -> useless.put(address, why)));
    return new WalletWarning.TooFewPeers(wanted, seen, useless);
  }

  /** What the user must know of how it ended and who was of no use, beyond what was said before. */
  private void warnAtTheEnd(Standing standing, boolean complete) {
    SyncReport.Ending end = ending();
    boolean limited = end == SyncReport.Ending.TIMEOUT || end == SyncReport.Ending.MAX_BYTES;
    if (limited && (!complete || !options.follow())) {
      warn(
          end == SyncReport.Ending.TIMEOUT
              ? new WalletWarning.TimeOver(options.timeout(), complete)
              : new WalletWarning.BytesOver(options.maxBytes(), complete));
    }
    boolean told =
        this.end instanceof SyncEvent.TooFewWitnesses under && under.height() == standing.height();
    boolean few = options.verify() > 1 && standing.seenBy() < options.verify();
    if (limited && few && !told && !complete && !options.headersOnly()) {
      warn(tooFew(options.verify(), standing.seenBy()));
    } else if (!told) {
      warnOfTheUseless();
    }
    if (sawAll(standing) && standing.unborn() && !options.headersOnly()) {
      warn(new WalletWarning.BirthdayAhead(standing.height()));
    }
    if (complete || this.end instanceof SyncEvent.EndsLongAgo) {
      warnIfNobodyKnowsTheTip(standing.height());
      oldTip(network, standing.height(), standing.tipTime(), clock.instant())
          .ifPresent(warnings::add);
    }
  }

  /** Those that did nothing wrong; what the others did is in their lines of the report. */
  private void warnOfTheUseless() {
    for (Map.Entry<PeerAddress, Participation> entry : peers.all()) {
      Participation peer = entry.getValue();
      if (peer.problem.isPresent() && !peer.shunned && !peer.misbehaviour.isPresent()) {
        warn(new WalletWarning.PeerOfNoUse(entry.getKey(), peer.problem.get(), peer.blocks > 0));
      }
    }
  }

  /**
   * What to say of a tip from long ago: its peers are not synced themselves, or cut off. On regtest
   * a block comes when somebody wants one.
   */
  static Optional<WalletWarning> oldTip(Network network, int height, long time, Instant now) {
    Instant at = Instant.ofEpochSecond(time);
    if (!network.rules().retargeting() || !at.isBefore(now.minus(OLD_TIP))) {
      return Optional.empty();
    }
    return Optional.of(new WalletWarning.OldTip(height, at, Duration.between(at, now)));
  }

  /** A chain that ends below what the wallet knows of says nothing about what came since. */
  private void warnIfNobodyKnowsTheTip(int height) {
    Map<PeerAddress, Integer> ends = new LinkedHashMap<>();
    for (Map.Entry<PeerAddress, Participation> entry : peers.all()) {
      Participation peer = entry.getValue();
      if (peer.height >= height || peer.headers > 0) {
        return;
      }
      if (peer.height >= 0) {
        ends.put(entry.getKey(), peer.height);
      }
    }
    if (!ends.isEmpty()) {
      warn(new WalletWarning.AllChainsShorter(height, ends));
    }
  }

  /** Keeps what is to be said at the end: each thing once, and not without end. */
  private void warn(WalletWarning what) {
    if (warnings.size() < MOST_WARNINGS) {
      warnings.add(what);
    } else if (!warnings.contains(what)) {
      warnings.add(new WalletWarning.FurtherLeftOut());
    }
  }

  private void forewarn(WalletWarning what) {
    synchronized (this) {
      warn(what);
    }
    heard(new WalletEvent.Forewarning(what));
  }

  private synchronized WalletEvent warning(WalletWarning what) {
    warn(what);
    return new WalletEvent.Warning(what);
  }

  private synchronized WalletEvent disagreement(SyncEvent.Disagreement event) {
    disagree = true;
    List<PeerAddress> tellers = event.peers().subList(1, event.peers().size());
    return warning(
        new WalletWarning.PeersDisagree(
            event.height(), event.txid(), event.peers().get(0), tellers));
  }

  /** It is known now whether it is there. Of those that are found nobody waits for all. */
  private void resolved(PeerAddress peer) {
    if (!options.discovers()) {
      resolved.add(peer);
    }
  }

  private synchronized WalletEvent ready(SyncEvent.PeerReady ready) {
    Participation peer = peers.of(ready.address());
    peer.userAgent = ready.userAgent();
    peer.height = ready.height();
    peer.shunned = false;
    peer.problem = Optional.empty();
    resolved(ready.address());
    this.ready.add(ready.address());
    return new WalletEvent.PeerReady(
        ready.address(), ready.userAgent(), ready.services(), ready.height());
  }

  private synchronized WalletEvent lost(SyncEvent.PeerLost lost) {
    Optional<String> misbehaviour =
        lost.reason().isMisbehaviour()
            ? Optional.of(lost.reason() + ": " + lost.detail())
            : Optional.empty();
    Participation peer = peers.of(lost.address());
    peer.problem = Optional.of(lost.detail());
    if (misbehaviour.isPresent()) {
      peer.misbehaviour = misbehaviour;
    }
    resolved(lost.address());
    ready.remove(lost.address());
    stopIfAllSpoke();
    return new WalletEvent.PeerLost(lost.address(), misbehaviour, lost.detail());
  }

  private synchronized WalletEvent shunned(SyncEvent.PeerShunned shunned) {
    resolved(shunned.address());
    Participation peer = peers.of(shunned.address());
    peer.shunned = true;
    peer.problem = Optional.of("left alone for what it did before (" + shunned.reason() + ")");
    return warning(
        new WalletWarning.PeerShunned(shunned.address(), shunned.reason(), shunned.until()));
  }

  private @Nullable WalletEvent broadcasting(SyncEvent event) {
    if (event instanceof SyncEvent.TransactionTaken t) {
      synchronized (this) {
        taken.add(t.peer());
      }
      return new WalletEvent.TransactionTaken(t.txid(), t.peer());
    }
    if (event instanceof SyncEvent.TransactionAccepted a) {
      synchronized (this) {
        accepted.add(a.peer());
        stopIfAllSpoke();
      }
      return new WalletEvent.TransactionAccepted(a.txid(), a.peer());
    }
    if (event instanceof SyncEvent.TransactionAnnounced a) {
      synchronized (this) {
        announced.add(a.peer());
        stopIfAllSpoke();
      }
      return new WalletEvent.TransactionAnnounced(a.txid(), a.peer());
    }
    if (event instanceof SyncEvent.TransactionRefused r) {
      synchronized (this) {
        refused.put(r.peer(), r.reason());
        stopIfAllSpoke();
      }
      return new WalletEvent.TransactionRefused(r.txid(), r.peer(), r.reason());
    }
    return null;
  }

  private Balance balance() {
    try {
      return books.read(view -> view.ledger().balance(view.height()));
    } catch (StoreException e) {
      // What could be written a moment ago cannot be read: the next commit, or the report, says so.
      return Balance.ZERO;
    }
  }

  private Duration elapsed() {
    return Duration.between(began, clock.instant());
  }

  /** What the report takes from the books. */
  private record Standing(
      int height,
      Hash256 tip,
      long tipTime,
      boolean covered,
      boolean unborn,
      int seenBy,
      int transactions,
      Balance balance) {}

  private SyncReport report() throws WalletException {
    Standing standing;
    try {
      // What came after the machine was complete, a pending payment for instance, may have made the
      // look-ahead grow.
      Scans scans = books.scans();
      standing =
          books.read(
              view ->
                  new Standing(
                      view.height(),
                      view.tip(),
                      view.tipTime(),
                      !view.wallet().isBornAfter(view.height())
                          && (scans.coverage() == null || scans.completeTo() >= view.height()),
                      isUnborn(scans, view),
                      scans.seenBy(view.height()),
                      new Statements(view).history(false).size(),
                      view.ledger().balance(view.height())));
    } catch (StoreException e) {
      throw Failures.of(e);
    }
    return report(standing);
  }

  /** Whether there are blocks, but none of them at the wallet's birthday or above. */
  private static boolean isUnborn(Scans scans, WalletView view) {
    Coverage coverage = scans.coverage();
    boolean above = coverage == null || coverage.birthday() > view.height();
    return above && view.height() > view.wallet().baseHeight();
  }

  /** Whether the machine saw all that its peers have, up to this tip. */
  private boolean sawAll(Standing standing) {
    return end instanceof SyncEvent.Complete complete && complete.tip().equals(standing.tip());
  }

  private synchronized SyncReport report(Standing standing) {
    boolean complete = sawAll(standing) && (options.headersOnly() || standing.covered());
    warnAtTheEnd(standing, complete);
    List<SyncReport.Participant> participants = new ArrayList<>();
    peers.forEach(
        (address, p) ->
            participants.add(
                new SyncReport.Participant(
                    address, p.userAgent, p.blocks, p.headers, p.misbehaviour, p.problem)));
    return new SyncReport(
        network,
        complete,
        ending(),
        standing.height(),
        standing.tip(),
        standing.height(),
        standing.seenBy(),
        options.verify(),
        blocks,
        standing.transactions(),
        standing.balance(),
        mempool,
        falsePositives,
        spotChecked,
        loop.bytesReceived(),
        loop.bytesSent(),
        elapsed(),
        participants,
        List.copyOf(warnings));
  }

  private SyncReport.Ending ending() {
    SyncReport.Ending known = ending;
    if (known != null) {
      return known;
    }
    if (disagree) {
      return SyncReport.Ending.PEERS_DISAGREE;
    }
    if (end instanceof SyncEvent.TooFewWitnesses) {
      return SyncReport.Ending.TOO_FEW_WITNESSES;
    }
    if (end instanceof SyncEvent.ClockBehind) {
      return SyncReport.Ending.CLOCK_BEHIND;
    }
    if (end instanceof SyncEvent.EndsLongAgo) {
      return SyncReport.Ending.ENDS_LONG_AGO;
    }
    return noUsablePeer == null ? SyncReport.Ending.DONE : SyncReport.Ending.NO_USABLE_PEER;
  }
}
