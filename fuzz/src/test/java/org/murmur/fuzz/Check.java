package org.murmur.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What targets claim. */
final class Check {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What reading anything may allocate, whatever its length: tables, buffers, an exception. */
  private static final long FREE = 2 << 20;

  /** What may be allocated for each byte that is there; objects are larger than their bytes. */
  private static final long PER_BYTE = 512;

  private Check() {}

  /** Work that may throw anything. */
  interface Work {
    void run() throws Exception;
  }

  static void that(boolean claim, String otherwise) {
    if (!claim) {
      throw new AssertionError(otherwise);
    }
  }

  static void equal(@Nullable Object actual, @Nullable Object expected, String what) {
    that(Objects.equals(actual, expected), what + ": " + actual + ", expected " + expected);
  }

  /**
   * Runs with a bound on what it allocates, so that no length field is believed before its bytes
   * are there, whether it ends well or with an exception. Work that passes the bound is done once
   * more: the first time may have loaded classes.
   */
  static void frugally(int inputLength, Work work) throws Exception {
    long bound = FREE + PER_BYTE * inputLength;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Exception thrown = thrownBy(work);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > bound) {
      before = THREADS.getCurrentThreadAllocatedBytes();
      thrown = thrownBy(work);
      long again = THREADS.getCurrentThreadAllocatedBytes() - before;
      that(again <= bound, again + " bytes allocated for " + inputLength + " bytes of input");
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private static @Nullable Exception thrownBy(Work work) {
    try {
      work.run();
      return null;
    } catch (Exception e) {
      return e;
    }
  }
}
