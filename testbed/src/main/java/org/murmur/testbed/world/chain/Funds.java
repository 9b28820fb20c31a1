package org.murmur.testbed.world.chain;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The base chain of all worlds, built once, and its mature coins. Each world spends its own copy of
 * them: payments to the wallet come from these.
 */
final class Funds {

  static final int SPACING = 600;
  static final Bytes NOBODY = OutputScripts.payToAnyone(-1);

  /** 1 January 2024. */
  private static final long START = 1_704_067_200L;

  private static final int LANES = 300;
  private static final int FAN_OUTS = 2;

  /** Coins that only {@link #heal} spends: a world that pays much needs them in the end. */
  private static final int RESERVE = 60;

  /** A foreign coin, which the script of this number opens. */
  record Lane(OutPoint outPoint, long value, int number) {}

  private static final class Base {
    static final Chain CHAIN = Chain.ofGenesis();
    static final List<Lane> FUNDS = new ArrayList<>();

    static {
      for (int height = 1; height <= WorldPlan.BASE_HEIGHT; height++) {
        List<Tx> fan = new ArrayList<>();
        if (height > ChainCoin.MATURITY) {
          fan.add(fanOut(height - ChainCoin.MATURITY));
        }
        Bytes script = height <= FAN_OUTS ? OutputScripts.payToAnyone(height) : NOBODY;
        CHAIN.append(BlockAssembly.next(CHAIN, START + (long) height * SPACING, script, 0, 0, fan));
      }
    }

    private static Tx fanOut(int funded) {
      Tx coinbase = CHAIN.blockAt(funded).tx(0);
      TxBuilder builder = new TxBuilder().spendAnyones(coinbase.outPoint(0), funded);
      long value = Chain.subsidy(funded) / LANES;
      for (int i = 0; i < LANES; i++) {
        builder.pay(value, OutputScripts.payToAnyone(1000 * funded + i));
      }
      Tx tx = builder.build();
      for (int i = 0; i < LANES; i++) {
        FUNDS.add(new Lane(tx.outPoint(i), value, 1000 * funded + i));
      }
      return tx;
    }
  }

  private final Dice dice;
  private final List<Lane> left = new ArrayList<>(Base.FUNDS);

  Funds(Dice dice) {
    this.dice = dice;
  }

  static Chain chain() {
    return Base.CHAIN.copy();
  }

  /** The coin at an outpoint, spent or not; null if it was never a foreign one. */
  static @Nullable Lane lane(OutPoint outPoint) {
    for (Lane lane : Base.FUNDS) {
      if (lane.outPoint().equals(outPoint)) {
        return lane;
      }
    }
    return null;
  }

  /** A payment from a coin that is left; null when only the reserve is. */
  @Nullable Tx pay(List<Tx.Output> outputs) {
    return left.size() > RESERVE ? take(outputs) : null;
  }

  /** A payment from the reserve, if nothing else is left. */
  Tx heal(Tx.Output output) {
    return take(List.of(output));
  }

  private Tx take(List<Tx.Output> outputs) {
    return pay(left.remove(dice.below(left.size())), outputs, 300);
  }

  /** A payment from a coin, spent or not; the rest is a foreign coin again. */
  static Tx pay(Lane lane, List<Tx.Output> outputs, long fee) {
    TxBuilder builder = new TxBuilder().spendAnyones(lane.outPoint(), lane.number());
    long sum = outputs.stream().mapToLong(Tx.Output::value).sum();
    outputs.forEach(output -> builder.pay(output.value(), output.script()));
    return builder.pay(lane.value() - sum - fee, NOBODY).build();
  }
}
