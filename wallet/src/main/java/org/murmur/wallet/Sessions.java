package org.murmur.wallet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.Turns.Listening;
import org.murmur.wallet.Turns.Turn;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.internal.session.SessionRunner;
import org.murmur.wallet.internal.session.WalletSession.Written;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.DisplacedPayment;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/**
 * The sessions of a wallet, one at a time, in {@link Turns}. {@link SpvWallet} says what each does.
 */
final class Sessions {

  /** Seconds. */
  private static final long POOL_STAYS_KNOWN = 60;

  /** The pools of so many peers are asked, if there are as many. */
  private static final int POOLS = 2;

  /** A chain this many blocks below the known tip is no race: its node does not have the tip. */
  private static final int BEHIND = 3;

  private static final String OWNER = "would know by it whose transaction this is";
  private static final String PAYER = "would see that a payment is being prepared";

  /** Endings of a session whose peers have said how high their chain is. */
  private static final Set<SyncReport.Ending> AT_TIP =
      EnumSet.of(
          SyncReport.Ending.DONE,
          SyncReport.Ending.TOO_FEW_PEERS,
          SyncReport.Ending.ENDS_LONG_AGO,
          SyncReport.Ending.CLOCK_BEHIND);

  private final BooksAccess access;
  private final Books books;
  private final ChainParams network;
  private final Environment around;
  private final Turns turns;
  private final Requests requests;
  // When each peer's whole memory pool was known; seconds since 1970.
  private final Map<NodeAddress, Long> poolsKnown = new ConcurrentHashMap<>();

  /** Runs the session, and does what comes after it. Its listener hears both. */
  private interface Course<T> {
    T run(SessionRunner session, SyncListener heard) throws NoUsablePeerException;
  }

  /** The user's result of a change of the books, and the written change; empty if none. */
  private record Entered<T>(T result, Optional<Written> written) {}

  Sessions(BooksAccess access) {
    this.access = access;
    this.requests = new Requests(access);
    this.books = access.books();
    this.network = access.network();
    this.around = access.around();
    this.turns = new Turns(access.file().toString());
  }

  SyncReport sync(SyncOptions options, SyncListener listener) throws NoUsablePeerException {
    requireMayWrite(listener);
    return scan(
        turns.queueHere(Turns.Kind.SYNC, options.follow(), options.stop()),
        new SessionGoal.Sync(),
        options,
        listener);
  }

  /** A sync that has its place in the queue, and begins on the thread that runs it. */
  final class Queued {
    private final Turn mine;
    private final SyncOptions options;

    private Queued(SyncOptions options) {
      this.mine = turns.queue(Turns.Kind.SYNC, options.follow(), options.stop());
      this.options = options;
    }

    /** Syncs on the calling thread, when its turn has come. */
    SyncReport sync(SyncListener listener) throws NoUsablePeerException {
      return scan(mine, new SessionGoal.Sync(), options, listener);
    }

    /** Throws if it waits for the calling thread, which is in a listener. */
    void requireMayWait() {
      turns.requireMayWait();
    }

    /** Gives the place up. */
    void close() {
      mine.close();
    }
  }

  /** Queues a sync. A stop counts from now on. */
  Queued queue(SyncOptions options) {
    return new Queued(options);
  }

  SyncReport rescan(Birthday from, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    requireMayWrite(listener);
    Objects.requireNonNull(from, "from");
    return scan(
        turns.queueHere(Turns.Kind.RESCAN, options.follow(), options.stop()),
        new SessionGoal.Rescan(from),
        options,
        listener);
  }

  /** A part of a scan, and the turn in which it goes on after it made way for others. */
  private record Lap(SyncReport report, Optional<Turn> next) {}

  /** Syncs. A sync that follows may have to do it in several turns, with a session in each. */
  private SyncReport scan(Turn first, SessionGoal goal, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    try (Listening heard = turns.listen(listener)) {
      Lap lap = lap(first, goal, options, heard);
      SyncOptions left = options;
      while (lap.next().isPresent()) {
        left = Requests.rest(left, lap.report());
        lap = lap(lap.next().get(), new SessionGoal.Sync(), left, heard);
      }
      return lap.report();
    }
  }

