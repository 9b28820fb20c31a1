package org.murmur.wallet.books;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Confirmed;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.SyncStart;
import org.murmur.p2p.wire.Headers;
import org.murmur.wallet.keys.ExtendedKey;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.Ledger;
import org.murmur.wallet.ledger.LedgerChange;
import org.murmur.wallet.ledger.LedgerInput;
import org.murmur.wallet.ledger.Repute;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.store.Loss;
import org.murmur.wallet.store.ScriptRun;
import org.murmur.wallet.store.StoreChange;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.store.WalletStore;

/**
 * A wallet in memory, over its store: the ledger, the own scripts and the element log, each read
 * when first needed and kept. A sync that finds nothing new reads them and derives nothing.
 *
 * <p>Thread safe. Memory and disk never disagree: a reader waits while a batch is written, and when
 * writing fails memory is thrown away and read again.
 */
public final class Books {

  /** As long as what it is hashed to. */
  private static final int FILTER_KEY_BYTES = 32;

  private final WalletStore store;
  private final Network network;
  private final Derivation derivation;

  // Whether the look-ahead grows by whole epochs: a session wants it, or a filter held one.
  private boolean epochsWanted;
  private @Nullable Boolean epochsShown;
  // How many addresses were handed out when the look-ahead was last derived.
  private int grownFor;
  private int writers;
  private boolean reading;
  private @Nullable Long version;
  private @Nullable StoredWallet wallet;
  private @Nullable ElementLog log;
  private @Nullable ScriptBook scripts;
  private @Nullable Ledger ledger;
  private int height;
  private Hash256 tip;
  private long tipTime;
  // Pending payments that a block held which left the chain since these books were opened.
  private final Set<Hash256> unmined = new HashSet<>();

  /** Something that reads the wallet. */
  public interface Reader<T> {

    /**
     * Reads.
     *
     * @param view the wallet, lent until this returns
     * @return what was read
     * @throws StoreException if the file cannot be read
     */
    T read(WalletView view) throws StoreException;
  }

  /**
   * Opens the books over a store.
   *
   * @param store the wallet's file
   * @param network the wallet's network
   * @param keyNetwork whose prefixes its addresses carry
   */
  public Books(WalletStore store, Network network, KeyNetwork keyNetwork) {
    this(store, network, new Derivation(keyNetwork));
  }

  /**
   * Opens the books over a store.
   *
   * @param store the wallet's file
   * @param network the wallet's network
   * @param derivation derives its scripts; one that {@linkplain Derivation#remembering remembers}
   *     can serve several books of one thread
   */
  public Books(WalletStore store, Network network, Derivation derivation) {
    this.store = store;
    this.network = network;
    this.derivation = derivation;
    this.tip = network.genesisHash();
  }

  /**
   * Becomes the one that writes. Those who share these books may do so at the same time; each of
   * them {@linkplain #unlock unlocks} once. A file without checksums gets them with the next
   * commit, so that it is first compared with what can be derived or hashed again.
   *
   * @throws StoreException of kind LOCKED if somebody else is; of kind CORRUPT if it is damaged
   */
  public synchronized void lock() throws StoreException {
    if (writers == 0) {
      store.lock();
      boolean done = false;
      try {
        if (store.isWithoutSums()) {
          requireDerived();
        }
        done = true;
      } finally {
        if (!done) {
          store.unlock();
        }
      }
    }
    writers++;
  }

  /** Derives all scripts again, and hashes all headers. It takes a second, once. */
  private void requireDerived() throws StoreException {
    inSnapshot(
        () ->
            restored(
                () -> {
                  for (ScriptRun run : store.scripts(true)) {
                    String descriptor = wallet().chains().get(run.chain()).descriptor();
                    ScriptRun derived =
                        derivation.run(
                            run.first(), run.chain(), descriptor, run.child(), run.count());
                    if (!run.equals(derived)) {
                      throw new IllegalArgumentException(
                          "its scripts from place " + run.first() + " on are not its keys'");
                    }
                  }
                  return true;
                }));
    audit();
  }

  /**
   * Lets others write, when the last of those who locked is done.
   *
   * @throws IllegalStateException if nobody had locked
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

  /**
   * Closes the store.
   *
   * @throws StoreException if it cannot be closed cleanly
   */
  public synchronized void close() throws StoreException {
    forget();
    store.close();
  }

