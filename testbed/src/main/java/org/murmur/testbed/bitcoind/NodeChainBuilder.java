package org.murmur.testbed.bitcoind;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/**
 * Builds the blocks of a {@link LongChain} and hands them to a node.
 *
 * <p>No keys and no signatures: coins run along <em>lanes</em>, outputs to P2WSH scripts that need
 * no signature. In each block every lane's transaction spends its predecessor and pays one further
 * output, which a filter has to test. The builder does not wait while the node checks. For one use.
 */
final class NodeChainBuilder {

  /** Regtest's first coinbases pay 50 coins; this many are spent, when they are 100 blocks old. */
  private static final int COINBASES = 100;

  /** A coinbase may be spent this many blocks later. */
  private static final int MATURITY = 100;

  /** The coinbases, their maturing, and the block that fans them out. */
  static final int START_BLOCKS = COINBASES + MATURITY + 1;

  /** A transaction with its witness weighs less than 800 units, a block at most 4,000,000. */
  static final int MAX_TRANSACTIONS = 4_000;

  /** Seconds between blocks, as on the main network. */
  private static final long SPACING = 600;

  /** The other outputs pay up to this; a lane has coins for far more blocks than are ever built. */
  private static final int MAX_SATOSHI = 20_000;

  private static final int MIN_SATOSHI = 1_000;

  /** Blocks go to the node in batches of about this many hex digits. */
  private static final int BATCH_DIGITS = 2_000_000;

  private static final int MAX_BATCHED = 250;

  /** Batches that wait while the node works; more would only fill the memory. */
  private static final int AHEAD = 3;

