package org.murmur.lab.privacy.chain;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.Hex;

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
  private final Columns columns;
  private final List<OwnWallet> wallets;

  /** The columns, as {@link ChainWriter} leaves them. Never changed afterwards. */
  static final class Columns {

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

    Columns(
        Ints blockFirstTx,
        Ints txFirstInput,
        Ints txFirstCoin,
        Ints inputCoin,
        Ints coinScript,
        Ints coinSpender,
        Ints coinNext,
        Ints scriptOwner,
        Ints scriptFirstCoin,
        byte[] userKind) {
      this.blockFirstTx = blockFirstTx.toArray();
      this.txFirstInput = txFirstInput.toArray();
      this.txFirstCoin = txFirstCoin.toArray();
      this.inputCoin = inputCoin.toArray();
      this.coinScript = coinScript.toArray();
      this.coinSpender = coinSpender.toArray();
      this.coinNext = coinNext.toArray();
      this.scriptOwner = scriptOwner.toArray();
      this.scriptFirstCoin = scriptFirstCoin.toArray();
      this.userKind = userKind;
    }
  }

  SyntheticChain(ChainPlan plan, Columns columns, List<OwnWallet> wallets) {
    this.plan = plan;
    this.columns = columns;
    this.wallets = List.copyOf(wallets);
  }

  /** Makes the chain of a plan. */
  public static SyntheticChain of(ChainPlan plan) {
    return new ChainWriter(plan).write();
  }

  /** Returns the plan of the chain. */
  public ChainPlan plan() {
    return plan;
  }

  /** Returns the highest height; 0 holds the initial coins of users. */
  public int height() {
    return columns.blockFirstTx.length - 2;
  }

  /** Returns the number of transactions, without those of height 0. */
  public int transactions() {
    return columns.txFirstCoin.length - 1 - columns.blockFirstTx[1];
  }

  /** Returns the number of different scripts that were paid to. */
  public int scripts() {
    return columns.scriptOwner.length;
  }

  /** Returns the number of outputs, spent ones included. */
  public int coins() {
    return columns.coinScript.length;
  }

  /** Returns a fingerprint of the whole chain: SHA-256 in hex. */
  public String fingerprint() {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
    for (int[] column :
        List.of(
            columns.blockFirstTx,
            columns.txFirstInput,
            columns.txFirstCoin,
            columns.inputCoin,
            columns.coinScript,
            columns.coinSpender,
            columns.scriptOwner)) {
      ByteBuffer bytes = ByteBuffer.allocate(4 * column.length);
      bytes.asIntBuffer().put(column);
      digest.update(bytes);
    }
    digest.update(columns.userKind);
    return Hex.format(digest.digest());
  }

  /** The wallets under test, in the order of the plan. */
  public List<OwnWallet> wallets() {
    return wallets;
  }

  /**
   * The first transaction of a block; for the height above the tip, one after the last transaction.
   */
  public int firstTx(int height) {
    return columns.blockFirstTx[height];
  }

  public int heightOf(int tx) {
    int at = Arrays.binarySearch(columns.blockFirstTx, tx);
    if (at < 0) {
      return -at - 2;
    }
    // Blocks without transactions share their first one with the next block: takes the last of
    // them.
    while (columns.blockFirstTx[at + 1] == tx) {
      at++;
    }
    return at;
  }

  public int firstInput(int tx) {
    return columns.txFirstInput[tx];
  }

  public int firstCoin(int tx) {
    return columns.txFirstCoin[tx];
  }

  /** The coin that an input spends. */
  public int spent(int input) {
    return columns.inputCoin[input];
  }

  public int scriptOf(int coin) {
    return columns.coinScript[coin];
  }

  public int txOf(int coin) {
    // Every transaction has an output, so no two have the same first one.
    int at = Arrays.binarySearch(columns.txFirstCoin, coin);
    return at < 0 ? -at - 2 : at;
  }

  /** The transaction that spends a coin, or {@link #NEVER}. */
  public int spender(int coin) {
    return columns.coinSpender[coin];
  }

  /** The next coin paid to the same script, or -1. */
  public int nextCoin(int coin) {
    return columns.coinNext[coin];
  }

  public int firstCoinOf(int script) {
    return columns.scriptFirstCoin[script];
  }

  public int owner(int script) {
    return columns.scriptOwner[script];
  }

  Kind kindOf(int script) {
    return kindOfUser(columns.scriptOwner[script]);
  }

  Kind kindOfUser(int user) {
    return Kind.ofCode(columns.userKind[user]);
  }

  /** The height of the first payment to a script. */
  int firstSeen(int script) {
    return heightOf(txOf(columns.scriptFirstCoin[script]));
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

  /** The number of scripts paid to up to a height: these have the lower numbers. */
  int scriptsAt(int height) {
    int endCoin = firstCoin(firstTx(height + 1));
    int low = 0;
    int high = scripts();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (columns.scriptFirstCoin[middle] < endCoin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
