package org.murmur.wallet;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * A sync on a thread of its own: see {@link SpvWallet#start}. Thread safe.
 *
 * <p>Its thread does not keep the program alive; {@link #await} does. While it runs, the wallet can
 * be read, and it pays.
 */
public final class RunningSync implements AutoCloseable {

  /** A listener, and the events that its executor has not brought to it. */
  private static final class Subscriber {

    private final Executor executor;
    private final SyncListener listener;
    private final Deliveries.Backlog backlog = new Deliveries.Backlog();

    Subscriber(Executor executor, SyncListener listener) {
      this.executor = executor;
      this.listener = listener;
    }

    /** Whether its executor, which may have been shut down, takes an event. */
    boolean takes(SyncEvent event) {
      try {
        if (backlog.add(event)) {
          executor.execute(this::deliver);
        }
        return true;
      } catch (RejectedExecutionException e) {
        return false;
      }
    }

    private void deliver() {
      SyncEvent event = backlog.poll();
      if (event != null) {
        listener.onEvent(event);
      }
    }
  }

  private final Sessions sessions;
  private final Optional<StopSignal> outer;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private final StopSignal signal = new StopSignal();
  private final Runnable stop = signal::stop;
  private final CompletableFuture<SyncReport> result = new CompletableFuture<>();
  private volatile SyncEvent.@Nullable Progress progress;
  private volatile boolean offline;
  // Null before it has its place, and if it was refused one.
  private volatile Sessions.@Nullable Queued queued;

  private RunningSync(Sessions sessions, Optional<StopSignal> outer) {
    this.sessions = sessions;
    this.outer = outer;
  }

  /** Takes its place in the queue at once, so that every later stop finds it there. */
  static RunningSync start(
      Sessions sessions, SyncOptions options, Executor executor, SyncListener listener) {
    RunningSync sync = new RunningSync(sessions, options.stop());
    sync.listen(executor, listener);
    sync.outer.ifPresent(its -> its.ends(sync.stop));
    try {
      Sessions.Queued queued = sessions.queue(options.stoppedBy(sync.signal));
      sync.queued = queued;
      boolean begun = false;
      try {
        sync.run(() -> queued.sync(sync::publish));
        begun = true;
      } finally {
        if (!begun) {
          queued.close();
        }
      }
    } catch (WalletException refused) {
      sync.run(
          () -> {
            throw refused;
          });
    }
    return sync;
  }

  private void run(Callable<SyncReport> work) {
    Thread thread = new Thread(() -> end(work), "murmur-sync");
    thread.setDaemon(true);
    thread.start();
  }

  private void end(Callable<SyncReport> work) {
    try {
      result.complete(work.call());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    } finally {
      outer.ifPresent(its -> its.forget(stop));
    }
    tellTheEnd(subscribers.iterator());
  }

  /** Each hears of it, also after one whose executor or listener throws. */
  private void tellTheEnd(Iterator<Subscriber> all) {
    if (all.hasNext()) {
      try {
        tellTheEnd(all.next());
      } finally {
        tellTheEnd(all);
      }
    }
  }

  private void publish(SyncEvent event) {
    if (event instanceof SyncEvent.Progress now) {
      progress = now;
    } else if (event instanceof SyncEvent.PeerReady) {
      offline = false;
    } else if (event instanceof SyncWarning.NobodyReachable) {
      offline = true;
    }
    subscribers.stream()
        .filter(subscriber -> !subscriber.takes(event))
        .collect(Collectors.toList())
        .forEach(subscribers::remove);
  }

  /**
   * Adds a listener: it gets the events from now on, in order if its executor keeps the order. The
   * last one is {@link WalletEvent.Ended}. It does not hold up the sync, however long it takes: the
   * events wait, of {@link SyncEvent.Progress} the last one only, of all the last 10,000. Who is
   * further behind reads the wallet. An executor that was shut down gets no more.
   *
   * @param executor where to call it, for example an app's main thread
   * @param listener hears what happens
   */
  public void listen(Executor executor, SyncListener listener) {
    Subscriber added =
        new Subscriber(
            Objects.requireNonNull(executor, "executor"),
            Objects.requireNonNull(listener, "listener"));
    subscribers.add(added);
    if (result.isDone()) {
      tellTheEnd(added);
    }
  }

  /** Once: whoever removes the listener tells it. One that was removed before hears nothing. */
  private void tellTheEnd(Subscriber subscriber) {
    if (subscribers.remove(subscriber)) {
      SyncEvent last = result.handle(RunningSync::ended).join();
      boolean ignored = subscriber.takes(last);
    }
  }

  private static SyncEvent ended(@Nullable SyncReport report, @Nullable Throwable failure) {
    return failure instanceof NoUsablePeerException nobody
        ? new WalletEvent.Ended(Optional.of(nobody.report()), Optional.of(nobody))
        : new WalletEvent.Ended(Optional.ofNullable(report), Optional.ofNullable(failure));
  }

  /**
   * Removes a listener. Calls that its executor has already taken still come.
   *
   * @param listener given to {@link #listen} or {@link SpvWallet#start}
   */
  public void forget(SyncListener listener) {
    subscribers.removeIf(subscriber -> subscriber.listener.equals(listener));
  }

  /**
   * {@return whether it runs; false once it has ended} A sync that follows also runs while no peer
   * can be reached.
   */
  public boolean isRunning() {
    return !result.isDone();
  }

  /**
   * {@return whether a sync that follows reaches nobody, as in a phone without network; true from a
   * few seconds without any peer on, until one answers} It keeps trying, at least once a minute;
   * {@link #retryNow} tries at once. A {@link SyncEvent.Warning} marks the beginning, a {@link
   * SyncEvent.PeerReady} the end.
   */
  public boolean isOffline() {
    return offline && isRunning();
  }

  /** {@return how far it is, the last event of this kind; empty before the first} */
  public Optional<SyncEvent.Progress> progress() {
    return Optional.ofNullable(progress);
  }

  /**
   * Tries at once to reach the peers, and finds out which connections are dead. For an app whose
   * system reports that the network is back, or another one. From any thread; does nothing if no
   * peer is to be called or the sync has ended.
   */
  public void retryNow() {
    if (isRunning()) {
      sessions.retryNow();
    }
  }

  /** Ends it at its next commit, also if it has not begun. Does not wait for the end. */
  public void stop() {
    signal.stop();
  }

  /**
   * Waits for the end. An interrupt ends the wait and not the sync.
   *
   * @return what the last session did
   * @throws WalletException as {@link SpvWallet#sync} does; of kind WRONG_THREAD on the thread of a
   *     listener that the sync waits for, as with an executor that calls it directly
   * @throws NoUsablePeerException as {@link SpvWallet#sync} does
   * @throws InterruptedException if the calling thread is interrupted
   */
  public SyncReport await() throws NoUsablePeerException, InterruptedException {
    requireMayWait();
    try {
      return result.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof WalletException failure) {
        throw failure;
      }
      if (cause instanceof NoUsablePeerException failure) {
        throw failure;
      }
      throw new IllegalStateException("the sync ended with a fault of the program", cause);
    }
  }

  /**
   * Calls a program when it ends; at once if it has ended. It can ask {@link #await} for the
   * result. Listeners do not need it: {@link WalletEvent.Ended} tells them.
   *
   * @param executor where
   * @param action what to call
   */
  public void whenEnded(Executor executor, Runnable action) {
    CompletableFuture<SyncReport> unused =
        result.whenComplete((report, failure) -> executor.execute(action));
  }

  private void requireMayWait() {
    Sessions.Queued begun = queued;
    if (begun != null && isRunning()) {
      begun.requireMayWait();
    }
  }

  /**
   * Stops it and waits for its end. Failures are {@link #await}'s, except that it throws here what
   * forbids to wait; it is stopped then, too.
   *
   * @throws WalletException of kind WRONG_THREAD on the thread of a listener that the sync waits
   *     for, as with an executor that calls it directly
   */
  @Override
  public void close() {
    stop();
    requireMayWait();
    result.exceptionally(failure -> null).join();
  }
}
