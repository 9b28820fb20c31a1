package org.murmur.regtest.hostile.peers;

import java.util.List;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.hostile.Situation;

/** Announces made-up payments of 15 million BTC each, and then one of 42 million. */
public final class Inflator implements Hostile {

  @Override
  public String sentence() {
    return "Announces made-up payments of 15 million BTC each, and then one of 42 million.";
  }

  private static final long BTC = 100_000_000;
  private static final List<Long> VALUES =
      List.of(15_000_000 * BTC, 15_000_000 * BTC, 15_000_000 * BTC, 42_000_000 * BTC);

  @Override
  public Mask mask(Scene scene) {
    return new Announcer() {
      @Override
      Tx make(int number) {
        return payment(scene, number);
      }
    };
  }

  private static Tx payment(Scene scene, int number) {
    return Announcer.spendingNothing(number)
        .pay(VALUES.get(Math.min(number, VALUES.size() - 1)), scene.script())
        .build();
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth(DisconnectReason.INVALID_TRANSACTION).lettingGo(Situation.FOLLOWED);
  }
}
