package org.murmur.testbed.world.chain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.Signer;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Mempool;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The common chain of a world, and the wallet's events on it: payments first seen unconfirmed or in
 * a block, spends with and without change, replacements, coinbases, reorganisations that drop,
 * repeat and contradict.
 *
 * <p>All worlds share the same base, which has the mature coins that payments come from; it is
 * built once.
 */
public final class Economy {

  private static final int SPACING = Funds.SPACING;
  private static final Bytes NOBODY = Funds.NOBODY;

  public final Chain chain;
  public final Mempool mempool;
  private final Dice dice;
  private final WorldPlan plan;
  private final WalletScripts wallet;
  private final List<Bytes> receive;
  private final List<Bytes> change;
  private final Signer signer;
  private final Funds funds;
  private final WorldHistory past;
  private final ConfirmedTxids confirmed;
  private int extraNonce;

  /**
   * Makes the history of a world. The signer spends the wallet's coins, as another copy of its keys
   * does.
   */
  public Economy(WorldPlan plan, List<Bytes> receive, List<Bytes> change, Signer signer) {
    this.plan = plan;
    this.wallet = new WalletScripts(receive, change);
    this.past = new WorldHistory(wallet);
    this.receive = receive;
    this.change = change;
    this.signer = signer;
    this.dice = new Dice(plan.seed() ^ 0x65636f6eL);
    this.funds = new Funds(dice);
    this.chain = Funds.chain();
    this.confirmed = new ConfirmedTxids(chain, WorldPlan.BASE_HEIGHT);
    this.mempool = new Mempool(chain);
    for (int i = 0; i <= WorldPlan.BASE_HEIGHT; i++) {
      past.remember(chain.blockAt(i));
    }
    long time = chain.tip().time();
    for (int i = 0; i < plan.history(); i++) {
      time += SPACING;
      // Nothing of the wallet is older than its birthday.
      mine(time, i + 1 >= plan.birthday());
    }
  }

  /** A block that exists, on any branch, or null. */
  public @Nullable Block block(Hash256 hash) {
    return past.block(hash);
  }

  /** A transaction that was ever made, or null. */
  public @Nullable Tx tx(Hash256 txid) {
    return past.tx(txid);
  }

  public Collection<Bytes> scripts() {
    return wallet.all();
  }

  /** The spends and outputs of a block that may concern the wallet, in the order of the block. */
  public List<ChainEvent> events(Block block) {
    return past.events(block);
  }

  /**
   * Mines a block on the chain: some of the mempool, and some transactions that were never relayed.
   */
  public void mine(long seconds, boolean alive) {
    List<Tx> chosen = waiting(mempool, 0.8);
    Mempool trial = new Mempool(chain);
    chosen.removeIf(tx -> !(trial.accept(tx) instanceof Mempool.Accepted));
    for (int i = alive ? happenings() : 0; i > 0; i--) {
      live(chain, trial, chosen);
    }
    trial.close();
    Bytes script = alive && dice.chance(0.04) ? nextReceive(chosen, 0) : NOBODY;
    append(chain, seconds, script, chosen);
  }

  private int happenings() {
    int whole = (int) plan.payments();
    return whole + (dice.chance(plan.payments() - whole) ? 1 : 0);
  }

  private Block append(Chain on, long seconds, Bytes script, List<Tx> transactions) {
    long time = Math.max(on.medianTimePast() + 1, seconds);
    Block block = BlockAssembly.next(on, time, script, 0, ++extraNonce, transactions);
    on.append(block);
    past.remember(block);
    past.note(block.tx(0));
    return block;
  }

  /** A miner's choice from a mempool: parents before children, none without its parents. */
  private List<Tx> waiting(Mempool pool, double share) {
    List<Tx> chosen = new ArrayList<>();
    Set<Hash256> left = new HashSet<>();
    for (Tx tx : pool.transactions()) {
      boolean orphan = tx.inputs().stream().anyMatch(in -> left.contains(in.outPoint().txid()));
      if (orphan || !dice.chance(share)) {
        left.add(tx.txid());
      } else {
        chosen.add(tx);
      }
    }
    return chosen;
  }

  /** A wallet event; its transactions go to the given collection. */
  private void live(Chain on, Mempool pool, List<Tx> collected) {
    int drawn = dice.below(100);
    if (drawn < 45) {
      pay(pool, collected, 1);
    } else if (drawn < 53) {
      pay(pool, collected, dice.between(2, 6));
    } else if (drawn < 73) {
      spend(on, pool, collected, true);
    } else if (drawn < 85) {
      spend(on, pool, collected, false);
    } else if (drawn < 92) {
      Tx paid = pay(pool, collected, 1);
      if (paid != null) {
        sweep(pool, collected, paid);
      }
    } else {
      // A foreign script.
      accept(
          pool,
          collected,
          funds.pay(List.of(new Tx.Output(1_000 + dice.below(5_000), stranger()))));
    }
  }

