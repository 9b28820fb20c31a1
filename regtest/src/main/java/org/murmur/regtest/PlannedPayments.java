package org.murmur.regtest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.TxBuilder;

/** The wallet while its chain is built: its coins and next events. For one thread. */
final class PlannedPayments {

  /** A signed transaction and what it pays to the miner, in satoshi. */
  record Spend(Tx tx, long fee) {}

  /** The most unused receive scripts in a row: below every wallet's gap limit. */
  private static final int MAX_JUMP = 6;

  private final WalletPlan plan;
  private final Dice dice;
  private final Set<Bytes> scripts;
  private final List<ChainCoin> coins = new ArrayList<>();
  private int nextReceive;
  private int nextChange;
  private int happened;

  PlannedPayments(WalletPlan plan, Dice dice) {
    this.plan = plan;
    this.dice = dice;
    this.scripts = new HashSet<>(plan.receive());
    scripts.addAll(plan.change());
  }

  WalletPlan.Event nextEvent(int height) {
    happened++;
    boolean last = happened == plan.transactions();
    if (last && plan.coinsLeft() >= 0 && mature(height).size() > plan.coinsLeft()) {
      return WalletPlan.Event.SWEEP;
    }
    WalletPlan.Event event = plan.habits().draw(dice);
    boolean spends = event == WalletPlan.Event.SEND || event == WalletPlan.Event.SWEEP;
    return spends && mature(height).isEmpty() ? WalletPlan.Event.RECEIVE : event;
  }

  /** A script to pay to: mostly the next one, sometimes a later or a used one. */
  Bytes nextReceive() {
    List<Bytes> receive = plan.receive();
    if (nextReceive > 0 && (nextReceive >= receive.size() || dice.below(8) == 0)) {
      return receive.get(dice.below(Math.min(nextReceive, receive.size())));
    }
    if (dice.below(10) == 0) {
      nextReceive = Math.min(receive.size() - 1, nextReceive + dice.below(MAX_JUMP + 1));
    }
    return receive.get(nextReceive++);
  }

  /** Spends one to three coins; at the very end all but those that are to be left. */
  Spend spend(int height, Bytes target, boolean withChange) {
    List<ChainCoin> mature = mature(height);
    boolean last = happened == plan.transactions() && plan.coinsLeft() >= 0;
    int count = last ? mature.size() - plan.coinsLeft() : 1 + dice.below(3);
    List<ChainCoin> chosen = new ArrayList<>();
    while (chosen.size() < count && !mature.isEmpty()) {
      chosen.add(mature.remove(dice.below(mature.size())));
    }
    return spend(chosen, target, withChange && !last);
  }

  /** Spends what a transaction has just paid, without change. */
  Spend spendNow(Tx paid, Bytes target) {
    Set<OutPoint> made = new HashSet<>();
    for (int i = 0; i < paid.outputs().size(); i++) {
      made.add(paid.outPoint(i));
    }
    return spend(
        coins.stream().filter(coin -> made.contains(coin.outPoint())).toList(), target, false);
  }

  private Spend spend(List<ChainCoin> chosen, Bytes target, boolean withChange) {
    long sum = chosen.stream().mapToLong(ChainCoin::value).sum();
    // About two satoshi for each virtual byte of common inputs.
    long fee = Math.min(sum / 4, 150L * chosen.size() + 150);
    TxBuilder builder = new TxBuilder();
    chosen.forEach(coin -> builder.spend(coin.outPoint()));
    long rest = sum - fee;
    if (withChange) {
      long paid = rest / 4 + dice.below(rest / 2 + 1);
      builder.pay(paid, target);
      builder.pay(rest - paid, plan.change().get(nextChange++ % plan.change().size()));
    } else {
      builder.pay(rest, target);
    }
    List<Tx.Output> spent =
        chosen.stream().map(coin -> new Tx.Output(coin.value(), coin.script())).toList();
    return new Spend(plan.signer().sign(builder.build(), spent), fee);
  }

  private List<ChainCoin> mature(int height) {
    List<ChainCoin> mature = new ArrayList<>(coins);
    mature.removeIf(coin -> !coin.spendableAt(height));
    return mature;
  }

  /** Follows a transaction of the chain. */
  void take(Tx tx, int height) {
    Set<OutPoint> spent = new HashSet<>();
    tx.inputs().forEach(input -> spent.add(input.outPoint()));
    coins.removeIf(coin -> spent.contains(coin.outPoint()));
    for (int i = 0; i < tx.outputs().size(); i++) {
      Tx.Output output = tx.outputs().get(i);
      if (scripts.contains(output.script())) {
        coins.add(
            new ChainCoin(
                tx.outPoint(i), output.value(), output.script(), height, tx.isCoinbase()));
      }
    }
  }
}
