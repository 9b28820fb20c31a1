package org.murmur.lab.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bitcoinj.crypto.ECKey;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Amount;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.Draws;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.machine.Footprint;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.chain.KeySigner;
import org.murmur.regtest.chain.Signer;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.CommitOutcome;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.internal.books.Scans;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Ledger;
import org.murmur.wallet.internal.ledger.Unspent;
import org.murmur.wallet.internal.session.RunnerState;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.internal.session.WalletSession;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.MemoryStore;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.Planning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.sync.PaymentState;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * The real wallet in a simulated world: the session, the books and the store as {@code SpvWallet}
 * runs them, without its threads. After every commit it checks the events against the wallet's
 * changes. At the end of a process it checks the reports against what happened.
 */
final class WalletInWorld implements TestedClient {

  /** The same in each session, as a wallet's is. */
  private static final Bytes FILTER_KEY = Bytes.of(new byte[] {7});

  private final WalletStore memory;
  // Where the process that runs writes.
  private WalletStore store;
  private final @Nullable Path folder;
  private final Derivation derivation;
  private final PaymentsCheck payments = new PaymentsCheck();
  // Of all worlds.
  private final Map<PaymentState.Stage, Integer> outcomes;
  private Books books;
  private @Nullable Judged process;

  private WalletInWorld(
      WalletStore store,
      @Nullable Path folder,
      Derivation derivation,
      Map<PaymentState.Stage, Integer> outcomes) {
    this.outcomes = outcomes;
    this.memory = store;
    this.store = store;
    this.folder = folder;
    this.derivation = derivation;
    this.books = new Books(store, ChainParams.REGTEST, derivation);
  }

  /** Makes clients that all have the same mnemonic; its scripts are derived once. */
  static final class Maker implements TestedClient.Maker {

    private static final Mnemonic WORDS =
        Mnemonic.parse(
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
                + " abandon about");

    private final Derivation derivation = Derivation.remembering(KeyNetwork.REGTEST);
    private final List<Descriptor> descriptors =
        Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(OutputType.P2WPKH), 0);
    private final Map<PaymentState.Stage, Integer> outcomes =
        new EnumMap<>(PaymentState.Stage.class);
    private final List<List<Bytes>> scripts = new ArrayList<>(List.of(List.of(), List.of()));

    // Never closed: these words are no secret.
    private final WordKeys wordKeys = WordKeys.of(WORDS, "", KeyNetwork.REGTEST);
    private final Map<Bytes, ECKey> keys = new HashMap<>();

    /** How the payments ended that the wallets of all worlds made. */
    Map<PaymentState.Stage, Integer> outcomes() {
      return outcomes;
    }

    @Override
    public List<Bytes> scripts(int chain, int count) {
      if (scripts.get(chain).size() < count) {
        scripts.set(
            chain,
            descriptors.get(chain).derive(0, count).stream()
                .map(DerivedScript::scriptPubKey)
                .toList());
      }
      return scripts.get(chain).subList(0, count);
    }

    /**
     * Signs with bitcoinj, so that the wallet does not check signatures by the code that made them.
     */
    @Override
    public Signer signer() {
      return (unsigned, spent) ->
          KeySigner.of(spent.stream().map(output -> key(output.script())).toList())
              .sign(unsigned, spent);
    }

    private ECKey key(Bytes script) {
      int chain = scripts.get(0).contains(script) ? 0 : 1;
      int index = scripts.get(chain).indexOf(script);
      KeyPath path = new KeyPath(OutputType.P2WPKH, 0, chain == 1, index);
      return keys.computeIfAbsent(script, unknown -> ECKey.fromPrivate(wordKeys.privateKey(path)));
    }

