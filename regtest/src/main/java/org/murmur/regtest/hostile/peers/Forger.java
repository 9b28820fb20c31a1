package org.murmur.regtest.hostile.peers;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.hostile.Expectation;
import org.murmur.regtest.hostile.Hostile;
import org.murmur.regtest.hostile.Mask;
import org.murmur.regtest.hostile.Scene;

/** Invents spends of the wallet's coins, to others and back to the wallet, without its keys. */
public final class Forger implements Hostile {

  private static final int MADE = 20;

  /** The size of a signature with its key, and no signature of anything. */
  private static final List<Bytes> GARBAGE =
      List.of(Bytes.wrap(new byte[72]), Bytes.wrap(new byte[33]));

  @Override
  public String sentence() {
    return "Invents spends of the wallet's coins, to others and back to the wallet.";
  }

  @Override
  public Mask mask(Scene scene) {
    List<OutPoint> coins = coins(scene);
    return new Announcer() {
      @Override
      Tx make(int number) {
        return invented(number, coins.get(number % coins.size()), scene.script());
      }

      @Override
      boolean ends(int made) {
        return made >= MADE;
      }
    };
  }

  private static List<OutPoint> coins(Scene scene) {
    List<OutPoint> coins = new ArrayList<>();
    for (int height = 1; height <= scene.chain().height(); height++) {
      Block block = scene.chain().blockAt(height);
      for (Tx tx : block.transactions()) {
        for (int i = 0; i < tx.outputs().size(); i++) {
          if (tx.outputs().get(i).script().equals(scene.script())) {
            coins.add(tx.outPoint(i));
          }
        }
      }
    }
    return coins;
  }

  /** Final, so that nothing may replace it; with and without witness data; some make coins. */
  private static Tx invented(int number, OutPoint coin, Bytes own) {
    List<Bytes> witness = number % 2 == 0 ? GARBAGE : List.of();
    TxBuilder builder = new TxBuilder().spend(coin, Bytes.EMPTY, -1, witness);
    return number % 3 == 0
        ? builder.pay(2_000_000_000L + number, own).build()
        : builder.pay(500L + number, OutputScripts.anyoneCanSpend(7)).build();
  }

  @Override
  public Expectation expectation() {
    return Expectation.truth(DisconnectReason.FLOODING);
  }
}