  private Lap lap(Turn turn, SessionGoal goal, SyncOptions options, Listening heard)
      throws NoUsablePeerException {
    SyncListener listener = heard.events();
    try (Turn mine = turn) {
      mine.await(heard);
      Optional<Preset.Kind> earlier = requests.lastPreset();
      long shown = requests.lastShown();
      Upgrade.Session session =
          (under, before, announced) ->
              inTurn(
                  mine,
                  listener,
                  () -> {
                    beginEarlier(goal, under, listener);
                    return requests.begin(goal, under, !announced.isPresent());
                  },
                  (runner, unused) -> {
                    before.ifPresent(runner::after);
                    announced.ifPresent(runner::warn);
                    try {
                      return scan(runner, earlier);
                    } finally {
                      requests.keepIfShown(options, shown);
                      announced.ifPresent(unasked -> requests.keepIfTested());
                    }
                  });
      SyncReport report =
          Upgrade.isOpen(goal, options, requests.preset(options))
              ? new Upgrade(session, requests::addresses, requests::bytes, listener).sync(options)
              : session.run(options, Optional.empty(), Optional.empty());
      return new Lap(report, mine.again(report.ending()));
    }
  }

  /** Fetches earlier headers, where the goal or the options need them. */
  private void beginEarlier(SessionGoal goal, SyncOptions options, SyncListener listener) {
    if (goal instanceof SessionGoal.Rescan rescan) {
      Checkpoints known = options.checkpoints().orElseGet(() -> Checkpoints.of(network));
      startFrom(known.baseFor(network, rescan.from()), Optional.of(rescan.from()), listener);
    } else if (options.genesis()) {
      startFrom(ChainBase.ofGenesis(network), Optional.empty(), listener);
    }
  }

  /** Runs a sync. One that is refused for want of such peers does not change the preset. */
  private SyncReport scan(SessionRunner session, Optional<Preset.Kind> earlier)
      throws NoUsablePeerException {
    try {
      return notingPools(session);
    } catch (NoUsablePeerException e) {
      boolean refused =
          e.kind() == Obstacle.Kind.NO_FILTERS
              || (e.kind() == Obstacle.Kind.NO_GUARD
                  && !access.call(() -> books.readStore(PresetRule::wasShownPrivately)));
      if (refused) {
        // A wallet that was never synced keeps it: its user asked for it.
        earlier.ifPresent(requests::keep);
      }
      throw e;
    }
  }

  /** Runs a session that ends by itself. */
  private <T> T errand(
      SyncOptions options,
      SyncListener listener,
      Supplier<SessionRequest> preparation,
      Course<T> course)
      throws NoUsablePeerException {
    requireMayWrite(listener);
    Turn turn = turns.queueHere(Turns.Kind.ERRAND, false, options.stop());
    try (Listening heard = turns.listen(listener);
        Turn mine = turn) {
      mine.await(heard);
      return inTurn(mine, heard.events(), preparation, course);
    }
  }

  private SyncReport notingPools(SessionRunner session) throws NoUsablePeerException {
    try {
      return session.run();
    } finally {
      session.poolsTold().forEach((peer, at) -> poolsKnown.put(peer, at.getEpochSecond()));
    }
  }

  /** Whether their pools need not be asked: they were, by this object, which keeps the changes. */
  private boolean arePoolsKnown(SyncOptions options) {
    long now = around.seconds();
    poolsKnown.values().removeIf(at -> at > now || at < now - POOL_STAYS_KNOWN);
    List<NodeAddress> named = requests.peers(options).named();
    long known = named.stream().filter(poolsKnown::containsKey).count();
    return known > 0 && known >= Math.min(POOLS, named.size());
  }

