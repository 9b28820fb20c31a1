package org.murmur.wallet.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.overview.Damage;

/**
 * A wallet that leaves nothing behind: what {@code SqliteStore} keeps in a file, in memory. It
 * outlives its {@link #close}, so that opening it again is what opening a file again is.
 *
 * <p>For tests, simulations, and wallets that are thrown away. For one thread and one owner at a
 * time; nothing has to be locked against anybody.
 */
public final class MemoryStore implements WalletStore {

  private static final Comparator<Fact> HIGHEST_FIRST =
      Comparator.comparingInt(Fact::height).thenComparingInt(MemoryStore::position).reversed();

  private StoredWallet wallet;
  private @Nullable Bytes filterKey;
  private Optional<Preset.Kind> preset = Optional.empty();
  // Header bytes from the first height above the base on; one array that grows.
  private byte[] headers = new byte[Headers.HEADER_LENGTH * 64];
  private int height;
  private final List<ScriptRun> scripts = new ArrayList<>();
  private final TreeMap<Integer, LoggedOutPoint> outPoints = new TreeMap<>();
  private final TreeMap<Long, Load> loads = new TreeMap<>();
  private final TreeMap<Long, View> views = new TreeMap<>();
  private final TreeMap<Long, SentFilter> showings = new TreeMap<>();
  private final Set<Long> retired = new HashSet<>();
  private final List<DisclosedScripts> disclosed = new ArrayList<>();
  // By peer and height.
  private final Map<List<Object>, Fetch> fetches = new LinkedHashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  private final List<SessionFacts> sessions = new ArrayList<>();
  private final List<Label> labels = new ArrayList<>();
  private final List<Tx> given = new ArrayList<>();
  private final Map<Hash256, Fact> facts = new LinkedHashMap<>();
  private final Map<Hash256, StoredProof> proofs = new HashMap<>();
  private final Map<NodeAddress, PeerFacts> peers = new HashMap<>();
  private final Map<Endpoint, KnownAddress> addresses = new HashMap<>();

  /**
   * Makes a wallet.
   *
   * @param scripts the beginning of the element log
   */
  public MemoryStore(StoredWallet wallet, List<ScriptRun> scripts) {
    this.wallet = wallet;
    this.height = wallet.baseHeight();
    this.scripts.addAll(scripts);
  }

  @Override
  public void lock() {
    // There is nobody else.
  }

  @Override
  public void unlock() {
    // There is nobody else.
  }

  @Override
  public List<Damage> takeDamage() {
    return List.of();
  }

  @Override
  public long version() {
    // Only what other stores write to the same file counts, and there are none.
    return 0;
  }

  @Override
  public void beginRead() {
    // Nobody writes meanwhile.
  }

  @Override
  public void endRead() {
    // Nobody writes meanwhile.
  }

  @Override
  public WalletException damaged(String what, @Nullable Throwable cause) {
    return WalletException.damaged("the wallet in memory", what, cause);
  }

  @Override
  public StoredWallet wallet() {
    return wallet;
  }

