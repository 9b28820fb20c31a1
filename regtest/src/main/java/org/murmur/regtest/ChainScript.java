package org.murmur.regtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** Decides block by block what happens on a built chain. For one thread. */
final class ChainScript {

  /** The content of one block. */
  record Draft(Bytes coinbaseScript, List<Tx> transactions, long fees) {}

  /** Lanes fed by one coinbase: keeps a fan-out far below the size of a block. */
  private static final int LANES_PER_COINBASE = 250;

  /** Lanes even of an empty chain, for the wallet's payments. */
  private static final int MIN_LANES = 8;

  /** The fee that a lane pays to the miner, in satoshi: about one for each virtual byte. */
  private static final long LANE_FEE = 200;

  /** Above what nodes call dust. */
  private static final long MIN_PAYMENT = 600;

  private final Dice dice;
  private final int blocks;
  private final int transactionsPerBlock;
  private final int fanOuts;
  private final int laneCount;
  private final List<Lane> lanes = new ArrayList<>();
  private final OutPoint[] funds;
  private final @Nullable PlannedPayments wallet;
  private final int[] events;
  private int nextLane;
  private int nextNumber;

  // The draft of the next block.
  private List<Tx> transactions = new ArrayList<>();
  private long fees;

  /** A coin that needs no signature. */
  private static final class Lane {
    private OutPoint outPoint;
    private long value;
    private int number;

    Lane(OutPoint outPoint, long value, int number) {
      this.outPoint = outPoint;
      this.value = value;
      this.number = number;
    }
  }

  ChainScript(Dice dice, int blocks, int transactionsPerBlock, @Nullable WalletPlan plan) {
    this.dice = dice;
    this.blocks = blocks;
    this.transactionsPerBlock = transactionsPerBlock;
    this.laneCount = Math.max(MIN_LANES, transactionsPerBlock);
    this.fanOuts = (laneCount + LANES_PER_COINBASE - 1) / LANES_PER_COINBASE;
    this.funds = new OutPoint[fanOuts];
    this.wallet = plan == null ? null : new PlannedPayments(plan, dice);
    this.events = plan == null ? new int[0] : draw(plan);
  }

