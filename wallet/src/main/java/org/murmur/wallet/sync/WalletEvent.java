package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.ledger.Balance;

/**
 * Events of a sync, as data.
 *
 * <p>The five about payments are enough to keep a copy of the wallet. Begin with {@code
 * SpvWallet.history} (or with nothing, before the first sync). The transaction of each {@link
 * PaymentSeen}, {@link PaymentConfirmed} and {@link PaymentUnconfirmed} replaces the one with its
 * txid; remove that of each {@link PaymentReplaced} and {@link PaymentGone}. A known transaction is
 * reported again whenever its block or its value changes (it may also pay a key that was derived
 * later), so the last event about a txid counts. At {@link Complete} the copy is that of the named
 * block, but for what {@link Unsearched} says; later pending transactions may still follow.
 */
public sealed interface WalletEvent {

  /**
   * The progress; at most a few times a second.
   *
   * @param headers height of the best header chain
   * @param target the highest height any peer claims
   * @param scanned blocks scanned in this session
   * @param toScan blocks still to be scanned, as far as headers are known
   * @param bytesReceived in this session, from all peers
   * @param elapsed since the session began
   */
  record Progress(
      int headers, int target, int scanned, int toScan, long bytesReceived, Duration elapsed)
      implements WalletEvent {}

  /**
   * A peer completed the version handshake.
   *
   * @param address of the peer
   * @param userAgent as it announced
   * @param services its service bits
   * @param height its height as it announced
   */
  record PeerReady(NodeAddress address, String userAgent, long services, int height)
      implements WalletEvent {}

  /**
   * A peer is gone.
   *
   * @param address of the peer
   * @param misbehaviour its misbehaviour; empty if there was none
   * @param detail for people
   */
  record PeerLost(NodeAddress address, Optional<String> misbehaviour, String detail)
      implements WalletEvent {}

  /**
   * A transaction of the wallet is pending: relayed, or back after it was gone.
   *
   * @param transaction which
   */
  record PaymentSeen(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet is in a block.
   *
   * @param transaction which
   */
  record PaymentConfirmed(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet was in a block that was disconnected; it is pending again.
   *
   * @param transaction which
   */
  record PaymentUnconfirmed(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet no longer counts: another one spends one of its inputs. {@link
   * HistoryEntry#replacedBy} says which, and the height of its block if it is confirmed (a double
   * spend). Reported again when that one confirms, or when a third one replaces both.
   *
   * @param transaction which
   */
  record PaymentReplaced(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet no longer counts, and no replacement is known. Either the peers no
   * longer have it ({@link org.murmur.wallet.ledger.TxStatus#MISSING}; it may come back), or the
   * user abandoned it ({@link org.murmur.wallet.ledger.TxStatus#ABANDONED}). Or it cannot confirm
   * ({@link org.murmur.wallet.ledger.TxStatus#DEAD}): it spends an output that is gone, is a
   * coinbase of a disconnected block, or exceeds nodes' package limits.
   *
   * @param transaction which
   */
  record PaymentGone(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A payment of the wallet has a new state, or another peer reacted to it. One that is first seen
   * in a block is not reported. The events about payments above come before, and are enough for a
   * copy of the wallet.
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
   * the wallet's birthday, a {@link Warning} of kind {@link WalletWarning.BirthdayAhead} comes
   * instead.
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
   * A peer does not announce its unconfirmed transactions at once; the sync waits for them.
   *
   * @param peer which
   * @param limit the longest wait from now on
   */
  record MempoolAwaited(NodeAddress peer, Duration limit) implements WalletEvent {}

  /**
   * The query for the peers' unconfirmed transactions ended.
   *
   * @param answer how much was seen
   */
  record MempoolAnswered(SyncEvent.MempoolAnswered.Answer answer) implements WalletEvent {}

  /**
   * A peer fetched a transaction that we broadcast.
   *
   * @param txid which
   * @param peer which
   */
  record TransactionTaken(Hash256 txid, NodeAddress peer) implements WalletEvent {}

  /**
   * A peer sent back a transaction that we broadcast: it is in its memory pool.
   *
   * @param txid which
   * @param peer which
   */
  record TransactionAccepted(Hash256 txid, NodeAddress peer) implements WalletEvent {}

  /**
   * A payment of an earlier session was announced to a peer.
   *
   * @param txid which
   * @param peer to whom
   */
  record TransactionOffered(Hash256 txid, NodeAddress peer) implements WalletEvent {}

  /**
   * A peer announced a transaction that we broadcast: it has spread.
   *
   * @param txid which
   * @param peer which
   */
  record TransactionAnnounced(Hash256 txid, NodeAddress peer) implements WalletEvent {}

  /**
   * A peer refused a transaction that we broadcast.
   *
   * @param txid which
   * @param peer which
   * @param reason as the peer gave it
   */
  record TransactionRefused(Hash256 txid, NodeAddress peer, String reason) implements WalletEvent {}

  /**
   * A step worth a log line. It contains no address, key, filter or transaction of the wallet.
   *
   * @param topic what it is about
   * @param peer which
   * @param text for people
   */
  record Note(SyncEvent.Note.Topic topic, NodeAddress peer, String text) implements WalletEvent {}

  /**
   * A warning for the user before anything is sent: what this sync exposes, or what was lost of the
   * wallet's file. The report repeats it.
   *
   * @param what the kind of warning, with its data
   */
  record Forewarning(WalletWarning what) implements WalletEvent {}

  /**
   * A warning for the user.
   *
   * @param what the kind of warning, with its data
   */
  record Warning(WalletWarning what) implements WalletEvent {}

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
