package org.murmur.wallet.internal.books;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.LedgerChange;
import org.murmur.wallet.internal.ledger.LedgerInput;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.Damage;

/**
 * A wallet in memory, over its store: the ledger, the own scripts and the element log, each read
 * when first needed and kept. A sync that finds nothing new reads them and derives nothing.
 *
 * <p>Thread safe. Memory and disk never disagree: a reader waits while a batch is written. When
 * writing fails, memory is dropped and read again.
 */
public final class Books {

  /** In the text of a descriptor (BIP-0032, base58). */
  private static final Pattern EXTENDED_KEY = Pattern.compile("[xt]pub[1-9A-HJ-NP-Za-km-z]{100,}");

  /** The length of the hash. */
  private static final int FILTER_KEY_BYTES = 32;

  private final WalletStore store;
  private final ChainParams network;
  private final Derivation derivation;
  private final Updates updates;
  private final OfferedHeaders offered;
  private volatile Supplier<HeaderSource> others = () -> HeaderSource.NONE;

  private int writers;
  private boolean reading;
  private volatile boolean closed;
  // Null until it is read, and after memory and disk may have come to disagree.
  private @Nullable Loaded loaded;

  /** Opens the books over a store. */
  public Books(WalletStore store, ChainParams network, KeyNetwork keyNetwork) {
    this(store, network, new Derivation(keyNetwork));
  }

  /**
   * Opens the books over a store. A derivation that {@linkplain Derivation#remembering remembers}
   * can serve several books of one thread.
   */
  public Books(WalletStore store, ChainParams network, Derivation derivation) {
    this.store = store;
    this.network = network;
    this.derivation = derivation;
    this.updates = new Updates(store);
    this.offered = new OfferedHeaders(store.headers());
  }

  /**
   * Gives the wallet's deep headers to others of this process, and takes theirs, which are asked
   * for when a session begins, without blocking.
   */
  public void share(Supplier<HeaderSource> known) {
    others = known;
    try {
      synchronized (this) {
        inSnapshot(
            now -> {
              offered.moved(now.base().height(), now.height());
              return true;
            });
      }
    } catch (WalletException e) {
      // It offers nothing until its next commit. Who needs what cannot be read will report it.
    }
  }

  /**
   * Returns what other wallets of this process have now: nothing, unless they {@linkplain #share
   * share}.
   */
  public HeaderSource known() {
    return others.get();
  }

  /**
   * Returns the wallet's deep headers as of the last commit, for others of this process. From any
   * thread, without waiting.
   */
  public HeaderSource offered() {
    return offered.asOfNow();
  }

  /**
   * Takes the lock for writing. All users of these books may do so at the same time; each of them
   * {@linkplain #unlock unlocks} once.
   */
  public synchronized void lock() {
    if (writers == 0) {
      store.lock();
    }
    writers++;
  }

  /**
   * Releases the lock, when the last user that locked does so. Throws {@link IllegalStateException}
   * if the books are not locked.
   */
  public synchronized void unlock() {
    if (writers == 0) {
      throw new IllegalStateException("unlock without a lock");
    }
    writers--;
    if (writers == 0) {
      store.unlock();
    }
  }

  /** Returns whether it is closed, so that reading and writing fail. */
  public boolean isClosed() {
    return closed;
  }

  /** Closes the store. */
  public synchronized void close() {
    closed = true;
    loaded = null;
    offered.close();
    store.close();
  }

  /** Reads the last commit. The reader must not keep the view. */
  public synchronized <T> T read(Function<WalletView, T> reader) {
    T result = inSnapshot(now -> reader.apply(new WalletView(now, () -> scans(now))));
    if (!reading && loaded != null) {
      loaded.release();
    }
    return result;
  }

  /**
   * Counts the wallet's transactions that are in blocks or pending, without reading those in
   * blocks.
   */
  public synchronized int transactions() {
    return inSnapshot(Loaded::transactions);
  }

  /** Reads the pending transactions. */
  public synchronized List<Input.Pending> pending() {
    return inSnapshot(updates::pending);
  }

  /** Reads the wallet's facts, and no more. */
  public synchronized StoredWallet facts() {
    // Headers are not checked: damage to them must not withhold the words.
    return reading ? required().wallet() : store.wallet();
  }

  /** Returns damage that was found and skipped because the data can be fetched again, each once. */
  public synchronized List<Damage> takeDamage() {
    return store.takeDamage();
  }

  /** Reads the store itself, without the data in memory. */
  public synchronized <T> T readStore(Function<WalletStore, T> task) {
    return inSnapshot(now -> task.apply(store));
  }

  /** Writes something small, apart from the sync's batches. The store must be locked. */
  public synchronized void writeStore(Consumer<WalletStore> task) {
    try {
      task.accept(store);
    } finally {
      if (loaded != null) {
        loaded.forgetFacts();
      }
    }
  }

