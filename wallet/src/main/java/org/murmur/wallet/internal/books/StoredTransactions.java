package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.wallet.internal.ledger.Archive;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.LedgerChange.Watch;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.ledger.Unspent;
import org.murmur.wallet.internal.store.KeyedHeights;
import org.murmur.wallet.internal.store.StoredCoin;
import org.murmur.wallet.internal.store.StoredOutPoints;
import org.murmur.wallet.internal.store.WalletStore;

/**
 * The transactions in blocks, read from the store one by one. The element log has the owner of an
 * output and the block that spends it. A table of keys, made when first needed, says which block
 * holds a transaction. Another one says which block spends an outpoint that is not in the log.
 */
final class StoredTransactions implements Archive {

  /** Blocks that are kept until the next write. */
  private static final int MAX_BLOCKS = 16;

  private final WalletStore store;
  private final Supplier<ElementLog> log;
  private final Supplier<StoredOutPoints> outPoints;
  private final IntSupplier tip;
  private final Map<Integer, Map<Hash256, Fact>> blocks = new HashMap<>();
  private @Nullable KeyedHeights txids;
  private @Nullable KeyedHeights inputs;

  /** Opens it. No block is above the tip, the height of the last header. */
  StoredTransactions(
      WalletStore store,
      Supplier<ElementLog> log,
      Supplier<StoredOutPoints> outPoints,
      IntSupplier tip) {
    this.store = store;
    this.log = log;
    this.outPoints = outPoints;
    this.tip = tip;
  }

  private ElementLog log() {
    return log.get();
  }

  @Override
  public @Nullable Fact find(Hash256 txid) {
    for (int height : txids().get(KeyedHeights.key(txid))) {
      Fact fact = block(height).get(txid);
      if (fact != null) {
        return fact;
      }
    }
    return null;
  }

  /** Whether it may be here: another transaction may have the same key. */
  boolean mayHold(Hash256 txid) {
    return !txids().get(KeyedHeights.key(txid)).isEmpty();
  }

  /** The transactions of a block. The same one is often requested many times in a row. */
  private Map<Hash256, Fact> block(int height) {
    Map<Hash256, Fact> known = blocks.get(height);
    if (known == null) {
      known = new HashMap<>();
      for (Fact fact : store.minedAt(height)) {
        known.put(fact.tx().txid(), sound(fact));
      }
      if (blocks.size() >= MAX_BLOCKS) {
        blocks.clear();
      }
      blocks.put(height, known);
    }
    return known;
  }

  private KeyedHeights txids() {
    KeyedHeights known = txids;
    if (known == null) {
      known = store.minedHeights();
      txids = known;
    }
    return known;
  }

  private Fact sound(Fact fact) {
    if (fact.height() > tip.getAsInt()) {
      throw store.damaged(
          "its records do not fit together: transaction "
              + fact.tx().txid()
              + " is said to be where it cannot be",
          null);
    }
    return fact;
  }

  @Override
  public List<Fact> spenders(OutPoint outPoint) {
    List<Fact> spenders = new ArrayList<>(1);
    for (int height : spentAt(outPoint)) {
      for (Fact fact : block(height).values()) {
        if (spends(fact.tx(), outPoint)) {
          spenders.add(fact);
        }
      }
    }
    return spenders;
  }

  private static boolean spends(Tx tx, OutPoint outPoint) {
    return tx.inputs().stream().anyMatch(input -> input.outPoint().equals(outPoint));
  }

  /**
   * Heights where it may be spent. The log knows these for own coins in blocks only; it does not
   * follow forgotten ones.
   */
  private List<Integer> spentAt(OutPoint outPoint) {
    int index = log().indexOf(outPoint);
    if (index >= 0
        && log().elements().get(index) instanceof Element.OwnOutPoint own
        && own.confirmed()) {
      return own.end() == Watch.OPEN ? List.of() : List.of(own.end());
    }
    return inputs().get(KeyedHeights.key(outPoint));
  }

  private KeyedHeights inputs() {
    KeyedHeights known = inputs;
    if (known == null) {
      KeyedHeights made = new KeyedHeights();
      scan(0, fact -> addInputs(fact, made));
      inputs = made;
      known = made;
    }
    return known;
  }

  private static void addInputs(Fact fact, KeyedHeights inputs) {
    for (Tx.Input input : fact.tx().inputs()) {
      if (!input.outPoint().isNull()) {
        inputs.add(KeyedHeights.key(input.outPoint()), fact.height());
      }
    }
  }