  /**
   * Reads the last commit.
   *
   * @param reader reads, and must not keep the view
   * @param <T> what is read
   * @return what the reader returned
   * @throws StoreException if the file cannot be read
   */
  public synchronized <T> T read(Reader<T> reader) throws StoreException {
    return inSnapshot(
        () ->
            reader.read(
                new WalletView(
                    wallet(), network, height(), tip, tipTime, ledger(), scripts(), derivation)));
  }

  /**
   * Reads what the wallet is, and no more.
   *
   * @return its facts
   * @throws StoreException if the file cannot be read
   */
  public synchronized StoredWallet facts() throws StoreException {
    // Headers are not looked at: damage to them must not withhold the words.
    return reading ? wallet() : store.wallet();
  }

  /**
   * Hands out what was found to be damaged, in what was read so far, and was passed over because it
   * can be learnt again: each loss once.
   *
   * @return what was damaged
   */
  public synchronized List<Loss> takeLosses() {
    return store.takeLosses();
  }

  /**
   * Reads the store itself, beside what is in memory.
   *
   * @param task reads
   * @param <T> what is read
   * @return what the task returned
   * @throws StoreException if the file cannot be read
   */
  public synchronized <T> T readStore(StoreTask<T> task) throws StoreException {
    return inSnapshot(() -> task.read(store));
  }

  /** Something that reads the store. */
  public interface StoreTask<T> {

    /**
     * Reads.
     *
     * @param store the wallet's file
     * @return what was read
     * @throws StoreException if the file cannot be read
     */
    T read(WalletStore store) throws StoreException;
  }

  /**
   * Writes something small beside the sync.
   *
   * @param task writes; the store must be locked
   * @throws StoreException if it cannot be written
   */
  public synchronized void writeStore(StoreWork task) throws StoreException {
    try {
      task.write(store);
    } finally {
      wallet = null;
    }
  }

  /** Something that writes to the store. */
  public interface StoreWork {

    /**
     * Writes.
     *
     * @param store the wallet's file
     * @throws StoreException if it cannot be written
     */
    void write(WalletStore store) throws StoreException;
  }

  private interface Task<T> {
    T run() throws StoreException;
  }

  private <T> T inSnapshot(Task<T> task) throws StoreException {
    if (reading) {
      return task.run();
    }
    store.beginRead();
    reading = true;
    boolean done = false;
    try {
      refresh();
      T result = task.run();
      done = true;
      return result;
    } finally {
      if (!done) {
        forget();
      }
      reading = false;
      store.endRead();
    }
  }

  /** Forgets what is in memory if another process has written since. */
  private void refresh() throws StoreException {
    // The version is that of the snapshot only once something was read in it.
    int stored = store.height();
    long now = store.version();
    Long then = version;
    if (then == null || then != now) {
      forget();
      version = now;
      height = stored;
      Headers last = store.lastHeader();
      tip = last.isEmpty() ? base().hash() : last.hash(0);
      tipTime = last.isEmpty() ? base().time() : last.time(0);
    }
  }

  /** The block that the headers begin with. */
  private ChainBase base() throws StoreException {
    ChainBase base = wallet().base();
    return base == null ? ChainBase.ofGenesis(network) : base;
  }

  private void forget() {
    version = null;
    wallet = null;
    log = null;
    scripts = null;
    ledger = null;
    epochsShown = null;
  }

  /**
   * Has the look-ahead grow by whole epochs, as the private preset needs it, or only if filters
   * ever held some. Before {@link #grow} and {@link #start}.
   *
   * @param wanted whether a session under the private preset begins
   */
  public synchronized void wantEpochs(boolean wanted) {
    epochsWanted = wanted;
  }

  private boolean hasEpochs() throws StoreException {
    Boolean known = epochsShown;
    if (known == null) {
      known = store.loads().stream().anyMatch(load -> load.content() instanceof Content.Epoch);
      epochsShown = known;
    }
    return known;
  }

  private boolean wholeEpochs() throws StoreException {
    return epochsWanted || hasEpochs();
  }

