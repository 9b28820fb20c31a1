package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.wire.Message;

/**
 * Unconfirmed transactions under the private preset: every guard is asked once a connection, under
 * the epoch it was shown last. Nothing is asked for that it did not announce, and all of that is,
 * so that what it is asked says nothing of what is the wallet's.
 */
final class GuardMempool implements UnconfirmedQuery {

  private static final class Answer {
    long ping;
    boolean ponged;
    boolean emptyHanded;
  }

  private final Session session;
  private final GuardPlan plan;
  private final Guards guards;
  // By link.
  private final Map<Integer, Answer> answers = new HashMap<>();
  private @Nullable Instant deadline;
  private boolean over;

  GuardMempool(Session session, GuardPlan plan, Guards guards) {
    this.session = session;
    this.plan = plan;
    this.guards = guards;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public @Nullable Instant deadline() {
    return over ? null : deadline;
  }

  @Override
  public void advance() {
    boolean skip = session.settings.mempoolWait().isZero() || session.settings.headersOnly();
    if (!skip) {
      askWhoWasNotAsked();
    }
    if (over) {
      return;
    }
    if (skip || !plan.hasBegun()) {
      finish(SyncEvent.MempoolAnswered.Answer.SKIPPED);
    } else if (guards.present().isEmpty()) {
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    } else if (isWhole()) {
      if (session.journal.isClean()) {
        finish(
            guards.allPresent()
                ? SyncEvent.MempoolAnswered.Answer.COMPLETE
                : SyncEvent.MempoolAnswered.Answer.PARTIAL);
      } else {
        session.journal.hurry();
      }
    } else if (deadline != null && !session.now.isBefore(deadline)) {
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    }
  }

  private void askWhoWasNotAsked() {
    for (Peer peer : guards.present()) {
      if (!answers.containsKey(peer.link.id()) && plan.holdsNewest(peer)) {
        Answer answer = new Answer();
        answers.put(peer.link.id(), answer);
        session.send(peer, new Message.Mempool());
        answer.ping = session.ping(peer);
        if (deadline == null) {
          deadline = session.now.plus(session.settings.mempoolWait());
        }
      }
    }
  }

  /** Whether every guard is one that answers at once, did so, and handed over what it announced. */
  private boolean isWhole() {
    for (Peer peer : guards.present()) {
      Answer answer = answers.get(peer.link.id());
      if (answer == null
          || !answer.ponged
          || !peer.mempoolAtOnce
          || !peer.wanted.isEmpty()
          || !peer.waiting.isEmpty()
          || peer.truncated) {
        return false;
      }
    }
    return !answers.isEmpty();
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    over = true;
    session.emit(new SyncEvent.MempoolAnswered(answer));
  }

  @Override
  public void inv(Peer peer, Message.Inv inv) {
    Answer answer = answers.get(peer.link.id());
    if (answer != null && !answer.ponged) {
      answer.emptyHanded |= inv.items().isEmpty();
    }
  }

  @Override
  public void notFound(Peer peer, List<Hash256> txids) {
    // It announced them and has dropped them since: as good as never announced.
  }

  @Override
  public void ponged(Peer peer, long nonce) {
    Answer answer = answers.get(peer.link.id());
    if (answer == null || answer.ponged || answer.ping != nonce) {
      return;
    }
    answer.ponged = true;
    peer.mempoolAtOnce |= answer.emptyHanded;
    Instant until = deadline;
    if (!over && !peer.mempoolAtOnce && until != null && until.isAfter(session.now)) {
      session.emit(
          new SyncEvent.MempoolAwaited(peer.link.address(), Duration.between(session.now, until)));
    }
  }

  @Override
  public void lost(Peer peer) {
    answers.remove(peer.link.id());
  }
}
