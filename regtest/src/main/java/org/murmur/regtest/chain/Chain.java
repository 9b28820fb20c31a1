package org.murmur.regtest.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.ChainBuilder;

/**
 * The active chain of a regtest world, with its unspent outputs.
 *
 * <p>Blocks are checked as they come: linkage, proof of work, time, coinbase, inputs, values,
 * maturity. Scripts and signatures are <em>not</em> run. A chain from {@link ChainBuilder} has
 * valid ones; in other blocks they are only as good as the caller's transactions.
 *
 * <p>Thread-safe: every method is one step. Several nodes may serve one chain, and see each change
 * at the same moment.
 */
public final class Chain {

  /** Most past headers that count for the median time (BIP-0113). */
  private static final int MEDIAN_SPAN = 11;

  /** Notified of changes, in order, under the chain's lock: it must be quick and must not wait. */
  @FunctionalInterface
  public interface Listener {
    /**
     * The active chain has changed. The disconnected blocks come with the highest first, the
     * connected ones with the lowest first.
     */
    void changed(List<Block> disconnected, List<Block> connected);
  }

  /** Transactions with this many outputs stay parsed for a while. */
  private static final int MANY_OUTPUTS = 16;

  private record Recent(Block block, int position, Tx tx) {}

  private final List<Block> active = new ArrayList<>();
  private final Map<Hash256, Integer> heights = new HashMap<>();
  // For each block the places of the coins it spent, so that it can be disconnected.
  private final List<long[]> spent = new ArrayList<>();
  private final CoinIndex coins;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final @Nullable Recent[] recent = new Recent[4];
  private int nextRecent;

  private final ChainParams network;
  private final boolean anyTarget;
  private @Nullable FilterIndex filters; // made when first asked for

  private Chain(ChainParams network, boolean anyTarget) {
    this.network = network;
    this.anyTarget = anyTarget;
    this.coins = new CoinIndex(new Keys());
    Block genesis = Genesis.block(network);
    active.add(genesis);
    // The genesis coinbase is not spendable: it has no coin.
    spent.add(new long[0]);
    heights.put(genesis.hash(), 0);
  }

  private Chain(Chain other) {
    network = other.network;
    anyTarget = other.anyTarget;
    active.addAll(other.active);
    heights.putAll(other.heights);
    spent.addAll(other.spent);
    this.coins = new CoinIndex(new Keys(), other.coins);
  }

  /** Starts a chain that has only the genesis block of regtest. */
  public static Chain ofGenesis() {
    return new Chain(ChainParams.REGTEST, false);
  }

  /**
   * Starts a chain whose blocks may have any target that they reach: for worlds with other rules
   * than regtest's. The maker of the blocks must choose the right targets, and give every replacing
   * branch more work.
   */
  public static Chain ofAnyTarget() {
    return ofAnyTarget(ChainParams.REGTEST);
  }

  /**
   * Starts such a chain of another network, whose nodes speak its language. Throws {@link
   * IllegalArgumentException} for testnet4, which has another genesis block than all others.
   */
  public static Chain ofAnyTarget(ChainParams network) {
    return new Chain(network, true);
  }

  /**
   * Makes a separate chain with the same blocks, without listeners. The blocks themselves are
   * shared.
   */
  public synchronized Chain copy() {
    return new Chain(this);
  }

  /** Returns the network of its nodes, regtest unless it was made for another. */
  public ChainParams network() {
    return network;
  }

  /** Returns the height of the tip, 0 for the genesis block. */
  public synchronized int height() {
    return active.size() - 1;
  }

  public synchronized Block tip() {
    return active.get(active.size() - 1);
  }

  /**
   * Returns a block of the active chain. Throws {@link IndexOutOfBoundsException} if there is none.
   */
  public synchronized Block blockAt(int height) {
    return active.get(height);
  }

  /** Returns the height of a block of the active chain, or -1. */
  public synchronized int heightOf(Hash256 hash) {
    return heights.getOrDefault(hash, -1);
  }

