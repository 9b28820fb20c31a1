package org.murmur.regtest.hostile.peers;

import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;
import org.murmur.regtest.hostile.Situation;

/** Announces payments of 90 kB to the wallet without end and delivers them. */
public final class PayingFlood implements Hostile {

  @Override
  public String sentence() {
    return "Announces payments of 90 kB to the wallet without end and delivers them.";
  }

  private static final int BYTES = 90_000;

  /** One push, which a client has to test. */
  private static final Bytes FILLING =
      new ByteWriter(BYTES + 5)
          .uint8(0x4e)
          .int32(BYTES)
          .bytes(Bytes.wrap(new byte[BYTES]))
          .toBytes();

  @Override
  public Mask mask(Scene scene) {
    return new Announcer() {
      @Override
      Tx make(int number) {
        return Announcer.spendingNothing(number).pay(1_000, scene.script()).pay(0, FILLING).build();
      }
    };
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth(DisconnectReason.FLOODING)
        .lettingGo(Situation.FOLLOWED)
        .batchesOf(16 << 20);
  }
}
