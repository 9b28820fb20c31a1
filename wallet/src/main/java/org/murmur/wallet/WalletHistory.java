package org.murmur.wallet;

import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Payments;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;

/**
 * The transactions of a wallet, as of the last commit: those that count, or {@linkplain #full all}.
 * All methods throw {@link WalletException} if the file cannot be read. Thread safe.
 */
public final class WalletHistory {

  private final BooksAccess access;
  private final boolean all;

  WalletHistory(BooksAccess access, boolean all) {
    this.access = access;
    this.all = all;
  }

  /**
   * {@return the history with those, too, that were replaced or died with another one: these among
   * the blocks of the time when they were first seen; another view of the same wallet}
   */
  public WalletHistory full() {
    return new WalletHistory(access, true);
  }

  /**
   * Lists the transactions: confirmed ones in the order of the chain, then pending ones.
   *
   * @return oldest first
   */
  public List<HistoryEntry> list() {
    return access.read(view -> new Payments(view).history(all));
  }

  /**
   * Lists the newest transactions, and those of payments to somebody that were displaced, except by
   * a cancellation of this wallet or by a replacement that pays the same. To go through all of
   * them, go on {@link #before} the first of each page while {@link HistoryPage#older} says so.
   *
   * @param limit how many at most, at least 1
   * @return the page, oldest first
   * @throws IllegalArgumentException if the limit is below 1
   */
  public HistoryPage newest(int limit) {
    return page(limit, Optional.empty()).orElseThrow(IllegalStateException::new);
  }

  /**
   * Lists the next older transactions, else as {@link #newest} does.
   *
   * @param txid the transaction before which they come
   * @param limit how many at most, at least 1
   * @return the page, oldest first; empty if the transaction is not the wallet's
   * @throws IllegalArgumentException if the limit is below 1
   */
  public Optional<HistoryPage> before(Hash256 txid, int limit) {
    return page(limit, Optional.of(txid));
  }

  private Optional<HistoryPage> page(int limit, Optional<Hash256> before) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "a page of " + limit + " transactions, expected 1 or more");
    }
    return access.read(view -> new Payments(view).page(limit, before, all));
  }

  /**
   * Looks a transaction up.
   *
   * @param txid which
   * @return all that is known of it; empty if it is not the wallet's
   */
  public Optional<TransactionDetail> transaction(Hash256 txid) {
    return access.read(
        view -> {
          // The stored proof is of all own transactions of the block.
          Optional<MerkleBlock> proof =
              access
                  .books()
                  .readStore(store -> Optional.ofNullable(store.proof(txid)))
                  .flatMap(stored -> stored.only(txid));
          return new Listings(view).transaction(txid, proof);
        });
  }
}
