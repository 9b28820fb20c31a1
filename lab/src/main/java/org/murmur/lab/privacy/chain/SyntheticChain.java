package org.murmur.lab.privacy.chain;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A synthetic chain with known truth: the owner of each script, and every payment with its time.
 *
 * <p>Users pay each other, without signatures and amounts. So heuristics that recognise change,
 * exchanges or mixers by amounts do not apply. Scripts, coins (outputs) and transactions are
 * numbers in the order they appeared. {@link Elements} makes the bytes that a filter holds of them,
 * on demand.
 *
 * <p>Arrays of ints only: about 40 bytes for each transaction output. Immutable; safe to share
 * between threads.
 */
public final class SyntheticChain {

  /** A height or a transaction that never comes. */
  static final int NEVER = Integer.MAX_VALUE;

  private final ChainPlan plan;
  private final List<OwnWallet> wallets;

  /** By height: its first transaction; one more at the end. */
  private final int[] blockFirstTx;

  /** By transaction; one more at the end. */
  private final int[] txFirstInput;

  /** By transaction; one more at the end. */
  private final int[] txFirstCoin;

  /** By input: the coin it spends. */
  private final int[] inputCoin;

  /** By coin: its script. */
  private final int[] coinScript;

  /** By coin: the transaction that spends it, or {@link #NEVER}. */
  private final int[] coinSpender;

  /** By coin: the next coin of the same script, or -1. */
  private final int[] coinNext;

  /** By script: the user. */
  private final int[] scriptOwner;

  /** By script: the first coin that paid it. */
  private final int[] scriptFirstCoin;

  /** By user: the code of the kind of the user's scripts. */
  private final byte[] userKind;

  /** Takes what was written. */
  SyntheticChain(ChainPlan plan, ChainWriter written, List<OwnWallet> wallets) {
    this.plan = plan;
    this.wallets = List.copyOf(wallets);
    this.blockFirstTx = written.blockFirstTx.toArray();
    this.txFirstInput = written.txFirstInput.toArray();
    this.txFirstCoin = written.txFirstCoin.toArray();
    this.inputCoin = written.inputCoin.toArray();
    this.coinScript = written.coinScript.toArray();
    this.coinSpender = written.coinSpender.toArray();
    this.coinNext = written.coinNext.toArray();
    this.scriptOwner = written.scriptOwner.toArray();
    this.scriptFirstCoin = written.scriptFirstCoin.toArray();
    this.userKind = written.userKind;
  }

  public static SyntheticChain of(ChainPlan plan) {
    return new ChainWriter(plan).write();
  }

  public ChainPlan plan() {
    return plan;
  }

  /** Returns the highest height; 0 holds the initial coins of users. */
  public int height() {
    return blockFirstTx.length - 2;
  }

  /** Returns the number of transactions, without those of height 0. */
  public int transactions() {
    return txFirstCoin.length - 1 - blockFirstTx[1];
  }

  public int scripts() {
    return scriptOwner.length;
  }

  public int coins() {
    return coinScript.length;
  }

  public List<OwnWallet> wallets() {
    return wallets;
  }

  /**
   * The first transaction of a block; for the height above the tip, one after the last transaction.
   */
  public int firstTx(int height) {
    return blockFirstTx[height];
  }

  public int heightOf(int tx) {
    int at = Arrays.binarySearch(blockFirstTx, tx);
    if (at < 0) {
      return -at - 2;
    }
    // Blocks without transactions share their first one with the next block: takes the last of
    // them.
    while (blockFirstTx[at + 1] == tx) {
      at++;
    }
    return at;
  }

  public int firstInput(int tx) {
    return txFirstInput[tx];
  }

  public int firstCoin(int tx) {
    return txFirstCoin[tx];
  }

  public int spent(int input) {
    return inputCoin[input];
  }

  public int scriptOf(int coin) {
    return coinScript[coin];
  }

  public int txOf(int coin) {
    // Every transaction has an output, so no two have the same first one.
    int at = Arrays.binarySearch(txFirstCoin, coin);
    return at < 0 ? -at - 2 : at;
  }

  public int spender(int coin) {
    return coinSpender[coin];
  }

  public boolean isSpent(int coin) {
    return coinSpender[coin] != NEVER;
  }

  public int nextCoin(int coin) {
    return coinNext[coin];
  }

  public int firstCoinOf(int script) {
    return scriptFirstCoin[script];
  }

  public int owner(int script) {
    return scriptOwner[script];
  }

  Kind kindOf(int script) {
    return kindOfUser(scriptOwner[script]);
  }

  Kind kindOfUser(int user) {
    return Kind.ofCode(userKind[user]);
  }

  public int firstSeen(int script) {
    return heightOf(txOf(scriptFirstCoin[script]));
  }

  /** Returns the scripts that a block pays or spends. */
  public BitSet scriptsAt(int height) {
    BitSet scripts = new BitSet();
    int end = blockFirstTx[height + 1];
    for (int coin = txFirstCoin[blockFirstTx[height]]; coin < txFirstCoin[end]; coin++) {
      scripts.set(coinScript[coin]);
    }
    for (int input = txFirstInput[blockFirstTx[height]]; input < txFirstInput[end]; input++) {
      scripts.set(coinScript[inputCoin[input]]);
    }
    return scripts;
  }

  /** Returns the scripts that some blocks pay or spend. */
  public BitSet scriptsAt(BitSet heights) {
    BitSet scripts = new BitSet();
    heights.stream().forEach(height -> scripts.or(scriptsAt(height)));
    return scripts;
  }

  /** Whether one of a script's coins was spent before a transaction, so that its key is known. */
  public boolean isRevealed(int script, int beforeTx) {
    for (int coin = firstCoinOf(script); coin >= 0; coin = nextCoin(coin)) {
      if (spender(coin) < beforeTx) {
        return true;
      }
    }
    return false;
  }
}
