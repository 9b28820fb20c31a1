package org.murmur.wallet.internal.store;

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
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.p2p.internal.chain.HeaderArchive;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.overview.Damage;

/**
 * A wallet's file. After a crash it has every finished write, and no unfinished one.
 *
 * <p>One thread at a time. Several stores may be open on one file, in one or several processes; one
 * of them at a time may write, after {@link #lock}.
 */
public interface WalletStore extends AutoCloseable {

  /** Payments given out that are kept; older ones are mined or forgotten by everybody. */
  int GIVEN = 1_000;

  /**
   * Makes the failure for records that contradict each other. Its message names the file. The
   * caller throws it.
   *
   * @return of kind CORRUPT, with a message that names the store
   */
  WalletException damaged(String what, @Nullable Throwable cause);

  /** Becomes the one that writes, until closed. Does nothing if it is already. */
  void lock();

  /** Lets others write. */
  void unlock();

  /**
   * Hands out what was found to be damaged, in what was read so far, and was passed over because it
   * can be learnt again: each once. The next commit deletes it.
   */
  List<Damage> takeDamage();

  /**
   * {@return a number that changes when another store wrote to the file; what was read before is
   * old then; any number}
   */
  long version();

  /** Begins to read one consistent state, whatever is written meanwhile. */
  void beginRead();

  /** Ends what {@link #beginRead} began. */
  void endRead();

  /** Reads what the wallet is. */
  StoredWallet wallet();

  /**
   * Gives access to the headers of the active chain, for as long as this store is open. It sees the
   * last commit, may be used on another thread than the store, and does not wait for a write.
   */
  HeaderArchive headers();

  /** {@return the height of the last header, the base's if there are none; 0 if that is genesis} */
  int height();

  /**
   * Reads the last header.
   *
   * @return one header, or none if there are none above the base
   */
  Headers lastHeader();

  /**
   * Reads the scripts of the element log.
   *
   * @param whole whether scripts and addresses are wanted, too, which are left empty otherwise
   */
  List<ScriptRun> scripts(boolean whole);

  /**
   * Reads the outpoints of the element log, and the coins among them, without reading transactions.
   */
  StoredOutPoints outPoints();

  /**
   * Reads the random value that tweaks and dummies of filters follow from, in wallets that have no
   * extended key.
   */
  @Nullable Bytes filterKey();

  /**
   * Keeps the value that {@link #filterKey} returns from now on.
   *
   * @param key random
   */
  void keepFilterKey(Bytes key);

  /** Reads the preset that was named for this wallet last, or that it was private. */
  Optional<Preset.Kind> preset();

  /** Keeps what {@link #preset} returns from now on. */
  void keepPreset(Preset.Kind preset);

  /**
   * Reads the filter that was sent last.
   *
   * @return that of the load with the highest id, or null if there is none
   */
  @Nullable SentFilter lastShown();

  /**
   * Reads the views that scan rows name.
   *
   * @return by ascending id
   */
  List<View> views();

  /** {@return the highest id that a view ever had, 0 if there was none} */
  long lastView();

  /**
   * Reads the filters of the private preset that were sent.
   *
   * @return the last load of each filter and peer, and perhaps earlier ones, by ascending id
   */
  List<Load> epochs();

  /**
   * Reads all filters that were sent, one after the other. A filter that a peer got again and again
   * comes once, or a few times.
   *
   * @param reader takes them by ascending id of the last load, and must not use this store
   */
  void showings(Consumer<SentFilter> reader);

  /** Reads all filters that were sent. */
  default List<SentFilter> showings() {
    List<SentFilter> all = new ArrayList<>();
    showings(all::add);
    return all;
  }

  /**
   * Reads what peers were sent outside every filter.
   *
   * @return oldest first
   */
  List<DisclosedScripts> disclosed();

  /**
   * Reads which whole blocks peers were asked for because they may be the wallet's. A peer comes
   * once with each block, with the last time.
   *
   * @return in the order of the first requests
   */
  List<Fetch> fetches();

  /** Reads what was scanned. */
  List<ScanRow> rows();

  /** Reads what is known of transactions. */
  List<Fact> facts();

  /** Reads what is known of one transaction. */
  @Nullable Fact fact(Hash256 txid);

  /**
   * Reads what is known of transactions that no block holds.
   *
   * @return in no order; at most as many as the ledger lets in
   */
  List<Fact> unconfirmed();

  /**
   * Reads a page of the transactions in blocks, without reading the others.
   *
   * @param height where the page begins, with {@code position}: only what is lower, or as high and
   *     at a lower position, is on it; {@link Integer#MAX_VALUE} for the first page
   * @param position in the block of that height, from 0
   * @param limit the most that are wanted, at least 1
   * @return highest first, and in a block the last first; fewer than the limit only if there are no
   *     more
   */
  List<Fact> confirmedBefore(int height, int position, int limit);

  /**
   * Reads the transactions of one block.
   *
   * @param height the block's
   * @return those of them that are stored, in no order
   */
  List<Fact> minedAt(int height);

  /**
   * Reads in which blocks transactions are, without reading these.
   *
   * @return a table by {@linkplain KeyedHeights#key(Hash256) keys of txids}, with one entry for
   *     each transaction in a block; the caller's
   */
  KeyedHeights minedHeights();

  /** Counts the transactions in blocks, without reading these. */
  int minedCount();

  /**
   * Reads the proof of a transaction.
   *
   * @return the transaction's block with a proof of it, and perhaps of others; or null if it is in
   *     no block
   */
  @Nullable MerkleBlock proof(Hash256 txid);

  /**
   * Reads what is known of peers.
   *
   * @return those seen last first
   */
  List<PeerFacts> peers();

  /** Reads the table of known addresses. */
  List<KnownAddress> addresses();

  /**
   * Reads what earlier syncs cost.
   *
   * @return oldest first, the last ones only
   */
  List<SessionFacts> sessions();

  /** Notes what a sync cost. */
  void note(SessionFacts session);

  /** Reads the user's labels. */
  List<Label> labels();

  /**
   * Reads the labels of some things, without reading the others.
   *
   * @return their labels of every origin, sorted
   */
  List<Label> labels(Collection<LabelRef> refs);

  /**
   * Writes labels, in one transaction. Each takes the place of the one with its thing and origin. A
   * label that {@linkplain Label#saysNothing says nothing} only removes that one.
   */
  void putLabels(Collection<Label> changed);

  /**
   * Reads the payments that the wallet gave out: PSBTs that it made or signed, and transactions
   * that were to be sent. Somebody may send each of them, although the ledger need not have it.
   *
   * @return oldest first, each once, without witness data; the last {@value #GIVEN} only
   */
  List<Tx> given();

  /** Keeps a payment that {@link #given} returns from now on, as the newest. */
  void give(Tx tx);

  /** Writes one commit, in one transaction. */
  void write(StoreChange change);

  /**
   * Lets the headers begin with another block, in one transaction with what follows from it: all
   * headers, rows and proofs go away, and nothing else.
   *
   * @param wallet what it is from now on: base, birthday and its height count, all else is as it
   *     was
   * @param change what is written then; without headers and rows, and forked at the base
   */
  void restart(StoredWallet wallet, StoreChange change);

  /**
   * Notes how many of a chain's first addresses were given out as fresh ones.
   *
   * @param kept which of them was not given out; empty if all were
   */
  void handOut(int chain, int count, OptionalInt kept);

  /** Keeps the words in another form. */
  void changeSecret(StoredWallet.Secret secret);

  /** Lets others write and closes the file. */
  @Override
  void close();
}
