package org.murmur.p2p.internal.peers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When to act although nothing happens: the earliest of the times that {@link Timed} parts set. */
public final class Alarm {

  /** A part with deadlines. They follow from its state, so none is left over when that changes. */
  public interface Timed {

    /** Sets the times at which there is something to do even if nothing happens. */
    void setAlarm(Alarm alarm);
  }

  private final Instant now;
  private boolean past;
  private @Nullable Instant next;

  public Alarm(Instant now) {
    this.now = now;
  }

  /**
   * Sets a time; null stands for never. A step has handled everything due by now. A time that has
   * come stands for something that waits for another reason, and must not hide later ones.
   */
  public void at(@Nullable Instant time) {
    if (time == null) {
      return;
    }
    if (!time.isAfter(now)) {
      past = true;
    } else if (next == null || time.isBefore(next)) {
      next = time;
    }
  }

  /** Whether one of the times has come. */
  public boolean isPast() {
    return past;
  }

  /** The earliest time that lies ahead, or null. */
  public @Nullable Instant next() {
    return next;
  }
}
