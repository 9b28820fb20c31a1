package org.murmur.testbed.bitcoind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The random life of a wallet on a real node. The node's own wallet, restored from words, receives,
 * sends, sweeps, bumps and is reorganised. At the end it says what another wallet restored from the
 * same words must find.
 *
 * <p>The events are drawn from the seed; the node's coin selection, and so the txids, are not. For
 * one thread; nothing else may drive the node meanwhile.
 *
 * <pre>{@code
 * WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
 * life.live(150);
 * ExpectedWallet expected = life.settle();
 * restoreElsewhere(life.words());
 * }</pre>
 */
public final class WalletLife {

  /** The others' coinbases before the life begins: their mature coins. */
  private static final int COINBASES = 110;

  /** This many coins let the others pay often without spending their own change. */
  private static final int PURSE_COINS = 200;

  private static final long PURSE_COIN_SATOSHI = 2_0000_0000L;

  /** The smallest payment: well above what nodes call dust. */
  private static final long SMALLEST_SATOSHI = 10_000;

  /** The mempool refuses longer chains anyway. */
  private static final int MAX_EVENTS_A_BLOCK = 4;

  private static final List<AddressType> ALL_TYPES = List.of(AddressType.values());

  private static final int DEEPEST_REORG = 6;

  /** On average one block in this many begins a reorganisation. */
  private static final int REORG_EVERY = 25;

  /** On average one block in this many pays its coinbase to the wallet. */
  private static final int COINBASE_EVERY = 8;

  /** On average one block in this many is left empty although payments wait. */
  private static final int EMPTY_EVERY = 10;

  /** Replacements must pay more than all that they replace. */
  private static final int REPLACEMENT_FEE_RATE = 80;

  /** The node asks a bump for at least 5 satoshi per virtual byte more. */
  private static final int BUMP_STEP = 6;

  private static final List<Kind> REORGS =
      List.of(Kind.REORG_KEEPING, Kind.REORG_EMPTY, Kind.REORG_REPLACING, Kind.REORG_BACK);

  /** Errors with which the node declines a payment: no funds, not allowed, not taken. */
  private static final Set<Integer> DECLINED = Set.of(-4, -6, -8, -25, -26);

  private final JsonRpc node;
  private final Options options;
  private final Random dice;
  private final List<String> words;
  private final NodeWallet mine;
  private final NodeWallet others;
  private final int firstHeight;
  private int reorgs;
  private final Map<Kind, Integer> happened = new EnumMap<>(Kind.class);

  /** Receive addresses handed out and not paid since the last paid one, by type. */
  private final Map<AddressType, Integer> unpaid = new EnumMap<>(AddressType.class);

  private final List<String> usedAddresses = new ArrayList<>();
  private final List<Pending> sent = new ArrayList<>();
  private final List<Pending> incoming = new ArrayList<>();

  /** A payment that may still be replaced, and the fee of its replacement. */
  private record Pending(String txid, int feeRate) {}

  /** The events of a life. */
  public enum Kind {
    /** Another wallet pays this one once. */
    RECEIVE(30),
    /** Addresses are handed out and never paid. */
    JUMP(5),
    /** The wallet makes a payment and keeps change. */
    SEND(14),
    /** Some coins are sent away as a whole, without change. */
    SWEEP(5),
    /** All coins are sent away without change. */
    SWEEP_ALL(1),
    /** A payment is spent before it confirms, with change. */
    SPEND_UNCONFIRMED(5),
    /** A payment is swept before it confirms. */
    SWEEP_UNCONFIRMED(4),
    /** One transaction pays many outputs, several of them the wallet's. */
    MANY_OUTPUTS(4),
    /** The wallet pays itself. */
    SELF(3),
    /** A transaction spends coins of the wallet and of others together. */
    JOINT(2),
    /** The wallet raises the fee of a payment of its own. */
    BUMP(7),
    /** A payment to the wallet is replaced by one with a higher fee. */
    INCOMING_BUMPED(3),
    /** A payment to the wallet is replaced by one that does not pay it. */
    INCOMING_TAKEN_BACK(3),
    /** A payment to the wallet is replaced by one to another of its addresses. */
    INCOMING_REDIRECTED(2),
    /** A coinbase pays the wallet. */
    COINBASE(0),
    /** A reorganisation whose new branch has the old one's transactions. */
    REORG_KEEPING(0),
    /** A reorganisation to empty blocks: the transactions are unconfirmed again. */
    REORG_EMPTY(0),
    /** A reorganisation in which payments were replaced. */
    REORG_REPLACING(0),
    /** A reorganisation and back again. */
    REORG_BACK(0);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /**
   * The settings of a life; a restoring wallet stops its search after {@code gap} unused addresses
   * in a row.
   */
  public record Options(long seed, List<AddressType> types, int gap) {

