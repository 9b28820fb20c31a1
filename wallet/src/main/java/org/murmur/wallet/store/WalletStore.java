package org.murmur.wallet.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.HeaderArchive;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.cover.View;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.wire.Headers;
import org.murmur.wallet.label.Label;
import org.murmur.wallet.label.LabelRef;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.privacy.Preset;

/**
 * A wallet's file. After a crash it has every finished write, and no unfinished one.
 *
 * <p>One thread at a time. Several stores may be open on one file, in one or several processes; one
 * of them at a time may write, after {@link #lock}.
 */
public interface WalletStore extends AutoCloseable {

  /**
   * Makes the failure for records that contradict each other. Its message names the file. The
   * caller throws it.
   *
   * @param what is wrong
   * @param cause what it came from, if anything
   * @return of kind CORRUPT, with a message that names the store
   */
  StoreException damaged(String what, @Nullable Throwable cause);

  /**
   * Becomes the one that writes, until closed. Does nothing if it is already.
   *
   * @throws StoreException of kind LOCKED, at once, if somebody else is
   */
  void lock() throws StoreException;

  /** Lets others write. */
  void unlock();

  /**
   * Hands out what was found to be damaged, in what was read so far, and was passed over because it
   * can be learnt again: each loss once. The next commit deletes it.
   *
   * @return what was damaged
   */
  List<Loss> takeLosses();

  /**
   * Returns a number that changes when another store wrote to the file; what was read before is old
   * then.
   *
   * @return any number
   * @throws StoreException if the file cannot be read
   */
  long version() throws StoreException;

  /**
   * Begins to read one consistent state, whatever is written meanwhile.
   *
   * @throws StoreException if the file cannot be read
   */
  void beginRead() throws StoreException;

  /**
   * Ends what {@link #beginRead} began.
   *
   * @throws StoreException if the file cannot be read
   */
  void endRead() throws StoreException;

  /**
   * Reads what the wallet is.
   *
   * @return its facts
   * @throws StoreException if the file cannot be read
   */
  StoredWallet wallet() throws StoreException;

  /**
   * Gives access to the headers of the active chain, for as long as this store is open. It sees the
   * last commit, may be used on another thread than the store, and does not wait for a write.
   *
   * @return the headers
   */
  HeaderArchive headers();

  /**
   * Returns the height of the last header.
   *
   * @return the base's if there are none; 0 if that is genesis
   * @throws StoreException if the file cannot be read
   */
  int height() throws StoreException;

  /**
   * Reads the last header.
   *
   * @return one header, or none if there are none above the base
   * @throws StoreException if the file cannot be read
   */
  Headers lastHeader() throws StoreException;

  /**
   * Reads the scripts of the element log.
   *
   * @param whole whether scripts and addresses are wanted, too, which are left empty otherwise
   * @return in order
   * @throws StoreException if the file cannot be read
   */
  List<ScriptRun> scripts(boolean whole) throws StoreException;

  /**
   * Reads the outpoints of the element log, and the coins among them, without reading transactions.
   *
   * @return both
   * @throws StoreException if the file cannot be read
   */
  StoredOutPoints outPoints() throws StoreException;

  /**
   * Reads the random value that tweaks and dummies of filters follow from, in wallets that have no
   * extended key.
   *
   * @return the value, or null if none was kept
   * @throws StoreException if the file cannot be read
   */
  @Nullable Bytes filterKey() throws StoreException;

  /**
   * Keeps the value that {@link #filterKey} returns from now on.
   *
   * @param key random
   * @throws StoreException if it cannot; nothing is changed then
   */
  void keepFilterKey(Bytes key) throws StoreException;

  /**
   * Reads the preset that was named for this wallet last, or that it was private.
   *
   * @return empty if none was kept
   * @throws StoreException if the file cannot be read
   */
  Optional<Preset> preset() throws StoreException;

  /**
   * Keeps what {@link #preset} returns from now on.
   *
   * @param preset the preset
   * @throws StoreException if it cannot; nothing is changed then
   */
  void keepPreset(Preset preset) throws StoreException;

  /**
   * Reads the filter that was sent last.
   *
   * @return that of the load with the highest id, or null if there is none
   * @throws StoreException if the file cannot be read
   */
  @Nullable SentFilter lastShown() throws StoreException;

  /**
   * Reads the views that scan rows name.
   *
   * @return by ascending id
   * @throws StoreException if the file cannot be read
   */
  List<View> views() throws StoreException;

  /**
   * Reads the filters of the private preset that were sent.
   *
   * @return the last load of each filter and peer, and perhaps earlier ones, by ascending id
   * @throws StoreException if the file cannot be read
   */
  List<Load> epochs() throws StoreException;

  /**
   * Reads all filters that were sent, one after the other. A filter that a peer got again and again
   * comes once, or a few times.
   *
   * @param reader takes them by ascending id of the last load, and must not use this store
   * @throws StoreException if the file cannot be read
   */
  void showings(Consumer<SentFilter> reader) throws StoreException;

  /**
   * Reads all filters that were sent.
   *
   * @return as {@link #showings(Consumer)} hands them out
   * @throws StoreException if the file cannot be read
   */
  default List<SentFilter> showings() throws StoreException {
    List<SentFilter> all = new ArrayList<>();
    showings(all::add);
    return all;
  }

  /**
   * Reads what peers were sent outside every filter.
   *
   * @return oldest first
   * @throws StoreException if the file cannot be read
   */
  List<DisclosedScripts> disclosed() throws StoreException;

  /**
   * Reads what was scanned.
   *
   * @return by id
   * @throws StoreException if the file cannot be read
   */
  List<ScanRow> rows() throws StoreException;

