package org.murmur.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C by way of a JVM shutdown hook: the hook asks the command to stop and waits for it, then
 * the JVM ends with 128 + the signal's number, which for SIGINT is the promised 130.
 */
public final class ShutdownInterrupts implements Surroundings.Interrupts {

  /** How long a command may take to end; what is not committed by then is asked again next time. */
  private static final long PATIENCE_SECONDS = 10;

  // One for the process: counted down when main has printed everything.
  private static final CountDownLatch FINISHED = new CountDownLatch(1);

  /** Tells that nothing more will be printed. */
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
      // Whether it finished in time makes no difference: what is on disk is consistent either way.
      boolean ignored = FINISHED.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
