package org.murmur.wallet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.session.SessionRunner;
import org.murmur.wallet.internal.session.WalletSession.Written;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncReport;

/**
 * The queue of writers to a wallet: one turn at a time, in the order of a queue. A second sync is
 * refused while one is in the queue that nobody has stopped. Everything else waits, and a sync that
 * follows makes way for it. Thread safe.
 */
final class Turns {

  /** The purpose of a turn. */
  enum Kind {
    /** An entry of the user, without a session. It takes a turn only if nobody has one. */
    ENTRY,
    /** A session that ends by itself. */
    ERRAND,
    /** A rescan: it waits for other sessions, and no sync begins before it ends. */
    RESCAN,
    /** A sync. */
    SYNC;

    boolean isScan() {
      return this == RESCAN || this == SYNC;
    }
  }

  private final String file;
  // The first one has the turn.
  private final Deque<Turn> queue = new ArrayDeque<>();
  // Listeners that have not heard everything.
  private final Set<Listening> listening = new LinkedHashSet<>();

  /** Makes an empty queue. The file is for messages. */
  Turns(String file) {
    this.file = file;
  }

  /**
   * The right to write. Its holder makes everybody's entries: before its machine runs, between the
   * machine's commits, or at its end. So no entry waits for a session to end, and the machine
   * learns of each in order.
   */
  final class Turn implements AutoCloseable {

    private final Kind kind;
    private final boolean follows;
    private final StopSignal signal = new StopSignal();
    private final Optional<StopSignal> outer;
    private final Runnable stop = signal::stop;
    private final List<Supplier<Optional<Written>>> waiting = new ArrayList<>();
    private @Nullable Thread holder;
    private @Nullable SessionRunner session;
    private boolean stopped;
    private boolean makesWay;
    private boolean over;

    private Turn(Kind kind, boolean follows, Optional<StopSignal> outer) {
      this.kind = kind;
      this.follows = follows;
      this.outer = outer;
      signal.ends(this::stopped);
    }

    private synchronized void stopped() {
      stopped = true;
    }

    private synchronized boolean isStopped() {
      return stopped;
    }

    /** Waits until it is the first one; from then on the calling thread has it. */
    void await(Listening listener) {
      listener.thrown.ends(stop);
      await();
    }

    void await() {
      awaitUntilFirst(this);
      synchronized (this) {
        holder = Thread.currentThread();
      }
    }

    /** Asks for an entry; returns whether it is made. */
    synchronized boolean enter(Supplier<Optional<Written>> entry) {
      SessionRunner now = session;
      if (over) {
        return false;
      }
      if (now == null || !now.enter(entry)) {
        waiting.add(entry);
      }
      return true;
    }

    /** The session is about to run. */
    void runs(SessionRunner begun) {
      signal.ends(() -> begun.stop(SyncReport.Ending.STOPPED));
      synchronized (this) {
        session = begun;
        waiting.removeIf(begun::enter);
        if (makesWay) {
          begun.stop(SyncReport.Ending.STOPPED);
        }
        notifyAll();
      }
    }

    /** Ends the session at its next commit, if others wait for it that nothing else would end. */
    private synchronized void makeWay() {
      if (follows) {
        makesWay = true;
        if (session != null) {
          session.stop(SyncReport.Ending.STOPPED);
        }
      }
    }

    /**
     * Queues up again, if the session ended only to make way. Call it before this turn is closed:
     * then nobody comes in between but those who waited.
     */
    Optional<Turn> again(SyncReport.Ending why) {
      // Under the lock of a stop: it finds this turn unasked, or the new one in the queue.
      synchronized (Turns.this) {
        return madeWayOnly(why)
            ? Optional.of(add(new Turn(Kind.SYNC, true, outer)))
            : Optional.empty();
      }
    }

    private synchronized boolean madeWayOnly(SyncReport.Ending why) {
      return makesWay && !stopped && why == SyncReport.Ending.STOPPED;
    }

    /** Waits until there is a session; empty if there is none any more, or there will be none. */
    synchronized Optional<SessionRunner> awaitSession() throws InterruptedException {
      while (session == null && !over) {
        wait();
      }
      return over ? Optional.empty() : Optional.ofNullable(session);
    }

    synchronized void retryNow() {
      if (session != null && !over) {
        session.retryNow();
      }
    }

    /** Whether the calling thread has this turn: it waits for nobody. */
    synchronized boolean isHeldHere() {
      return holder == Thread.currentThread();
    }

    /** Makes the entries that no machine has taken, and lets the next one begin. */
    @Override
    public void close() {
      outer.ifPresent(signal -> signal.forget(stop));
      end(this);
    }

    private synchronized void finish() {
      over = true;
      waiting.forEach(Turns::enterWithoutSession);
      notifyAll();
    }
  }

  /**
   * Takes a place in the queue, without waiting for the turn, which is to be awaited and closed.
   * One that follows may last for ever, so it makes way for others. The outer signal ends it, in
   * the queue too. Throws a {@link WalletException} of kind SYNCING if it is a sync and there is
   * another one.
   */
  Turn queue(Kind kind, boolean follows, Optional<StopSignal> outer) {
    synchronized (this) {
      if (kind == Kind.SYNC
          && queue.stream().anyMatch(turn -> turn.kind.isScan() && !turn.isStopped())) {
        throw WalletException.about(
            file, WalletException.Kind.SYNCING, " is being synced already by this program");
      }
      return add(new Turn(kind, follows, outer));
    }
  }