  BroadcastReport broadcast(Tx tx, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    requireMayWrite(listener);
    Optional<Confirmation> block =
        access.read(
            view ->
                Optional.ofNullable(view.ledger().fact(tx.txid()))
                    .flatMap(fact -> Optional.ofNullable(fact.confirmation())));
    if (block.isPresent()) {
      return BroadcastReport.withoutPeers(tx.txid(), block);
    }
    Optional<BroadcastReport> sent = overRunning(tx, options);
    if (sent.isPresent()) {
      noteOrWarn(tx, sent.get(), listener);
      return sent.get();
    }
    return errand(
        options,
        listener,
        () -> {
          SyncOptions among = amongStrangers(options, OWNER);
          recordOrder(tx);
          return new SessionRequest(new SessionGoal.Broadcast(tx), among, false);
        },
        (session, heard) -> {
          try {
            session.run();
          } catch (WalletException e) {
            BroadcastReport report = session.sent(tx.txid());
            if (report.isUnanswered()) {
              throw e;
            }
            heard.onEvent(sentNotKept(tx, e));
            return report;
          }
          BroadcastReport report = session.sent(tx.txid());
          // Noted before another session can begin, which would not hear of it.
          noteOrWarn(tx, report, heard);
          return report;
        });
  }

  /**
   * Brings the wallet to the tip, and learns of payments by another copy of its file. Only peers
   * that have a filter with everything scan blocks for it and say what waits in their memory pools;
   * others only say how high the chain is. Empty if nobody said it, or all have less than the
   * wallet.
   */
  Optional<CatchUp> catchUp(SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    Turn turn = turns.current();
    Optional<SessionRunner> running =
        payingSession()
            .filter(session -> session.asksPools() || options.limits().mempoolWait().isZero());
    if (turn != null && running.isPresent()) {
      SessionRunner session = running.get();
      boolean known =
          session.awaitKnown(shorter(options.limits().mempoolWait(), options), options.stop());
      if (known || !session.isOver()) {
        return known || !access.read(WalletView::chain).complete()
            ? Optional.of(session.caughtUp())
            : Optional.empty();
      }
      turns.awaitEndOf(turn);
    }
    return ownCatchUp(options, listener);
  }

  /** The time limit ends the wait too. */
  private static Duration shorter(Duration wait, SyncOptions options) {
    Duration limit = options.limits().time();
    return wait.compareTo(limit) < 0 ? wait : limit;
  }

  /** With a session for it, which ends. */
  private Optional<CatchUp> ownCatchUp(SyncOptions given, SyncListener listener)
      throws NoUsablePeerException {
    SyncOptions options = given.follow(false);
    PresetChoice choice = requests.preset(options);
    boolean scans = haveEverything(choice, options);
    int known = access.read(WalletView::chain).height();
    AtomicBoolean atTip = new AtomicBoolean();
    CatchUp caught =
        errand(
            options,
            listener,
            () ->
                scans
                    ? requests.request(
                        choice,
                        new SessionGoal.Sync(),
                        arePoolsKnown(options)
                            ? options.limits(limits -> limits.mempoolWait(Duration.ZERO))
                            : options)
                    : new SessionRequest(
                        new SessionGoal.Sync(),
                        amongStrangers(options, PAYER).headersOnly(true),
                        false),
            (session, unused) -> {
              SyncReport.Ending ending = notingPools(session).ending();
              boolean ended = AT_TIP.contains(ending) || session.wasComplete();
              // A branch with more work may be lower.
              int least = Math.min(known, access.read(WalletView::chain).height()) - BEHIND;
              atTip.set(ended && session.highestPeer() > least);
              return session.caughtUp();
            });
    return atTip.get() || !access.read(WalletView::chain).complete()
        ? Optional.of(caught)
        : Optional.empty();
  }

  /** Whether each peer of the options has got a filter with everything, and is no guard. */
  private boolean haveEverything(PresetChoice choice, SyncOptions options) {
    Set<NodeAddress> shown = new HashSet<>(access.call(() -> books.shown(false)));
    shown.removeAll(access.call(() -> books.shown(true)));
    List<NodeAddress> named = requests.peers(options).named();
    return choice.preset() == Preset.Kind.FAST && !named.isEmpty() && shown.containsAll(named);
  }