  /** Heights of the blocks with a wallet event, sorted; a height may occur twice. */
  private int[] draw(WalletPlan plan) {
    int from = Math.max(ChainCoin.MATURITY + fanOuts + 1, (int) Math.ceil(plan.from() * blocks));
    if (plan.transactions() > 0 && from > blocks) {
      throw new IllegalArgumentException(
          blocks + " blocks, but a wallet can be paid from height " + from + " only");
    }
    int[] heights = new int[plan.transactions()];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = from + dice.below(blocks - from + 1);
    }
    Arrays.sort(heights);
    return heights;
  }

  Draft next(int height) {
    transactions = new ArrayList<>();
    fees = 0;
    Bytes coinbaseScript =
        height <= fanOuts ? OutputScripts.payToAnyone(number()) : OutputScripts.foreign(dice);
    int fanOut = height - ChainCoin.MATURITY - 1;
    if (fanOut >= 0 && fanOut < fanOuts) {
      fanOut(fanOut);
    }
    int due = due(height);
    if (!lanes.isEmpty() && height > ChainCoin.MATURITY + fanOuts) {
      Bytes mined = fill(height, due);
      coinbaseScript = mined == null ? coinbaseScript : mined;
    }
    return new Draft(coinbaseScript, transactions, fees);
  }

  private int due(int height) {
    return (int) Arrays.stream(events).filter(event -> event == height).count();
  }

  /** Records the coin of the new coinbase. */
  void mined(int height, Tx coinbase) {
    if (height <= fanOuts) {
      funds[height - 1] = coinbase.outPoint(0);
    }
    if (wallet != null) {
      wallet.take(coinbase, height);
    }
  }

  private void fanOut(int index) {
    int count = Math.min(LANES_PER_COINBASE, laneCount - index * LANES_PER_COINBASE);
    long fee = LANE_FEE * count;
    long value = (Chain.subsidy(index + 1) - fee) / count;
    // The coinbases of the first blocks took the first numbers.
    TxBuilder builder = new TxBuilder().spendAnyones(funds[index], index);
    int first = nextNumber;
    for (int i = 0; i < count; i++) {
      builder.pay(value, OutputScripts.payToAnyone(number()));
    }
    Tx tx = builder.build();
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane(tx.outPoint(i), value, first + i));
    }
    add(tx, Chain.subsidy(index + 1) - count * value);
  }

  /** Fills a block; returns the coinbase's script if the wallet mines it. */
  private @Nullable Bytes fill(int height, int due) {
    Bytes coinbaseScript = null;
    int left = due;
    int slots = Math.max(transactionsPerBlock, due);
    for (int slot = 0; slot < slots; slot++) {
      // Spread the wallet events that are left evenly over the remaining slots.
      if (left > 0 && dice.below(slots - slot) < left) {
        left--;
        Bytes mined = happen(height);
        coinbaseScript = mined == null ? coinbaseScript : mined;
      } else {
        long value = MIN_PAYMENT + dice.below(400);
        add(pay(lane(value), List.of(new Tx.Output(value, OutputScripts.foreign(dice)))), LANE_FEE);
      }
    }
    return coinbaseScript;
  }

  /** Runs one wallet event; returns a script if the wallet mines this block. */
  private @Nullable Bytes happen(int height) {
    PlannedPayments life = Objects.requireNonNull(wallet);
    switch (life.nextEvent(height)) {
      case RECEIVE -> payWallet(life, 1, height);
      case RECEIVE_MANY -> payWallet(life, 2 + dice.below(4), height);
      case SAME_BLOCK -> {
        Tx paid = payWallet(life, 1, height);
        spend(life, life.spendNow(paid, OutputScripts.foreign(dice)), height);
      }
      case SEND -> spend(life, life.spend(height, OutputScripts.foreign(dice), true), height);
      case SWEEP -> spend(life, life.spend(height, OutputScripts.foreign(dice), false), height);
      case COINBASE -> {
        return life.nextReceive();
      }
    }
    return null;
  }

  private Tx payWallet(PlannedPayments life, int outputs, int height) {
    List<Tx.Output> paid = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < outputs; i++) {
      long value = 20_000 + dice.below(1_000_000L);
      paid.add(new Tx.Output(value, life.nextReceive()));
      sum += value;
    }
    Tx tx = pay(lane(sum), paid);
    add(tx, LANE_FEE);
    life.take(tx, height);
    return tx;
  }

  private void spend(PlannedPayments life, PlannedPayments.Spend spend, int height) {
    add(spend.tx(), spend.fee());
    life.take(spend.tx(), height);
  }

  /** The next lane in turn that can pay an amount. */
  private Lane lane(long amount) {
    for (int i = 0; i < lanes.size(); i++) {
      Lane lane = lanes.get(nextLane++ % lanes.size());
      if (lane.value >= amount + LANE_FEE + MIN_PAYMENT) {
        return lane;
      }
    }
    throw new IllegalArgumentException(
        "the chain's funds are spent: fewer blocks, transactions or payments");
  }

  private Tx pay(Lane lane, List<Tx.Output> outputs) {
    long sum = outputs.stream().mapToLong(Tx.Output::value).sum();
    int number = number();
    TxBuilder builder = new TxBuilder().spendAnyones(lane.outPoint, lane.number);
    lane.value -= sum + LANE_FEE;
    lane.number = number;
    builder.pay(lane.value, OutputScripts.payToAnyone(number));
    outputs.forEach(output -> builder.pay(output.value(), output.script()));
    Tx tx = builder.build();
    lane.outPoint = tx.outPoint(0);
    return tx;
  }

  private void add(Tx tx, long fee) {
    transactions.add(tx);
    fees += fee;
  }

  private int number() {
    return nextNumber++;
  }
}
