package org.murmur.regtest.hostile.peers;

import java.time.Duration;
import org.murmur.regtest.hostile.End;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.hostile.Situation;

/** Announces a block that is dated 30 days ahead. */
public final class FutureTeller implements Hostile {

  @Override
  public String sentence() {
    return "Announces a block that is dated 30 days ahead.";
  }

  private static final Duration AHEAD = Duration.ofDays(30);

  @Override
  public Mask mask(Scene scene) {
    return new TopBlock(scene.chain(), AHEAD);
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth().ending(End.INCOMPLETE, Situation.ALONE, Situation.AS_GUARD);
  }
}
