package org.murmur.wallet.internal.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.Peers;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.store.SessionFacts;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/**
 * Runs a {@link WalletSession}: gives it a loop, a time limit and the caller's listener, which it
 * calls on the thread of the loop only. It runs once.
 */
public final class SessionRunner {

  private final Books books;
  private final ChainParams network;
  private final SessionRequest request;
  private final SyncListener listener;
  private final Environment around;
  private final WalletSession session;
  private final PeerLoop loop;
  // Why the loop was ordered to stop. The first order counts, from any thread.
  private final AtomicReference<SyncReport.@Nullable Ending> order = new AtomicReference<>();
  // Those who wait for the peers' reactions to a transaction.
  private final Set<Awaited> awaited = ConcurrentHashMap.newKeySet();
  private final Knowledge knowledge = new Knowledge();
  // Until it was complete for the first time.
  private volatile @Nullable SessionFacts cost;

  /** The caller of a broadcast, and the peers' reactions as of the last event. */
  private static final class Awaited {
    final Hash256 txid;
    final CountDownLatch settled = new CountDownLatch(1);
    volatile BroadcastReport latest;

    Awaited(Hash256 txid) {
      this.txid = txid;
      this.latest = new BroadcastReplies(txid).report(Map.of());
    }
  }

  /** The knowledge of the loop's thread, for those who are about to pay. Thread safe. */
  private static final class Knowledge {
    private SyncFact.Standing standing = SyncFact.Standing.NOTHING;
    // Since when pools are awaited, in nanoseconds of the process.
    private long since = System.nanoTime();
    private CatchUp caught = new CatchUp(true, FeeRate.ZERO);
    private boolean over;
    private final Map<NodeAddress, Instant> told = new LinkedHashMap<>();

    synchronized void say(SyncFact.Standing now, CatchUp peers, Instant at) {
      if (!standing.scanned() || standing.isAllTold()) {
        since = System.nanoTime();
      }
      for (NodeAddress peer : now.told()) {
        if (!standing.told().contains(peer)) {
          told.put(peer, at);
        }
      }
      standing = now;
      caught = peers;
      notifyAll();
    }

    synchronized void end() {
      over = true;
      notifyAll();
    }

    synchronized void wake() {
      notifyAll();
    }

    /** Whether a session that began now would end as well informed. */
    private boolean isKnown(long wait) {
      return standing.scanned() && (standing.isAllTold() || System.nanoTime() - since >= wait);
    }