  private <T> T inSnapshot(Function<Loaded, T> task) {
    if (reading) {
      return task.apply(required());
    }
    store.beginRead();
    reading = true;
    try {
      return orForget(() -> task.apply(refreshed()));
    } finally {
      reading = false;
      store.endRead();
    }
  }

  /** Drops memory if a task fails: it may have changed only a part of it. */
  private <T> T orForget(Supplier<T> task) {
    try {
      return task.get();
    } catch (Throwable e) {
      loaded = null;
      throw e;
    }
  }

  /** The data in memory, read again if another process has written since. */
  private Loaded refreshed() {
    // The version belongs to the snapshot only after a read in it.
    int height = store.height();
    long version = store.version();
    Loaded known = loaded;
    if (known == null || known.version() != version) {
      loaded = null;
      known = new Loaded(store, network, derivation, version, height);
      loaded = known;
    }
    return known;
  }

  private Loaded required() {
    return Objects.requireNonNull(loaded, "nothing is read");
  }

  /**
   * Makes the look-ahead grow by whole epochs, as the private preset needs it, or only if filters
   * ever held epochs. Call it before {@link #grow} and {@link #start}.
   */
  public synchronized void wantEpochs(boolean wanted) {
    updates.wantEpochs(wanted);
  }

  /**
   * Returns the key that tweaks and dummies of filters follow from, as secret as the wallet's
   * addresses: the first extended public key, which a restore brings back, or a random value that
   * is made when first needed. The store must be locked.
   */
  public synchronized Bytes filterKey(SecureRandom random) {
    for (StoredWallet.Chain chain : facts().chains()) {
      // Not parsed: a sync without anything new loads no keys.
      Matcher key = EXTENDED_KEY.matcher(chain.descriptor());
      if (key.find()) {
        return Bytes.of(key.group().getBytes(StandardCharsets.US_ASCII));
      }
    }
    Bytes kept = readKey();
    if (kept == null) {
      byte[] fresh = new byte[FILTER_KEY_BYTES];
      random.nextBytes(fresh);
      kept = Bytes.wrap(fresh);
      store.keepFilterKey(kept);
    }
    return kept;
  }

  private @Nullable Bytes readKey() {
    Optional<Bytes> key = readStore(open -> Optional.ofNullable(open.filterKey()));
    return key.orElse(null);
  }

  /**
   * Returns the peers that ever got a filter, or those alone that got an epoch; the last one that
   * got a filter comes first.
   */
  public synchronized Set<NodeAddress> shown(boolean guardsOnly) {
    Set<NodeAddress> shown = new LinkedHashSet<>();
    readStore(
        open -> {
          List<SentFilter> sent = open.showings();
          Collections.reverse(sent);
          for (SentFilter filter : sent) {
            if (!guardsOnly || filter.content() instanceof Content.Epoch) {
              shown.add(filter.peer());
            }
          }
          return true;
        });
    return shown;
  }

  /**
   * Returns the initial state of a machine with named peers: as {@link #start(Preset, boolean)},
   * without known addresses.
   */
  public SyncStart start(Preset preset) {
    return start(preset, false);
  }

  /**
   * Returns the initial state of a machine: everything that earlier commits put on disk. The
   * wallet's transactions are read only if peers' answers are compared with them, whole scripts
   * only if filters of blocks are tested, and known addresses only if peers are to be found.
   */
  public synchronized SyncStart start(Preset preset, boolean discovers) {
    return inSnapshot(
        now ->
            now.restored(
                () -> new ScanRecord(store, now).start(network, preset, discovers, others.get())));
  }

  /**
   * Checks whether the stored headers connect and have the work that they claim. Hashes all of
   * them, so it is for use after a failure.
   */
  public synchronized void audit() {
    StoredHeaders headers = headers();
    headers.audit(readStore(WalletStore::height));
  }

  /**
   * Finds the height of a block in the stored headers; empty if it is not in the active chain, or
   * is below its base. Reads all of them, and lets others read and write meanwhile.
   */
  public OptionalInt heightOf(Hash256 block) {
    StoredHeaders headers = headers();
    return headers.heightOf(block, readStore(WalletStore::height));
  }

  private synchronized StoredHeaders headers() {
    return inSnapshot(Loaded::headers);
  }

  /**
   * Derives the missing part of the look-ahead, for instance after addresses were handed out.
   * Returns the wallet's transactions that changed, since a known one may pay a key that is derived
   * late. Call it before a sync: a running machine learns only of scripts that its next {@link
   * #commit} derives.
   */
  public synchronized List<LedgerChange.Transition> grow() {
    // The last commit grew it as far as the transactions required.
    return inSnapshot(updates::mayGrow)
        ? enter(tip -> LedgerInput.ofPeers(tip, tip, List.of(), List.of(), List.of(), 0))
            .transitions()
        : List.of();
  }

