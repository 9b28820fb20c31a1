package org.murmur.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C with a JVM shutdown hook. The hook asks the command to stop and waits for it. Then
 * the JVM exits with 128 + the signal number, 130 for SIGINT; with 0 if the command was done and
 * Ctrl-C only ended a wait.
 */
public final class ShutdownInterrupts implements Surroundings.Interrupts {

  /**
   * Time that a command may take to end. Work that is not committed by then is repeated by the next
   * sync.
   */
  private static final long PATIENCE_SECONDS = 10;

  // Counted down when main has printed everything.
  private static final CountDownLatch FINISHED = new CountDownLatch(1);

  // Of the finished command; written before the latch opens.
  private static volatile int code;

  /** Signals that the output is complete. */
  public static void finished(int exitCode) {
    code = exitCode;
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
      // If it does not finish in time, the file is consistent nevertheless.
      if (FINISHED.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && code == 0) {
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