  /** Finds a block of the active chain: null if it is unknown or was disconnected. */
  public synchronized @Nullable Block block(Hash256 hash) {
    Integer height = heights.get(hash);
    return height == null ? null : active.get(height);
  }

  /** Returns headers of the active chain, from a height up to, not including, another one. */
  public synchronized Headers headers(int from, int to) {
    Objects.checkFromToIndex(from, to, active.size());
    byte[] bytes = new byte[(to - from) * BlockHeader.LENGTH];
    for (int i = from; i < to; i++) {
      System.arraycopy(
          active.get(i).array(), 0, bytes, (i - from) * BlockHeader.LENGTH, BlockHeader.LENGTH);
    }
    return Headers.ofStored(Bytes.wrap(bytes));
  }

  /**
   * Returns the height of the highest block that a peer's chain and this one share: the first hash
   * of the locator that is active here, or 0.
   */
  public synchronized int forkHeight(List<Hash256> locator) {
    for (Hash256 hash : locator) {
      Integer height = heights.get(hash);
      if (height != null) {
        return height;
      }
    }
    return 0;
  }

  /**
   * Returns the median time of the last eleven blocks, in seconds since 1970. The next block must
   * be later.
   */
  public synchronized long medianTimePast() {
    return medianTimePast(height());
  }

  /**
   * Returns the median time of a block of the active chain and the ten before it, in seconds since
   * 1970. Throws {@link IndexOutOfBoundsException} if the chain has no such block.
   */
  public synchronized long medianTimePast(int height) {
    int from = Math.max(0, height + 1 - MEDIAN_SPAN);
    long[] times = active.subList(from, height + 1).stream().mapToLong(Block::time).toArray();
    Arrays.sort(times);
    return times[times.length / 2];
  }

  /** Finds an unspent output: null if there is none or it is spent. */
  public synchronized @Nullable ChainCoin coin(OutPoint outPoint) {
    long place = coins.find(outPoint);
    return place == CoinIndex.NONE ? null : coinAt(place);
  }

  public synchronized int coins() {
    return coins.size();
  }

  /**
   * Returns the scripts of the coins that a block of the active chain spends, in the order of its
   * inputs. Throws {@link IndexOutOfBoundsException} if there is no such block.
   */
  public synchronized List<Bytes> spentScripts(int height) {
    List<Bytes> scripts = new ArrayList<>();
    for (long place : spent.get(height)) {
      scripts.add(coinAt(place).script());
    }
    return scripts;
  }

  /**
   * Returns the basic filters (BIP-0158) of all blocks that are active now or later. The first call
   * makes those of the whole chain.
   */
  public synchronized FilterIndex filters() {
    FilterIndex index = filters;
    if (index == null) {
      index = new FilterIndex(this, FilterIndex::basic);
      index.catchUp();
      FilterIndex made = index;
      listen((disconnected, connected) -> made.catchUp());
      filters = made;
    }
    return index;
  }

  /** Returns how many satoshi a block at some height may create, without fees. */
  public static long subsidy(int height) {
    return ChainParams.REGTEST.subsidy(height);
  }

  /**
   * Adds a block on top. Throws {@link IllegalArgumentException} if a rule is broken; the message
   * says which.
   */
  public void append(Block block) {
    replace(height(), List.of(block));
  }