    public Options {
      types = List.copyOf(types);
      if (types.isEmpty() || gap < 2) {
        throw new IllegalArgumentException(
            "types " + types + ", expected one at least; gap " + gap + ", expected 2 at least");
      }
    }

    /** Makes the usual ones: all address types, a gap limit of 20. */
    public static Options of(long seed) {
      return new Options(seed, List.of(AddressType.values()), 20);
    }
  }

  private WalletLife(JsonRpc node, Options options) {
    this.node = node;
    this.options = options;
    dice = new Random(options.seed());
    reorgs = (int) options.seed();
    words = WalletWords.draw(dice);
    mine = NodeWallet.restore(node, "life-" + options.seed(), words, options.types());
    others = NodeWallet.create(node, "others-" + options.seed());
    fillPurse();
    firstHeight = height();
  }

  /**
   * Makes the wallets and gives the others coins; the life begins at the next block. The node is on
   * regtest with at most a few blocks, since the reward of late blocks is small.
   */
  public static WalletLife begin(Bitcoind node, Options options) {
    return new WalletLife(node.rpc(), options);
  }

  /** Returns the twelve words from which the wallet was restored, without passphrase. */
  public List<String> words() {
    return words;
  }

  /** Returns how often each event happened, for a test's output and to see that none is missing. */
  public Map<Kind, Integer> happened() {
    return Collections.unmodifiableMap(happened);
  }

  /**
   * Continues the life for some blocks: each has some random events, and now and then a
   * reorganisation comes.
   */
  public void live(int blocks) {
    int end = height() + blocks;
    while (height() < end) {
      for (int events = dice.nextInt(MAX_EVENTS_A_BLOCK + 1); events > 0; events--) {
        attempt(drawKind());
      }
      mineBlock();
      if (dice.nextInt(REORG_EVERY) == 0) {
        reorg(1 + dice.nextInt(DEEPEST_REORG));
      }
    }
  }

  /**
   * Ends the life for now, so that every restored wallet finds the same. It pays addresses that a
   * gap limit would hide, leaves unconfirmed transactions behind (a payment, a spend with change, a
   * sweep without) and reads the node's wallet. {@link #live} may follow.
   */
  public ExpectedWallet settle() {
    do {
      closeGaps();
      leavePending();
      mine.abandonDead();
    } while (!mine.missingSteps(options.gap()).isEmpty());
    return mine.expected();
  }

  /** Lets the others pay the wallet once; the payment waits for the next block. */
  public void leaveIncoming() {
    attempt(Kind.RECEIVE);
  }

  /** Reads what the node's wallet reports now. */
  public ExpectedWallet expected() {
    return mine.expected();
  }

  /**
   * Reads what the node's wallet reports now, without transactions that can no longer confirm. It
   * does not fill gaps or leave unconfirmed transactions: {@link #settle} does that.
   */
  public ExpectedWallet current() {
    mine.abandonDead();
    return mine.expected();
  }

  /** Reloads the wallets after a restart of the node. */
  public void resume() {
    mine.load(node);
    others.load(node);
  }

  /**
   * Reorganises the chain in one of the four ways, each in its turn. The depth is cut to the length
   * of the life.
   */
  public void reorg(int depth) {
    reorg(depth, REORGS.get(Math.floorMod(reorgs++, REORGS.size())));
  }

