package org.murmur.lab.privacy.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.murmur.regtest.chain.Dice;

/**
 * Writes a synthetic chain, transaction by transaction.
 *
 * <ul>
 *   <li>Transactions per block: Poisson. Inputs: 1 + a geometric number with 0.55, the payer's
 *       oldest coins first; this links scripts. Outputs: 2 in 75%, 1 in 15%, 3 to 20 in 10% of
 *       cases. The last of several is change, at a random place.
 *   <li>A payment goes to a used script with 0.15, else to a fresh one. Change goes to a fresh
 *       script with 0.9, else back to the script of the first coin.
 *   <li>Each user has one kind of script, as wallets do. The wallets under test have P2WPKH. Each
 *       uses exactly as many scripts as the plan says, evenly spread over the chain.
 * </ul>
 *
 * <p>For one thread, once.
 */
final class ChainWriter {

  private static final double REUSE = 0.15;
  private static final double FRESH_CHANGE = 0.9;
  private static final double LAST_INPUT = 0.55;

  /** The number of coins each user has at the start, except the wallets under test. */
  private static final int FIRST_COINS = 3;

  /** The number of users to try for enough coins before a user pays with fewer. */
  private static final int PATIENCE = 200;

  /** The share of a wallet's transactions that are payments to it; it makes the others itself. */
  private static final double RECEIVES = 2.0 / 3;

  /**
   * The mean number of fresh scripts per transaction of a wallet. Payments to it use one as above;
   * its own use one if there is change and that is fresh.
   */
  private static final double FRESH_EACH =
      RECEIVES * (1 - REUSE) + (1 - RECEIVES) * 0.85 * FRESH_CHANGE;

  private final ChainPlan plan;
  private final Dice dice;

  final Ints blockFirstTx = new Ints();
  final Ints txFirstInput = new Ints();
  final Ints txFirstCoin = new Ints();
  final Ints inputCoin = new Ints();
  final Ints coinScript = new Ints();
  final Ints coinSpender = new Ints();
  final Ints coinNext = new Ints();
  final Ints scriptOwner = new Ints();
  final Ints scriptFirstCoin = new Ints();
  private final Ints scriptLastCoin = new Ints();
  final byte[] userKind;

  // Each user's unspent coins, the oldest first: a linked list through nextUnspent.
  private final Ints nextUnspent = new Ints();
  private final int[] oldest;
  private final int[] newest;
  private final int[] held;
  private final int[] lastReceive;

  private final List<List<OwnWallet.Key>> keys = new ArrayList<>();
  private final int[][] nextIndex;
  private int height;

  ChainWriter(ChainPlan plan) {
    this.plan = plan;
    this.dice = new Dice(plan.seed());
    this.userKind = new byte[plan.users()];
    this.oldest = new int[plan.users()];
    this.newest = new int[plan.users()];
    this.held = new int[plan.users()];
    this.lastReceive = new int[plan.users()];
    this.nextIndex = new int[plan.wallets().size()][2];
    Arrays.fill(oldest, -1);
    Arrays.fill(newest, -1);
    Arrays.fill(lastReceive, -1);
  }

