package org.murmur.wallet.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.net.PeerLoop;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.store.SessionFacts;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NamedPeers;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/**
 * Runs a {@link WalletSession}: gives it a loop, a limit of time and the caller's listener. It runs
 * once. Events come on two threads, the loop's and the one that commits; one at a time is let
 * through.
 */
public final class SessionRunner {

  private final Books books;
  private final Network network;
  private final SyncOptions options;
  private final NamedPeers named;
  private final SyncListener listener;
  private final Clock clock;
  private final LoopFactory loops;
  private final WalletSession session;
  private final PeerLoop loop;
  // Why the loop was ordered to stop. The first order holds, from any thread.
  private final AtomicReference<SyncReport.@Nullable Ending> order = new AtomicReference<>();
  // What is broadcast, if that is all the session is for.
  private @Nullable Hash256 awaited;
  // Until it was complete for the first time.
  private @Nullable SessionFacts cost;

  /**
   * Makes one that has not begun.
   *
   * @param books locked until the session is over
   * @param network the wallet's
   * @param options how to sync, with a preset
   * @param named the peers that the options name
   * @param exposes whether to warn, before anything is sent, that a private wallet is exposed
   * @param listener hears what happens
   * @param around clock and dice
   * @throws StoreException if the wallet cannot be read or written
   */
  public SessionRunner(
      Books books,
      Network network,
      SyncOptions options,
      NamedPeers named,
      boolean exposes,
      SyncListener listener,
      Environment around)
      throws StoreException {
    this.books = books;
    this.network = network;
    this.options = options;
    this.named = named;
    this.listener = listener;
    this.clock = around.clock();
    this.loops = new LoopFactory(options, around);
    this.session =
        new WalletSession(
            books,
            network,
            SessionSettings.of(books, network, options, named, around.dice()),
            clock.instant());
    if (exposes) {
      session.forewarn(new WalletWarning.WalletExposed());
    }
    this.loop = loops.loop(session, this::commit, event -> reportAll(), network);
  }

  /**
   * Ends the session at its next commit. From any thread; the first reason holds.
   *
   * @param why what the report will say
   */
  public void stop(SyncReport.Ending why) {
    if (order.compareAndSet(null, why)) {
      loop.post(new Input.Stop());
    }
  }

  /**
   * Syncs on the calling thread.
   *
   * @return what was done
   * @throws IOException if the wallet cannot be read or written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport sync() throws IOException, NoUsablePeerException {
    books.takeLosses().forEach(loss -> session.forewarn(new WalletWarning.FileDamaged(loss)));
    if (SessionSettings.isShortOfGuards(options)) {
      session.warn(new WalletWarning.TwoGuardsNeeded(options.connections()));
    }
    SyncReport report = run(options.timeout());
    note();
    SessionEnd end = session.progress().end();
    boolean nobody = end.why() == SyncReport.Ending.NO_USABLE_PEER && end.none().isPresent();
    // A session that follows needs peers to go on, also when it is complete.
    if (nobody && (options.follow() || !report.complete())) {
      throw failure(end.none().get(), report);
    }
    return report;
  }

  /**
   * Looks at blocks again and syncs.
   *
   * @param from where to begin
   * @return what was done
   * @throws IOException if the wallet cannot be read or written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport rescan(Birthday from) throws IOException, NoUsablePeerException {
    loop.post(new Input.RescanFrom(from));
    return sync();
  }

  /**
   * Sends a transaction and waits for what peers say of it.
   *
   * @param tx signed
   * @return what they said
   * @throws IOException if the wallet cannot be read or written
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcast(Tx tx) throws IOException, NoUsablePeerException {
    awaited = tx.txid();
    loop.post(session.broadcast(tx));
    SyncReport report = run(options.broadcastWait());
    BroadcastReport sent = session.sent(tx.txid());
    Optional<SyncEvent.NoUsablePeer> none = session.progress().end().none();
    boolean unheard = sent.takenBy().isEmpty() && !sent.isAccepted() && sent.refusedBy().isEmpty();
    if (none.isPresent() && unheard) {
      throw failure(none.get(), report);
    }
    return sent;
  }

  private SyncReport run(Duration limit) throws IOException {
    reportAll();
    Timer watch = watch(limit);
    try {
      loop.run();
    } catch (InterruptedIOException e) {
      session.ordered(SyncReport.Ending.STOPPED);
      Thread.currentThread().interrupt();
    } catch (UncheckedIOException e) {
      // Headers that the machine wanted to look at again could not be read.
      throw Objects.requireNonNull(e.getCause());
    } finally {
      if (watch != null) {
        watch.cancel();
      }
    }
    SyncReport.Ending ordered = order.get();
    if (ordered != null) {
      session.ordered(ordered);
    }
    return session.report(circumstances());
  }

  /** Watches the limit of time, if there is one; without, no thread is started. */
  private @Nullable Timer watch(Duration limit) {
    if (limit.isZero()) {
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
        clock.instant(), options.timeout(), loop.bytesReceived(), loop.bytesSent());
  }

  private List<Input> commit(CommitBatch batch) throws IOException {
    WalletSession.Written written = session.commit(batch, clock.instant());
    written.events().forEach(this::report);
    return written.inputs();
  }

  /** On the loop's thread: whatever the last step let happen. */
  private void reportAll() {
    for (WalletEvent event : session.takeEvents()) {
      if (event instanceof WalletEvent.Complete && cost == null) {
        cost = session.cost(circumstances());
      }
      report(event);
    }
    if (awaited != null && session.isSettled(awaited)) {
      stop(SyncReport.Ending.DONE);
    }
  }

  private synchronized void report(WalletEvent event) {
    listener.onEvent(event);
  }

  /** Keeps what it cost to get complete, for estimates: who stays then waits, and does no work. */
  private void note() {
    SessionFacts facts = cost == null ? session.cost(circumstances()) : cost;
    if (facts.headers() == 0 && facts.blocks() == 0) {
      return;
    }
    try {
      books.writeStore(store -> store.note(facts));
    } catch (StoreException e) {
      // The sync is done and written; all that is lost is a figure for estimates.
      session.warn(new WalletWarning.CostNotKept(String.valueOf(e.getMessage())));
    }
  }

  private NoUsablePeerException failure(SyncEvent.NoUsablePeer none, SyncReport report) {
    String detail =
        new NetworkDiagnosis(network, loops).explain(none, named.peers(), session.peers());
    return new NoUsablePeerException(none, detail, report, session.progress().search());
  }
}
