package org.murmur.wallet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.SyncListener;

/**
 * Calls a listener on a thread of its own, with one event at a time and in order. A session does
 * not wait for its listener, unless {@value #MOST} events wait. None is lost but {@link
 * SyncEvent.Progress}: of these only the last one waits.
 */
final class Deliveries implements SyncListener, AutoCloseable {

  /** Maximum number of waiting events. A history entry takes half a kilobyte. */
  static final int MOST = 1_000;

  /** Maximum number that waits for a listener for which nobody waits. */
  static final int LAST = 10_000;

  /** Events that wait for a listener: the last {@value #LAST}. Thread safe. */
  static final class Backlog {

    private final Deque<SyncEvent> waiting = new ArrayDeque<>();

    /** Adds an event; returns false if it took the place of one that waited. */
    synchronized boolean add(SyncEvent event) {
      boolean replaces =
          event instanceof SyncEvent.Progress
              && waiting.removeIf(SyncEvent.Progress.class::isInstance);
      if (waiting.size() == LAST) {
        waiting.removeFirst();
        replaces = true;
      }
      waiting.addLast(event);
      return !replaces;
    }

    /** Removes the oldest; null if none waits. */
    synchronized @Nullable SyncEvent poll() {
      return waiting.pollFirst();
    }

    synchronized int size() {
      return waiting.size();
    }
  }

  private final SyncListener listener;
  private final Runnable whenItThrows;
  private final Backlog backlog = new Backlog();
  private @Nullable Thread thread;
  private @Nullable Throwable thrown;
  private boolean closing;
  private boolean over;

  /**
   * Makes one that has not begun. If the listener throws, {@code whenItThrows} is called on its
   * thread, and it gets no more events.
   */
  Deliveries(SyncListener listener, Runnable whenItThrows) {
    this.listener = listener;
    this.whenItThrows = whenItThrows;
  }

  /** Takes an event. Waits while too many wait. */
  @Override
  public synchronized void onEvent(SyncEvent event) {
    awaitUntil(this, () -> backlog.size() < MOST || thrown != null);
    if (thrown != null || listener == SyncListener.NONE) {
      return;
    }
    boolean unused = backlog.add(event);
    if (thread == null) {
      thread = new Thread(this::deliver, "murmur-events");
      thread.setDaemon(true);
      thread.start();
    }
    notifyAll();
  }

  /** Whether the calling thread is in the listener. */
  synchronized boolean isDelivering() {
    return Thread.currentThread() == thread;
  }

  private void deliver() {
    try {
      for (SyncEvent event = next(); event != null; event = next()) {
        listener.onEvent(event);
      }
    } catch (Throwable e) {
      synchronized (this) {
        thrown = e;
      }
      whenItThrows.run();
    } finally {
      synchronized (this) {
        over = true;
        notifyAll();
      }
    }
  }

  /** Waits for an event; null if none will come. */
  private synchronized @Nullable SyncEvent next() {
    awaitUntil(this, () -> backlog.size() > 0 || closing);
    notifyAll();
    return backlog.poll();
  }

  /** Waits on a monitor that the caller has. An interrupt does not end the wait; it is kept. */
  static void awaitUntil(Object monitor, BooleanSupplier done) {
    boolean interrupted = false;
    while (!done.getAsBoolean()) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the listener has heard everything, and throws what it threw. */
  @Override
  public synchronized void close() {
    closing = true;
    notifyAll();
    awaitUntil(this, () -> thread == null || over);
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    if (thrown != null) {
      throw new IllegalStateException("the listener failed", thrown);
    }
  }
}