  /** Reorganises the chain. The depth is cut to the length of the life. */
  public void reorg(int depth, Kind way) {
    if (!REORGS.contains(way)) {
      throw new IllegalArgumentException("way " + way + ", expected one of " + REORGS);
    }
    int tip = height();
    int cut = Math.min(depth, tip - firstHeight);
    if (cut < 1) {
      return;
    }
    String first = node.call("getblockhash", tip - cut + 1).asText();
    node.call("invalidateblock", first);
    mine.abandonDead();
    switch (way) {
      case REORG_KEEPING -> mineBlocks(cut + 1, true);
      case REORG_EMPTY -> mineBlocks(cut + 1, false);
      case REORG_REPLACING -> {
        for (Kind kind : List.of(Kind.INCOMING_TAKEN_BACK, Kind.INCOMING_REDIRECTED, Kind.BUMP)) {
          attempt(kind);
        }
        mineBlocks(cut + 1, true);
      }
      default -> mineBlocks(dice.nextInt(cut), true); // The old branch stays the longer one.
    }
    // If the old branch is longer it becomes active again, otherwise it is a known side branch.
    node.call("reconsiderblock", first);
    mine.abandonDead();
    count(way);
  }

  private void fillPurse() {
    node.call("generatetoaddress", COINBASES, others.newAddress(AddressType.BECH32));
    Map<String, Long> outputs = new LinkedHashMap<>();
    for (String address : others.newAddresses(AddressType.BECH32, PURSE_COINS)) {
      outputs.put(address, PURSE_COIN_SATOSHI);
    }
    others.send(outputs, 1, AddressType.BECH32, List.of());
    node.call("generatetoaddress", 1, others.newAddress(AddressType.BECH32));
  }

  private int height() {
    return node.call("getblockcount").asInt();
  }

  // Events

  private Kind drawKind() {
    int sum = Stream.of(Kind.values()).mapToInt(kind -> kind.weight).sum();
    int drawn = dice.nextInt(sum);
    for (Kind kind : Kind.values()) {
      drawn -= kind.weight;
      if (drawn < 0) {
        return kind;
      }
    }
    throw new AssertionError("the weights add up");
  }

  private boolean attempt(Kind kind) {
    return attempt(kind, () -> happens(kind));
  }

  private boolean attempt(Kind kind, BooleanSupplier event) {
    try {
      if (event.getAsBoolean()) {
        count(kind);
        return true;
      }
    } catch (RpcException e) {
      if (!DECLINED.contains(e.code())) {
        throw e;
      }
      // Some attempts must fail: no coins, the pool's chain limits, ...
    }
    return false;
  }

  private void count(Kind kind) {
    happened.merge(kind, 1, Integer::sum);
  }

  private boolean happens(Kind kind) {
    return switch (kind) {
      case RECEIVE -> !receive().isEmpty();
      case JUMP -> jump();
      case SEND -> !sent(payment(othersAddress(), amount()), List.of()).isEmpty();
      case SWEEP -> sweep(some(mine.unspent(0)));
      case SWEEP_ALL -> sweep(mine.unspent(0));
      case SPEND_UNCONFIRMED -> spendUnconfirmed();
      case SWEEP_UNCONFIRMED -> sweep(mine.unspentOf(receive()));
      case MANY_OUTPUTS -> manyOutputs();
      case SELF -> !sent(payment(myAddress(), amount()), List.of()).isEmpty();
      case JOINT -> joint();
      case BUMP -> bump();
      case INCOMING_BUMPED -> bumpIncoming();
      case INCOMING_TAKEN_BACK -> replaceIncoming(othersAddress());
      case INCOMING_REDIRECTED -> replaceIncoming(myAddress());
      default -> throw new AssertionError(kind + " is no event of a block");
    };
  }

  private String receive() {
    return paid(payment(myAddress(), amount()));
  }

  /** Lets the others pay, with a low fee so that it can be replaced. */
  private String paid(Map<String, Long> outputs) {
    int feeRate = 1 + dice.nextInt(5);
    String txid = others.send(outputs, feeRate, anyType(), List.of());
    incoming.add(new Pending(txid, feeRate));
    return txid;
  }