  /** The same for a thread that waits for it, as a listener must not. */
  Turn queueHere(Kind kind, boolean follows, Optional<StopSignal> outer) {
    synchronized (this) {
      requireMayWait();
      return queue(kind, follows, outer);
    }
  }

  /** Throws in a listener, and with a turn: the end of a session may wait for the caller. */
  synchronized void requireMayWait() {
    if (isWaitedFor()) {
      throw WalletException.about(
          file,
          WalletException.Kind.WRONG_THREAD,
          " is being synced by this program, and the session waits for its listener:"
              + " use another thread");
    }
  }

  /** Whether the calling thread has a turn, or is a listener that a session waits for. */
  synchronized boolean isWaitedFor() {
    return queue.stream().anyMatch(Turn::isHeldHere)
        || listening.stream().anyMatch(each -> each.deliveries.isDelivering());
  }

  /** A listener of sessions, which hears their events on a thread of its own. */
  final class Listening implements AutoCloseable {

    // An exception of the listener ends the sessions that it listens to.
    private final StopSignal thrown = new StopSignal();
    private final Deliveries deliveries;

    private Listening(SyncListener listener) {
      this.deliveries = new Deliveries(listener, thrown::stop);
    }

    SyncListener events() {
      return deliveries;
    }

    /** Waits until everything is heard. Throws what the listener threw. */
    @Override
    public void close() {
      try {
        deliveries.close();
      } finally {
        forget(this);
      }
    }
  }

  /** Takes a listener for one session or several. To be closed after the last turn. */
  synchronized Listening listen(SyncListener listener) {
    Listening added = new Listening(listener);
    listening.add(added);
    return added;
  }

  private synchronized void forget(Listening listener) {
    listening.remove(listener);
    notifyAll();
  }

  /** Those that end by themselves come before those that wait to follow. */
  private synchronized Turn add(Turn turn) {
    Turn first = queue.peekFirst();
    if (turn.kind != Kind.SYNC && first != null) {
      List<Turn> followers =
          queue.stream().filter(each -> each != first && each.follows).collect(Collectors.toList());
      queue.removeAll(followers);
      queue.addLast(turn);
      queue.addAll(followers);
      first.makeWay();
    } else {
      queue.addLast(turn);
    }
    turn.outer.ifPresent(signal -> signal.ends(turn.stop));
    return turn;
  }

  private synchronized void awaitUntilFirst(Turn turn) {
    Deliveries.awaitUntil(this, () -> queue.peekFirst() == turn);
  }

  /** Waits until a turn is over. */
  synchronized void awaitEndOf(Turn running) {
    Deliveries.awaitUntil(this, () -> !queue.contains(running));
  }

  private synchronized void end(Turn turn) {
    // Entries that came at the last moment.
    turn.finish();
    queue.remove(turn);
    notifyAll();
  }

  /** The owner of the turn; null if there is none. */
  synchronized @Nullable Turn current() {
    return queue.peekFirst();
  }

  /** Takes the turn if nobody has it or waits for it, for one entry. */
  private synchronized Optional<Turn> takeIfFree() {
    if (!queue.isEmpty()) {
      return Optional.empty();
    }
    Turn mine = add(new Turn(Kind.ENTRY, false, Optional.empty()));
    mine.await();
    return Optional.of(mine);
  }

  /** Has an entry made: in an own turn, or by whoever has it. Returns when it is asked for. */
  void enter(Supplier<Optional<Written>> entry) {
    while (true) {
      Optional<Turn> free = takeIfFree();
      if (free.isPresent()) {
        try {
          enterWithoutSession(entry);
        } finally {
          free.get().close();
        }
        return;
      }
      Turn running = current();
      if (running != null && running.isHeldHere()) {
        enterWithoutSession(entry);
        return;
      }
      requireMayWait();
      if (running != null) {
        if (running.enter(entry)) {
          return;
        }
        awaitEndOf(running);
      }
    }
  }

  /** Without a machine, nobody has to learn of a write. */
  private static void enterWithoutSession(Supplier<Optional<Written>> entry) {
    Optional<Written> unused = entry.get();
  }

  /** Stops all in the queue. */
  synchronized void stop() {
    List.copyOf(queue).forEach(turn -> turn.signal.stop());
  }

  /** Stops all in the queue, waits for their end and that of their listeners, takes the turn. */
  Turn stopAndTake() {
    while (true) {
      stop();
      synchronized (this) {
        if (isWaitedFor()) {
          throw WalletException.about(
              file,
              WalletException.Kind.WRONG_THREAD,
              " is being synced, and the session waits for its listener: it ends now. Close"
                  + " the wallet when it has returned, or on another thread");
        }
        Optional<Turn> free = listening.isEmpty() ? takeIfFree() : Optional.empty();
        if (free.isPresent()) {
          return free.get();
        }
        List<Turn> now = List.copyOf(queue);
        int heard = listening.size();
        Deliveries.awaitUntil(
            this,
            () ->
                !now.equals(List.copyOf(queue)) || (queue.isEmpty() && listening.size() != heard));
      }
    }
  }
}
