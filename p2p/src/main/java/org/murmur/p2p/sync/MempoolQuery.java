package org.murmur.p2p.sync;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.wire.Message;

/**
 * Unconfirmed transactions, asked for once, when every outpoint is loaded (BIP-0035).
 *
 * <p>The answer has no end mark. A peer that answers at once sends its {@code inv} before the pong
 * of the ping behind the question; others spread it over half a minute, so then only the clock
 * decides. A peer once seen to answer at once is remembered, so that its silence can be believed.
 */
final class MempoolQuery {

  private enum Stage {
    WAITING,
    ASKED,
    ANSWERED,
    OVER
  }

  /** A payment found in the mempool can grow the look-ahead; that ends after a few rounds. */
  private static final int MAX_ROUNDS = 5;

  private final Session session;
  private final BlockScan scan;
  private Stage stage = Stage.WAITING;
  private @Nullable Peer asked;
  private long ping;
  private boolean invSeen;
  private @Nullable Instant deadline;
  private int rounds;
  private int scriptsAsked;

  MempoolQuery(Session session, BlockScan scan) {
    this.session = session;
    this.scan = scan;
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  @Nullable Instant deadline() {
    return stage == Stage.ASKED || stage == Stage.ANSWERED ? deadline : null;
  }

  /** Everything is covered and on disk: ask, or see whether the answer is whole. */
  void advance() {
    switch (stage) {
      case WAITING -> begin();
      case ASKED -> {
        if (isLate()) {
          finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
        }
      }
      case ANSWERED -> {
        Peer peer = asked;
        boolean all = peer == null || peer.wanted.isEmpty();
        if (all && !session.journal.isClean()) {
          session.journal.hurry();
        } else if (all) {
          finish(SyncEvent.MempoolAnswered.Answer.COMPLETE);
        } else if (isLate()) {
          finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
        }
      }
      case OVER -> {}
    }
  }

  void inv(Peer peer) {
    if (stage == Stage.ASKED && peer == asked) {
      invSeen = true;
    }
  }

  void ponged(Peer peer, long nonce) {
    if (stage == Stage.ASKED && peer == asked && nonce == ping) {
      peer.mempoolAtOnce |= invSeen;
      if (peer.mempoolAtOnce) {
        stage = Stage.ANSWERED;
      }
    }
  }

  void lost(Peer peer) {
    if (peer == asked && stage != Stage.OVER) {
      asked = null;
      stage = Stage.WAITING;
    }
  }

  private boolean isLate() {
    Instant end = deadline;
    return end != null && !session.now.isBefore(end);
  }

  private void begin() {
    if (session.settings.mempoolWait().isZero() || session.settings.headersOnly()) {
      finish(SyncEvent.MempoolAnswered.Answer.SKIPPED);
      return;
    }
    Peer peer = session.scanner();
    if (peer == null || peer.nextLoad != null) {
      return;
    }
    if (!scan.holdsEverything(peer)) {
      scan.refresh(peer);
      return;
    }
    asked = peer;
    invSeen = false;
    rounds++;
    scriptsAsked = session.log.lastScript();
    session.send(peer, new Message.Mempool());
    ping = session.ping(peer);
    if (deadline == null) {
      deadline = session.now.plus(session.settings.mempoolWait());
    }
    stage = Stage.ASKED;
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    boolean grown = session.log.lastScript() > scriptsAsked;
    if (answer == SyncEvent.MempoolAnswered.Answer.COMPLETE && grown && rounds < MAX_ROUNDS) {
      stage = Stage.WAITING;
      return;
    }
    stage = Stage.OVER;
    session.emit(new SyncEvent.MempoolAnswered(answer));
  }
}