  /**
   * Replaces the blocks above a height by any number of others, as after {@code invalidateblock},
   * and returns the disconnected ones, the highest first. Throws {@link IllegalArgumentException}
   * if a block breaks a rule; then nothing has changed.
   */
  public synchronized List<Block> replace(int forkHeight, List<Block> blocks) {
    if (forkHeight < 0 || forkHeight > height()) {
      throw new IllegalArgumentException(
          "fork height " + forkHeight + ", expected 0 to " + height());
    }
    List<Block> disconnected = new ArrayList<>();
    while (height() > forkHeight) {
      disconnected.add(disconnectTip());
    }
    int connected = 0;
    try {
      for (Block block : blocks) {
        connect(block);
        connected++;
      }
    } catch (IllegalArgumentException e) {
      for (int i = 0; i < connected; i++) {
        disconnectTip();
      }
      for (int i = disconnected.size() - 1; i >= 0; i--) {
        connect(disconnected.get(i));
      }
      throw e;
    }
    if (!disconnected.isEmpty() || !blocks.isEmpty()) {
      List<Block> left = List.copyOf(disconnected);
      List<Block> joined = List.copyOf(blocks);
      listeners.forEach(listener -> listener.changed(left, joined));
    }
    return disconnected;
  }

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  public void forget(Listener listener) {
    listeners.remove(listener);
  }

  private void connect(Block block) {
    int height = active.size();
    checkHeader(block, height);
    active.add(block);
    Journal journal = new Journal();
    try {
      connectTransactions(block, height, journal);
    } catch (IllegalArgumentException | ArithmeticException e) {
      journal.undo();
      active.remove(height);
      throw e instanceof IllegalArgumentException ? e : new IllegalArgumentException(e);
    }
    spent.add(journal.spent());
    heights.put(block.hash(), height);
  }

  private void connectTransactions(Block block, int height, Journal journal) {
    long fees = 0;
    for (int i = 0; i < block.size(); i++) {
      Tx tx = block.tx(i);
      require(tx.isCoinbase() == (i == 0), "coinbase out of place", tx);
      if (i > 0) {
        long in = spendInputs(tx, height, journal);
        long out = outputSum(tx);
        require(in >= out, "outputs above inputs", tx);
        fees += in - out;
      }
      for (int j = 0; j < tx.outputs().size(); j++) {
        journal.add(CoinIndex.place(height, i, j));
      }
    }
    Tx coinbase = block.tx(0);
    require(outputSum(coinbase) <= subsidy(height) + fees, "coinbase pays too much", coinbase);
  }

  private long spendInputs(Tx tx, int height, Journal journal) {
    long sum = 0;
    for (Tx.Input input : tx.inputs()) {
      long place = coins.find(input.outPoint());
      sum += spendable(tx, input, place, height).value();
      journal.remove(place);
    }
    return sum;
  }

  private ChainCoin spendable(Tx tx, Tx.Input input, long place, int height) {
    require(place != CoinIndex.NONE, "missing or spent input " + input.outPoint(), tx);
    ChainCoin coin = coinAt(place);
    require(coin.spendableAt(height), "immature input " + input.outPoint(), tx);
    return coin;
  }

  private void checkHeader(Block block, int height) {
    BlockHeader header = block.header();
    check(header.previous().equals(tip().hash()), "block does not follow the tip");
    check(anyTarget || header.bits() == Genesis.BITS, "wrong bits");
    check(header.reachesItsTarget(), "no proof of work");
    check(header.time() > medianTimePast(), "time not above the median of the past");
    check(MerkleTree.root(block.txids()).equals(header.merkleRoot()), "wrong Merkle root");
    Bytes push = BlockAssembly.heightPush(height);
    Bytes script = block.tx(0).inputs().get(0).scriptSig();
    check(
        script.length() > push.length() && script.slice(0, push.length()).equals(push),
        "coinbase without its height (BIP-0034)");
  }

  private Block disconnectTip() {
    int height = height();
    check(height > 0, "the genesis block stays");
    Block block = active.get(height);
    long[] undo = spent.remove(height);
    int left = undo.length;
    // Backwards: a coin made and spent within the block is first restored, then removed with its
    // maker.
    for (int i = block.size() - 1; i >= 0; i--) {
      Tx tx = block.tx(i);
      for (int j = 0; j < tx.outputs().size(); j++) {
        coins.remove(CoinIndex.place(height, i, j));
      }
      for (int j = i == 0 ? 0 : tx.inputs().size(); j > 0; j--) {
        coins.add(undo[--left]);
      }
    }
    active.remove(height);
    heights.remove(block.hash());
    return block;
  }

