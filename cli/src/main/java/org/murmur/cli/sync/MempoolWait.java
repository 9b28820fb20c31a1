package org.murmur.cli.sync;

import java.io.IOException;
import java.time.Duration;
import java.util.Timer;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.wallet.sync.StopSignal;

/**
 * The wait for unconfirmed payments, after the result is printed: it says once how long, counts
 * down on a terminal, and ends when the user presses Enter.
 */
final class MempoolWait implements AutoCloseable {

  private static final long SECOND = 1_000;

  private final Surroundings surroundings;
  private final Output output;
  private final StopSignal stop;
  private boolean begun;
  private @Nullable Timer clock;

  MempoolWait(Surroundings surroundings, Output output, StopSignal stop) {
    this.surroundings = surroundings;
    this.output = output;
    this.stop = stop;
  }

  /** Begins the wait; once. */
  synchronized void begin(Duration limit) {
    if (begun) {
      return;
    }
    begun = true;
    long seconds = (limit.toMillis() + SECOND - 1) / SECOND;
    if (output.status().isEnabled() && surroundings.console() != null) {
      listen();
      countDown(seconds);
    } else {
      output.note(
          "waiting up to "
              + seconds
              + " s for unconfirmed payments (Ctrl-C ends this, --mempool-wait 0 skips it)");
    }
  }

  private void countDown(long seconds) {
    long[] left = {seconds};
    clock = Pulse.every("murmur-countdown", 0, SECOND, () -> show(left[0]--));
  }

  private synchronized void show(long left) {
    if (clock != null && left >= 0) {
      output.status().show("waiting for unconfirmed payments: " + left + " s (Enter ends this)");
    }
  }

  /** Ends the sync when a line is typed. The thread ends with the program. */
  private void listen() {
    Thread keys =
        new Thread(
            () -> {
              try {
                if (surroundings.stdin().read() >= 0) {
                  stop.stop();
                }
              } catch (IOException e) {
                // Without keys the wait ends by itself.
                return;
              }
            },
            "murmur-keys");
    keys.setDaemon(true);
    keys.start();
  }

  @Override
  public synchronized void close() {
    Timer running = clock;
    if (running != null) {
      clock = null;
      running.cancel();
      output.status().show("");
    }
  }
}
