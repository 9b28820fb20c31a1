package org.murmur.lab.privacy.behaviour;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets a thread wait until something is so. Whoever makes it so rings afterwards. Thread-safe. */
final class Signal {

  /** Whoever waits looks again. */
  synchronized void ring() {
    notifyAll();
  }

  /**
   * Waits.
   *
   * @param limit how long at most
   * @param so what is waited for; asked with the bell locked
   * @return false if it did not come about
   * @throws InterruptedException if it was interrupted
   */
  synchronized boolean await(Duration limit, BooleanSupplier so) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!so.getAsBoolean()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }
}