  @Override
  public HeaderArchive headers() {
    return (from, to) -> stored(from, to - 1);
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public Headers lastHeader() {
    return height == wallet.baseHeight() ? Headers.NONE : stored(height, height);
  }

  private Headers stored(int from, int to) {
    int base = wallet.baseHeight();
    return Headers.ofStored(
        Bytes.of(
            headers,
            (from - base - 1) * Headers.HEADER_LENGTH,
            (to - base) * Headers.HEADER_LENGTH));
  }

  @Override
  public List<ScriptRun> scripts(boolean whole) {
    return List.copyOf(scripts);
  }

  @Override
  public StoredOutPoints outPoints() {
    return new StoredOutPoints(List.copyOf(outPoints.values()), coins());
  }

  @Override
  public @Nullable Bytes filterKey() {
    return filterKey;
  }

  @Override
  public void keepFilterKey(Bytes key) {
    filterKey = key;
  }

  @Override
  public Optional<Preset.Kind> preset() {
    return preset;
  }

  @Override
  public void keepPreset(Preset.Kind chosen) {
    preset = Optional.of(chosen);
  }

  @Override
  public @Nullable SentFilter lastShown() {
    return showings.isEmpty() ? null : showings.lastEntry().getValue();
  }

  @Override
  public List<View> views() {
    TreeMap<Long, View> all = new TreeMap<>(views);
    for (Load load : loads.values()) {
      all.put(load.id(), retired.contains(load.id()) ? load.view().retired() : load.view());
    }
    all.keySet().retainAll(named());
    return List.copyOf(all.values());
  }

  @Override
  public long lastView() {
    return Math.max(loads.isEmpty() ? 0 : loads.lastKey(), views.isEmpty() ? 0 : views.lastKey());
  }

  private Set<Long> named() {
    return rows.values().stream().map(ScanRow::view).collect(Collectors.toSet());
  }

  @Override
  public List<Load> epochs() {
    return loads.values().stream()
        .filter(load -> load.content() instanceof Content.Epoch)
        .collect(Collectors.toList());
  }

  @Override
  public void showings(Consumer<SentFilter> reader) {
    showings.values().forEach(reader);
  }

  /** Counts loads that are over with the next one of the same filter. */
  private void foldLoads(Set<Long> inUse) {
    Set<Long> kept = new HashSet<>(named());
    kept.addAll(inUse);
    kept.add(lastView());
    views.keySet().retainAll(kept);
    for (long load : List.copyOf(showings.keySet())) {
      SentFilter one = Objects.requireNonNull(showings.get(load));
      SentFilter next =
          showings.tailMap(one.load(), false).values().stream()
              .filter(one::isSame)
              .findFirst()
              .orElse(null);
      if (next != null && !kept.contains(one.load())) {
        showings.put(next.load(), next.and(one));
        showings.remove(one.load());
        loads.remove(one.load());
        retired.remove(one.load());
      }
    }
  }

  @Override
  public List<DisclosedScripts> disclosed() {
    return List.copyOf(disclosed);
  }

  @Override
  public List<Fetch> fetches() {
    return List.copyOf(fetches.values());
  }

  @Override
  public List<ScanRow> rows() {
    return List.copyOf(rows.values());
  }

  @Override
  public List<Fact> facts() {
    return List.copyOf(facts.values());
  }

  @Override
  public @Nullable Fact fact(Hash256 txid) {
    return facts.get(txid);
  }

  @Override
  public List<Fact> unconfirmed() {
    return facts.values().stream()
        .filter(fact -> fact.confirmation() == null)
        .collect(Collectors.toList());
  }

  @Override
  public List<Fact> confirmedBefore(int from, int position, int limit) {
    return facts.values().stream()
        .filter(fact -> isBefore(fact.confirmation(), from, position))
        .sorted(HIGHEST_FIRST)
        .limit(limit)
        .collect(Collectors.toList());
  }

  @Override
  public List<Fact> minedAt(int at) {
    return facts.values().stream().filter(fact -> fact.height() == at).collect(Collectors.toList());
  }

  @Override
  public KeyedHeights minedHeights() {
    KeyedHeights heights = new KeyedHeights();
    for (Fact fact : facts.values()) {
      if (fact.confirmation() != null) {
        heights.add(KeyedHeights.key(fact.tx().txid()), fact.height());
      }
    }
    return heights;
  }

  @Override
  public int minedCount() {
    return (int) facts.values().stream().filter(fact -> fact.confirmation() != null).count();
  }

  private static boolean isBefore(@Nullable Confirmation where, int height, int position) {
    return where != null
        && (where.height() < height || (where.height() == height && where.position() < position));
  }

  private static int position(Fact fact) {
    Confirmation where = fact.confirmation();
    return where == null ? -1 : where.position();
  }

  private List<StoredCoin> coins() {
    List<StoredCoin> coins = new ArrayList<>();
    for (LoggedOutPoint logged : outPoints.values()) {
      Fact fact = facts.get(logged.outPoint().txid());
      boolean unspent = logged.script() >= 0 && logged.end() == Integer.MAX_VALUE;
      if (unspent && fact != null && fact.confirmation() != null) {
        coins.add(
            new StoredCoin(
                logged.index(),
                logged.outPoint(),
                fact.tx().outputs().get(logged.outPoint().index()).value(),
                logged.script(),
                fact.height(),
                fact.tx().isCoinbase()));
      }
    }
    return coins;
  }

  @Override
  public @Nullable MerkleBlock proof(Hash256 txid) {
    StoredProof proof = proofs.get(txid);
    return proof == null ? null : proof.block();
  }

  @Override
  public List<KnownAddress> addresses() {
    return List.copyOf(addresses.values());
  }

  @Override
  public List<PeerFacts> peers() {
    List<PeerFacts> all = new ArrayList<>(peers.values());
    all.sort(
        Comparator.comparingLong((PeerFacts peer) -> -peer.lastSeen())
            .thenComparing(peer -> peer.address().host())
            .thenComparingInt(peer -> peer.address().port()));
    return all;
  }

  @Override
  public List<SessionFacts> sessions() {
    return List.copyOf(sessions);
  }

  @Override
  public void note(SessionFacts session) {
    sessions.add(session);
  }

  @Override
  public List<Label> labels() {
    return labels.stream().sorted(Label.ORDER).collect(Collectors.toList());
  }

  @Override
  public List<Label> labels(Collection<LabelRef> refs) {
    return labels().stream().filter(l -> refs.contains(l.ref())).collect(Collectors.toList());
  }

  @Override
  public void putLabels(Collection<Label> changed) {
    for (Label label : changed) {
      labels.removeIf(old -> old.isSameAs(label));
      if (!label.saysNothing()) {
        labels.add(label);
      }
    }
  }

  @Override
  public List<Tx> given() {
    return List.copyOf(given);
  }

  @Override
  public void give(Tx tx) {
    given.remove(tx.withoutWitness());
    given.add(tx.withoutWitness());
    if (given.size() > GIVEN) {
      given.remove(0);
    }
  }

  @Override
  public void write(StoreChange change) {
    CommitBatch batch = change.batch();
    boolean freesLoads = change.freesLoads(height);
    if (height > batch.forkHeight()) {
      height = batch.forkHeight();
      ScanRow.cutAbove(rows, height);
      proofs.values().removeIf(proof -> proof.height() > batch.forkHeight());
    }
    append(batch.connected());
    if (batch.birthdayHeight().isPresent()) {
      wallet = wallet.bornAt(batch.birthdayHeight());
    }
    if (batch.voidRowsFrom() != Integer.MAX_VALUE) {
      ScanRow.cutAbove(rows, batch.voidRowsFrom() - 1);
    }
    rows.values().removeIf(row -> isOf(batch.disowned(), row));
    for (Load load : batch.loads()) {
      loads.put(load.id(), load);
      SentFilter known = showings.get(load.id());
      showings.put(load.id(), known == null ? SentFilter.of(load) : known.grown(load));
    }
    batch.views().forEach(view -> views.put(view.id(), view));
    retired.addAll(batch.folded().retired());
    batch.folded().applyTo(rows);
    for (ServerCopy copy : batch.copies()) {
      showings.computeIfPresent(copy.load(), (id, showing) -> showing.with(copy));
    }
    batch.rows().forEach(row -> rows.put(row.id(), row));
    if (freesLoads) {
      foldLoads(batch.inUse());
    }
    scripts.addAll(change.scripts());
    change.outPoints().forEach(outPoint -> outPoints.put(outPoint.index(), outPoint));
    change.ledger().facts().forEach(fact -> facts.put(fact.tx().txid(), fact));
    change.ledger().forgotten().forEach(facts::remove);
    change.proofs().forEach(proof -> proofs.put(proof.txid(), proof));
    batch.peers().forEach(peer -> peers.put(peer.address(), peer));
    change.disclosed().forEach(this::add);
    batch.fetches().forEach(one -> fetches.put(List.of(one.peer(), one.height()), one));
    batch.addresses().gone().forEach(addresses::remove);
    batch.addresses().kept().forEach(known -> addresses.put(known.endpoint(), known));
  }

  @Override
  public void restart(StoredWallet restarted, StoreChange change) {
    wallet = restarted;
    height = restarted.baseHeight();
    rows.clear();
    proofs.clear();
    write(change);
  }

  private void add(DisclosedScripts news) {
    for (int i = 0; i < disclosed.size(); i++) {
      if (disclosed.get(i).isSameAs(news)) {
        disclosed.set(i, disclosed.get(i).with(news));
        return;
      }
    }
    disclosed.add(news);
  }

  private boolean isOf(List<NodeAddress> disowned, ScanRow row) {
    Load load = loads.get(row.view());
    View view = load == null ? views.get(row.view()) : load.view();
    return view != null && disowned.contains(view.peer());
  }

  private void append(Headers more) {
    Bytes added = more.toStored();
    int used = (height - wallet.baseHeight()) * Headers.HEADER_LENGTH;
    if (used + added.length() > headers.length) {
      headers = Arrays.copyOf(headers, 2 * (used + added.length()));
    }
    added.write(headers, used);
    height += more.count();
  }

  @Override
  public void handOut(int chain, int count, OptionalInt kept) {
    List<StoredWallet.Chain> chains = new ArrayList<>(wallet.chains());
    chains.set(chain, chains.get(chain).handingOut(count, kept));
    wallet = wallet.with(chains, wallet.secret());
  }

  @Override
  public void changeSecret(StoredWallet.Secret secret) {
    wallet = wallet.with(wallet.chains(), secret);
  }

  /** Does nothing: it is there to be opened again. */
  @Override
  public void close() {
    // Memory needs no closing.
  }
}
