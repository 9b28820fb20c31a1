package org.murmur.lab.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.machine.Footprint;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.regtest.world.client.Holdings;
import org.murmur.regtest.world.client.TestedClient;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.books.Derivation;
import org.murmur.wallet.books.Scans;
import org.murmur.wallet.books.WalletView;
import org.murmur.wallet.keys.Accounts;
import org.murmur.wallet.keys.DerivedScript;
import org.murmur.wallet.keys.Descriptor;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.keys.Mnemonic;
import org.murmur.wallet.keys.ScriptType;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.Ledger;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.ledger.Unspent;
import org.murmur.wallet.session.RunnerState;
import org.murmur.wallet.session.SessionGoal;
import org.murmur.wallet.session.WalletSession;
import org.murmur.wallet.store.MemoryStore;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.store.sqlite.SqliteStore;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * The real wallet in a simulated world: the session, the books and the store as {@code SpvWallet}
 * runs them, without its threads. After every commit it checks the events against the wallet's
 * changes. At the end of a process it checks the reports against what happened.
 */
final class WalletInWorld implements TestedClient {

  private final WalletStore memory;
  private final @Nullable Path folder;
  private final Derivation derivation;
  private Books books;
  private @Nullable Judged process;

  private WalletInWorld(WalletStore store, @Nullable Path folder, Derivation derivation) {
    this.memory = store;
    this.folder = folder;
    this.derivation = derivation;
    this.books = new Books(store, Network.REGTEST, derivation);
  }

  /** Makes clients that all have the same mnemonic; its scripts are derived once. */
  static final class Maker implements TestedClient.Maker {

    private static final Mnemonic WORDS =
        Mnemonic.parse(
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
                + " abandon about");

    private final Derivation derivation = Derivation.remembering(KeyNetwork.REGTEST);
    private final List<Descriptor> descriptors =
        Accounts.descriptors(WORDS, "", KeyNetwork.REGTEST, List.of(ScriptType.P2WPKH), 0);
    private final List<List<Bytes>> scripts = new ArrayList<>(List.of(List.of(), List.of()));

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
              Network.REGTEST.name(),
              0,
              wallet.birthday(),
              OptionalInt.empty(),
              wallet.gap(),
              wallet.lookAhead(),
              chains,
              null);
      var log = derivation.begin(chains, wallet.gap(), wallet.lookAhead());
      if (!wallet.file()) {
        return new WalletInWorld(new MemoryStore(stored, log), null, derivation);
      }
      Path folder = Files.createTempDirectory("murmur-world");
      return new WalletInWorld(
          SqliteStore.create(folder.resolve("wallet"), stored, log), folder, derivation);
    }
  }

  @Override
  public Machine start(SyncSettings settings) throws IOException {
    books.close();
    WalletStore store = folder == null ? memory : SqliteStore.open(folder.resolve("wallet"));
    books = new Books(store, Network.REGTEST, derivation);
    books.lock();
    Holdings begin = holdings();
    // A world has no time before the first step.
    WalletSession started =
        new WalletSession(books, Network.REGTEST, new SessionGoal.Sync(), settings, Instant.EPOCH);
    process = new Judged(started, new EventsCheck(begin), new ReportsCheck(begin.height()));
    return process;
  }

  /** The session as a world steps it: its reports are checked against its actions. */
  private final class Judged implements Machine {

    private final WalletSession session;
    private final EventsCheck events;
    private final ReportsCheck reports;

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
        for (WalletEvent event : session.takeEvents()) {
          heard(event);
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
      WalletSession.Written written = session.commit(batch, now);
      for (WalletEvent event : written.events()) {
        heard(event);
      }
      if (!written.events().isEmpty() || changesBooks(batch)) {
        events.requireSame(holdings());
      }
      return written.inputs();
    }

    private void heard(WalletEvent event) throws IOException {
      events.heard(event);
      if (event instanceof WalletEvent.Complete complete) {
        Balance balance = books.read(view -> view.ledger().balance(view.height()));
        if (!complete.balance().equals(balance)) {
          throw new AssertionError(complete + " is reported, and the balance is " + balance);
        }
        events.requireSameAtTheEnd(holdings());
      }
    }

    private void judge(Instant now) throws IOException {
      reports.requireTrue(session.report(new RunnerState(now, Duration.ZERO, 0, 0)), holdings());
      reports.sent().forEach(txid -> reports.requireTrue(session.sent(txid)));
    }

    @Override
    public boolean isStopped() {
      return session.isStopped();
    }
  }

  private static boolean changesBooks(CommitBatch batch) {
    return !batch.blocks().isEmpty()
        || !batch.connected().isEmpty()
        || !batch.unconfirmed().isEmpty()
        || !batch.missing().isEmpty();
  }

  @Override
  public List<Input> commit(CommitBatch batch, Instant now) throws IOException {
    return running().commit(batch, now);
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