  /**
   * Moves the start of the headers to an earlier block, if they begin with a later one, and the
   * birthday if {@code born} is earlier. Headers are fetched again from there, and blocks scanned
   * again; until then no transaction counts as confirmed. Transactions stay, confirmed ones as
   * pending, and so does the record of what peers got. Returns the wallet's transactions that
   * changed, on disk by now. The store must be locked.
   */
  public synchronized List<LedgerChange.Transition> startFrom(
      ChainBase start, Optional<Birthday> born) {
    if (facts().baseHeight() <= start.height()) {
      return List.of();
    }
    try {
      Beginning beginning = inSnapshot(now -> new Beginning(now, start, born));
      LedgerChange change = inSnapshot(now -> updates.apply(now, beginning.nothingInBlocks()));
      StoreChange restarted = orForget(() -> updates.restarted(required(), start.height(), change));
      offered.moved(start.height(), start.height());
      store.restart(beginning.wallet(), restarted);
      return change.transitions();
    } finally {
      loaded = null;
    }
  }

  /**
   * Returns the wallet's birthday: the one it was made with, or the height of an earlier block if a
   * rescan has begun there since. A wallet restored with it scans as far back as this one.
   */
  public synchronized Birthday birthday() {
    return inSnapshot(Beginning::birthday);
  }

  /**
   * Records on disk a transaction that the user has sent, and whether a peer is known to have
   * accepted it. The store must be locked.
   */
  public synchronized CommitOutcome send(Tx tx, boolean accepted, long now) {
    return enter(tip -> LedgerInput.ofSent(tip, tx, accepted, now));
  }

  /**
   * Records on disk a transaction that this wallet has signed, and whether the user has ordered to
   * send it. The store must be locked.
   */
  public synchronized CommitOutcome sign(Tx tx, boolean ordered, long now) {
    return enter(tip -> LedgerInput.ofSigned(tip, tx, ordered, now));
  }

  /** Forgets on disk a transaction that the user has abandoned. The store must be locked. */
  public synchronized CommitOutcome abandon(Hash256 txid, long now) {
    return enter(tip -> LedgerInput.ofAbandoned(tip, txid, now));
  }

  /**
   * Keeps a payment that the wallet gives out, signed or not, as a PSBT or to be sent. The store
   * must be locked.
   */
  public synchronized void give(Tx tx) {
    if (readStore(WalletStore::given).stream().noneMatch(known -> isSame(known, tx))) {
      writeStore(open -> open.give(tx));
    }
  }

  private static boolean isSame(Tx one, Tx other) {
    return one.outputs().equals(other.outputs()) && outPoints(one).equals(outPoints(other));
  }

  private static List<OutPoint> outPoints(Tx tx) {
    return tx.inputs().stream().map(Tx.Input::outPoint).collect(Collectors.toList());
  }

  /** Enters what the user does; the function gets the height of the tip. */
  private CommitOutcome enter(IntFunction<LedgerInput> input) {
    return orForget(
        () -> {
          LedgerChange change =
              inSnapshot(loaded -> updates.apply(loaded, input.apply(loaded.height())));
          return updates.write(required(), change);
        });
  }

  /**
   * Commits a batch to disk: books and store change together, or not at all. The time is in seconds
   * since 1970.
   */
  public synchronized CommitOutcome commit(CommitBatch batch, long now) {
    return orForget(
        () -> {
          if (loaded == null) {
            inSnapshot(Loaded::log);
          }
          Loaded open = required();
          CommitOutcome outcome = updates.take(open, batch, now);
          offered.moved(open.base().height(), open.height());
          return outcome;
        });
  }

  /** Returns which peers covered what, as of the last commit, and the coverage that follows. */
  public synchronized Scans scans() {
    return inSnapshot(this::scans);
  }

  private Scans scans(Loaded now) {
    return now.restored(() -> new ScanRecord(store, now).scans());
  }

  /**
   * Returns heights against peers, as of the last commit; empty while the birthday's height is not
   * known.
   */
  public synchronized CoverageMap coverageMap() {
    return inSnapshot(now -> now.restored(() -> new ScanRecord(store, now).map()));
  }

  /** Returns the whole element log in order, as of the last commit. */
  public synchronized List<Element> elements() {
    return inSnapshot(now -> List.copyOf(now.log().elements()));
  }

  /** Returns a coin's index in the element log, or -1. */
  public synchronized int elementOf(OutPoint outPoint) {
    return inSnapshot(now -> now.log().indexOf(outPoint));
  }
}
