package org.murmur.wallet.internal.books;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.SpendCheck;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.LedgerChange;
import org.murmur.wallet.internal.ledger.OwnScripts;
import org.murmur.wallet.internal.store.StoredOutPoints;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;

/**
 * The wallet in memory, as of one version of the store. Each part is read when first needed and
 * kept. If the store and this may disagree, it is dropped as a whole.
 */
final class Loaded {

  private final WalletStore store;
  private final ChainParams network;
  private final Derivation derivation;
  private final long version;
  private int height;
  private Hash256 tip;
  private long tipTime;
  private @Nullable StoredWallet wallet;
  private @Nullable ElementLog log;
  private @Nullable ScriptBook scripts;
  private @Nullable Ledger ledger;
  private @Nullable StoredTransactions mined;
  // Until something is stored.
  private @Nullable StoredOutPoints outPoints;
  private @Nullable Boolean hasEpochs;

  /** Reads the tip; within a snapshot of the store. */
  Loaded(WalletStore store, ChainParams network, Derivation derivation, long version, int height) {
    this.store = store;
    this.network = network;
    this.derivation = derivation;
    this.version = version;
    this.tip = network.genesisHash();
    moveTip(height, store.lastHeader());
  }

  long version() {
    return version;
  }

  Derivation derivation() {
    return derivation;
  }

  int height() {
    return height;
  }

  /** Sets another last block of the chain. */
  void moveTip(int newHeight, Headers last) {
    height = newHeight;
    tip = last.isEmpty() ? base().hash() : last.hash(0);
    tipTime = last.isEmpty() ? base().time() : last.time(0);
  }

  /** The first block of the headers. */
  ChainBase base() {
    ChainBase base = wallet().base();
    return base == null ? ChainBase.ofGenesis(network) : base;
  }

  StoredHeaders headers() {
    return new StoredHeaders(store, base());
  }

  Hash256 tip() {
    return tip;
  }

  long tipTime() {
    return tipTime;
  }

  StoredLabels labels() {
    return new StoredLabels(store, wallet());
  }

  /** The payments that the wallet gave out. */
  List<Tx> given() {
    return store.given();
  }

  StoredWallet wallet() {
    StoredWallet known = wallet;
    if (known == null) {
      known = store.wallet();
      wallet = known;
    }
    return known;
  }

  /** Reads the wallet's facts again when they are needed: they were written. */
  void forgetFacts() {
    wallet = null;
  }

  /** How many addresses were handed out. */
  int handedOut() {
    return wallet().chains().stream().mapToInt(StoredWallet.Chain::handedOut).sum();
  }

  /** Whether a filter ever held an epoch. */
  boolean hasEpochs() {
    Boolean known = hasEpochs;
    if (known == null) {
      known = store.showings().stream().anyMatch(sent -> sent.content() instanceof Content.Epoch);
      hasEpochs = known;
    }
    return known;
  }

  /** Notes that a filter with an epoch was recorded. */
  void noteEpoch() {
    hasEpochs = true;
  }

  /**
   * Makes the data in memory from the stored data. Each record was readable; if they contradict
   * each other the file is damaged.
   */
  <T> T restored(Supplier<T> task) {
    try {
      return task.get();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw store.damaged("its records do not fit together: " + e.getMessage(), e);
    }
  }

  ElementLog log() {
    ElementLog known = log;
    if (known == null) {
      known =
          restored(
              () ->
                  new ElementLog(
                      store.scripts(false),
                      outPoints().logged(),
                      new ScriptEpochs(wallet().chains())));
      log = known;
    }
    return known;
  }

  private StoredOutPoints outPoints() {
    StoredOutPoints known = outPoints;
    if (known == null) {
      known = store.outPoints();
      outPoints = known;
    }
    return known;
  }

  ScriptBook scripts() {
    ScriptBook known = scripts;
    if (known == null) {
      known = restored(() -> new ScriptBook(wallet().chains().size(), store.scripts(true)));
      scripts = known;
    }
    return known;
  }

  Ledger ledger() {
    Ledger known = ledger;
    if (known == null) {
      known = restored(() -> Ledger.restore(this::find, SIGNATURES, unconfirmed(), mined()));
      ledger = known;
    }
    return known;
  }

  /** The curve is loaded when the first signature is checked. */
  private static final OwnScripts.Signatures SIGNATURES =
      new OwnScripts.Signatures() {
        @Override
        public boolean areRight(Tx spend, int input, List<Optional<Tx.Output>> spent) {
          return !SpendCheck.fault(spend, input, spent).isPresent();
        }

        @Override
        public boolean areWrong(Tx spend, int input, List<Optional<Tx.Output>> spent) {
          return SpendCheck.fault(spend, input, spent)
              .filter(fault -> fault != SpendCheck.Fault.UNKNOWN_SCRIPT)
              .isPresent();
        }
      };

  /** The number of a script. */
  private int find(Bytes script) {
    return scripts().find(script);
  }

  /** The transactions in blocks. */
  StoredTransactions mined() {
    StoredTransactions known = mined;
    if (known == null) {
      known = new StoredTransactions(store, this::log, this::outPoints, this::height);
      mined = known;
    }
    return known;
  }

  /** A change of the ledger is in the store, so it need not stay in memory. */
  void stored(LedgerChange change) {
    outPoints = null;
    mined().add(change.facts());
    release();
  }

  /** Frees memory. All batches of the ledger must be stored. */
  void release() {
    if (ledger != null) {
      ledger.release();
    }
  }

  /** How many transactions of the wallet are in blocks, or pending. */
  int transactions() {
    int count = mined().count();
    for (Hash256 txid : ledger().pending()) {
      count += ledger().effect(txid).concernsWallet() ? 1 : 0;
    }
    return count;
  }

  private List<Fact> unconfirmed() {
    List<Fact> facts = store.unconfirmed();
    for (Fact fact : facts) {
      if (fact.pendingSince() < 0) {
        throw new IllegalArgumentException(
            "transaction " + fact.tx().txid() + " is said to be where it cannot be");
      }
    }
    return facts;
  }
}
