package org.murmur.wallet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Amount;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.SecretText;
import org.murmur.coins.internal.sign.KeyPath;
import org.murmur.coins.internal.sign.WordKeys;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.message.MessageException;
import org.murmur.coins.message.MessageFormat;
import org.murmur.coins.message.MessageSignature;
import org.murmur.coins.message.MessageVerifier;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.psbt.PsbtSigner;
import org.murmur.coins.spend.Draws;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.Recipient;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.HeaderSource;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.internal.books.WalletView;
import org.murmur.wallet.internal.disclosure.Disclosures;
import org.murmur.wallet.internal.disclosure.Forecasts;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.internal.session.SessionGoal;
import org.murmur.wallet.internal.session.SessionRequest;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.pay.Attempt;
import org.murmur.wallet.pay.CatchUp;
import org.murmur.wallet.pay.DisplacedPayment;
import org.murmur.wallet.pay.EarlierPayment;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.pay.PaymentOrder;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Planning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.PsbtTerms;
import org.murmur.wallet.pay.Tracing;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.store.Loss;
import org.murmur.wallet.store.SessionFacts;
import org.murmur.wallet.store.StoreFactory;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.store.WalletFile;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SharedHeaders;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * A wallet in a file, that syncs with peers of the Bitcoin network.
 *
 * <pre>{@code
 * try (SpvWallet wallet = SpvWallet.open(file)) {
 *   SyncReport report = wallet.sync(SyncOptions.connect("127.0.0.1:18444"), System.out::println);
 *   System.out.println(report.complete() + " " + wallet.balance().total());
 * }
 * }</pre>
 *
 * <p>Thread safe: while one thread syncs, others may read (they see the last commit), pay, or call
 * {@link #stop}. A payment is then written and sent by the session that runs, over its connections.
 * A listener must not pay on the thread that calls it. Several processes may read one wallet; only
 * one at a time writes to it, and a second writer gets an exception at once.
 */
public final class SpvWallet implements AutoCloseable {

  /** The most blocks to estimate a fee rate from: a day. */
  public static final int MAX_FEE_BLOCKS = 144;

  private final Path file;
  private final ChainParams network;
  private final Books books;
  private final Environment around;
  private final BooksAccess access;
  private final Sessions sessions;
  private final WalletLabels labels;
  private final @Nullable SharedHeaders shared;
  private final Supplier<HeaderSource> offered;
  private final WalletFile.Use use;

  /** Takes a store that is open. */
  SpvWallet(Path file, WalletStore store, Environment around) {
    this(file, WalletFile.use(file), store, around, null);
  }

  private SpvWallet(
      Path file,
      WalletFile.Use use,
      WalletStore store,
      Environment around,
      @Nullable SharedHeaders shared) {
    this.use = use;
    this.around = around;
    this.file = file;
    this.network = network(file, store.wallet());
    this.books = new Books(store, network, WalletRecipe.keyNetwork(network));
    this.access = new BooksAccess(file, books);
    this.sessions = new Sessions(access, network, around);
    this.labels = new WalletLabels(access);
    this.shared = shared;
    this.offered = books::offered;
    if (shared != null) {
      books.share(() -> shared.others(network, offered));
      shared.join(network, offered);
    }
  }

  /** The headers that it gives to others of this process. */
  Supplier<HeaderSource> offered() {
    return offered;
  }

  private static ChainParams network(Path file, StoredWallet wallet) {
    try {
      return ChainParams.parse(wallet.network());
    } catch (IllegalArgumentException e) {
      throw WalletException.about(file, WalletException.Kind.CORRUPT, ": " + e.getMessage(), e);
    }
  }

  /**
   * Makes a wallet. A crash in the middle leaves a file that is no wallet; it is deleted by the
   * next attempt.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe) {
    return create(file, recipe, SqlStores.BY_JDBC);
  }

  /**
   * Makes a wallet whose file the application's own stores write.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @param stores what writes the file
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe, StoreFactory stores) {
    return create(file, recipe, stores, null);
  }

  /**
   * Makes a wallet that shares its headers with others of this process.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @param shared the wallets that it shares with
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe, SharedHeaders shared) {
    return create(file, recipe, SqlStores.BY_JDBC, shared);
  }

  /**
   * Makes a wallet whose file the application's own stores write, and that may share its headers
   * with others of this process.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @param stores what writes the file
   * @param shared the wallets that it shares with; null if it shares nothing
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(
      Path file, WalletRecipe recipe, StoreFactory stores, @Nullable SharedHeaders shared) {
    Derivation derivation = new Derivation(WalletRecipe.keyNetwork(recipe.network()));
    StoredWallet wallet = recipe.stored(Environment.REAL);
    return opened(
        file,
        () -> {
          WalletStore store =
              stores.create(
                  file,
                  wallet,
                  derivation.begin(wallet.chains(), wallet.gap(), wallet.lookAhead()));
          store.unlock();
          return store;
        },
        Environment.REAL,
        shared);
  }

  /**
   * Opens a wallet. Needs no password, and locks nothing until something is to be written.
   *
   * @param file where it is
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file) {
    return open(file, SqlStores.BY_JDBC);
  }

  /**
   * Opens a wallet whose file the application's own stores read and write.
   *
   * @param file where it is
   * @param stores what reads and writes the file
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file, StoreFactory stores) {
    return open(file, stores, Environment.REAL, null);
  }

  /**
   * Opens a wallet that shares its headers with others of this process.
   *
   * @param file where it is
   * @param shared the wallets that it shares with
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file, SharedHeaders shared) {
    return open(file, SqlStores.BY_JDBC, shared);
  }

  /**
   * Opens a wallet whose file the application's own stores read and write, and that may share its
   * headers with others of this process.
   *
   * @param file where it is
   * @param stores what reads and writes the file
   * @param shared the wallets that it shares with; null if it shares nothing
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file, StoreFactory stores, @Nullable SharedHeaders shared) {
    return open(file, stores, Environment.REAL, shared);
  }

  /** Opens it with another clock and other random numbers. */
  static SpvWallet open(Path file, Environment around) {
    return open(file, SqlStores.BY_JDBC, around, null);
  }

  private static SpvWallet open(
      Path file, StoreFactory stores, Environment around, @Nullable SharedHeaders shared) {
    return opened(file, () -> stores.open(file), around, shared);
  }

  /** Takes a store, and closes it if no wallet comes of it. */
  private static SpvWallet opened(
      Path file,
      Supplier<WalletStore> opening,
      Environment around,
      @Nullable SharedHeaders shared) {
    return BooksAccess.call(
        file,
        () -> {
          WalletFile.Use use = WalletFile.use(file);
          @Nullable WalletStore store = null;
          boolean done = false;
          try {
            store = opening.get();
            SpvWallet wallet = new SpvWallet(file, use, store, around, shared);
            done = true;
            return wallet;
          } finally {
            if (!done) {
              use.end();
              if (store != null) {
                store.close();
              }
            }
          }
        });
  }

  /**
   * Renames a wallet's file. Nothing else has to know its name.
   *
   * @param file where it is; no wallet of it may be open
   * @param renamed where it shall be, on the same disk
   * @throws WalletException of kind LOCKED if it is in use, EXISTS if there is a file already; the
   *     file is unchanged then
   */
  public static void rename(Path file, Path renamed) {
    rename(file, renamed, SqlStores.BY_JDBC);
  }

  /**
   * Renames the file of a wallet with the application's own stores.
   *
   * @param file where it is; no wallet of it may be open
   * @param renamed where it shall be, on the same disk
   * @param stores what reads and writes the file
   * @throws WalletException of kind LOCKED if it is in use, EXISTS if there is a file already; the
   *     file is unchanged then
   */
  public static void rename(Path file, Path renamed, StoreFactory stores) {
    // Closing it in order leaves nothing beside it.
    open(file, stores).close();
    BooksAccess.write(file, () -> WalletFile.rename(file, renamed));
  }

  /**
   * Deletes a wallet's file, also a damaged one. Only the words can bring its keys back.
   *
   * @param file where it is; no wallet of it may be open
   * @throws WalletException of kind LOCKED if it is in use, NOT_FOUND if there is none
   */
  public static void delete(Path file) {
    BooksAccess.write(file, () -> WalletFile.delete(file));
  }

  /**
   * Returns what it is.
   *
   * @return its fixed facts
   * @throws WalletException if the file cannot be read
   */
  public WalletInfo info() {
    return access.call(() -> WalletInfo.of(file, network, books.facts(), books.birthday()));
  }

  /**
   * Returns the losses found so far: damaged rows that were skipped because a sync learns them
   * again. Each is reported once, here or to the listener of a sync. The next commit deletes the
   * rows. Damage to other rows is an exception.
   *
   * @return what was damaged
   */
  public List<Loss> takeLosses() {
    return books.takeLosses();
  }

  /**
   * Syncs on the calling thread until complete, stopped, or out of peers. Committed data is kept in
   * any case, and the next sync goes on from there.
   *
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport sync(SyncOptions options, SyncListener listener) throws NoUsablePeerException {
    return sessions.sync(options, listener);
  }

  /**
   * Syncs on a thread of its own. With {@link SyncOptions#follow} it goes on until it is cancelled,
   * also while the network is gone. If another sync was stopped or cancelled and has not ended yet,
   * this one waits for its end.
   *
   * <p>What {@link #sync} throws, for instance because another sync runs that nobody has stopped,
   * comes to the listener as {@link org.murmur.wallet.sync.WalletEvent.Ended}, and is thrown by
   * {@link RunningSync#await}.
   *
   * @param options with whom and how
   * @param executor where the listener is called, for example an app's main thread
   * @param listener hears what happens
   * @return the sync, to wait for or to cancel
   */
  public RunningSync start(SyncOptions options, Executor executor, SyncListener listener) {
    return RunningSync.start(sessions::queue, sessions::retryNow, options, executor, listener);
  }

  /**
   * Ends the session that is running, and those that wait for their turn, at their next commit;
   * they return their reports then. Those that {@link #start} began are among them. From any
   * thread; does nothing if there is none. A {@link #sync} on another thread may not have begun
   * yet: it needs a {@link StopSignal}.
   */
  public void stop() {
    sessions.stop();
  }

  /**
   * Forgets what was looked at from somewhere on and syncs again. Waits for other sessions; a sync
   * that follows makes way, and goes on afterwards.
   *
   * @param from where to begin; if that is before the birthday, it becomes the birthday, and if it
   *     is before the wallet's first header, the headers are fetched anew from an earlier one:
   *     until they are here everything counts as pending
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written, or the chain does not reach the height
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport rescan(Birthday from, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    SyncReport report = sessions.rescan(from, options, listener);
    // A rescan that stopped before all headers came does not know where the chain ends.
    if (report.complete()
        && from instanceof Birthday.AtHeight at
        && at.height() > report.height()) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT,
          "nothing was looked at again: there is no block at height "
              + at.height()
              + ", the chain ends at height "
              + report.height());
    }
    return report;
  }

  /**
   * Sends a signed transaction to peers and waits for their replies. One that spends the wallet's
   * coins and was fetched stands in the history from then on, and so does what pays the wallet and
   * was accepted. A peer that does not fetch it is asked whether it has it already. Nobody is
   * called for a transaction that the wallet has in a block.
   *
   * <p>While another thread syncs, its session sends the transaction, over the connections that it
   * has: of the options, only the time to wait counts then. Peers that come later get it too.
   *
   * @param tx signed
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, who has it, and who could not be asked; or the block that holds it
   * @throws WalletException if the wallet cannot be written; of kind BAD_INPUT if no block can hold
   *     the transaction ({@link Tx#flaw()}), or a signature on a coin of this wallet is wrong
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcast(Tx tx, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return broadcast(tx, false, options, listener);
  }

  /**
   * Sends a signed transaction to peers, as {@link #broadcast(Tx, SyncOptions, SyncListener)} does,
   * or even if another payment pays the same.
   *
   * @param tx signed
   * @param again whether to send it even if {@link #earlier} finds a payment
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, who has it, and who could not be asked; or the block that holds it
   * @throws WalletException of kind PAID_ALREADY if another payment pays the same and it is not
   *     sent again; else as without {@code again}
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcast(Tx tx, boolean again, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    Optional<Tx.Flaw> flaw = tx.flaw();
    if (flaw.isPresent()) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT,
          "transaction " + tx.txid() + " " + flaw.get().words() + ": no block can hold it");
    }
    if (access.read(view -> !isInBlock(view, tx) && view.ledger().isWrong(tx))) {
      throw new WalletException(
          WalletException.Kind.BAD_INPUT,
          "transaction "
              + tx.txid()
              + ": the signature on a coin of this wallet is missing or wrong, so no node takes it."
              + " Nothing was sent; ask for the signed transaction again");
    }
    give(tx, again);
    return sessions.broadcast(tx, options, listener);
  }

  private static boolean isInBlock(WalletView view, Tx tx) {
    Fact fact = view.ledger().fact(tx.txid());
    return fact != null && fact.confirmation() != null;
  }

  private void give(Tx tx, boolean again) {
    if (!access.read(view -> isNewPayment(view, tx))) {
      return;
    }
    try {
      Tx unused =
          sessions.give(
              () ->
                  access.read(
                      view -> Attempt.of(() -> again ? tx : planning(view).requireOnce(tx))),
              Optional::of);
    } catch (PaymentRefusedException e) {
      throw new WalletException(
          WalletException.Kind.PAID_ALREADY, e.reason().text() + ". Nothing was sent", e);
    }
  }

  /** The user agreed to payments that wait already. Others' payments are theirs. */
  private static boolean isNewPayment(WalletView view, Tx tx) {
    return view.ledger().spendsOwn(tx) && !new Listings(view).counts(tx.txid());
  }

  /**
   * Finds a payment of the wallet that pays the same as a transaction, if both could be mined: one
   * that waits or is in one of the last blocks, one that no longer counts, or one that the wallet
   * gave out, as a PSBT or to be sent.
   *
   * @param tx signed or not
   * @return empty if there is none, if it waits or is in a block itself, or spends nothing of the
   *     wallet
   * @throws WalletException if the file cannot be read
   */
  public Optional<EarlierPayment> earlier(Tx tx) {
    return access.read(
        view -> isNewPayment(view, tx) ? planning(view).earlier(tx) : Optional.empty());
  }

  /**
   * Finds out what a partially signed transaction does: which inputs and outputs are the wallet's,
   * what it pays, what is missing, and why it should not be signed. Spent outputs that the wallet
   * knows are filled in.
   *
   * @param psbt from anywhere
   * @return what to look at before {@link #sign(Psbt, PsbtTerms, char[], String) signing}
   * @throws PsbtException if it contradicts itself or the wallet's transactions, or has a wrong
   *     signature
   * @throws WalletException if the file cannot be read
   */
  public PsbtReview review(Psbt psbt) {
    return access.read(view -> review(view, psbt));
  }

  private PsbtReview review(WalletView view, Psbt psbt) {
    PsbtReview review = new Listings(view).review(psbt);
    return review.isOurs()
        ? review.beside(planning(view).earlier(review.summary().tx().toTx()))
        : review;
  }

  /**
   * Writes an unsigned payment for another signer. The wallet remembers it: the same is not paid
   * again, {@linkplain PaymentOrder#again unless that is ordered}, except with a coin of it.
   *
   * @param proposal made by this wallet
   * @return the payment with what the wallet knows about its inputs and outputs
   * @throws PaymentRefusedException as {@link #sign(Proposal, char[], String, SyncListener) sign}
   *     does; nothing was written
   * @throws WalletException of kind LOCKED while another process writes, or in a listener; else if
   *     the file cannot be written
   */
  public Psbt export(Proposal proposal) throws PaymentRefusedException {
    return sessions.give(
        () ->
            access.read(
                view ->
                    Attempt.of(
                        () -> {
                          planning(view).check(proposal);
                          return new Listings(view).updated(Psbt.create(proposal.unsigned()));
                        })),
        psbt -> Optional.of(proposal.unsigned()));
  }

  /**
   * Adds what the wallet knows about its inputs and outputs, for other signers.
   *
   * @param psbt from anywhere
   * @return with the spent outputs, redeem scripts and key origins of the wallet's scripts
   * @throws PsbtException if it contradicts itself or the wallet's transactions
   * @throws WalletException if the file cannot be read
   */
  public Psbt update(Psbt psbt) {
    return access.list(listings -> listings.updated(psbt));
  }

  /**
   * {@linkplain #review Reviews} a partially signed transaction, and signs the wallet's inputs if
   * its user allows it. Reserves nothing. The wallet remembers the payment: the same is not paid
   * again unless that is allowed, except with a coin of it.
   *
   * @param psbt from anywhere
   * @param terms what the user allows; {@link PsbtTerms#USUAL} for what a payment may do, too
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @return with the wallet's signatures; as it was if it has no input of the wallet
   * @throws PaymentRefusedException if the fee is too high or not known, a coin is reserved, or an
   *     earlier payment pays the same, and the terms do not allow it; nothing was signed
   * @throws PsbtException if it lies, wants other signatures than ALL or DEFAULT, or the passphrase
   *     is wrong
   * @throws WalletException of kind NO_SECRET if the wallet only watches, of kind WRONG_PASSWORD;
   *     of kind LOCKED while another process writes, or in a listener; else if the file cannot be
   *     written
   */
  public PsbtSigner.Result sign(
      Psbt psbt, PsbtTerms terms, char @Nullable [] password, String passphrase)
      throws PaymentRefusedException {
    try (WordKeys keys = keys(password, passphrase)) {
      return sessions.give(
          () ->
              access.read(
                  view ->
                      Attempt.of(
                          () -> review(view, psbt).sign(terms, new Listings(view)::ownKey, keys))),
          result ->
              result.signed().isEmpty()
                  ? Optional.empty()
                  : Optional.of(result.psbt().unsignedTx().toTx()));
    }
  }

  /**
   * Signs a message with the key of an address, in the {@linkplain MessageFormat#usual usual}
   * format of its type. {@link MessageVerifier} verifies it. Writes nothing.
   *
   * @param address one of the wallet's
   * @param message any text; its UTF-8 is signed as it is, white space too
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @return the signature
   * @throws AddressException if the address is mistyped or of another network
   * @throws MessageException if the passphrase is wrong, or the message holds half a character
   * @throws WalletException of kind NOT_FOUND if the address is not the wallet's; of kind NO_SECRET
   *     if the wallet only watches, of kind WRONG_PASSWORD; else if the file cannot be read
   */
  public MessageSignature signMessage(
      String address, String message, char @Nullable [] password, String passphrase) {
    return signMessage(address, message, Optional.empty(), password, passphrase);
  }

  /**
   * Signs a message in a chosen format, else as {@link #signMessage(String, String, char[],
   * String)} does.
   *
   * @param address one of the wallet's
   * @param message any text; its UTF-8 is signed as it is, white space too
   * @param format of the signature; empty for the usual one of the address
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @return the signature
   * @throws AddressException if the address is mistyped or of another network
   * @throws MessageException if the format does not fit the address, the passphrase is wrong, or
   *     the message holds half a character
   * @throws WalletException of kind NOT_FOUND if the address is not the wallet's; of kind NO_SECRET
   *     if the wallet only watches, of kind WRONG_PASSWORD; else if the file cannot be read
   */
  public MessageSignature signMessage(
      String address,
      String message,
      Optional<MessageFormat> format,
      char @Nullable [] password,
      String passphrase) {
    Bytes script = Address.parse(address, keyNetwork()).scriptPubKey();
    secret();
    KeyPath path =
        access
            .list(listings -> listings.ownKey(script))
            .flatMap(KeyPath::of)
            .orElseThrow(
                () ->
                    new WalletException(
                        WalletException.Kind.NOT_FOUND,
                        address + " is not an address of this wallet"));
    try (WordKeys keys = keys(password, passphrase)) {
      return MessageSignature.sign(
          message, script, path, keys, format.orElse(MessageFormat.usual(path.type())));
    }
  }

  /** The private keys, to be closed after use. */
  private WordKeys keys(char @Nullable [] password, String passphrase) {
    try {
      SecretText.require(passphrase);
    } catch (IllegalArgumentException e) {
      throw new WalletException(WalletException.Kind.BAD_INPUT, "passphrase: " + e.getMessage(), e);
    }
    byte[] opened = SealedWords.open(secret(), password, file);
    try {
      Mnemonic words = Mnemonic.parse(new String(opened, StandardCharsets.UTF_8));
      return WordKeys.of(words, passphrase, keyNetwork());
    } finally {
      Arrays.fill(opened, (byte) 0);
    }
  }

  /**
   * Brings the wallet to the tip before a payment is planned: a coin may be spent in a block that
   * it has not scanned, or by a pending payment of another copy of this file. If each named peer
   * has got a filter with everything of this wallet, under the fast preset, it syncs, and waits for
   * the peers' pending transactions as long as {@code Limits.mempoolWait} says; not if they all
   * came within the last minute. Else it only asks how high the chain is, and sends no filter.
   *
   * <p>While a sync of this wallet runs, it sends nothing, and waits until that sync has seen all
   * blocks, and its peers' pending transactions, or has waited for them as long. It does so also
   * after the sync was {@linkplain WalletEvent.Complete complete}, which comes before them, and
   * after its peers were away. A sync that asks for none ({@code Limits.mempoolWait} is zero) makes
   * way.
   *
   * @param options with whom; under the private preset with peers that never had a filter
   * @param listener hears what happens
   * @return the peers' terms for payments; empty if none of them said how high the chain is before
   *     the options' time limit, or all of them lack blocks that this wallet has, or a running sync
   *     has not got that far. {@link #chain} says whether blocks are left unscanned
   * @throws WalletException if the wallet cannot be written, or all named peers have a filter that
   *     they must not have for this
   * @throws NoUsablePeerException if no peer could be reached
   */
  public Optional<CatchUp> catchUp(SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    return sessions.catchUp(options, listener);
  }

  /**
   * Finds the pending payments of the wallet that spend a coin of a transaction.
   *
   * @param tx signed or not
   * @return each once, in the order of its inputs
   * @throws WalletException if the file cannot be read
   */
  public List<DisplacedPayment> displaced(Tx tx) {
    return access.list(listings -> listings.displaced(tx));
  }

  /**
   * Estimates the fee rate that gets a payment into one of the next blocks, from what the last
   * blocks paid and from what peers say that they relay. It syncs headers and downloads these
   * blocks whole; nothing that it requests depends on the wallet. A peer may hide the newest
   * blocks, so limit the fee of the payment. Waits for other sessions; a sync that follows makes
   * way, and goes on afterwards.
   *
   * @param blocks how many of the last blocks; each costs up to 4 MB, on the main network about 1.6
   *     MB; fewer are read if the options' {@code Limits.bytes} allows no more
   * @param options with whom; under the private preset with peers that never had a filter
   * @param listener hears what happens
   * @return the estimate; empty if no peer sent a block, or their chain ends long ago
   * @throws WalletException if the wallet cannot be written, or all named peers have a filter that
   *     they must not have for this
   * @throws NoUsablePeerException if no peer could be reached
   * @throws IllegalArgumentException if the number of blocks is less than 1 or more than 144
   */
  public Optional<FeeEstimate> estimateFee(int blocks, SyncOptions options, SyncListener listener)
      throws NoUsablePeerException {
    if (blocks < 1 || blocks > MAX_FEE_BLOCKS) {
      throw new IllegalArgumentException(
          blocks + " blocks, expected 1 to " + MAX_FEE_BLOCKS + " to read fees from");
    }
    return sessions.fees(blocks, options, listener);
  }

  /**
   * Returns the network of the wallet's addresses, for {@link Address#parse(String, KeyNetwork)}.
   *
   * @return never changes
   */
  public KeyNetwork keyNetwork() {
    return WalletRecipe.keyNetwork(network);
  }

  /**
   * Plans a payment. Writes nothing and reserves nothing. If the plan names an {@linkplain
   * Proposal#earlier earlier payment} that pays the same, it is not signed. A wallet that is not
   * {@linkplain ChainState#complete complete} pays only {@linkplain PaymentOrder#evenIfIncomplete
   * if that is ordered}.
   *
   * @param order what is to be paid
   * @return the plan, to be looked at and signed
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal plan(PaymentOrder order) throws PaymentRefusedException {
    return planned(planning -> planning.plan(order, draws()));
  }

  /**
   * Plans a payment to an address, with the usual limits of fees. It can be replaced (BIP-0125).
   *
   * @param address of the wallet's network
   * @param amount what the payee gets
   * @param rate the fee rate
   * @return the payment, to look at, and to sign or not
   * @throws AddressException if the address is of another network
   * @throws IllegalArgumentException if the rate is 0
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal plan(Address address, Amount amount, FeeRate rate)
      throws PaymentRefusedException {
    return plan(PaymentOrder.of(List.of(Recipient.of(address, amount)), rate));
  }

  /**
   * Plans to raise the fee of a pending transaction. A payment of the wallet is replaced
   * (BIP-0125). An output of a payment to the wallet is spent, with a fee for both.
   *
   * @param txid which
   * @param fees the new fee rate, of both transactions together in the second case, and its limits
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal planBump(Hash256 txid, FeePolicy fees) throws PaymentRefusedException {
    return planBump(txid, fees, false);
  }

  /**
   * Plans as {@link #planBump(Hash256, FeePolicy)} does, or even if the wallet is not {@linkplain
   * ChainState#complete complete}: then a coin may be spent already.
   *
   * @param txid which
   * @param fees the fee rate and its limits
   * @param evenIfIncomplete whether to plan it although not all blocks are scanned
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal planBump(Hash256 txid, FeePolicy fees, boolean evenIfIncomplete)
      throws PaymentRefusedException {
    return planned(planning -> planning.bump(txid, fees, evenIfIncomplete, draws()));
  }

  /**
   * Plans to take a pending payment back: a replacement (BIP-0125) returns its coins to the wallet.
   *
   * @param txid which
   * @param fees the fee rate and its limits
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal planCancel(Hash256 txid, FeePolicy fees) throws PaymentRefusedException {
    return planCancel(txid, fees, false);
  }

  /**
   * Plans as {@link #planCancel(Hash256, FeePolicy)} does, or even if the wallet is not {@linkplain
   * ChainState#complete complete}: then a coin may be spent already.
   *
   * @param txid which
   * @param fees the fee rate and its limits
   * @param evenIfIncomplete whether to plan it although not all blocks are scanned
   * @return the plan
   * @throws PaymentRefusedException if it cannot be made
   * @throws WalletException if the file cannot be read
   */
  public Proposal planCancel(Hash256 txid, FeePolicy fees, boolean evenIfIncomplete)
      throws PaymentRefusedException {
    return planned(planning -> planning.cancel(txid, fees, evenIfIncomplete, draws()));
  }

  /**
   * Finds out what a payment reveals before it is signed: which addresses it links that nothing
   * linked before, by what its change stands out, what it costs to link nothing new, and what the
   * links add to the filters that peers have. Reads all payments of the wallet.
   *
   * @param proposal made by this wallet
   * @param universe the scripts among which the wallet hides
   * @return the trace, as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public PaymentTrace trace(Proposal proposal, Universe universe) {
    PaymentTrace trace = access.read(view -> planning(view).trace(proposal, draws()));
    if (trace.newLinks().isEmpty()) {
      return trace;
    }
    Effect effect = access.read(view -> new Tracing(view).effect(proposal.plan()));
    return trace.seenBy(access.call(() -> Disclosures.of(books, universe).sights(effect)));
  }

  /** Plans with the books as of the last commit. */
  private interface Plan {
    Proposal make(Planning planning) throws PaymentRefusedException;
  }

  private Proposal planned(Plan plan) throws PaymentRefusedException {
    return access.read(view -> Attempt.of(() -> plan.make(planning(view)))).get();
  }

  private Planning planning(WalletView view) {
    return new Planning(view, keyNetwork(), around.seconds());
  }

  private Draws draws() {
    return Draws.ofSeed(around.dice().nextLong());
  }

  /**
   * Signs a payment and writes it to the file. From then on its coins are reserved, its change
   * address is used, and it is in the history. No session announces it before {@link #broadcast},
   * which is the order to send it; {@link #signToSend} writes both at once. {@link #abandon} frees
   * the coins as long as no peer has it.
   *
   * @param proposal made by this wallet
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @param listener hears what changed
   * @return the signed transaction
   * @throws PaymentRefusedException if a coin was spent, the change address used or another payment
   *     made since it was planned, if an earlier payment pays the same, or the passphrase is wrong;
   *     nothing was written
   * @throws WalletException of kind NO_SECRET if the wallet only watches, of kind WRONG_PASSWORD;
   *     of kind LOCKED while another process writes, or in a listener; else if the file cannot be
   *     written
   */
  public Tx sign(
      Proposal proposal, char @Nullable [] password, String passphrase, SyncListener listener)
      throws PaymentRefusedException {
    return sign(proposal, password, passphrase, false, listener);
  }

  /**
   * Signs a payment and writes it to the file together with the order to send it, in one commit:
   * each later session announces it, whether {@link #broadcast} follows or not. Else as {@link
   * #sign(Proposal, char[], String, SyncListener) sign}.
   *
   * @param proposal made by this wallet
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @param listener hears what changed
   * @return the signed transaction
   * @throws PaymentRefusedException as signing does; nothing was written
   * @throws WalletException as signing does; nothing was written
   */
  public Tx signToSend(
      Proposal proposal, char @Nullable [] password, String passphrase, SyncListener listener)
      throws PaymentRefusedException {
    return sign(proposal, password, passphrase, true, listener);
  }

  private Tx sign(
      Proposal proposal,
      char @Nullable [] password,
      String passphrase,
      boolean ordered,
      SyncListener listener)
      throws PaymentRefusedException {
    try (WordKeys keys = keys(password, passphrase)) {
      return sessions.sign(
          () ->
              access.read(
                  view ->
                      Attempt.of(
                          () -> {
                            Planning planning = planning(view);
                            planning.check(proposal);
                            return planning.sign(proposal, keys);
                          })),
          ordered,
          listener);
    }
  }

  /**
   * Checks that options leave a peer to {@link #broadcast} to, without contacting any. Worth doing
   * before {@link #sign(Proposal, char[], String, SyncListener) sign}.
   *
   * @param options with whom
   * @throws WalletException of kind KNOWS_FILTER if all named peers have a filter that they must
   *     not have for this; else if the file cannot be read
   */
  public void requireRecipients(SyncOptions options) {
    sessions.requireStrangers(options);
  }

  /**
   * Signs a payment, writes it to the file with the order to send it, and broadcasts it. After a
   * WalletException or a PaymentRefusedException nothing was written. Otherwise the payment is
   * made: if it could not be broadcast, as {@link BroadcastReport#unsent} says, each later sync
   * does it. So do not pay again. An exception of a listener comes through, and says nothing about
   * the payment: if it is in the history, it is sent.
   *
   * @param proposal made by this wallet
   * @param password of the words, null if they have none; not changed
   * @param passphrase the BIP-0039 passphrase, empty if the words have none
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who fetched it, and who has it
   * @throws PaymentRefusedException as {@link #sign(Proposal, char[], String, SyncListener) sign}
   *     does
   * @throws WalletException of kind KNOWS_FILTER as {@link #broadcast} does; else as signing does
   */
  public BroadcastReport pay(
      Proposal proposal,
      char @Nullable [] password,
      String passphrase,
      SyncOptions options,
      SyncListener listener)
      throws PaymentRefusedException {
    requireRecipients(options);
    Tx payment = signToSend(proposal, password, passphrase, listener);
    try {
      return broadcast(payment, options, listener);
    } catch (NoUsablePeerException | WalletException e) {
      return BroadcastReport.unsent(payment.txid(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Pays with a wallet that has neither a password nor a passphrase; else as {@link #pay(Proposal,
   * char[], String, SyncOptions, SyncListener)}.
   *
   * @param proposal made by this wallet
   * @param options with whom, and how long to wait
   * @return who fetched it, and who has it
   * @throws PaymentRefusedException if it cannot be made; nothing was written
   * @throws WalletException if the file cannot be written, or has a password; nothing was written
   */
  public BroadcastReport pay(Proposal proposal, SyncOptions options)
      throws PaymentRefusedException {
    return pay(proposal, null, "", options, SyncListener.NONE);
  }

  /**
   * Forgets a payment that no peer is known to have: it does not count any more, and its coins are
   * free at once. If a node did accept it in silence, it counts again as soon as a peer announces
   * it or a block holds it.
   *
   * @param txid of a transaction in the books
   * @return what changed, as a session's listener would hear it; nothing if it was abandoned before
   * @throws WalletException of kind NOT_FOUND if the wallet has no such transaction; of kind
   *     BAD_INPUT if a block holds it, or a peer announced it or what builds on it; of kind LOCKED
   *     while another process writes, or in a listener; else if the wallet cannot be written
   */
  public List<WalletEvent.Payment> abandon(Hash256 txid) {
    return sessions.abandon(txid);
  }

  /**
   * Sums up what it owns, as of the last commit.
   *
   * @return satoshi
   * @throws WalletException if the file cannot be read
   */
  public Balance balance() {
    return access.list(Listings::balance);
  }

  /**
   * Returns how much a payment can spend, fee included: confirmed coins and trusted change that are
   * mature and not frozen, as {@link #plan(PaymentOrder)} takes them.
   *
   * @return satoshi, as of the last commit; often less than the {@linkplain #balance balance}
   * @throws WalletException if the file cannot be read
   */
  public long spendable() {
    return access.read(view -> planning(view).spendable());
  }

  /**
   * Returns how far it is.
   *
   * @return as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public ChainState chain() {
    return access.read(WalletView::chain);
  }

  /** Reads something of a wallet. */
  @FunctionalInterface
  public interface Reading<T> {

    /**
     * Reads.
     *
     * @param wallet the wallet
     * @return what was read
     * @throws WalletException if it cannot be read
     */
    T of(SpvWallet wallet);
  }

  /**
   * Reads, and returns how much of the chain the wallet knew then, both of one commit: between two
   * reads a sync may write. Show both: a wallet that is not {@linkplain ChainState#complete
   * complete} may list coins that were spent long ago.
   *
   * <pre>{@code
   * AsOf<List<WalletCoin>> coins = wallet.asOf(SpvWallet::coins);
   * }</pre>
   *
   * @param <T> what is read
   * @param reading one or more methods that read. Other threads wait meanwhile
   * @return as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public <T> AsOf<T> asOf(Reading<T> reading) {
    return access.together(() -> new AsOf<>(reading.of(this), chain()));
  }

  /**
   * Lists the transactions that count: confirmed ones in the order of the chain, then pending ones.
   *
   * @return oldest first
   * @throws WalletException if the file cannot be read
   */
  public List<HistoryEntry> history() {
    return access.read(view -> new Payments(view).history(false));
  }

  /**
   * Lists its transactions, also those that were replaced or died with another one: these among the
   * blocks of the time when they were first seen.
   *
   * @return oldest first
   * @throws WalletException if the file cannot be read
   */
  public List<HistoryEntry> fullHistory() {
    return access.read(view -> new Payments(view).history(true));
  }

  /**
   * Lists a part of its transactions. To go through all of them, begin without a transaction, and
   * go on before the first of each page while {@link HistoryPage#older} says so.
   *
   * @param limit how many at most, at least 1: the newest of those before the named one
   * @param before the transaction before which they come; empty for the newest of all
   * @param all whether also those that do not count; otherwise only those of them that pay somebody
   *     and were displaced, except by a cancellation of this wallet or by a replacement that pays
   *     the same
   * @return the part, oldest first; empty if the named transaction is not the wallet's
   * @throws WalletException if the file cannot be read
   * @throws IllegalArgumentException if the limit is below 1
   */
  public Optional<HistoryPage> history(int limit, Optional<Hash256> before, boolean all) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "a page of " + limit + " transactions, expected 1 or more");
    }
    return access.read(view -> new Payments(view).page(limit, before, all));
  }

  /**
   * Lists what can be spent, now or when it is confirmed and mature.
   *
   * @return oldest first, pending ones last
   * @throws WalletException if the file cannot be read
   */
  public List<WalletCoin> coins() {
    return access.list(Listings::coins);
  }

  /**
   * Returns what the user noted: labels of transactions, addresses, coins and keys.
   *
   * @return reads and writes this wallet's file
   */
  public WalletLabels labels() {
    return labels;
  }

  /**
   * Excludes a coin from payments until {@link #unfreeze}. The file keeps that by outpoint, so it
   * survives reorganisations and rescans. The coin still counts in the balance.
   *
   * @param coin one of {@link #coins}
   * @return false if it was frozen before
   * @throws WalletException of kind NOT_FOUND if the wallet has no such coin; of kind BAD_INPUT if
   *     it is spent; else if the wallet cannot be written
   */
  public boolean freeze(OutPoint coin) {
    return labels.freeze(coin);
  }

  /**
   * Lets payments spend a coin again. A frozen coin that is spent by now can be named, too.
   *
   * @param coin which
   * @return false if it was not frozen
   * @throws WalletException of kind NOT_FOUND if it is not frozen and the wallet has no such coin;
   *     of kind BAD_INPUT if it is not frozen and spent; else if the wallet cannot be written
   */
  public boolean unfreeze(OutPoint coin) {
    return labels.unfreeze(coin);
  }

  /**
   * Looks a transaction up.
   *
   * @param txid which
   * @return all that is known of it; empty if it is not the wallet's
   * @throws WalletException if the file cannot be read
   */
  public Optional<TransactionDetail> transaction(Hash256 txid) {
    return access.read(
        view -> {
          // The stored proof is of all own transactions of the block.
          Optional<MerkleBlock> proof =
              books
                  .readStore(store -> Optional.ofNullable(store.proof(txid)))
                  .flatMap(stored -> stored.only(txid));
          return new Listings(view).transaction(txid, proof);
        });
  }

  /**
   * Looks a block up in the wallet's headers, as of the last commit. Reads them all.
   *
   * @param block its hash
   * @return its height; empty if it is not in the active chain
   * @throws WalletException if the file cannot be read
   */
  public OptionalInt heightOf(Hash256 block) {
    if (block.equals(network.genesisHash())) {
      return OptionalInt.of(0);
    }
    return access.call(() -> books.heightOf(block));
  }

  /**
   * Returns the next receive address that nothing has paid and that {@link #freshAddress} does not
   * hand out. Asking again gives the same until it, or one after it, is used.
   *
   * @return the address, with a warning if only single addresses are watched and none is left
   * @throws WalletException if the file cannot be read
   */
  public ReceiveAddress address() {
    return address(AddressChoice.USUAL);
  }

  /**
   * Returns the next address of a choice, as {@link #address()} does.
   *
   * @param choice script type, and whether for change
   * @return the address
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if the file
   *     cannot be read
   */
  public ReceiveAddress address(AddressChoice choice) {
    return listed(listings -> listings.shown(listings.chain(choice)));
  }

  /**
   * Returns a receive address that was never paid and never returned by this method or by {@link
   * #address()}, and notes that it was handed out. {@link #address()} never returns it, unless the
   * wallet watches single addresses and none is left: a warning says so.
   *
   * @return the address, with a warning if a restore would not look that far, or if only single
   *     addresses are watched and none is left
   * @throws WalletException if the wallet cannot be written
   */
  public ReceiveAddress freshAddress() {
    return freshAddress(AddressChoice.USUAL);
  }

  /**
   * Returns a fresh address of a choice, as {@link #freshAddress()} does.
   *
   * @param choice script type, and whether for change
   * @return the address
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if it
   *     cannot be written
   */
  public ReceiveAddress freshAddress(AddressChoice choice) {
    return access.write(
        () -> {
          // One at a time, so that no two callers get the same.
          synchronized (books) {
            Listings.Fresh fresh = listed(listings -> listings.fresh(choice));
            int count = fresh.address().index() + 1;
            books.writeStore(store -> store.handOut(fresh.chain(), count, fresh.kept()));
            return fresh.address();
          }
        });
  }

  /**
   * Lists the receive addresses that are used or were handed out, and the next one.
   *
   * @return in the order of their chain
   * @throws WalletException if the file cannot be read
   */
  public List<ReceiveAddress> addresses() {
    return addresses(AddressChoice.USUAL);
  }

  /**
   * Lists the addresses of a choice that are used or were handed out, and the next one.
   *
   * @param choice script type, and whether for change
   * @return in the order of their chain
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if the file
   *     cannot be read
   */
  public List<ReceiveAddress> addresses(AddressChoice choice) {
    return listed(listings -> listings.addresses(choice));
  }

  private <T> T listed(Function<Listings, T> reader) {
    try {
      return access.list(reader);
    } catch (NoSuchElementException e) {
      throw new WalletException(WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Lists the peers it has met, and counts the addresses it knows.
   *
   * @return as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public PeerBook peerBook() {
    return access.call(
        () -> books.readStore(store -> PeerBook.of(store, around.clock().instant())));
  }

  /**
   * Lists the peers it has met.
   *
   * @return those seen last first
   * @throws WalletException if the file cannot be read
   */
  public List<KnownPeer> peers() {
    return peerBook().met();
  }

  /**
   * Returns which blocks were scanned by which peers: heights against peers.
   *
   * @return as of the last commit, for at most a dozen peers
   * @throws WalletException if the file cannot be read
   */
  public CoverageMap coverage() {
    return access.call(books::coverageMap);
  }

  /**
   * Returns what the last syncs cost, and for what. Syncs that fetched nothing new, and all but the
   * last 20, are not recorded.
   *
   * @return the newest first
   * @throws WalletException if the file cannot be read
   */
  public List<PastSync> pastSyncs() {
    return access.call(
        () -> {
          List<PastSync> syncs = new ArrayList<>();
          for (SessionFacts facts : books.readStore(WalletStore::sessions)) {
            syncs.add(
                0,
                new PastSync(
                    Instant.ofEpochSecond(facts.began()),
                    Duration.ofMillis(facts.millis()),
                    facts.headers(),
                    facts.blocks(),
                    facts.received(),
                    facts.sent(),
                    facts.traffic()));
          }
          return List.copyOf(syncs);
        });
  }

  /**
   * Returns which filters, peers and times covered something.
   *
   * @param subject a txid, an address of the wallet or a height
   * @return who was asked with what
   * @throws WalletException if the subject is none of the wallet's
   */
  public Why why(String subject) {
    return access.call(() -> WhyReader.why(subject, books));
  }

  /**
   * Returns which preset a session with some options would use, and whether that shows more than
   * the wallet has shown so far. Writes nothing.
   *
   * @param options with whom and how
   * @return the preset, and why it is this one
   * @throws WalletException if the file cannot be read, a peer's address makes no sense, or the
   *     options do not go with a preset that they do not name
   */
  public PresetChoice preset(SyncOptions options) {
    return sessions.preset(options);
  }

  /**
   * Reports what peers have learned from the filters they got, in numbers.
   *
   * @param universe the number of addresses that an observer can test; {@link Universe#of} has
   *     known ones
   * @return as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public PrivacyReport privacy(Universe universe) {
    return access.call(
        () -> {
          Optional<Preset.Kind> last = books.readStore(store -> PresetRule.last(store, network));
          return Disclosures.of(books, universe)
              .report(last.equals(Optional.of(Preset.Kind.PRIVATE)));
        });
  }

  /**
   * Estimates what a sync would cost and disclose, without asking anybody and without writing
   * anything. Peers that it would have to find first are {@linkplain NextSync#standIns stand-ins}.
   *
   * @param options with whom and how
   * @param universe the number of addresses that an observer can test
   * @return as of the last commit
   * @throws WalletException if the file cannot be read, or a peer's address makes no sense
   */
  public SyncForecast forecast(SyncOptions options, Universe universe) {
    PresetChoice choice = sessions.preset(options);
    SessionRequest request = sessions.request(choice, new SessionGoal.Sync(), options);
    return access.call(
        () ->
            new Forecasts(books, network, around.clock().instant())
                .of(Disclosures.of(books, universe), request, choice));
  }

  /**
   * Returns the words.
   *
   * @param password if they are encrypted; not changed. Ignored if they are not: then this checks
   *     nothing
   * @return the words, one space between them
   * @throws WalletException if there are none or the password is wrong
   */
  public String exportMnemonic(char @Nullable [] password) {
    byte[] words = SealedWords.open(secret(), password, file);
    try {
      // The result is a string: nobody can overwrite that.
      return new String(words, StandardCharsets.UTF_8);
    } finally {
      Arrays.fill(words, (byte) 0);
    }
  }

  /**
   * Returns what it watches.
   *
   * @return canonical descriptors, one chain of scripts each
   * @throws WalletException if the file cannot be read
   */
  public List<String> exportDescriptors() {
    return access.call(
        () ->
            books.facts().chains().stream()
                .map(StoredWallet.Chain::descriptor)
                .collect(Collectors.toList()));
  }

  /**
   * Returns the extended public keys of what it watches.
   *
   * @return different ones, in the order of the descriptors; none if it watches addresses only
   * @throws WalletException if the file cannot be read
   */
  public List<String> exportXpubs() {
    return access.call(
        () -> {
          Set<String> keys = new LinkedHashSet<>();
          for (StoredWallet.Chain chain : books.facts().chains()) {
            Descriptor.stored(chain.descriptor(), keyNetwork())
                .extendedKey()
                .ifPresent(key -> keys.add(key.text()));
          }
          return List.copyOf(keys);
        });
  }

  /**
   * Sets, changes or removes the password of the words.
   *
   * @param old the password until now; null if there is none
   * @param chosen the password from now on; null for none
   * @throws WalletException if there are no words, the old password is wrong, or the file cannot be
   *     written
   * @throws IllegalArgumentException if the chosen password is empty, or has a character that was
   *     lost (U+FFFD, half a character); nothing has changed then
   */
  public void changePassword(char @Nullable [] old, char @Nullable [] chosen) {
    StoredWallet.Secret secret = secret();
    byte[] words = SealedWords.open(secret, old, file);
    try {
      StoredWallet.Secret changed =
          SealedWords.seal(words, secret.passphraseUsed(), chosen, around.dice());
      access.write(
          () -> {
            books.writeStore(store -> store.changeSecret(changed));
            return true;
          });
    } finally {
      Arrays.fill(words, (byte) 0);
    }
  }

  /**
   * Stops what is running, waits for its end and closes the file.
   *
   * @throws WalletException of kind LOCKED in a listener of {@link #sync}, which waits for its
   *     listener: the sync is stopped then, and the file stays open until you close it elsewhere;
   *     else if the file cannot be closed
   */
  @Override
  public void close() {
    try {
      sessions.close();
    } finally {
      if (books.isClosed()) {
        use.end();
      }
      if (shared != null) {
        shared.leave(offered);
      }
    }
  }

  private StoredWallet.Secret secret() {
    StoredWallet.Secret secret = access.call(books::facts).secret();
    if (secret == null) {
      throw WalletException.about(
          file, WalletException.Kind.NO_SECRET, " only watches: it has no words");
    }
    return secret;
  }
}