  /** Lets the wallet pay. */
  private String sent(Map<String, Long> outputs, List<NodeWallet.Unspent> inputs) {
    int feeRate = feeRate();
    String txid = mine.send(outputs, feeRate, myType(), inputs);
    sent.add(new Pending(txid, feeRate));
    return txid;
  }

  private boolean jump() {
    AddressType type = myType();
    int room = options.gap() - 1 - unpaid.getOrDefault(type, 0);
    if (room < 1) {
      return false;
    }
    int count = 1 + dice.nextInt(Math.min(room, Math.max(1, options.gap() / 2)));
    mine.newAddresses(type, count);
    unpaid.merge(type, count, Integer::sum);
    return true;
  }

  private boolean sweep(List<NodeWallet.Unspent> coins) {
    if (coins.isEmpty()) {
      return false;
    }
    mine.sweep(othersAddress(), feeRate(), coins);
    return true;
  }

  private boolean spendUnconfirmed() {
    List<NodeWallet.Unspent> coins = mine.unspentOf(receive());
    long half = coins.stream().mapToLong(NodeWallet.Unspent::value).sum() / 2;
    return !coins.isEmpty() && !sent(payment(othersAddress(), half), coins).isEmpty();
  }

  private boolean manyOutputs() {
    Map<String, Long> outputs = new LinkedHashMap<>();
    int count = 5 + dice.nextInt(30);
    for (int i = 0; i < count; i++) {
      String address = dice.nextInt(3) == 0 ? myAddress() : othersAddress();
      outputs.put(address, SMALLEST_SATOSHI + dice.nextInt(1_000_000));
    }
    if (dice.nextBoolean()) {
      return !paid(outputs).isEmpty();
    }
    return !sent(outputs, List.of()).isEmpty();
  }

  /**
   * A payment with coins of both. Ours is no taproot coin: its signature commits to the others'
   * coins too, so an SPV client believes such a payment only once a block holds it.
   */
  private boolean joint() {
    List<NodeWallet.Unspent> ours =
        mine.unspent(1).stream().filter(coin -> !coin.isTaproot()).toList();
    List<NodeWallet.Unspent> inputs = new ArrayList<>(one(ours));
    inputs.addAll(one(others.unspent(1)));
    long sum = inputs.stream().mapToLong(NodeWallet.Unspent::value).sum();
    long fee = 5_000; // some 300 virtual bytes
    long toShare = sum - fee - 2 * SMALLEST_SATOSHI;
    if (inputs.size() < 2 || toShare < 0) {
      return false;
    }
    long forMe = SMALLEST_SATOSHI + (long) (dice.nextDouble() * toShare);
    List<Object> outputs =
        List.of(
            Map.of(myAddress(), JsonRpc.btc(forMe)),
            Map.of(othersAddress(), JsonRpc.btc(sum - fee - forMe)));
    String hex =
        node.call(
                "createrawtransaction",
                inputs.stream().map(NodeWallet.Unspent::input).toList(),
                outputs)
            .asText();
    node.call("sendrawtransaction", others.sign(mine.sign(hex)));
    return true;
  }

  private boolean bump() {
    for (Pending old : oneWaiting(sent)) {
      int feeRate = old.feeRate() + BUMP_STEP + dice.nextInt(5);
      sent.add(new Pending(mine.bump(old.txid(), feeRate), feeRate));
      return true;
    }
    return false;
  }

  private boolean bumpIncoming() {
    for (Pending old : oneWaiting(incoming)) {
      int feeRate = old.feeRate() + BUMP_STEP;
      incoming.add(new Pending(others.bump(old.txid(), feeRate), feeRate));
      return true;
    }
    return false;
  }

  private boolean replaceIncoming(String to) {
    for (Pending old : oneWaiting(incoming)) {
      List<NodeWallet.Unspent> inputs = others.inputsOf(old.txid());
      others.send(payment(to, amount()), REPLACEMENT_FEE_RATE, anyType(), inputs);
      mine.abandonDead();
      return true;
    }
    return false;
  }