  /**
   * Reads what is known of transactions.
   *
   * @return in no order
   * @throws StoreException if the file cannot be read
   */
  List<Fact> facts() throws StoreException;

  /**
   * Reads what is known of one transaction.
   *
   * @param txid which
   * @return null if it is not stored
   * @throws StoreException if the file cannot be read
   */
  @Nullable Fact fact(Hash256 txid) throws StoreException;

  /**
   * Reads what is known of transactions that no block holds.
   *
   * @return in no order; at most as many as the ledger lets in
   * @throws StoreException if the file cannot be read
   */
  List<Fact> unconfirmed() throws StoreException;

  /**
   * Reads a page of the transactions in blocks, without reading the others.
   *
   * @param height where the page begins, with {@code position}: only what is lower, or as high and
   *     at a lower position, is on it; {@link Integer#MAX_VALUE} for the first page
   * @param position in the block of that height, from 0
   * @param limit the most that are wanted, at least 1
   * @return highest first, and in a block the last first; fewer than the limit only if there are no
   *     more
   * @throws StoreException if the file cannot be read
   */
  List<Fact> confirmedBefore(int height, int position, int limit) throws StoreException;

  /**
   * Reads the transactions of one block.
   *
   * @param height the block's
   * @return those of them that are stored, in no order
   * @throws StoreException if the file cannot be read
   */
  List<Fact> minedAt(int height) throws StoreException;

  /**
   * Reads in which blocks transactions are, without reading these.
   *
   * @return a table by {@linkplain KeyedHeights#key(Hash256) keys of txids}, with one entry for
   *     each transaction in a block; the caller's
   * @throws StoreException if the file cannot be read
   */
  KeyedHeights minedHeights() throws StoreException;

  /**
   * Counts the transactions in blocks, without reading these.
   *
   * @return how many are stored
   * @throws StoreException if the file cannot be read
   */
  int minedCount() throws StoreException;

  /**
   * Reads the proof of a transaction.
   *
   * @param txid which
   * @return the transaction's block with a proof of it, and perhaps of others; or null if it is in
   *     no block
   * @throws StoreException if the file cannot be read, or what it holds is no {@code merkleblock}
   */
  @Nullable MerkleBlock proof(Hash256 txid) throws StoreException;

  /**
   * Reads what is known of peers.
   *
   * @return those seen last first
   * @throws StoreException if the file cannot be read
   */
  List<PeerFacts> peers() throws StoreException;

  /**
   * Reads the table of known addresses.
   *
   * @return in no order
   * @throws StoreException if the file cannot be read
   */
  List<KnownAddress> addresses() throws StoreException;

  /**
   * Reads what earlier syncs cost.
   *
   * @return oldest first, the last ones only
   * @throws StoreException if the file cannot be read
   */
  List<SessionFacts> sessions() throws StoreException;

  /**
   * Notes what a sync cost.
   *
   * @param session the sync
   * @throws StoreException if it cannot; nothing is changed then
   */
  void note(SessionFacts session) throws StoreException;

  /**
   * Reads the user's labels.
   *
   * @return all of them, sorted
   * @throws StoreException if the file cannot be read
   */
  List<Label> labels() throws StoreException;

  /**
   * Reads the labels of some things, without reading the others.
   *
   * @param refs the things
   * @return their labels of every origin, sorted
   * @throws StoreException if the file cannot be read
   */
  List<Label> labels(Collection<LabelRef> refs) throws StoreException;

  /**
   * Writes labels, in one transaction. Each takes the place of the one with its thing and origin. A
   * label that {@linkplain Label#saysNothing says nothing} only removes that one.
   *
   * @param changed the labels
   * @throws StoreException if it cannot; nothing is changed then
   */
  void putLabels(Collection<Label> changed) throws StoreException;

  /**
   * Reads the payments that the wallet gave out: PSBTs that it made or signed, and transactions
   * that were to be sent. Somebody may send each of them, although the ledger need not have it.
   *
   * @return oldest first, without witness data; the last ones only
   * @throws StoreException if the file cannot be read
   */
  List<Tx> given() throws StoreException;

  /**
   * Keeps a payment that {@link #given} returns from now on.
   *
   * @param tx signed or not
   * @throws StoreException if it cannot; nothing is changed then
   */
  void give(Tx tx) throws StoreException;

  /**
   * Writes one commit, in one transaction.
   *
   * @param change what changed
   * @throws StoreException if it cannot; nothing is changed then
   */
  void write(StoreChange change) throws StoreException;

  /**
   * Lets the headers begin with another block, in one transaction with what follows from it: all
   * headers, rows and proofs go away, and nothing else.
   *
   * @param wallet what it is from now on: base, birthday and its height count, all else is as it
   *     was
   * @param change what is written then; without headers and rows, and forked at the base
   * @throws StoreException if it cannot; nothing is changed then
   */
  void restart(StoredWallet wallet, StoreChange change) throws StoreException;

  /**
   * Notes how many of a chain's first addresses were given out as fresh ones.
   *
   * @param chain which
   * @param count how many
   * @param kept which of them was not given out; empty if all were
   * @throws StoreException if it cannot; nothing is changed then
   */
  void handOut(int chain, int count, OptionalInt kept) throws StoreException;

  /**
   * Keeps the words in another form.
   *
   * @param secret the new form
   * @throws StoreException if it cannot; nothing is changed then
   */
  void changeSecret(StoredWallet.Secret secret) throws StoreException;

  /** Lets others write and closes the file. */
  @Override
  void close() throws StoreException;
}
