package org.murmur.wallet.sync;

import java.time.Duration;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.ledger.Balance;

/**
 * What happens during a sync, as data.
 *
 * <p>The five about payments are enough to keep a copy of the wallet: begin with {@code
 * SpvWallet.history} (or with nothing, before the first sync), and put the transaction of each
 * {@link PaymentSeen}, {@link PaymentConfirmed} and {@link PaymentUnconfirmed} in the place of the
 * one with its txid, and remove that of each {@link PaymentReplaced} and {@link PaymentGone}. One
 * that counts already is reported again whenever its block or its worth changes (a key that was
 * derived later may be paid by it, too), so the last word on a txid holds. At {@link Complete} the
 * copy is that of the block it names, and what is pending is what was heard of so far.
 */
public sealed interface WalletEvent {

  /**
   * How far it is; at most a few times a second.
   *
   * @param headers height of the best header chain
   * @param target the highest height any peer claims
   * @param scanned blocks looked at in this session
   * @param toScan blocks still to be looked at, as far as headers are known
   * @param bytesReceived in this session, from all peers
   * @param elapsed since the session began
   */
  record Progress(
      int headers, int target, int scanned, int toScan, long bytesReceived, Duration elapsed)
      implements WalletEvent {}

  /**
   * A peer completed the version handshake.
   *
   * @param address who
   * @param userAgent its words
   * @param services its service bits
   * @param height its height as it said
   */
  record PeerReady(PeerAddress address, String userAgent, long services, int height)
      implements WalletEvent {}

  /**
   * A peer is gone.
   *
   * @param address who
   * @param misbehaviour what it did wrong; empty if it is innocent
   * @param detail for people
   */
  record PeerLost(PeerAddress address, Optional<String> misbehaviour, String detail)
      implements WalletEvent {}

  /**
   * A transaction of the wallet is pending: relayed, or there again after it was gone.
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
   * A transaction of the wallet was in a block that left the chain; it is pending again.
   *
   * @param transaction which
   */
  record PaymentUnconfirmed(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet counts no more: another one spends one of its inputs. {@link
   * HistoryEntry#replacedBy} says which, and the height of its block if it is confirmed (a double
   * spend). Reported again when it confirms, or when a third one takes the place.
   *
   * @param transaction which
   */
  record PaymentReplaced(HistoryEntry transaction) implements WalletEvent {}

  /**
   * A transaction of the wallet counts no more, and nothing is known that took its place: the peers
   * do not have it any more ({@link org.murmur.wallet.ledger.TxStatus#MISSING}; it may come back),
   * or it does not count because what it spends is gone, also a coinbase whose block left the
   * chain, or because it builds on more than nodes relay ({@link
   * org.murmur.wallet.ledger.TxStatus#DEAD}); or the user abandoned it ({@link
   * org.murmur.wallet.ledger.TxStatus#ABANDONED}).
   *
   * @param transaction which
   */
  record PaymentGone(HistoryEntry transaction) implements WalletEvent {}

  /**
   * Blocks left the active chain.
   *
   * @param forkHeight the last height that stayed
   * @param oldHeight the height before
   */
  record Reorganised(int forkHeight, int oldHeight) implements WalletEvent {}

  /**
   * Everything of the wallet up to the tip is known and on disk.
   *
   * @param height the tip's height
   * @param tip the tip's hash
   * @param balance at this tip
   */
  record Complete(int height, Hash256 tip, Balance balance) implements WalletEvent {}

  /**
   * A peer does not announce its unconfirmed transactions at once; the sync waits for them.
   *
   * @param peer who
   * @param limit how long from now on, at the most
   */
  record MempoolAwaited(PeerAddress peer, Duration limit) implements WalletEvent {}

  /**
   * The peers' unconfirmed transactions were asked for.
   *
   * @param answer how much of them was seen
   */
  record MempoolAnswered(SyncEvent.MempoolAnswered.Answer answer) implements WalletEvent {}

  /**
   * A peer fetched a transaction that we broadcast.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionTaken(Hash256 txid, PeerAddress peer) implements WalletEvent {}

  /**
   * A peer handed a transaction back that we broadcast: it is in its memory pool.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionAccepted(Hash256 txid, PeerAddress peer) implements WalletEvent {}

  /**
   * A peer announced a transaction that we broadcast: it has spread.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionAnnounced(Hash256 txid, PeerAddress peer) implements WalletEvent {}

  /**
   * A peer refused a transaction that we broadcast.
   *
   * @param txid which
   * @param peer who
   * @param reason its words
   */
  record TransactionRefused(Hash256 txid, PeerAddress peer, String reason) implements WalletEvent {}

  /**
   * A step worth a line in a log: who, what and why. It names no address, key, filter or
   * transaction of the wallet.
   *
   * @param topic what it is about
   * @param peer who
   * @param text for people
   */
  record Note(SyncEvent.Note.Topic topic, PeerAddress peer, String text) implements WalletEvent {}

  /**
   * What a user must hear before anything is sent: what this sync exposes, or what was lost of the
   * wallet's file. It is among the warnings of the report, too.
   *
   * @param what of which kind, with its data
   */
  record Forewarning(WalletWarning what) implements WalletEvent {}

  /**
   * Something that the user should know.
   *
   * @param what of which kind, with its data
   */
  record Warning(WalletWarning what) implements WalletEvent {}
}