  private @Nullable Tx pay(Mempool pool, List<Tx> collected, int outputs) {
    List<Tx.Output> paid = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      paid.add(new Tx.Output(20_000 + dice.below(400_000), nextReceive(pool.transactions(), i)));
    }
    Tx tx = funds.pay(paid);
    return accept(pool, collected, tx) ? tx : null;
  }

  private void sweep(Mempool pool, List<Tx> collected, Tx paid) {
    TxBuilder builder = new TxBuilder();
    long sum = 0;
    for (int i = 0; i < paid.outputs().size(); i++) {
      if (wallet.owns(paid.outputs().get(i).script())) {
        builder.spend(paid.outPoint(i));
        sum += paid.outputs().get(i).value();
      }
    }
    accept(pool, collected, signed(builder.pay(sum - 500, stranger())));
  }

  private void spend(Chain on, Mempool pool, List<Tx> collected, boolean withChange) {
    List<OutPoint> mine = spendable(on, pool);
    if (mine.isEmpty()) {
      pay(pool, collected, 1);
      return;
    }
    TxBuilder builder = new TxBuilder();
    long sum = 0;
    for (int i = dice.between(1, 3); i > 0 && !mine.isEmpty(); i--) {
      OutPoint chosen = mine.remove(dice.below(mine.size()));
      builder.spend(chosen);
      sum += output(chosen).value();
    }
    long rest = sum - 300;
    if (withChange) {
      long paid = rest / 4 + dice.below(rest / 2 + 1);
      builder.pay(paid, stranger());
      builder.pay(rest - paid, next(change, pool.transactions(), 0));
    } else {
      builder.pay(rest, stranger());
    }
    accept(pool, collected, signed(builder));
  }

  private Tx signed(TxBuilder builder) {
    Tx unsigned = builder.build();
    List<Tx.Output> spent =
        unsigned.inputs().stream().map(input -> output(input.outPoint())).toList();
    return signer.sign(unsigned, spent);
  }

  private Tx.Output output(OutPoint outPoint) {
    Tx.Output output = past.paid().get(outPoint);
    if (output == null) {
      throw new AssertionError("nobody paid " + outPoint);
    }
    return output;
  }

  /** The wallet's coins that a block on top could spend. */
  private List<OutPoint> spendable(Chain on, Mempool pool) {
    Set<OutPoint> spent = new HashSet<>();
    Set<Hash256> pending = new HashSet<>();
    for (Tx tx : pool.transactions()) {
      pending.add(tx.txid());
      tx.inputs().forEach(input -> spent.add(input.outPoint()));
    }
    List<OutPoint> mine = new ArrayList<>();
    for (OutPoint outPoint : past.paid().keySet()) {
      if (!spent.contains(outPoint)) {
        ChainCoin coin = on.coin(outPoint);
        if (pending.contains(outPoint.txid())
            || (coin != null && coin.spendableAt(on.height() + 1))) {
          mine.add(outPoint);
        }
      }
    }
    return mine;
  }

  private boolean accept(Mempool pool, List<Tx> collected, @Nullable Tx tx) {
    if (tx == null || !(pool.accept(tx) instanceof Mempool.Accepted accepted)) {
      return false;
    }
    collected.removeAll(accepted.replaced());
    collected.add(tx);
    past.note(tx);
    return true;
  }

  private Bytes stranger() {
    return OutputScripts.payToWitnessPubKeyHash(dice.bytes(20));
  }

  private Bytes nextReceive(List<Tx> pending, int ahead) {
    int used = used(receive, pending);
    if (used >= 0 && dice.chance(0.2)) {
      return receive.get(dice.below(used + 1));
    }
    return next(receive, pending, ahead + (dice.chance(0.1) ? dice.below(jump()) : 0));
  }

  /** A jump that leaves no gap as long as the gap limit, even together with others. */
  private int jump() {
    return Math.max(1, plan.gap() / 3);
  }

  private Bytes next(List<Bytes> scripts, List<Tx> pending, int ahead) {
    return scripts.get(Math.min(scripts.size() - 1, used(scripts, pending) + 1 + ahead));
  }

  /** The last used place of a chain of scripts, on the chain or in pending transactions. */
  private int used(List<Bytes> scripts, List<Tx> pending) {
    int last = -1;
    for (Tx tx : pending) {
      for (Tx.Output output : tx.outputs()) {
        last = Math.max(last, place(scripts, output.script()));
      }
    }
    for (Map.Entry<OutPoint, Tx.Output> paid : past.paid().entrySet()) {
      int place = place(scripts, paid.getValue().script());
      if (place > last && isKnown(paid.getKey().txid())) {
        last = place;
      }
    }
    return last;
  }

  /** The index of a script in some of the wallet's, or -1. */
  public int place(List<Bytes> scripts, Bytes script) {
    return wallet.place(scripts, script);
  }

  /** Whether a transaction is in the chain or waits. Spent outputs count: so ask the blocks. */
  private boolean isKnown(Hash256 txid) {
    return mempool.transaction(txid) != null || confirmed.contains(txid);
  }

  /** An event in the mempool, visible to every node. */
  public void stir() {
    List<Tx> ignored = new ArrayList<>();
    if (dice.chance(0.25)) {
      replaceSomething();
    } else {
      live(chain, mempool, ignored);
    }
  }

  /**
   * Replaces a pending payment from a foreign coin: paid again, to another output, or not at all.
   */
  private void replaceSomething() {
    for (Tx tx : mempool.transactions()) {
      OutPoint spent = tx.inputs().get(0).outPoint();
      Funds.Lane lane = Funds.lane(spent);
      if (lane != null && dice.chance(0.5)) {
        long value = 10_000L + dice.below(50_000);
        Bytes script = dice.chance(0.5) ? stranger() : nextReceive(List.of(), 0);
        Tx conflict =
            Funds.pay(lane, List.of(new Tx.Output(value, script)), 5_000 + dice.below(5_000));
        if (mempool.accept(conflict) instanceof Mempool.Accepted) {
          past.note(conflict);
        }
        return;
      }
    }
  }

  /**
   * Reorganises: blocks go, more blocks come. Of the disconnected transactions some are confirmed
   * again, some wait, some are forgotten or contradicted.
   */
  public int reorganise(int depth, long seconds) {
    // Nothing of the wallet may come to stand below its birthday.
    int fork = Math.max(WorldPlan.BASE_HEIGHT + plan.birthday(), chain.height() - depth);
    int gone = chain.height() - fork;
    Chain branch = chain.copy();
    List<Block> left = branch.replace(fork, List.of());
    Mempool trial = new Mempool(branch);
    for (int i = left.size() - 1; i >= 0; i--) {
      List<Tx> transactions = left.get(i).transactions();
      for (Tx tx : transactions.subList(1, transactions.size())) {
        if (dice.chance(0.9)) {
          trial.accept(tx);
        } else {
          contradict(tx, trial);
        }
      }
    }
    List<Block> come = new ArrayList<>();
    int more = gone + dice.between(1, 3);
    for (int i = 0; i < more; i++) {
      List<Tx> chosen = waiting(trial, 0.5);
      Bytes script = dice.chance(0.02) ? nextReceive(chosen, 0) : NOBODY;
      long time = Math.min(seconds, branch.tip().time() + dice.between(1, SPACING));
      come.add(append(branch, time, script, chosen));
    }
    chain.replace(fork, come);
    if (dice.chance(0.3)) {
      List<Tx> kept = mempool.transactions();
      mempool.clear();
      for (Tx tx : kept) {
        if (dice.chance(0.6)) {
          mempool.accept(tx);
        }
      }
    }
    return gone;
  }

  /** Spends the coin of a payment to another script instead. */
  private void contradict(Tx tx, Mempool trial) {
    OutPoint spent = tx.inputs().get(0).outPoint();
    Funds.Lane lane = Funds.lane(spent);
    if (lane != null) {
      trial.accept(Funds.pay(lane, List.of(new Tx.Output(7_000, stranger())), 900));
    }
  }

  /** A block on another chain than the common one. */
  public void mineElsewhere(Chain other, long seconds) {
    append(other, seconds, NOBODY, List.of());
  }

  /**
   * Closes gaps that reorganisations have torn: pays to unused scripts until no wallet with this
   * gap limit can stop looking too early. Otherwise the expected result would depend on the client.
   */
  public void heal(long seconds) {
    List<Tx> collected = new ArrayList<>();
    for (List<Bytes> scripts : List.of(receive, change)) {
      Set<Integer> used = usedPlaces(scripts);
      int last = used(scripts, mempool.transactions());
      int run = 0;
      for (int i = 0; i < last; i++) {
        run = used.contains(i) ? 0 : run + 1;
        if (run >= plan.gap() / 2 + 1) {
          Tx tx = funds.heal(new Tx.Output(15_000, scripts.get(i)));
          collected.add(tx);
          past.note(tx);
          run = 0;
        }
      }
    }
    append(chain, seconds, NOBODY, collected);
  }

  private Set<Integer> usedPlaces(List<Bytes> scripts) {
    Set<Integer> used = new HashSet<>();
    past.paid()
        .forEach(
            (outPoint, output) -> {
              int place = place(scripts, output.script());
              if (place >= 0 && confirmed.contains(outPoint.txid())) {
                used.add(place);
              }
            });
    return used;
  }

  public WalletTruth truth() {
    return WalletTruth.scan(chain, mempool.transactions(), scripts());
  }

  /** The element of a script in a filter: the program of a witness output. */
  public static Bytes element(Bytes script) {
    return script.slice(2, script.length());
  }

  public List<Bytes> receiveScripts() {
    return receive;
  }

  public List<Bytes> changeScripts() {
    return change;
  }

  /** The wallet has made a payment: it may come to be in a block. */
  public void made(Tx payment) {
    past.note(payment);
  }

  /** A script of somebody else. */
  public Bytes payee() {
    return stranger();
  }

  /** A transaction that does not concern the wallet. */
  public Tx noise() {
    return new TxBuilder()
        .spend(new OutPoint(Hash256.ofInternal(dice.bytes(32).toArray()), 0))
        .pay(1_000, stranger())
        .build();
  }
}