  /** Draws one that is unconfirmed now, perhaps again after a reorganisation; one or none. */
  private List<Pending> oneWaiting(List<Pending> payments) {
    Set<String> pool = mine.pool();
    List<Pending> waiting =
        payments.stream().filter(payment -> pool.contains(payment.txid())).toList();
    return waiting.isEmpty() ? List.of() : List.of(waiting.get(dice.nextInt(waiting.size())));
  }

  // Blocks

  private void mineBlock() {
    mineBlocks(1, dice.nextInt(EMPTY_EVERY) != 0);
  }

  private void mineBlocks(int count, boolean withTransactions) {
    for (int i = 0; i < count; i++) {
      boolean toMe = dice.nextInt(COINBASE_EVERY) == 0;
      // A separate address for every block: two branches never hold the same block.
      String address = toMe ? myAddress() : others.newAddress(AddressType.BECH32);
      if (withTransactions) {
        node.call("generatetoaddress", 1, address);
      } else {
        node.call("generateblock", address, List.of());
      }
      if (toMe) {
        count(Kind.COINBASE);
      }
    }
  }

  // The end

  private void closeGaps() {
    List<String> missing = mine.missingSteps(options.gap());
    while (!missing.isEmpty()) {
      for (String address : missing) {
        paid(payment(address, SMALLEST_SATOSHI));
      }
      node.call("generatetoaddress", 1, others.newAddress(AddressType.BECH32));
      missing = mine.missingSteps(options.gap());
    }
  }

  private void leavePending() {
    leaveSpends();
    while (!leaveSweep()) {
      for (int i = 0; i < 4; i++) {
        paid(payment(myAddress(), 50 * SMALLEST_SATOSHI));
      }
      node.call("generatetoaddress", 1, others.newAddress(AddressType.BECH32));
      leaveSpends();
    }
  }

  private void leaveSpends() {
    paid(payment(myAddress(), 3 * SMALLEST_SATOSHI));
    attempt(Kind.SEND);
    attempt(Kind.SPEND_UNCONFIRMED);
  }

  /** Sweeps one confirmed coin that is worth its fee, without change. */
  private boolean leaveSweep() {
    List<NodeWallet.Unspent> worthy =
        new ArrayList<>(
            mine.unspent(1).stream().filter(coin -> coin.value() >= SMALLEST_SATOSHI).toList());
    Collections.shuffle(worthy, dice);
    return worthy.stream().anyMatch(coin -> attempt(Kind.SWEEP, () -> sweep(List.of(coin))));
  }

  // Draws

  private AddressType myType() {
    return options.types().get(dice.nextInt(options.types().size()));
  }

  private AddressType anyType() {
    return ALL_TYPES.get(dice.nextInt(ALL_TYPES.size()));
  }

  private String othersAddress() {
    return others.newAddress(anyType());
  }

  /** Mostly a fresh address, sometimes a used one. */
  private String myAddress() {
    if (!usedAddresses.isEmpty() && dice.nextInt(6) == 0) {
      return usedAddresses.get(dice.nextInt(usedAddresses.size()));
    }
    AddressType type = myType();
    String address = mine.newAddress(type);
    unpaid.put(type, 0);
    usedAddresses.add(address);
    return address;
  }

  /** From the dust limit to half a coin, small ones as likely as large ones. */
  private long amount() {
    return (long) (SMALLEST_SATOSHI * Math.pow(5_000, dice.nextDouble()));
  }

  private int feeRate() {
    return 1 + dice.nextInt(20);
  }

  private List<NodeWallet.Unspent> some(List<NodeWallet.Unspent> coins) {
    List<NodeWallet.Unspent> shuffled = new ArrayList<>(coins);
    Collections.shuffle(shuffled, dice);
    return shuffled.subList(0, Math.min(shuffled.size(), 1 + dice.nextInt(3)));
  }

  private List<NodeWallet.Unspent> one(List<NodeWallet.Unspent> coins) {
    return coins.isEmpty() ? List.of() : List.of(coins.get(dice.nextInt(coins.size())));
  }

  private static Map<String, Long> payment(String address, long satoshi) {
    return Map.of(address, satoshi);
  }
}