  private final JsonRpc rpc;
  private final LongChain.Plan plan;
  private final LongChain.Supply supply;
  private final SplittableRandom dice;
  private final List<LongChain.Payment> payments = new ArrayList<>();
  private final List<JsonRpc.Call> batch = new ArrayList<>();
  private final List<CompletableFuture<Void>> underway = new ArrayList<>();
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "submit blocks");
            thread.setDaemon(true);
            return thread;
          });
  private int batchDigits;
  private Hash256 tip;
  private int height;
  private long time;
  // Every lane output has a script of its own, as every payment on a real network has.
  private int scripts;

  /** The end of a lane: an output that anyone can spend who knows the number of its script. */
  private record Lane(OutPoint outPoint, long value, int number) {}

  NodeChainBuilder(JsonRpc rpc, LongChain.Plan plan, LongChain.Supply supply) {
    this.rpc = rpc;
    this.plan = plan;
    this.supply = supply;
    dice = new SplittableRandom(plan.seed());
    JsonNode genesis = rpc.call("getblockheader", rpc.call("getblockhash", 0).asText());
    tip = Hash256.ofDisplay(genesis.path("hash").asText());
    time = genesis.path("time").asLong();
  }

  List<LongChain.Payment> build() {
    if (rpc.call("getblockcount").asInt() != 0) {
      throw new IllegalStateException("the node has blocks already");
    }
    try {
      if (plan.transactions() == 0) {
        for (int i = 0; i < plan.blocks(); i++) {
          mine(OutputScripts.data(Bytes.EMPTY), List.of());
        }
      } else {
        fill(start());
      }
      flush();
      await(0);
    } finally {
      sender.shutdownNow();
    }
    String reached = rpc.call("getbestblockhash").asText();
    if (!reached.equals(tip.toDisplay())) {
      throw new IllegalStateException("the node is at " + reached + ", expected " + tip);
    }
    return List.copyOf(payments);
  }

  /** Makes the lanes: coinbases, then one block that divides them. */
  private List<Lane> start() {
    List<Lane> coins = new ArrayList<>();
    for (int i = 0; i < COINBASES + MATURITY; i++) {
      int number = scripts++;
      Block block = mine(OutputScripts.payToAnyone(number), List.of());
      if (coins.size() < COINBASES) {
        coins.add(new Lane(new OutPoint(block.txid(0), 0), Chain.subsidy(height), number));
      }
    }
    List<Lane> lanes = new ArrayList<>();
    List<Tx> fans = new ArrayList<>();
    for (int i = 0; i < COINBASES; i++) {
      // As evenly as possible: the first coins get one lane more.
      int share = plan.transactions() / COINBASES + (i < plan.transactions() % COINBASES ? 1 : 0);
      if (share > 0) {
        fans.add(fan(coins.get(i), share, lanes));
      }
    }
    mine(OutputScripts.data(Bytes.EMPTY), fans);
    return lanes;
  }

  private Tx fan(Lane coin, int share, List<Lane> lanes) {
    TxBuilder builder = spending(coin);
    long value = coin.value() / share;
    int first = scripts;
    scripts += share;
    for (int i = 0; i < share; i++) {
      builder.pay(value, OutputScripts.payToAnyone(first + i));
    }
    Tx tx = builder.build();
    for (int i = 0; i < share; i++) {
      lanes.add(new Lane(new OutPoint(tx.txid(), i), value, first + i));
    }
    return tx;
  }

  private void fill(List<Lane> lanes) {
    Set<Long> places = placesOfPayments();
    for (int block = 0; block < plan.blocks(); block++) {
      List<Tx> own = supply.transactions(height + 1, Collections.unmodifiableList(payments));
      List<Tx> all = new ArrayList<>(lanes.size() + own.size());
      for (int i = 0; i < lanes.size(); i++) {
        boolean toWallet = places.contains((long) block * lanes.size() + i);
        all.add(step(lanes, i, toWallet));
      }
      all.addAll(own);
      mine(OutputScripts.data(Bytes.EMPTY), all);
    }
  }

  /** The transactions that pay to the plan's scripts, as numbers counted through all blocks. */
  private Set<Long> placesOfPayments() {
    Set<Long> places = new HashSet<>();
    long all = (long) plan.blocks() * plan.transactions();
    for (int i = 0; i < plan.payments(); i++) {
      // One in each of equally long stretches: spread over the whole, never two in one place.
      long from = all * i / plan.payments();
      long to = all * (i + 1) / plan.payments();
      places.add(dice.nextLong(from, to));
    }
    return places;
  }

  private Tx step(List<Lane> lanes, int index, boolean toWallet) {
    Lane lane = lanes.get(index);
    long value = dice.nextInt(MIN_SATOSHI, MAX_SATOSHI);
    int number = scripts++;
    Bytes paid =
        toWallet ? plan.scripts().get(payments.size() % plan.scripts().size()) : strangersScript();
    long rest = lane.value() - value;
    Tx tx = spending(lane).pay(rest, OutputScripts.payToAnyone(number)).pay(value, paid).build();
    lanes.set(index, new Lane(new OutPoint(tx.txid(), 0), rest, number));
    if (toWallet) {
      payments.add(new LongChain.Payment(height + 1, new OutPoint(tx.txid(), 1), value, paid));
    }
    return tx;
  }

  private static TxBuilder spending(Lane lane) {
    return new TxBuilder().spendAnyones(lane.outPoint(), lane.number());
  }

  private Bytes strangersScript() {
    return switch (dice.nextInt(8)) {
      case 0 -> OutputScripts.payToPubKeyHash(random(20));
      case 1 -> OutputScripts.payToScriptHash(random(20));
      case 2, 3, 4 -> OutputScripts.payToWitnessPubKeyHash(random(20));
      case 5 -> OutputScripts.payToWitnessScriptHash(random(32));
      case 6 -> OutputScripts.payToTaproot(random(32));
      default ->
          dice.nextInt(4) == 0
              ? OutputScripts.data(random(32))
              : OutputScripts.payToTaproot(random(32));
    };
  }

  private Bytes random(int length) {
    byte[] bytes = new byte[length];
    dice.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private Block mine(Bytes script, List<Tx> transactions) {
    height++;
    time += SPACING;
    Block block =
        BlockAssembly.mine(tip, height, time, script, Chain.subsidy(height), 0, transactions);
    tip = block.hash();
    String hex = block.raw().toHex();
    batch.add(JsonRpc.Call.of("submitblock", hex));
    batchDigits += hex.length();
    if (batchDigits > BATCH_DIGITS || batch.size() == MAX_BATCHED) {
      flush();
    }
    return block;
  }

  private void flush() {
    List<JsonRpc.Call> blocks = List.copyOf(batch);
    batch.clear();
    batchDigits = 0;
    await(AHEAD);
    underway.add(CompletableFuture.runAsync(() -> submit(blocks), sender));
  }

  private void submit(List<JsonRpc.Call> blocks) {
    for (JsonNode answer : rpc.batch(blocks)) {
      if (!answer.isNull()) {
        throw new IllegalStateException("the node refuses a block: " + answer.asText());
      }
    }
  }

  /** Waits until at most this many batches are under way. */
  private void await(int most) {
    while (underway.size() > most) {
      try {
        underway.remove(0).join();
      } catch (CompletionException | CancellationException e) {
        throw new IllegalStateException("the chain could not be built", e);
      }
    }
  }
}
