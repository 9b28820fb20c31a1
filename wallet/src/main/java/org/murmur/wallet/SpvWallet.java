package org.murmur.wallet;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.ledger.Balance;

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
 * <p>Thread safe: while one thread syncs, others may read (they see the last commit) or call {@link
 * #stop}. Several processes may read one wallet; only one at a time writes to it, and a second
 * writer is told so at once.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class SpvWallet implements AutoCloseable {

  private SpvWallet() {}

  private static UnsupportedOperationException notYet() {
    return new UnsupportedOperationException("not there yet");
  }

  /**
   * Makes a wallet. What a crash in the middle leaves behind is no wallet, and is swept up by the
   * next attempt.
   *
   * @param file where; nothing may be there
   * @param recipe what it is made of
   * @return the wallet, open
   * @throws WalletException if there is one already, or the file cannot be written
   */
  public static SpvWallet create(Path file, WalletRecipe recipe) throws WalletException {
    throw notYet();
  }

  /**
   * Opens a wallet. Needs no password, and locks nothing until something is to be written.
   *
   * @param file where it is
   * @return the wallet
   * @throws WalletException if there is none, or it cannot be read
   */
  public static SpvWallet open(Path file) throws WalletException {
    throw notYet();
  }

  /**
   * Tells what it is.
   *
   * @return its fixed facts
   * @throws WalletException if the file cannot be read
   */
  public WalletInfo info() throws WalletException {
    throw notYet();
  }

  /**
   * Syncs on the calling thread until complete, stopped, or out of peers. What was committed is
   * kept in any case, and the next sync goes on from there.
   *
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport sync(SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    throw notYet();
  }

  /**
   * Ends a running sync at its next commit; it returns its report then. From any thread; does
   * nothing if none is running.
   */
  public void stop() {
    throw notYet();
  }

  /**
   * Forgets what was looked at from somewhere on and syncs again.
   *
   * @param from where to begin; if that is before the birthday, it becomes the birthday
   * @param options with whom and how
   * @param listener hears what happens
   * @return what was done
   * @throws WalletException if the wallet cannot be written
   * @throws NoUsablePeerException if no peer was left before it was complete
   */
  public SyncReport rescan(Birthday from, SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    throw notYet();
  }

  /**
   * Sends a signed transaction to peers and waits for what they say.
   *
   * @param tx signed
   * @param options with whom, and how long to wait
   * @param listener hears what happens
   * @return who took it
   * @throws WalletException if the wallet cannot be written
   * @throws NoUsablePeerException if no peer could be reached
   */
  public BroadcastReport broadcast(Tx tx, SyncOptions options, SyncListener listener)
      throws WalletException, NoUsablePeerException {
    throw notYet();
  }

  /**
   * Sums up what it owns, as of the last commit.
   *
   * @return satoshi
   * @throws WalletException if the file cannot be read
   */
  public Balance balance() throws WalletException {
    throw notYet();
  }

  /**
   * Tells how far it is.
   *
   * @return as of the last commit
   * @throws WalletException if the file cannot be read
   */
  public ChainState chain() throws WalletException {
    throw notYet();
  }

  /**
   * Lists its transactions: confirmed ones in the order of the chain, then pending ones.
   *
   * @return oldest first
   * @throws WalletException if the file cannot be read
   */
  public List<HistoryEntry> history() throws WalletException {
    throw notYet();
  }

  /**
   * Lists its transactions, also those that were replaced or died with another one.
   *
   * @return oldest first
   * @throws WalletException if the file cannot be read
   */
  public List<HistoryEntry> fullHistory() throws WalletException {
    throw notYet();
  }

  /**
   * Lists what can be spent, now or when it is confirmed and mature.
   *
   * @return oldest first, pending ones last
   * @throws WalletException if the file cannot be read
   */
  public List<Coin> coins() throws WalletException {
    throw notYet();
  }

  /**
   * Looks a transaction up.
   *
   * @param txid which
   * @return all that is known of it; empty if it is not the wallet's
   * @throws WalletException if the file cannot be read
   */
  public Optional<TransactionDetail> transaction(Hash256 txid) throws WalletException {
    throw notYet();
  }

  /**
   * Returns the next receive address that nothing has paid and that was not handed out as a fresh
   * one. Asking again gives the same until it is used.
   *
   * @return the address
   * @throws WalletException if the file cannot be read
   */
  public ReceiveAddress address() throws WalletException {
    throw notYet();
  }

  /**
   * Returns a receive address that was never returned by this method and never paid, and notes that
   * it was handed out.
   *
   * @return the address, with a warning if a restore would not look that far
   * @throws WalletException if the wallet cannot be written
   */
  public ReceiveAddress freshAddress() throws WalletException {
    throw notYet();
  }

  /**
   * Lists the receive addresses that are used or were handed out, and the next one.
   *
   * @return in the order of their chain
   * @throws WalletException if the file cannot be read
   */
  public List<ReceiveAddress> addresses() throws WalletException {
    throw notYet();
  }

  /**
   * Lists the peers it has met.
   *
   * @return those seen last first
   * @throws WalletException if the file cannot be read
   */
  public List<KnownPeer> peers() throws WalletException {
    throw notYet();
  }

  /**
   * Tells which filters, peers and times covered something.
   *
   * @param subject a txid, an address of the wallet or a height
   * @return who was asked with what
   * @throws WalletException if the subject is none of the wallet's
   */
  public Why why(String subject) throws WalletException {
    throw notYet();
  }

  /**
   * Returns the words.
   *
   * @param password if they are encrypted; not changed
   * @return the words, one space between them
   * @throws WalletException if there are none or the password is wrong
   */
  public String exportMnemonic(char @Nullable [] password) throws WalletException {
    throw notYet();
  }

  /**
   * Returns what it watches.
   *
   * @return canonical descriptors, one chain of scripts each
   * @throws WalletException if the file cannot be read
   */
  public List<String> exportDescriptors() throws WalletException {
    throw notYet();
  }

  /**
   * Returns the extended public keys of what it watches.
   *
   * @return different ones, in the order of the descriptors; none if it watches addresses only
   * @throws WalletException if the file cannot be read
   */
  public List<String> exportXpubs() throws WalletException {
    throw notYet();
  }

  /**
   * Sets, changes or removes the password of the words.
   *
   * @param old the password until now; null if there is none
   * @param chosen the password from now on; null for none
   * @throws WalletException if there are no words, the old password is wrong, or the file cannot be
   *     written
   */
  public void changePassword(char @Nullable [] old, char @Nullable [] chosen)
      throws WalletException {
    throw notYet();
  }

  /** Stops what is running and closes the file. */
  @Override
  public void close() throws WalletException {
    throw notYet();
  }
}
