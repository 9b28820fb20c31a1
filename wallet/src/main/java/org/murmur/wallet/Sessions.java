package org.murmur.wallet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.pay.Attempt;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.privacy.Preset;
import org.murmur.wallet.session.Environment;
import org.murmur.wallet.session.SessionGoal;
import org.murmur.wallet.session.SessionRequest;
import org.murmur.wallet.session.SessionRunner;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NamedPeers;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/** The sessions of a wallet, one at a time. {@link SpvWallet} says what each does. */
final class Sessions {

  private final BooksAccess access;
  private final Books books;
  private final Network network;
  private final Environment around;
  private final ReentrantLock running = new ReentrantLock();
  // Of the session that has its turn, from its first moment on.
  private volatile @Nullable StopSignal turn;

  /** Reads the options, and does what comes before the session. */
  private interface Preparation {
    SessionRequest run() throws WalletException;
  }

  /** Runs the session, and does what comes after it. */
  private interface Course<T> {
    T run(SessionRunner session) throws IOException, WalletException, NoUsablePeerException;
  }

  Sessions(BooksAccess access, Network network, Environment around) {
    this.access = access;
    this.books = access.books();
    this.network = network;
    this.around = around;
  }

  SyncReport sync(SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    return inTurn(
        options,
        listener,
        () -> {
          if (options.fromGenesis()) {
            startFrom(ChainBase.ofGenesis(network), Optional.empty(), listener);
          }
          return request(new SessionGoal.Sync(), options);
        },
        SessionRunner::run);
  }

  SyncReport rescan(Birthday from, SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    return inTurn(
        options,
        listener,
        () -> {
          Checkpoints known = options.checkpoints().orElseGet(() -> Checkpoints.of(network));
          startFrom(known.baseFor(network, from), Optional.of(from), listener);
          return request(new SessionGoal.Rescan(from), options);
        },
        SessionRunner::run);
  }

  BroadcastReport broadcast(Tx tx, SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    Optional<Confirmation> block =
        access.read(
            view ->
                Optional.ofNullable(view.ledger().fact(tx.txid()))
                    .flatMap(fact -> Optional.ofNullable(fact.confirmation())));
    if (block.isPresent()) {
      return new BroadcastReport(
          tx.txid(), List.of(), List.of(), List.of(), Map.of(), Map.of(), block);
    }
    return inTurn(
        options,
        listener,
        () -> new SessionRequest(new SessionGoal.Broadcast(tx), options, strangers(options), false),
        session -> {
          session.run();
          BroadcastReport report = session.sent(tx.txid());
          // Noted before another session can begin, which would not hear of it.
          note(tx, report).forEach(listener::onEvent);
          return report;
        });
  }

  /**
   * The peers that may be given a transaction. Who holds a filter of the wallet would know by it
   * whose transaction this is: guards never get one, and under the private preset nobody does who
   * was ever shown a filter.
   */
  private NamedPeers strangers(SyncOptions options) throws WalletException {
    boolean guarded = preset(options).preset() == Preset.PRIVATE;
    NamedPeers named = named(options);
    NamedPeers strangers = named.without(access.call(() -> books.shown(!guarded)));
    if (strangers.peers().isEmpty() && !named.peers().isEmpty()) {
      throw new WalletException(
          WalletException.Kind.KNOWS_FILTER,
          "each of these peers was shown a filter of this wallet and would know by it whose"
              + " transaction this is");
    }
    return strangers;
  }

  /**
   * The peer that fetched it may have refused it. A transaction that spends no coin of ours counts
   * only after another peer announced it: its inputs may not exist.
   */
  private List<WalletEvent> note(Tx tx, BroadcastReport report) throws WalletException {
    boolean counts =
        report.isAccepted()
            || (!report.takenBy().isEmpty() && access.read(view -> view.ledger().spendsOwn(tx)));
    return counts
        ? access.change(() -> books.send(tx, report.isAccepted(), around.seconds()))
        : List.of();
  }

  /** Something that signs a payment with the books as they are. */
  interface Signing {
    Attempt<Tx> run() throws WalletException;
  }

  /**
   * Signs a payment and writes it, with the file locked all the time: no other payment can take its
   * coins in between. No session may run, which would not learn of it.
   */
  Tx enter(Signing signing, SyncListener listener) throws WalletException, PaymentRefusedException {
    begin();
    try {
      return access
          .write(
              () -> {
                Attempt<Tx> attempt = signing.run();
                Optional<Tx> signed = attempt.made();
                if (signed.isPresent()) {
                  access
                      .change(() -> books.send(signed.get(), false, around.seconds()))
                      .forEach(listener::onEvent);
                }
                return attempt;
              })
          .get();
    } finally {
      running.unlock();
    }
  }

