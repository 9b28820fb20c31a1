package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.regtest.hostile.Hostile;

/** All hostile peers. */
public final class Hostiles {

  private Hostiles() {}

  /**
   * Returns all of them.
   *
   * @return one of each class
   */
  public static List<Hostile> all() {
    return List.of(
        new Withholder(),
        new Latecomer(),
        new AfterPong(),
        new Replacer(),
        new Doubler(),
        new Padder(),
        new Repeater(),
        new PayingFlood(),
        new Forger(),
        new Mute(),
        new Laggard(),
        new Pruned(),
        Counterfeiter.paying(Long.MAX_VALUE),
        Counterfeiter.paying(-1_000),
        Counterfeiter.spendingTwice(),
        Counterfeiter.creating(),
        new Inflator(),
        new Refuser(),
        new Echo(),
        new AtOnceWithNothing(),
        new Decoy(),
        new FutureTeller(),
        new Boaster(1_000_000, false),
        new Boaster(0, true));
  }
}
