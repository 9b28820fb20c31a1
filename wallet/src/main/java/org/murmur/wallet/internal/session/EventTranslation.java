package org.murmur.wallet.internal.session;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/** Translates the machine's events for the wallet's listener. */
final class EventTranslation {

  private EventTranslation() {}

  /** The event for listeners; null if they get none, or another one for it. */
  static @Nullable WalletEvent of(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady ready) {
      return new WalletEvent.PeerReady(
          ready.address(), ready.userAgent(), ready.services(), ready.height());
    }
    if (event instanceof SyncEvent.PeerLost lost) {
      return new WalletEvent.PeerLost(
          lost.address(), Participants.misbehaviour(lost), lost.detail());
    }
    if (event instanceof SyncEvent.MempoolAnswered answered) {
      return new WalletEvent.MempoolAnswered(answered.answer());
    }
    if (event instanceof SyncEvent.MempoolAwaited awaited) {
      return new WalletEvent.MempoolAwaited(awaited.peer(), awaited.limit());
    }
    if (event instanceof SyncEvent.Note note) {
      return new WalletEvent.Note(note.topic(), note.peer(), note.text());
    }
    if (event instanceof SyncEvent.TransactionTaken t) {
      return new WalletEvent.TransactionTaken(t.txid(), t.peer());
    }
    if (event instanceof SyncEvent.TransactionAccepted a) {
      return new WalletEvent.TransactionAccepted(a.txid(), a.peer());
    }
    if (event instanceof SyncEvent.TransactionOffered o) {
      return new WalletEvent.TransactionOffered(o.txid(), o.peer());
    }
    if (event instanceof SyncEvent.TransactionAnnounced a) {
      return new WalletEvent.TransactionAnnounced(a.txid(), a.peer());
    }
    if (event instanceof SyncEvent.TransactionRefused r) {
      return new WalletEvent.TransactionRefused(r.txid(), r.peer(), r.reason());
    }
    return null;
  }

  /** The warning for the user; null if it is none. */
  static @Nullable WalletWarning warning(SyncEvent event, Participants peers) {
    if (event instanceof SyncEvent.Warning warning) {
      return new WalletWarning.OfSession(warning.what());
    }
    if (event instanceof SyncEvent.ClockBehind clock) {
      return new WalletWarning.ClockBehind(clock.height(), clock.by());
    }
    if (event instanceof SyncEvent.TooFewCrossChecks few) {
      return new WalletWarning.TooFewPeers(few.wanted(), few.seen(), peers.problems());
    }
    if (event instanceof SyncEvent.Disagreement d) {
      return new WalletWarning.PeersDisagree(
          d.height(), d.txid(), d.peers().get(0), d.peers().subList(1, d.peers().size()));
    }
    return event instanceof SyncEvent.PeerInBackOff left
        ? new WalletWarning.PeerInBackOff(left.address(), left.reason(), left.until())
        : null;
  }
}
