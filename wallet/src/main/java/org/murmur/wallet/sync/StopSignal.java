package org.murmur.wallet.sync;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Ends sessions, even those that have not begun yet. Give it to a session by {@link
 * SyncOptions#stoppedBy}. {@code SpvWallet.stop} ends only a running session; a program that starts
 * a sync on another thread cannot know whether it is running yet, and needs this.
 *
 * <p>Cannot be reset: a session that begins after {@link #stop} ends at once and returns its
 * report. Thread safe.
 */
public final class StopSignal {

  private boolean given;
  private final Set<Runnable> sessions = new LinkedHashSet<>();

  /** Makes a signal that is not set yet. */
  public StopSignal() {}

  /** Ends its sessions at their next commit, now and from now on. */
  public void stop() {
    Set<Runnable> now;
    synchronized (this) {
      given = true;
      now = new LinkedHashSet<>(sessions);
    }
    now.forEach(Runnable::run);
  }

  /**
   * Registers an action of the signal; runs it at once if the signal is set already.
   *
   * @param session ends a session; may run twice
   */
  public void ends(Runnable session) {
    boolean late;
    synchronized (this) {
      late = given;
      sessions.add(session);
    }
    if (late) {
      session.run();
    }
  }

  /**
   * Removes an action given to {@link #ends}.
   *
   * @param session which is over
   */
  public synchronized void forget(Runnable session) {
    sessions.remove(session);
  }
}
