package org.murmur.testbed.world.judge;

import java.util.Locale;

/** The judge's assertions. */
public final class Require {

  private Require() {}

  /** Throws an {@link AssertionError} with the message unless the condition holds. */
  public static void require(boolean holds, String complaint, Object... details) {
    if (!holds) {
      throw new AssertionError(String.format(Locale.ROOT, complaint, details));
    }
  }
}