  private ChainCoin coinAt(long place) {
    int height = CoinIndex.height(place);
    Tx tx = parsed(active.get(height), CoinIndex.position(place));
    Tx.Output output = tx.outputs().get(CoinIndex.output(place));
    return new ChainCoin(
        tx.outPoint(CoinIndex.output(place)),
        output.value(),
        output.script(),
        height,
        CoinIndex.position(place) == 0);
  }

  /**
   * A transaction; those with many outputs are cached, as their coins are requested again and
   * again.
   */
  private Tx parsed(Block block, int position) {
    for (int i = 0; i < recent.length; i++) {
      Recent one = recent[i];
      if (one != null && one.block().hash().equals(block.hash()) && one.position() == position) {
        return one.tx();
      }
    }
    Tx tx = block.tx(position);
    if (tx.outputs().size() >= MANY_OUTPUTS) {
      recent[nextRecent] = new Recent(block, position, tx);
      nextRecent = (nextRecent + 1) % recent.length;
    }
    return tx;
  }

  private static long outputSum(Tx tx) {
    long sum = 0;
    for (Tx.Output output : tx.outputs()) {
      require(output.value() >= 0, "negative output", tx);
      sum = Math.addExact(sum, output.value());
    }
    return sum;
  }

  private static void require(boolean holds, String complaint, Tx tx) {
    if (!holds) {
      throw new IllegalArgumentException("transaction " + tx.txid() + ": " + complaint);
    }
  }

  private static void check(boolean holds, String complaint) {
    if (!holds) {
      throw new IllegalArgumentException(complaint);
    }
  }

  /** The changes of a block to the coins, to undo them when a later part of it is invalid. */
  private final class Journal {

    // A place that was spent, or the complement of one that was added.
    private long[] steps = new long[16];
    private int length;
    private int removed;

    void add(long place) {
      coins.add(place);
      note(~place);
    }

    void remove(long place) {
      coins.remove(place);
      note(place);
      removed++;
    }

    private void note(long step) {
      if (length == steps.length) {
        steps = Arrays.copyOf(steps, 2 * length);
      }
      steps[length++] = step;
    }

    void undo() {
      while (length > 0) {
        long step = steps[--length];
        if (step < 0) {
          coins.remove(~step);
        } else {
          coins.add(step);
        }
      }
    }

    long[] spent() {
      long[] places = new long[removed];
      int next = 0;
      for (int i = 0; i < length; i++) {
        if (steps[i] >= 0) {
          places[next++] = steps[i];
        }
      }
      return places;
    }
  }

  private final class Keys implements CoinIndex.Keys {
    @Override
    public boolean hasTxid(long place, byte[] txid) {
      return active.get(CoinIndex.height(place)).hasTxid(CoinIndex.position(place), txid);
    }

    @Override
    public long txidWord(long place) {
      byte[] txids = active.get(CoinIndex.height(place)).txidArray();
      return LittleEndian.int64(txids, CoinIndex.position(place) * Hash256.LENGTH);
    }
  }

  /** Height and hash of the tip. */
  @Override
  public synchronized String toString() {
    return "Chain[" + height() + ", " + tip().hash() + "]";
  }

  /** The first block of a chain. */
  static final class Genesis {

    /** The easiest target there is: about every second hash reaches it. */
    static final int BITS = 0x207fffff;

    /** Its coinbase is that of the main network: a headline and a key. */
    private static final String COINBASE =
        "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff"
            + "001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e2062"
            + "72696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01"
            + "000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f"
            + "4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000";

    private Genesis() {}

    static Block block(ChainParams network) {
      Tx coinbase = Tx.read(new ByteReader(Bytes.ofHex(COINBASE).unsafeArray()));
      BlockHeader header = BlockHeader.of(network.genesisHeader());
      check(header.merkleRoot().equals(coinbase.txid()), network + " has another first coinbase");
      return Block.of(header, List.of(coinbase));
    }
  }
}
