package org.murmur.lab.privacy.behaviour;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets a thread wait for a condition. The thread that makes it true rings afterwards. Thread-safe.
 */
final class Signal {

  /** Makes all waiting threads check again. */
  synchronized void ring() {
    notifyAll();
  }

  /** Waits for a condition, which is checked with this lock held; false if the time ran out. */
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