    /** Waits until it is known, twice as long as for the pools at most. */
    synchronized boolean await(Duration limit, AtomicBoolean stopped) throws InterruptedException {
      long wait = limit.toNanos();
      long begun = System.nanoTime();
      while (!isKnown(wait) && !over && !stopped.get()) {
        long left = standing.scanned() ? wait - (System.nanoTime() - since) : Long.MAX_VALUE;
        left = Math.min(left, 2 * wait - (System.nanoTime() - begun));
        if (left <= 0) {
          break;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      return isKnown(wait);
    }

    synchronized Map<NodeAddress, Instant> told() {
      return Map.copyOf(told);
    }

    synchronized CatchUp caught() {
      return caught;
    }

    synchronized boolean isOver() {
      return over;
    }
  }

  /** Makes one that has not begun, on books that stay locked until the session is over. */
  public SessionRunner(
      Books books,
      ChainParams network,
      SessionRequest request,
      SyncListener listener,
      Environment around) {
    this.books = books;
    this.network = network;
    this.request = request;
    this.listener = listener;
    this.around = around;
    this.session =
        new WalletSession(
            books,
            network,
            request.goal(),
            SessionSettings.of(books, network, request, around.dice()),
            around.clock().instant());
    if (request.exposes()) {
      session.warn(new WalletWarning.WalletExposed());
    }
    WalletWarning.ShownToPoolNode.by(request.preset()).ifPresent(session::warn);
    this.loop = around.loop(request.options().route(), new Reporting(), this::commit, network);
  }

  /** Tells the listener and the report, before the session runs. */
  public void warn(WalletWarning what) {
    session.warn(what);
  }

  /** Its report counts the cost of the sessions before, too, which gave up. */
  public void after(SyncReport before) {
    session.after(before);
  }

  /** Ends the session at its next commit. From any thread; the first reason counts. */
  public void stop(SyncReport.Ending why) {
    if (order.compareAndSet(null, why)) {
      loop.post(new Input.Stop());
    }
  }

  /** Calls peers again at once that could not be reached, and pings the others. From any thread. */
  public void retryNow() {
    loop.post(new Input.RetryNow());
  }

  /**
   * Whether it takes the user's payments while it runs: it stays until peers reacted to them, and
   * its peers may get them. A session that sends one transaction only, or fetches headers only,
   * does not.
   */
  public boolean takesPayments() {
    return !request.isBroadcast() && !request.options().headersOnly();
  }

  /**
   * Returns the highest chain that one of its peers announced when it was connected; negative if
   * none did.
   */
  public int highestPeer() {
    return session.highestPeer();
  }

  /**
   * Whether it had everything up to the tip of its peers, once at least: true from the first {@link
   * WalletEvent.Complete} on.
   */
  public boolean wasComplete() {
    return cost != null;
  }

  /**
   * Writes something between two commits, on the commit thread and before {@link #run} returns,
   * reports it, and gives the machine its inputs. The entry must not throw. False if the session is
   * over. From any thread.
   */
  public boolean enter(Supplier<Optional<WalletSession.Written>> entry) {
    return loop.betweenCommits(
        () -> {
          Optional<WalletSession.Written> written = entry.get();
          written.ifPresent(session::entered);
          return written.map(WalletSession.Written::inputs).orElse(List.of());
        });
  }

  /**
   * Sends a transaction over this session's connections, and waits for the peers' reactions until
   * then: no longer than the limit, nor after a stop, which does not end the session. Empty if the
   * session was over before. From any thread but its own.
   */
  public Optional<BroadcastReport> broadcast(Tx tx, Duration limit, Optional<StopSignal> stop) {
    Input order = session.order(tx);
    Awaited caller = new Awaited(tx.txid());
    Runnable enough = caller.settled::countDown;
    awaited.add(caller);
    stop.ifPresent(signal -> signal.ends(enough));
    try {
      if (!loop.betweenCommits(() -> List.of(order))) {
        return Optional.empty();
      }
      caller.settled.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stop.ifPresent(signal -> signal.forget(enough));
      awaited.remove(caller);
    }
    return Optional.of(caller.latest);
  }

  /** Tells those who wait for peers' reactions. On the loop's thread. */
  private void tellAwaiting(boolean over) {
    for (Awaited caller : awaited) {
      caller.latest = session.sent(caller.txid);
      if (over || session.isSettled(caller.txid)) {
        caller.settled.countDown();
      }
    }
  }

  /**
   * Runs on the calling thread until the goal is reached or the session ends otherwise. Throws
   * {@link WalletException} if the wallet cannot be read or written, or the system has no sockets,
   * and {@link NoUsablePeerException} if no peer was left to reach the goal with.
   */
  public SyncReport run() throws NoUsablePeerException {
    if (request.isScan()) {
      books.takeDamage().forEach(damage -> session.warn(new WalletWarning.FileDamaged(damage)));
    }
    if (SessionSettings.isShortOfGuards(request)) {
      session.warn(new WalletWarning.TwoGuardsNeeded(request.options().peers().connections()));
    }
    session.orders().forEach(loop::post);
    loop();
    if (request.isScan()) {
      note();
    }
    SyncReport report = session.report(circumstances());
    Optional<SyncFact.NoUsablePeer> none = session.failure(report);
    if (none.isPresent()) {
      throw failure(none.get(), report);
    }
    return report;
  }

  /** Returns the result of a broadcast, after the {@linkplain #run run} that sent it. */
  public BroadcastReport sent(Hash256 txid) {
    return session.sent(txid);
  }

  /**
   * Returns what the last blocks paid, after the {@linkplain #run run} that read them; empty if no
   * block came, or the peers' chain ends long ago.
   */
  public Optional<FeeEstimate> fees() {
    return session.fees();
  }

  /**
   * Returns what the peers take that were connected last, after the {@linkplain #run run} or during
   * it.
   */
  public CatchUp caughtUp() {
    return knowledge.caught();
  }

  /**
   * Whether it scans blocks, and asks what waits in memory pools; otherwise {@link #awaitKnown}
   * would wait in vain.
   */
  public boolean asksPools() {
    return request.isScan()
        && !request.options().headersOnly()
        && !request.options().limits().mempoolWait().isZero();
  }

  /**
   * Waits until it has everything up to the tip of its peers, and what waits in their memory pools,
   * and returns whether it has. After the limit it counts without the pools, as at the end of a
   * sync. A stop ends the wait, and not the session; false also if the session ended before. From
   * any thread but its own.
   */
  public boolean awaitKnown(Duration limit, Optional<StopSignal> stop) {
    AtomicBoolean stopped = new AtomicBoolean();
    Runnable enough =
        () -> {
          stopped.set(true);
          knowledge.wake();
        };
    stop.ifPresent(signal -> signal.ends(enough));
    try {
      return knowledge.await(limit, stopped);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      stop.ifPresent(signal -> signal.forget(enough));
    }
  }

  /** Whether the session has ended, so that nothing more becomes known by it. From any thread. */
  public boolean isOver() {
    return knowledge.isOver();
  }

  /**
   * Returns whose memory pools it got to know, and when their answers were complete and on disk.
   * From any thread.
   */
  public Map<NodeAddress, Instant> poolsTold() {
    return knowledge.told();
  }

  private void loop() {
    reportAll();
    Timer watch = watch(request.timeLimit());
    try {
      loop.run();
    } catch (InterruptedIOException e) {
      session.ordered(SyncReport.Ending.STOPPED);
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new WalletException(WalletException.Kind.IO, String.valueOf(e.getMessage()), e);
    } finally {
      if (watch != null) {
        watch.cancel();
      }
      // Entries written at the end.
      session.learnWritten();
      reportAll();
      tellAwaiting(true);
      knowledge.end();
    }
    SyncReport.Ending ordered = order.get();
    if (ordered != null) {
      session.ordered(ordered);
    }
  }

  /** Enforces the time limit, if there is one; otherwise no thread is started. */
  private @Nullable Timer watch(Duration limit) {
    if (limit.compareTo(Limits.FOREVER) >= 0) {
      return null;
    }
    Timer watch = new Timer("murmur-limits", true);
    TimerTask end =
        new TimerTask() {
          @Override
          public void run() {
            stop(SyncReport.Ending.TIMEOUT);
          }
        };
    watch.schedule(end, limit.toMillis());
    return watch;
  }

  private RunnerState circumstances() {
    return new RunnerState(
        around.clock().instant(),
        request.timeLimit(),
        loop.bytesReceived(),
        loop.bytesSent(),
        loop.traffic());
  }

  private List<Input> commit(CommitBatch batch) {
    return session.commit(batch, around.clock().instant());
  }

  /** The session as the loop steps it: each step's events are passed on. */
  private final class Reporting implements Machine {

    @Override
    public List<Output> step(Input input, Instant now) {
      List<Output> outputs = session.step(input, now);
      reportAll();
      return outputs;
    }

    @Override
    public boolean isStopped() {
      return session.isStopped();
    }

    @Override
    public long mostToRead() {
      return session.mostToRead();
    }
  }

  /** On the loop's thread: passes on the events of the last step. */
  private void reportAll() {
    for (SyncEvent event : session.takeEvents()) {
      if (event instanceof WalletEvent.Complete && cost == null) {
        cost = session.cost(circumstances());
      }
      listener.onEvent(event);
    }
    if (session.takeStandingChanged()) {
      knowledge.say(
          session.progress().standing(),
          new CatchUp(session.isTaken(), session.leastRelayed()),
          around.clock().instant());
    }
    tellAwaiting(false);
  }

  /** Records the cost of getting complete, for estimates: a session that stays then only waits. */
  private void note() {
    SessionFacts facts = cost == null ? session.cost(circumstances()) : cost;
    if (facts.headers() == 0 && facts.blocks() == 0) {
      return;
    }
    try {
      books.writeStore(store -> store.note(facts));
    } catch (WalletException e) {
      // The sync is done and written; only a figure for estimates is lost.
      session.warn(new WalletWarning.CostNotKept(String.valueOf(e.getMessage())));
    }
  }

  private NoUsablePeerException failure(SyncFact.NoUsablePeer none, SyncReport report) {
    Peers peers = request.options().peers();
    // A probe speaks in the clear.
    SyncFact.NoUsablePeer explained =
        peers.encryption() == Encryption.ONLY
            ? none
            : new NetworkDiagnosis(network, request.options().route(), around)
                .explain(none, peers.named(), session.peers());
    return new NoUsablePeerException(
        explained, explained.detail(), report, session.progress().search());
  }
}
