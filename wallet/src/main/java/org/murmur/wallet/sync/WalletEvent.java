package org.murmur.wallet.sync;

import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.ledger.Balance;

/**
 * Events of a sync that only the wallet knows of. Its listener gets each {@link SyncEvent}.
 *
 * <p>Each {@link Payment} is enough to keep a copy of the wallet. Begin with {@code
 * SpvWallet.history} (or with nothing, before the first sync). A payment that {@linkplain
 * Payment#counts counts} replaces the entry with its txid; any other one removes it. A known
 * transaction is reported again whenever its block or its value changes (it may also pay a key that
 * was derived later), so the last event about a txid counts. At {@link Complete} the copy is that
 * of the named block, but for what {@link Unsearched} says; later pending transactions may still
 * follow. A listener of {@code start} that falls 10,000 events behind misses the oldest: it reads
 * the wallet again.
 */
public sealed interface WalletEvent extends SyncEvent {

  /**
   * A transaction of the wallet, and how it changed.
   *
   * @param change what happened
   * @param entry the transaction as it is now
   */
  record Payment(Change change, HistoryEntry entry) implements WalletEvent {

    /** The change of a transaction of the wallet. */
    public enum Change {
      /** It is pending: relayed, or back after it was gone. */
      SEEN,
      /** It is in a block. */
      CONFIRMED,
      /** It was in a block that was disconnected; it is pending again. */
      UNCONFIRMED,
      /**
       * It no longer counts: another one spends one of its inputs. {@link HistoryEntry#replacedBy}
       * says which, and the height of its block if it is confirmed (a double spend). Reported again
       * when that one confirms, or when a third one replaces both.
       */
      REPLACED,
      /**
       * It no longer counts, and no replacement is known. Either the peers no longer have it
       * ({@link org.murmur.wallet.ledger.TxStatus#MISSING}; it may come back), or the user
       * abandoned it ({@link org.murmur.wallet.ledger.TxStatus#ABANDONED}). Or it cannot confirm
       * ({@link org.murmur.wallet.ledger.TxStatus#DEAD}): it spends an output that is gone, is a
       * coinbase of a disconnected block, or exceeds nodes' package limits.
       */
      GONE
    }

    /**
     * {@return whether it counts in the balance and in the history; false if it was replaced or is
     * gone}
     */
    public boolean counts() {
      return change != Change.REPLACED && change != Change.GONE;
    }
  }

  /**
   * A payment of the wallet has a new state, or another peer reacted to it. One that is first seen
   * in a block is not reported. The {@link Payment} comes before, and is enough for a copy of the
   * wallet.
   *
   * @param txid which
   * @param state its state, with the peers' reactions in this session
   */
  record PaymentStateChanged(Hash256 txid, PaymentState state) implements WalletEvent {}

  /**
   * Blocks left the active chain.
   *
   * @param forkHeight the last height that stayed
   * @param oldHeight the height before
   */
  record Reorganised(int forkHeight, int oldHeight) implements WalletEvent {}

  /**
   * Everything of the wallet up to the tip is known and on disk. While all blocks are older than
   * the wallet's birthday, a {@link WalletWarning.BirthdayAhead} comes instead.
   *
   * @param height the tip's height
   * @param tip the tip's hash
   * @param balance at this tip
   * @param unsearched what the balance cannot know yet, while a private sync follows; {@link
   *     Unsearched#NOTHING} otherwise
   */
  record Complete(int height, Hash256 tip, Balance balance, Unsearched unsearched)
      implements WalletEvent {}

  /**
   * A sync that {@code SpvWallet.start} began has ended. The last event of each listener; one that
   * is added later gets it at once. {@code SpvWallet.sync} and {@code rescan} return or throw
   * instead.
   *
   * @param report of the session, also if no usable peer was left; empty if it failed otherwise
   * @param failure why it failed: a {@code WalletException} (another sync runs, or the file cannot
   *     be written), a {@link NoUsablePeerException}, or a fault of the program
   */
  record Ended(Optional<SyncReport> report, Optional<Throwable> failure) implements WalletEvent {}
}