  @Override
  public List<Fact> before(int height, int position, int limit) {
    List<Fact> facts = store.confirmedBefore(height, position, limit);
    facts.forEach(this::sound);
    return facts;
  }

  @Override
  public int ownScript(OutPoint outPoint) {
    int index = log().indexOf(outPoint);
    return index >= 0
            && log().elements().get(index) instanceof Element.OwnOutPoint own
            && own.confirmed()
        ? own.script()
        : OwnScripts.FOREIGN;
  }

  @Override
  public BitSet usedScripts() {
    BitSet used = new BitSet();
    for (Element element : log().elements()) {
      if (element instanceof Element.OwnOutPoint own && own.confirmed()) {
        used.set(own.script());
      }
    }
    return used;
  }

  @Override
  public List<Unspent> coins(int height) {
    List<Unspent> coins = new ArrayList<>();
    for (StoredCoin coin : outPoints.get().coins()) {
      coins.add(
          Unspent.of(
              coin.outPoint(),
              coin.value(),
              coin.script(),
              coin.height(),
              coin.coinbase(),
              height));
    }
    return coins;
  }

  /** These were stored. Disconnected blocks stay in the tables, and are found empty. */
  void add(List<Fact> facts) {
    blocks.clear();
    for (Fact fact : facts) {
      if (fact.confirmation() != null) {
        if (txids != null) {
          txids.add(KeyedHeights.key(fact.tx().txid()), fact.height());
        }
        if (inputs != null) {
          addInputs(fact, inputs);
        }
      }
    }
  }

  /**
   * How many of them concern the wallet. All do except conflicts of its payments, which are in
   * blocks that spend an input of a payment.
   */
  int count() {
    Set<OutPoint> open = openOutPoints();
    Set<Integer> doubtful = new HashSet<>();
    boolean all = log().isFull();
    for (Element element : log().elements()) {
      if (element instanceof Element.PendingInput input) {
        doubtful.add(input.end());
        all |= input.end() == Watch.OPEN && !open.contains(input.outPoint());
      } else if (element instanceof Element.OwnOutPoint own && !own.confirmed()) {
        all |= !open.contains(own.outPoint());
      }
    }
    doubtful.remove(Watch.OPEN);
    boolean everywhere = all;
    if (doubtful.isEmpty() && !everywhere) {
      return store.minedCount();
    }
    KeyedHeights mined = store.minedHeights();
    long[] paying = paying();
    Set<Integer> read = new HashSet<>();
    int[] count = {0};
    mined.forEach(
        (key, height) -> {
          if ((everywhere || doubtful.contains(height)) && Arrays.binarySearch(paying, key) < 0) {
            read.add(height);
          } else {
            count[0]++;
          }
        });
    for (int height : read) {
      for (Fact fact : store.minedAt(height)) {
        boolean counted = Arrays.binarySearch(paying, KeyedHeights.key(fact.tx().txid())) >= 0;
        count[0] += !counted && spendsOwn(fact.tx()) ? 1 : 0;
      }
    }
    return count[0];
  }

  /**
   * The outpoints that unconfirmed transactions spend and pay. The log is up to date with these.
   */
  private Set<OutPoint> openOutPoints() {
    Set<OutPoint> open = new HashSet<>();
    for (Fact fact : store.unconfirmed()) {
      fact.tx().inputs().forEach(input -> open.add(input.outPoint()));
      for (int i = 0; i < fact.tx().outputs().size(); i++) {
        open.add(fact.tx().outPoint(i));
      }
    }
    return open;
  }

  /** Keys of the transactions in blocks that pay the wallet, sorted. */
  private long[] paying() {
    long[] keys = new long[log().elements().size()];
    int count = 0;
    for (Element element : log().elements()) {
      if (element instanceof Element.OwnOutPoint own && own.confirmed()) {
        keys[count++] = KeyedHeights.key(own.outPoint().txid());
      }
    }
    long[] paying = Arrays.copyOf(keys, count);
    Arrays.sort(paying);
    return paying;
  }

  private boolean spendsOwn(Tx tx) {
    return tx.inputs().stream().anyMatch(input -> isOwn(input.outPoint()));
  }

  private boolean isOwn(OutPoint outPoint) {
    int index = log().indexOf(outPoint);
    return index >= 0 && log().elements().get(index) instanceof Element.OwnOutPoint;
  }
}