  List<WalletEvent> abandon(Hash256 txid) throws WalletException {
    begin();
    try {
      return access.write(
          () -> {
            Optional<WalletException> refusal =
                books.read(view -> Abandonment.refusal(view.ledger(), txid));
            if (refusal.isPresent()) {
              throw refusal.get();
            }
            return access.change(() -> books.abandon(txid, around.seconds()));
          });
    } finally {
      running.unlock();
    }
  }

  void stop() {
    StopSignal now = turn;
    if (now != null) {
      now.stop();
    }
  }

  /** Stops what is running, waits for its end and closes the books. */
  void close() throws WalletException {
    stop();
    running.lock();
    try {
      books.close();
    } catch (StoreException e) {
      throw BooksAccess.failure(e);
    } finally {
      running.unlock();
    }
  }

  PresetChoice preset(SyncOptions options) throws WalletException {
    List<PeerAddress> peers = named(options).peers();
    return access.call(
        () -> books.readStore(store -> PresetRule.choose(options, peers, network, store)));
  }

  /** What a sync under these options asks for, with the preset that they, or the wallet, choose. */
  SessionRequest request(PresetChoice choice, SessionGoal goal, SyncOptions options)
      throws WalletException {
    try {
      SyncOptions decided = PresetRule.apply(choice, options);
      return new SessionRequest(goal, decided, named(decided), choice.exposes());
    } catch (IllegalArgumentException e) {
      throw badInput(e);
    }
  }

  private SessionRequest request(SessionGoal goal, SyncOptions options) throws WalletException {
    PresetChoice choice = preset(options);
    SessionRequest request = request(choice, goal, options);
    if (!options.headersOnly()) {
      keep(choice);
    }
    return request;
  }

  /** Before anything is sent: what was said once holds, however this session ends. */
  private void keep(PresetChoice choice) throws WalletException {
    boolean counts =
        choice.preset() == Preset.PRIVATE || choice.reason() == PresetChoice.Reason.SAID;
    access.call(
        () -> {
          Optional<Preset> known = books.readStore(WalletStore::preset);
          if (counts && !known.equals(Optional.of(choice.preset()))) {
            books.writeStore(store -> store.keepPreset(choice.preset()));
          }
          return true;
        });
  }

  private NamedPeers named(SyncOptions options) throws WalletException {
    try {
      return NamedPeers.of(options, network);
    } catch (IllegalArgumentException e) {
      throw badInput(e);
    }
  }

  private static WalletException badInput(IllegalArgumentException e) {
    return new WalletException(WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
  }

  private void startFrom(ChainBase base, Optional<Birthday> from, SyncListener listener)
      throws WalletException {
    access.change(() -> books.startFrom(base, from)).forEach(listener::onEvent);
  }

  /** Takes the turn of a session; whoever called unlocks {@link #running}. */
  private void begin() throws WalletException {
    if (running.isHeldByCurrentThread() || !running.tryLock()) {
      throw new WalletException(
          WalletException.Kind.LOCKED, access.file() + " is being synced already by this program");
    }
  }

  private <T> T inTurn(
      SyncOptions options, SyncListener listener, Preparation preparation, Course<T> course)
      throws WalletException, NoUsablePeerException {
    begin();
    StopSignal mine = new StopSignal();
    Runnable ends = mine::stop;
    turn = mine;
    options.stopSignal().ifPresent(signal -> signal.ends(ends));
    try {
      access.call(
          () -> {
            books.lock();
            return true;
          });
      try {
        SessionRequest request = preparation.run();
        SessionRunner session =
            access.call(() -> new SessionRunner(books, network, request, listener, around));
        mine.ends(() -> session.stop(SyncReport.Ending.STOPPED));
        return course.run(session);
      } catch (IOException e) {
        throw BooksAccess.failure(e);
      } catch (NoUsablePeerException e) {
        if (e.report().peers().stream().anyMatch(peer -> peer.misbehaviour().isPresent())) {
          auditBeforeBlaming();
        }
        throw e;
      } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
        auditBeforeBlaming();
        throw e;
      } finally {
        books.unlock();
      }
    } finally {
      turn = null;
      options.stopSignal().ifPresent(signal -> signal.forget(ends));
      running.unlock();
    }
  }

  /** Where headers on disk are damaged, neither the peers nor this program did anything wrong. */
  private void auditBeforeBlaming() throws WalletException {
    access.call(
        () -> {
          try {
            books.audit();
          } catch (UncheckedIOException e) {
            throw e.getCause() instanceof StoreException known
                ? known
                : new StoreException(
                    StoreException.Kind.IO, access.file() + ": " + e.getMessage(), e);
          }
          return true;
        });
  }
}
