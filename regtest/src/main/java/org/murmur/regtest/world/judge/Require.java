package org.murmur.regtest.world.judge;

import java.util.Locale;

/** How the judge complains. */
public final class Require {

  private Require() {}

  /** Throws an {@link AssertionError} with the complaint unless something holds. */
  public static void require(boolean holds, String complaint, Object... details) {
    if (!holds) {
      throw new AssertionError(String.format(Locale.ROOT, complaint, details));
    }
  }
}