  SyntheticChain write() {
    for (int i = 0; i < plan.wallets().size(); i++) {
      keys.add(new ArrayList<>());
    }
    begin();
    for (height = 1; height <= plan.blocks(); height++) {
      blockFirstTx.add(txFirstCoin.size());
      for (int wallet = 0; wallet < keys.size(); wallet++) {
        live(wallet);
      }
      int count = poisson(plan.transactionsPerBlock());
      for (int i = 0; i < count; i++) {
        pay(-1);
      }
    }
    blockFirstTx.add(txFirstCoin.size());
    txFirstInput.add(inputCoin.size());
    txFirstCoin.add(coinScript.size());
    List<OwnWallet> wallets = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      wallets.add(new OwnWallet(i, keys.get(i)));
    }
    return new SyntheticChain(plan, this, wallets);
  }

  /** Height 0: every user except the wallets under test gets some coins, each on a fresh script. */
  private void begin() {
    blockFirstTx.add(0);
    for (int user = 0; user < plan.users(); user++) {
      if (isTested(user)) {
        userKind[user] = Kind.P2WPKH.code();
        continue;
      }
      userKind[user] = Kind.draw(dice).code();
      beginTransaction();
      for (int i = 0; i < FIRST_COINS; i++) {
        addCoin(freshScript(user, false));
      }
    }
  }

  private boolean isTested(int user) {
    return user < keys.size();
  }

  /** Makes the transactions of a wallet under test that are due in this block. */
  private void live(int wallet) {
    int wanted = plan.wallets().get(wallet);
    int left = wanted - keys.get(wallet).size();
    int blocksLeft = plan.blocks() - height + 1;
    int events = left == 0 ? 0 : poisson(left / FRESH_EACH / blocksLeft);
    for (int i = 0; i < events || (blocksLeft == 1 && left > 0); i++) {
      if (left > 0) {
        happen(wallet);
      }
      left = wanted - keys.get(wallet).size();
    }
  }

  private void happen(int wallet) {
    if (held[wallet] == 0 || dice.fraction() < RECEIVES) {
      pay(wallet);
    } else {
      transact(wallet, inputs(), -1);
    }
  }

  /** Makes a payment by a wallet under test, or by a random user if it is -1. */
  private void pay(int wallet) {
    int inputs = inputs();
    transact(payer(inputs), inputs, wallet);
  }

  private int payer(int inputs) {
    int most = -1;
    for (int i = 0; i < PATIENCE; i++) {
      int user = stranger();
      if (held[user] >= inputs) {
        return user;
      }
      if (most < 0 || held[user] > held[most]) {
        most = user;
      }
    }
    return most;
  }

  private int stranger() {
    return keys.size() + dice.below(plan.users() - keys.size());
  }

  private int inputs() {
    int inputs = 1;
    while (dice.fraction() >= LAST_INPUT) {
      inputs++;
    }
    return inputs;
  }

  private int outputs() {
    int drawn = dice.below(100);
    if (drawn < 75) {
      return 2;
    }
    return drawn < 90 ? 1 : 3 + dice.below(18);
  }

  private void transact(int payer, int wantedInputs, int payee) {
    beginTransaction();
    int tx = txFirstCoin.size() - 1;
    int firstSpent = oldest[payer];
    int inputs = Math.min(wantedInputs, held[payer]);
    for (int i = 0; i < inputs; i++) {
      spendOldest(payer, tx);
    }
    int outputs = inputs == 0 ? 1 : outputs();
    int change = outputs == 1 ? -1 : dice.below(outputs);
    int paid = payee;
    for (int i = 0; i < outputs; i++) {
      if (i == change) {
        addCoin(changeScript(payer, firstSpent));
      } else {
        addCoin(receiveScript(paid >= 0 ? paid : stranger()));
        paid = -1;
      }
    }
  }

  private void beginTransaction() {
    txFirstInput.add(inputCoin.size());
    txFirstCoin.add(coinScript.size());
  }

  private void spendOldest(int user, int tx) {
    int coin = oldest[user];
    oldest[user] = nextUnspent.get(coin);
    if (oldest[user] < 0) {
      newest[user] = -1;
    }
    held[user]--;
    coinSpender.set(coin, tx);
    inputCoin.add(coin);
  }

  private int receiveScript(int user) {
    if (lastReceive[user] >= 0 && dice.fraction() < REUSE) {
      return lastReceive[user];
    }
    int script = freshScript(user, false);
    lastReceive[user] = script;
    return script;
  }

  private int changeScript(int user, int firstSpent) {
    boolean full = isTested(user) && keys.get(user).size() >= plan.wallets().get(user);
    if (full || dice.fraction() >= FRESH_CHANGE) {
      return coinScript.get(firstSpent);
    }
    return freshScript(user, true);
  }

  private int freshScript(int user, boolean change) {
    int script = scriptOwner.size();
    scriptOwner.add(user);
    scriptFirstCoin.add(-1);
    scriptLastCoin.add(-1);
    if (isTested(user)) {
      int index = nextIndex[user][change ? 1 : 0]++;
      keys.get(user).add(new OwnWallet.Key(script, change, index, height));
    }
    return script;
  }

  private void addCoin(int script) {
    int coin = coinScript.size();
    coinScript.add(script);
    coinSpender.add(SyntheticChain.NEVER);
    coinNext.add(-1);
    nextUnspent.add(-1);
    int before = scriptLastCoin.get(script);
    if (before < 0) {
      scriptFirstCoin.set(script, coin);
    } else {
      coinNext.set(before, coin);
    }
    scriptLastCoin.set(script, coin);
    int user = scriptOwner.get(script);
    if (newest[user] < 0) {
      oldest[user] = coin;
    } else {
      nextUnspent.set(newest[user], coin);
    }
    newest[user] = coin;
    held[user]++;
  }

  /** Knuth's method, in parts: the exponential of a large mean underflows. */
  private int poisson(double mean) {
    int drawn = 0;
    double left = mean;
    while (left > 0) {
      double part = Math.min(left, 500);
      left -= part;
      double floor = Math.exp(-part);
      for (double product = dice.fraction(); product > floor; product *= dice.fraction()) {
        drawn++;
      }
    }
    return drawn;
  }
}
