package org.murmur.cli.sync;

import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.payments.Events;
import org.murmur.cli.terminal.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.StopSignal;

/**
 * Notices that the reader of a followed sync has gone, and ends the sync: its lock would stay. Only
 * what is written finds it out, so where nothing happens the last progress is written again.
 */
final class Pulse implements AutoCloseable {

  private static final long MILLIS = 10_000;

  private final Output output;
  private final StopSignal stop;
  private @Nullable Timer clock;
  private SyncEvent.@Nullable Progress last;

  Pulse(Output output, StopSignal stop, boolean following) {
    this.output = output;
    this.stop = stop;
    if (following) {
      clock = every("murmur-pulse", MILLIS, MILLIS, this::beat);
    }
  }

  /** Does something again and again, on a thread that ends with the program. */
  static Timer every(String thread, long delayMillis, long millis, Runnable beat) {
    Timer timer = new Timer(thread, true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            beat.run();
          }
        },
        delayMillis,
        millis);
    return timer;
  }

  synchronized void hear(SyncEvent event) {
    if (event instanceof SyncEvent.Progress now) {
      last = now;
    }
  }

  private synchronized void beat() {
    SyncEvent.Progress now = last;
    if (now != null) {
      Events.write(now, output);
    }
    if (output.isLost()) {
      stop.stop();
    }
  }

  @Override
  public void close() {
    if (clock != null) {
      clock.cancel();
    }
    synchronized (this) {
      last = null;
    }
  }
}