    @Override
    public TestedClient make(TestedClient.Wallet wallet) throws IOException {
      List<StoredWallet.Chain> chains = new ArrayList<>();
      for (Descriptor descriptor : descriptors) {
        chains.add(
            new StoredWallet.Chain(
                descriptor.canonical(),
                descriptor.change(),
                descriptor.ranged(),
                wallet.handedOut()));
      }
      StoredWallet stored =
          new StoredWallet(
              ChainParams.REGTEST.name(),
              0,
              wallet.birthday(),
              OptionalInt.empty(),
              wallet.gap(),
              wallet.lookAhead(),
              chains,
              null);
      var log = derivation.begin(chains, wallet.gap(), wallet.lookAhead());
      if (!wallet.file()) {
        return new WalletInWorld(new MemoryStore(stored, log), null, derivation, outcomes);
      }
      Path folder = Files.createTempDirectory("murmur-world");
      return new WalletInWorld(
          SqliteStore.create(folder.resolve("wallet"), stored, log), folder, derivation, outcomes);
    }
  }

  @Override
  public Machine start(SyncSettings settings) throws IOException {
    books.close();
    store = folder == null ? memory : SqliteStore.open(folder.resolve("wallet"));
    books = new Books(store, ChainParams.REGTEST, derivation);
    books.lock();
    books.writeStore(kept -> kept.keepPreset(settings.preset().kind()));
    payments.begins();
    Holdings begin = holdings();
    // A world has no time before the first step.
    WalletSession started =
        new WalletSession(
            books,
            ChainParams.REGTEST,
            new SessionGoal.Sync(),
            settings.preset().guarded().isPresent() ? settings : settings.keyedBy(FILTER_KEY),
            Instant.EPOCH);
    process = new Judged(started, new EventsCheck(begin), new ReportsCheck(begin.height()));
    return process;
  }

  /**
   * The file grows with the chain and its payments, and not with the connections: when a filter is
   * recorded, those that are over are counted with it.
   */
  private static void requireFolded(WalletStore store, Set<Long> inUse) {
    Set<Long> kept = store.views().stream().map(View::id).collect(Collectors.toSet());
    kept.addAll(inUse);
    Set<List<Object>> over = new HashSet<>();
    for (SentFilter sent : store.showings()) {
      List<Object> filter =
          List.of(sent.peer(), sent.parameters(), sent.content(), sent.elements(), sent.bitsSet());
      if (!kept.contains(sent.load()) && !over.add(filter)) {
        throw new AssertionError("the same filter is recorded again and again: " + sent);
      }
    }
  }

  /** The session as a world steps it: its reports are checked against its actions. */
  private final class Judged implements Machine {

    private final WalletSession session;
    private final EventsCheck events;
    private final ReportsCheck reports;
    // Whether the books have changed since the events were compared with them.
    private boolean changed;

    Judged(WalletSession session, EventsCheck events, ReportsCheck reports) {
      this.session = session;
      this.events = events;
      this.reports = reports;
    }

    @Override
    public List<Output> step(Input input, Instant now) {
      reports.came(input);
      if (input instanceof Input.Stop) {
        session.ordered(SyncReport.Ending.STOPPED);
      }
      List<Output> outputs = session.step(input, now);
      outputs.forEach(reports::went);
      try {
        for (Output output : outputs) {
          payments.requireWritten(
              output, txid -> books.readStore(store -> store.fact(txid) != null));
        }
        for (SyncEvent event : session.takeEvents()) {
          heard(event);
        }
        if (changed
            && (input instanceof Input.Committed || input instanceof Input.PendingChanged)) {
          changed = false;
          requireSame();
        }
        if (session.isStopped()) {
          judge(now);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return outputs;
    }

    List<Input> commit(CommitBatch batch, Instant now) throws IOException {
      changed |= changesBooks(batch);
      return session.commit(batch, now);
    }

    /** The user changed the books between two commits. */
    List<Input> entered(CommitOutcome outcome) throws IOException {
      changed = true;
      session.entered(
          new WalletSession.Written(
              outcome.inputs(),
              books.read(view -> new Payments(view).events(outcome.transitions()))));
      return outcome.inputs();
    }

    private void requireSame() throws IOException {
      events.requireSame(holdings());
      events.requireTold(books.read(view -> new Payments(view).unconfirmed()));
    }

    private void heard(SyncEvent event) throws IOException {
      events.heard(event);
      payments.heard(event);
      if (event instanceof WalletEvent.Complete complete) {
        Balance balance = books.read(view -> view.ledger().balance(view.height()));
        if (!complete.balance().equals(balance)) {
          throw new AssertionError(complete + " is reported, and the balance is " + balance);
        }
        events.requireSameAtTheEnd(holdings());
      }
    }

    private void judge(Instant now) throws IOException {
      RunnerState around = new RunnerState(now, Duration.ZERO, 0, 0, BytesByCause.NONE);
      reports.requireTrue(session.report(around), holdings());
      reports.sent().forEach(txid -> reports.requireTrue(session.sent(txid)));
      payments.requireTrue(books.read(view -> new Payments(view).history(true)));
    }

    @Override
    public boolean isStopped() {
      return session.isStopped();
    }
  }

  // ---------------------------------------------------------------- the user's payments

  @Override
  public Optional<Paid> pay(Bytes script, long chance, Instant now) throws IOException {
    Tx tx;
    try {
      tx =
          books.read(
              view -> {
                Planning planning = new Planning(view, KeyNetwork.REGTEST, now.getEpochSecond());
                Proposal proposal =
                    planning.plan(order(script, chance), false, Draws.ofSeed(chance));
                try (WordKeys keys = WordKeys.of(Maker.WORDS, "", KeyNetwork.REGTEST)) {
                  return planning.sign(proposal, keys);
                }
              });
    } catch (PaymentRefusedException e) {
      return Optional.empty();
    }
    books.read(
        view -> payments.pays(tx, script, own -> view.scripts().find(own) >= 0, view.ledger()));
    List<Input> inputs =
        new ArrayList<>(running().entered(books.send(tx, false, now.getEpochSecond())));
    inputs.add(running().session.order(tx));
    return Optional.of(new Paid(tx, inputs));
  }

  /** One payment in eight is of everything. */
  private static PaymentOrder order(Bytes script, long chance) {
    boolean all = (chance & 7) == 0;
    long amount = 5_000 + Math.floorMod(chance >> 3, 300_000L);
    Address payee =
        Address.parse(Address.of(script, KeyNetwork.REGTEST).orElseThrow(), KeyNetwork.REGTEST);
    return PaymentOrder.of(
        List.of(all ? Recipient.all(payee) : Recipient.of(payee, Amount.sat(amount))),
        FeeRate.satPerVb(2));
  }

  @Override
  public List<Input> abandon(long chance, Instant now) throws IOException {
    Optional<Hash256> txid = books.read(view -> payments.abandonable(view.ledger(), chance));
    return txid.isEmpty()
        ? List.of()
        : running().entered(books.abandon(txid.get(), now.getEpochSecond()));
  }

  private static boolean changesBooks(CommitBatch batch) {
    return !batch.blocks().isEmpty()
        || !batch.connected().isEmpty()
        || !batch.unconfirmed().isEmpty()
        || !batch.missing().isEmpty();
  }

  @Override
  public List<Input> commit(CommitBatch batch, Instant now) throws IOException {
    List<Input> inputs = running().commit(batch, now);
    if (!batch.loads().isEmpty()) {
      requireFolded(store, batch.inUse());
    }
    return inputs;
  }

  @Override
  public Footprint footprint() {
    return running().session.footprint();
  }

  private Judged running() {
    return Objects.requireNonNull(process, "nothing is started");
  }

  @Override
  public Claims claims() throws IOException {
    Scans scans = books.scans();
    int birthday = books.facts().birthdayHeight().orElse(-1);
    int completeTo = scans.completeTo();
    return new Claims(birthday, completeTo, scans.seenBy(completeTo));
  }

  @Override
  public Holdings holdings() throws IOException {
    return books.read(WalletInWorld::holdings);
  }

  private static Holdings holdings(WalletView view) {
    Ledger ledger = view.ledger();
    List<Holdings.Entry> entries = new ArrayList<>();
    for (Fact fact : ledger.transactions()) {
      Hash256 txid = fact.tx().txid();
      TxStatus status = ledger.status(txid);
      if (status == TxStatus.CONFIRMED || status == TxStatus.PENDING) {
        Confirmation where = fact.confirmation();
        entries.add(
            new Holdings.Entry(
                txid,
                fact.height(),
                where == null ? null : where.block(),
                ledger.effect(txid).net()));
      }
    }
    Set<OutPoint> coins = new HashSet<>();
    for (Unspent coin : ledger.unspent(view.height())) {
      coins.add(coin.outPoint());
    }
    Balance balance = ledger.balance(view.height());
    return new Holdings(
        view.height(),
        view.tip(),
        balance.confirmed(),
        balance.immature(),
        balance.unconfirmed(),
        entries,
        coins);
  }

  @Override
  public void close() throws IOException {
    payments.count(outcomes);
    books.close();
    if (folder != null) {
      try (Stream<Path> files = Files.list(folder)) {
        files.forEach(WalletInWorld::delete);
      }
      Files.delete(folder);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
