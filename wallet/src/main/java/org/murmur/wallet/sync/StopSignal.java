package org.murmur.wallet.sync;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Ends sessions, also those that have not begun yet. Give it to a session by {@link
 * SyncOptions#stoppedBy}. {@code SpvWallet.stop} ends what is running; a program that starts a sync
 * on another thread cannot know whether it is running yet, and wants this.
 *
 * <p>Cannot be reset: a session that begins after {@link #stop} ends at once and returns its
 * report. Thread safe.
 */
public final class StopSignal {

  private boolean given;
  private final Set<Runnable> sessions = new LinkedHashSet<>();

  /** Makes one that was not given yet. */
  public StopSignal() {}

  /** Ends the sessions that have it at their next commit, now and from now on. */
  public void stop() {
    Set<Runnable> now;
    synchronized (this) {
      given = true;
      now = new LinkedHashSet<>(sessions);
    }
    now.forEach(Runnable::run);
  }

  /**
   * Has the signal run something; at once if it was given before.
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
   * Forgets what {@link #ends} was given.
   *
   * @param session which is over
   */
  public synchronized void forget(Runnable session) {
    sessions.remove(session);
  }
}