  /** Refuses options under which nobody may get a transaction. A running session has its own. */
  void requireStrangers(SyncOptions options) {
    if (!payingSession().isPresent()) {
      SyncOptions unused = amongStrangers(options, OWNER);
    }
  }

  Optional<FeeEstimate> fees(int blocks, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return errand(
        options,
        listener,
        () ->
            new SessionRequest(
                new SessionGoal.Fees(blocks), amongStrangers(options.follow(false), PAYER), false),
        (session, unused) -> {
          session.run();
          return session.fees();
        });
  }

  /** Sends it over the connections of the session that runs; empty if none runs that can. */
  private Optional<BroadcastReport> overRunning(Tx tx, SyncOptions options) {
    Turn running = turns.current();
    Optional<SessionRunner> session = payingSession();
    if (running == null || !session.isPresent()) {
      return Optional.empty();
    }
    recordOrder(tx);
    Optional<BroadcastReport> report =
        access.call(
            () ->
                session
                    .get()
                    .broadcast(
                        tx, shorter(options.limits().broadcastWait(), options), options.stop()));
    if (!report.isPresent()) {
      turns.awaitEndOf(running);
    }
    return report;
  }

  /**
   * The session that runs, if it sends payments over its connections. One that begins is awaited.
   */
  private Optional<SessionRunner> payingSession() {
    Turn running = turns.current();
    if (running == null || turns.isWaitedFor()) {
      return Optional.empty();
    }
    try {
      return running.awaitSession().filter(SessionRunner::takesPayments);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * With the peers that may be given a transaction, or be asked for fees just before. A peer with a
   * filter of the wallet would know by it whose transaction this is. So guards never get one, and
   * under the private preset no peer does that ever got a filter.
   */
  private SyncOptions amongStrangers(SyncOptions options, String why) {
    boolean guarded = requests.preset(options).preset() == Preset.Kind.PRIVATE;
    Peers peers = requests.peers(options);
    Peers strangers = peers.without(access.call(() -> books.shown(!guarded)));
    if (strangers.named().isEmpty() && !peers.named().isEmpty()) {
      throw new WalletException(
          WalletException.Kind.KNOWS_FILTER,
          "each of these peers was shown a filter of this wallet and " + why);
    }
    return options.peers(all -> strangers);
  }

  /**
   * Writes that a signed or abandoned payment is to be sent, before any peer is contacted: if none
   * can be, later syncs announce it. A transaction that the wallet does not know is not recorded,
   * nor one that gives way to another payment of it.
   */
  private void recordOrder(Tx tx) {
    boolean open =
        access.read(
            view ->
                Optional.ofNullable(view.ledger().fact(tx.txid()))
                    .filter(
                        fact -> fact.repute() == Repute.SIGNED || fact.repute() == Repute.ABANDONED)
                    .filter(fact -> !givesWay(view, tx))
                    .isPresent());
    if (open) {
      enter(
          () -> {
            Written written = access.enter(() -> books.send(tx, false, around.seconds()));
            return new Entered<>(written.events(), Optional.of(written));
          });
    }
  }

  /**
   * The peer that fetched it may have refused it. A transaction that spends no coin of ours counts
   * only after another peer announced it: its inputs may not exist. Nor does one that gives way to
   * another payment of the wallet.
   */
  private List<WalletEvent.Payment> note(Tx tx, BroadcastReport report) {
    boolean counts =
        report.isAccepted()
            || (!report.fetchedBy().isEmpty()
                && access.read(view -> view.ledger().spendsOwn(tx) && !givesWay(view, tx)));
    return counts
        ? enter(
            () -> {
              Written written =
                  access.enter(() -> books.send(tx, report.isAccepted(), around.seconds()));
              return new Entered<>(written.events(), Optional.of(written));
            })
        : List.of();
  }

  /** Peers have it: a file that cannot be written changes nothing about that. */
  private void noteOrWarn(Tx tx, BroadcastReport report, SyncListener listener) {
    List<? extends SyncEvent> events;
    try {
      events = note(tx, report);
    } catch (WalletException e) {
      events = List.of(sentNotKept(tx, e));
    }
    events.forEach(listener::onEvent);
  }

  private static SyncEvent sentNotKept(Tx tx, Exception why) {
    return new WalletWarning.SentNotKept(tx.txid(), String.valueOf(why.getMessage()));
  }

  /** Whether nodes keep a payment of the wallet instead. */
  private static boolean givesWay(WalletView view, Tx tx) {
    return new Listings(view).displaced(tx).stream().anyMatch(DisplacedPayment::stays);
  }

  /**
   * Signs a payment and writes it, in one commit with the order to send it, if there is one. The
   * file is locked all the time: no other payment can take its coins in between.
   */
  Tx sign(Supplier<Tx> signing, boolean ordered, SyncListener listener) {
    requireMayWrite(listener);
    List<WalletEvent> events = new ArrayList<>();
    Tx signed =
        enter(
            () -> {
              Tx tx = signing.get();
              Written written = access.enter(() -> books.sign(tx, ordered, around.seconds()));
              events.addAll(written.events());
              return new Entered<>(tx, Optional.of(written));
            });
    events.forEach(listener::onEvent);
    return signed;
  }

  /**
   * Makes a payment that leaves the wallet, as a PSBT or to be sent, and keeps it, with the file
   * locked all the time: of two that pay the same, the second one is made after the first is known.
   */
  <T> T give(Supplier<T> giving, Function<T, Optional<Tx>> payment) {
    return enter(
        () -> {
          T made = giving.get();
          payment.apply(made).ifPresent(books::give);
          return new Entered<>(made, Optional.empty());
        });
  }

  List<WalletEvent.Payment> abandon(Hash256 txid) {
    return enter(
        () -> {
          access.look(view -> Abandonment.require(view.ledger(), txid));
          Written written = access.enter(() -> books.abandon(txid, around.seconds()));
          return new Entered<>(written.events(), Optional.of(written));
        });
  }

  /** Refuses before anything is written: a missing listener, and a write inside a read. */
  private void requireMayWrite(SyncListener listener) {
    Objects.requireNonNull(listener, "listener");
    access.requireNoRead();
  }

  /** Makes an entry: with an own turn, or by asking whoever has it. */
  private <T> T enter(Supplier<Entered<T>> entry) {
    access.requireNoRead();
    CompletableFuture<T> result = new CompletableFuture<>();
    Supplier<Optional<Written>> order =
        () -> {
          try {
            Entered<T> entered = access.write(entry);
            result.complete(entered.result());
            return entered.written();
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
            return Optional.empty();
          }
        };
    turns.enter(order);
    return await(result);
  }

  private static <T> T await(CompletableFuture<T> result) {
    try {
      // Not to be interrupted: it is written or not, and the caller must learn which.
      return result.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException unexpected) {
        throw unexpected;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  void retryNow() {
    Turn now = turns.current();
    if (now != null) {
      now.retryNow();
    }
  }

  void stop() {
    turns.stop();
  }

  /** Stops what is running, waits for its end and closes the books. */
  void close() {
    Turn mine = turns.stopAndTake();
    try {
      books.close();
    } finally {
      mine.close();
    }
  }

  private void startFrom(ChainBase base, Optional<Birthday> from, SyncListener listener) {
    access.change(() -> books.startFrom(base, from)).forEach(listener::onEvent);
  }

  private <T> T inTurn(
      Turn mine, SyncListener listener, Supplier<SessionRequest> preparation, Course<T> course)
      throws NoUsablePeerException {
    access.run(books::lock);
    try {
      SessionRequest request = preparation.get();
      SessionRunner session =
          access.call(() -> new SessionRunner(books, network, request, listener, around));
      mine.runs(session);
      return course.run(session, listener);
    } catch (NoUsablePeerException e) {
      if (e.report().peers().stream().anyMatch(peer -> peer.misbehaviour().isPresent())) {
        auditBeforeBlaming();
      }
      throw e;
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      auditBeforeBlaming();
      throw e;
    } finally {
      books.unlock();
    }
  }

  /** Where headers on disk are damaged, neither the peers nor this program did anything wrong. */
  private void auditBeforeBlaming() {
    access.run(books::audit);
  }
}
