package org.murmur.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C with a JVM shutdown hook. The hook asks the command to stop and waits for it. Then
 * the JVM exits with 128 + the signal number, 130 for SIGINT.
 */
public final class ShutdownInterrupts implements Surroundings.Interrupts {

  /**
   * Time that a command may take to end. Work that is not committed by then is repeated by the next
   * sync.
   */
  private static final long PATIENCE_SECONDS = 10;

  // Counted down when main has printed everything.
  private static final CountDownLatch FINISHED = new CountDownLatch(1);

  /** Signals that the output is complete. */
  public static void finished() {
    FINISHED.countDown();
  }

  @Override
  public Surroundings.Registration onInterrupt(Runnable stop) {
    Thread hook =
        new Thread(
            () -> {
              stop.run();
              awaitFinish();
            },
            "interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
    return () -> {
      try {
        return !Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException alreadyShuttingDown) {
        return true;
      }
    };
  }

  private static void awaitFinish() {
    try {
      // It does not matter whether it finished in time: the file is consistent either way.
      boolean ignored = FINISHED.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