  /**
   * Returns what tweaks and dummies of the private preset's filters follow from: the first extended
   * public key, which a restore brings back; or a random value that is made when first needed. The
   * store must be locked.
   *
   * @param random makes it
   * @return secret as the wallet's addresses are
   * @throws StoreException if the file cannot be read, or written
   */
  public synchronized Bytes filterKey(SecureRandom random) throws StoreException {
    for (StoredWallet.Chain chain : facts().chains()) {
      Optional<ExtendedKey> key = derivation.descriptor(chain.descriptor()).extendedKey();
      if (key.isPresent()) {
        return Bytes.of(key.get().text().getBytes(StandardCharsets.US_ASCII));
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

  private @Nullable Bytes readKey() throws StoreException {
    Optional<Bytes> key = readStore(open -> Optional.ofNullable(open.filterKey()));
    return key.orElse(null);
  }

  /**
   * Returns which peers were ever shown a filter.
   *
   * @param guardsOnly whether only those count that were shown an epoch
   * @return their addresses, who was shown one last first
   * @throws StoreException if the file cannot be read
   */
  public synchronized Set<PeerAddress> shown(boolean guardsOnly) throws StoreException {
    List<Load> loads = new ArrayList<>(readStore(WalletStore::loads));
    Collections.reverse(loads);
    Set<PeerAddress> shown = new LinkedHashSet<>();
    for (Load load : loads) {
      if (!guardsOnly || load.content() instanceof Content.Epoch) {
        shown.add(load.peer());
      }
    }
    return shown;
  }

  private int height() {
    return height;
  }

  private StoredWallet wallet() throws StoreException {
    StoredWallet known = wallet;
    if (known == null) {
      known = store.wallet();
      wallet = known;
    }
    return known;
  }

  /**
   * Makes what is in memory of what was stored. Each record was readable; where they contradict
   * each other the file is damaged.
   */
  private <T> T restored(Task<T> task) throws StoreException {
    try {
      return task.run();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw store.damaged("its records do not fit together: " + e.getMessage(), e);
    }
  }

  private ElementLog log() throws StoreException {
    ElementLog known = log;
    if (known == null) {
      known =
          restored(
              () ->
                  new ElementLog(
                      store.scripts(false),
                      store.outPoints(),
                      new ScriptEpochs(wallet().chains()),
                      ledger()));
      log = known;
    }
    return known;
  }

  private ScriptBook scripts() throws StoreException {
    ScriptBook known = scripts;
    if (known == null) {
      known = restored(() -> new ScriptBook(wallet().chains().size(), store.scripts(true)));
      scripts = known;
    }
    return known;
  }

  private List<Fact> soundFacts() throws StoreException {
    List<Fact> facts = store.facts();
    for (Fact fact : facts) {
      boolean sound =
          fact.confirmation() == null ? fact.pendingSince() >= 0 : fact.height() <= height;
      if (!sound) {
        throw new IllegalArgumentException(
            "transaction " + fact.tx().txid() + " is said to be where it cannot be");
      }
    }
    return facts;
  }

  private Ledger ledger() throws StoreException {
    Ledger known = ledger;
    if (known == null) {
      known = restored(() -> Ledger.restore(scripts(), soundFacts()));
      ledger = known;
    }
    return known;
  }

  /**
   * Returns what a machine begins with whose peers are named.
   *
   * @param compares as for {@link #start(boolean, boolean)}
   * @return everything that earlier commits put on disk, save known addresses
   * @throws StoreException if the file cannot be read
   */
  public SyncStart start(boolean compares) throws StoreException {
    return start(compares, false);
  }

  /**
   * Returns what a machine begins with.
   *
   * @param compares whether what peers report is to be compared, also with what is known; otherwise
   *     the wallet's transactions need not be read
   * @param discovers whether peers are to be found; otherwise known addresses need not be read
   * @return everything that earlier commits put on disk
   * @throws StoreException if the file cannot be read
   */
  public synchronized SyncStart start(boolean compares, boolean discovers) throws StoreException {
    return inSnapshot(() -> restored(() -> stored(compares, discovers)));
  }

  private SyncStart stored(boolean compares, boolean discovers) throws StoreException {
    List<Load> loads = store.loads();
    List<ScanRow> rows = store.rows();
    Scans.requireSound(rows, byId(loads), log().size(), height);
    return new SyncStart(
        network,
        chain(),
        wallet().birthday(),
        wallet().birthdayHeight(),
        log().elements(),
        loads,
        rows,
        store.peers(),
        loads.isEmpty() ? 1 : loads.get(loads.size() - 1).id() + 1,
        rows.isEmpty() ? 1 : rows.get(rows.size() - 1).id() + 1,
        compares ? confirmed() : List.of(),
        discovers ? store.addresses() : List.of());
  }

  private static Map<Long, Load> byId(List<Load> loads) {
    Map<Long, Load> byId = new HashMap<>();
    loads.forEach(load -> byId.put(load.id(), load));
    return byId;
  }

  private HeaderChain chain() throws StoreException {
    return StoredHeaders.unwrapped(
        () -> HeaderChain.restore(network, base(), store.headers(), store.height()));
  }

  private List<Confirmed> confirmed() throws StoreException {
    List<Confirmed> confirmed = new ArrayList<>();
    // Also who replaced a payment without paying us: peers were asked for it, and reported it.
    for (Fact fact : ledger().facts()) {
      if (fact.confirmation() != null) {
        confirmed.add(new Confirmed(fact.height(), fact.tx()));
      }
    }
    return confirmed;
  }

  /**
   * Looks whether the stored headers follow one another and have the work that they claim. Hashes
   * them all, so it is for when something went wrong.
   *
   * @throws StoreException of kind CORRUPT if they do not
   */
  public synchronized void audit() throws StoreException {
    StoredHeaders headers = inSnapshot(this::headers);
    headers.audit(readStore(WalletStore::height));
  }

  /**
   * Looks a block up in the stored headers. Reads them all, and lets others read and write
   * meanwhile.
   *
   * @param block its hash
   * @return its height; empty if it is not in the active chain, or is below its base
   * @throws StoreException if the file cannot be read
   */
  public OptionalInt heightOf(Hash256 block) throws StoreException {
    StoredHeaders headers = readStore(open -> headers());
    return headers.heightOf(block, readStore(WalletStore::height));
  }

  private StoredHeaders headers() throws StoreException {
    return new StoredHeaders(store, base());
  }

  /**
   * Derives what is missing of the look-ahead, for instance after addresses were handed out. Before
   * a sync: a machine that runs does not hear of it, but of what its next {@link #commit} derives.
   *
   * @return transactions of the wallet that changed: a key that is derived late may be paid by one
   *     that is known
   * @throws StoreException if it cannot be written
   */
  public synchronized List<LedgerChange.Transition> grow() throws StoreException {
    int handedOut = inSnapshot(this::handedOut);
    if (handedOut == 0 && !epochsWanted) {
      // The last commit grew it as far as the transactions wanted.
      return List.of();
    }
    return post(new LedgerInput(height, height, List.of(), List.of(), List.of(), 0));
  }

  private int handedOut() throws StoreException {
    return wallet().chains().stream().mapToInt(StoredWallet.Chain::handedOut).sum();
  }

  /** Takes in what comes from no peer: books and store change together, or not at all. */
  private List<LedgerChange.Transition> post(LedgerInput news) throws StoreException {
    boolean done = false;
    try {
      LedgerChange change =
          inSnapshot(
              () -> {
                log();
                return ledger().apply(news, growth());
              });
      ElementLog known = log();
      Ledger books = ledger();
      change.watches().forEach(watch -> known.update(watch, books));
      ElementLog.Change elements = known.take();
      if (!elements.isEmpty() || !change.facts().isEmpty() || !change.forgotten().isEmpty()) {
        write(
            StoreChange.above(height)
                .facts(change.facts())
                .forgotten(change.forgotten())
                .scripts(elements.scripts())
                .outPoints(elements.outPoints())
                .build());
      }
      noteUnmined(change);
      done = true;
      return change.transitions();
    } finally {
      if (!done) {
        forget();
      }
    }
  }

  /**
   * Lets the headers begin with an earlier block, if they begin with a later one. They are fetched
   * anew from there, and blocks looked at anew; until then nothing is known to be in a block.
   * Transactions stay, those in blocks as pending ones, and so does the record of what peers were
   * shown. The store must be locked.
   *
   * @param start the block
   * @param born from when on to look, if that is earlier than before
   * @return transactions of the wallet that changed, on disk by now
   * @throws StoreException if it cannot be written; nothing has changed then
   */
  public synchronized List<LedgerChange.Transition> startFrom(
      ChainBase start, Optional<Birthday> born) throws StoreException {
    StoredWallet now = facts();
    if (now.baseHeight() <= start.height()) {
      return List.of();
    }
    int fork = start.height();
    Optional<Birthday> earlier =
        born.isPresent() && isBefore(born.get(), now) ? born : Optional.empty();
    OptionalInt bornAt = earlier.isPresent() ? height(earlier.get()) : now.birthdayHeight();
    try {
      LedgerChange change =
          inSnapshot(
              () -> {
                log();
                return ledger().apply(nothingInBlocks(fork, bornAt.orElse(0)), growth());
              });
      ElementLog known = log();
      Ledger books = ledger();
      change.watches().forEach(watch -> known.update(watch, books));
      ElementLog.Change elements = known.take();
      store.restart(
          now.startingAt(start.isGenesis() ? null : start, earlier.orElse(now.birthday()), bornAt),
          StoreChange.above(fork)
              .facts(change.facts())
              .scripts(elements.scripts())
              .outPoints(elements.outPoints())
              .build());
      return change.transitions();
    } finally {
      forget();
    }
  }

  /**
   * Takes every confirmation back. What is pending then will be looked for from the birthday on, or
   * from the lowest block that anything was in; from further below it would cost a scan of blocks
   * that cannot concern the wallet.
   */
  private LedgerInput nothingInBlocks(int tip, int birthday) throws StoreException {
    int lowest = birthday;
    for (Fact fact : ledger().facts()) {
      if (fact.confirmation() != null) {
        lowest = Math.min(lowest, fact.height());
      }
    }
    return new LedgerInput(Math.max(tip, lowest - 1), tip, List.of(), List.of(), List.of(), 0);
  }

  /** Whether a birthday is before the wallet's; if that is not known, it is taken for true. */
  private boolean isBefore(Birthday born, StoredWallet wallet) throws StoreException {
    OptionalInt at = wallet.birthdayHeight();
    if (born instanceof Birthday.AtHeight height) {
      return !at.isPresent() || height.height() < at.getAsInt();
    }
    Instant time = ((Birthday.AtTime) born).time();
    if (at.isPresent() && at.getAsInt() > wallet.baseHeight() && at.getAsInt() <= height) {
      long then = headers().timeAt(at.getAsInt());
      return time.getEpochSecond() < then;
    }
    return !(wallet.birthday() instanceof Birthday.AtTime known) || time.isBefore(known.time());
  }

  /**
   * Returns when the wallet was born: what it was made with, or the height of an earlier block if a
   * rescan has begun there since. A wallet restored with it looks as far back as this one.
   *
   * @return the birthday
   * @throws StoreException if the file cannot be read
   */
  public synchronized Birthday birthday() throws StoreException {
    return inSnapshot(
        () -> {
          StoredWallet known = wallet();
          if (!known.birthdayHeight().isPresent()) {
            return known.birthday();
          }
          int at = known.birthdayHeight().getAsInt();
          return isLowered(known, at) ? new Birthday.AtHeight(at) : known.birthday();
        });
  }

  private boolean isLowered(StoredWallet wallet, int at) throws StoreException {
    if (wallet.birthday() instanceof Birthday.AtHeight made) {
      return at < made.height();
    }
    long made = ((Birthday.AtTime) wallet.birthday()).time().getEpochSecond();
    // Blocks at the base and below cannot be looked at, whatever was named.
    return at > wallet.baseHeight() + 1
        && at <= height
        && headers().timeAt(at) < made - Birthday.MARGIN_SECONDS;
  }

  private static OptionalInt height(Birthday born) {
    return born instanceof Birthday.AtHeight at
        ? OptionalInt.of(Math.max(1, at.height()))
        : OptionalInt.empty();
  }

  /**
   * Takes in a transaction that the user has sent. The store must be locked.
   *
   * @param tx signed
   * @param accepted whether a peer is known to have accepted it
   * @param now seconds since 1970
   * @return transactions of the wallet that changed, on disk by now
   * @throws StoreException if it could not be written; nothing has changed then
   */
  public synchronized List<LedgerChange.Transition> send(Tx tx, boolean accepted, long now)
      throws StoreException {
    return enter(List.of(tx), accepted ? List.of(tx) : List.of(), List.of(), now);
  }

  /**
   * Forgets a transaction that the user has abandoned. The store must be locked.
   *
   * @param txid which
   * @param now seconds since 1970
   * @return transactions of the wallet that changed, on disk by now
   * @throws StoreException if it could not be written; nothing has changed then
   */
  public synchronized List<LedgerChange.Transition> abandon(Hash256 txid, long now)
      throws StoreException {
    return enter(List.of(), List.of(), List.of(txid), now);
  }

  private List<LedgerChange.Transition> enter(
      List<Tx> sent, List<Tx> heard, List<Hash256> abandoned, long now) throws StoreException {
    inSnapshot(this::log);
    return post(new LedgerInput(height, height, List.of(), heard, List.of(), now, sent, abandoned));
  }

  /**
   * Takes a batch in: books and store change together, or not at all.
   *
   * @param batch what the machine found
   * @param now seconds since 1970
   * @return what it did, on disk by now
   * @throws StoreException if it could not be written; nothing has changed then
   */
  public synchronized CommitOutcome commit(CommitBatch batch, long now) throws StoreException {
    boolean done = false;
    try {
      CommitOutcome outcome = take(batch, now);
      done = true;
      return outcome;
    } finally {
      if (!done) {
        forget();
      }
    }
  }

  private CommitOutcome take(CommitBatch batch, long now) throws StoreException {
    if (version == null) {
      inSnapshot(this::log);
    }
    int oldHeight = height;
    int newHeight = batch.forkHeight() + batch.connected().count();
    MentionedScripts mentioned = new MentionedScripts(batch, ledger());
    LedgerChange change = ledgerChange(batch, newHeight, now);
    ElementLog known = log();
    Ledger books = ledger();
    change.watches().forEach(watch -> known.update(watch, books));
    ElementLog.Change elements = known.take();
    write(
        storeChange(batch, change, elements)
            .disclosed(
                mentioned.isEmpty() ? List.of() : mentioned.disclosed(books, scripts(), known))
            .build());
    moveTip(batch, newHeight);
    if (batch.loads().stream().anyMatch(load -> load.content() instanceof Content.Epoch)) {
      epochsShown = true;
    }
    if (batch.birthdayHeight().isPresent()) {
      wallet = null;
    }
    noteUnmined(change);
    return new CommitOutcome(
        inputs(batch, change, elements),
        change.transitions(),
        oldHeight,
        Math.min(oldHeight, batch.forkHeight()),
        newHeight,
        falsePositives(batch, books, known));
  }

  private static StoreChange.Builder storeChange(
      CommitBatch batch, LedgerChange change, ElementLog.Change elements) {
    return StoreChange.above(batch.forkHeight())
        .connected(batch.connected())
        .birthdayHeight(batch.birthdayHeight())
        .voidRowsFrom(batch.voidRowsFrom())
        .disowned(batch.disowned())
        .loads(batch.loads())
        .rows(batch.rows())
        .facts(change.facts())
        .forgotten(change.forgotten())
        .proofs(MinedTransactions.proofs(batch, change))
        .scripts(elements.scripts())
        .outPoints(elements.outPoints())
        .peers(batch.peers())
        .copies(batch.copies())
        .addresses(batch.addresses());
  }

  /** The inputs to the machine that follow from a batch that is on disk. */
  private List<Input> inputs(CommitBatch batch, LedgerChange change, ElementLog.Change elements)
      throws StoreException {
    List<Input> inputs = new ArrayList<>();
    if (!elements.isEmpty()) {
      inputs.add(new Input.WatchSetChanged(elements.from(), elements.added(), elements.replaced()));
    }
    inputs.add(new Input.Committed(batch.sequence(), change.relevant(), pending(ledger())));
    return inputs;
  }

  /** A match by an element that is in the log, which filters are made of, is none. */
  private static int falsePositives(CommitBatch batch, Ledger books, ElementLog log) {
    int count = 0;
    for (Tx tx : MinedTransactions.matched(batch)) {
      boolean lookedFor =
          tx.inputs().stream().anyMatch(input -> log.indexOf(input.outPoint()) >= 0);
      count += lookedFor || books.fact(tx.txid()) != null ? 0 : 1;
    }
    return count;
  }

  /** What comes out of a block that left the chain, until a block holds it again. */
  private void noteUnmined(LedgerChange change) {
    for (LedgerChange.Transition transition : change.transitions()) {
      if (transition.after() == TxStatus.CONFIRMED) {
        unmined.remove(transition.txid());
      } else if (transition.before() == TxStatus.CONFIRMED) {
        unmined.add(transition.txid());
      }
    }
  }

  private List<Input.Pending> pending(Ledger ledger) {
    List<Input.Pending> pending = new ArrayList<>();
    for (Hash256 txid : ledger.pending()) {
      Fact fact = ledger.fact(txid);
      if (fact != null) {
        boolean heard = fact.repute() == Repute.HEARD;
        pending.add(new Input.Pending(fact.tx(), fact.firstSeen(), heard, unmined.contains(txid)));
      }
    }
    return pending;
  }

  private void write(StoreChange change) throws StoreException {
    boolean done = false;
    try {
      store.write(change);
      done = true;
    } finally {
      if (!done) {
        forget();
      }
    }
  }

  private void moveTip(CommitBatch batch, int newHeight) throws StoreException {
    if (newHeight == height && batch.connected().isEmpty()) {
      return;
    }
    height = newHeight;
    Headers connected = batch.connected();
    Headers last =
        connected.isEmpty()
            ? store.lastHeader()
            : connected.slice(connected.count() - 1, connected.count());
    tip = last.isEmpty() ? base().hash() : last.hash(0);
    tipTime = last.isEmpty() ? base().time() : last.time(0);
  }

  private LedgerChange ledgerChange(CommitBatch batch, int newHeight, long now)
      throws StoreException {
    boolean reorganised = batch.forkHeight() < height;
    if (!reorganised
        && batch.blocks().isEmpty()
        && batch.unconfirmed().isEmpty()
        && batch.missing().isEmpty()
        && handedOut() == grownFor) {
      return LedgerChange.NONE;
    }
    LedgerInput news =
        new LedgerInput(
            batch.forkHeight(),
            newHeight,
            MinedTransactions.of(batch),
            batch.unconfirmed(),
            batch.missing(),
            now);
    return ledger().apply(news, growth());
  }

  private LookAhead growth() throws StoreException {
    grownFor = handedOut();
    return new LookAhead(wallet(), derivation, scripts(), log(), wholeEpochs());
  }

  /**
   * Returns what was covered by whom, as of the last commit.
   *
   * @return the rows, and the coverage that follows from them
   * @throws StoreException if the file cannot be read
   */
  public synchronized Scans scans() throws StoreException {
    return inSnapshot(() -> restored(this::storedScans));
  }

  private Scans storedScans() throws StoreException {
    List<Load> all = store.loads();
    Map<Long, Load> loads = byId(all);
    List<ScanRow> rows = store.rows();
    Scans.requireSound(rows, loads, log().size(), height);
    // Measured by what the last session was to look for: a fast one that was cut off left more.
    boolean epochsOnly =
        !all.isEmpty() && all.get(all.size() - 1).content() instanceof Content.Epoch;
    List<Element> elements = new ArrayList<>(log().elements());
    OptionalInt born = wallet().birthdayHeight();
    return new Scans(
        rows,
        loads,
        born.isPresent()
            ? new Coverage(elements, born.getAsInt(), Scans.spans(rows, loads), epochsOnly)
            : null,
        height);
  }

  /**
   * Returns the element log, as of the last commit.
   *
   * @return all of it, in order
   * @throws StoreException if the file cannot be read
   */
  public synchronized List<Element> elements() throws StoreException {
    return inSnapshot(() -> List.copyOf(log().elements()));
  }

  /**
   * Finds a coin in the element log.
   *
   * @param outPoint which
   * @return its index, or -1
   * @throws StoreException if the file cannot be read
   */
  public synchronized int elementOf(OutPoint outPoint) throws StoreException {
    return inSnapshot(() -> log().indexOf(outPoint));
  }
}
