package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/**
 * Unconfirmed transactions, asked for once, when every outpoint is loaded (BIP-0035).
 *
 * <p>The answer has no end mark. A peer that answers at once sends its {@code inv} before the pong
 * of the ping behind the question; others spread it over half a minute, so then only the clock
 * decides. A peer once seen to answer at once is remembered, so that its silence can be believed.
 */
final class MempoolQuery implements UnconfirmedQuery {

  private enum Stage {
    WAITING,
    ASKED,
    ANSWERED,
    OVER
  }

  /** A payment found in the mempool can grow the look-ahead; that ends after a few rounds. */
  private static final int MAX_ROUNDS = 5;

  /** Announcements that are remembered; what is beyond is asked for once more, by name. */
  static final int MOST_TOLD = 60_000;

  /**
   * After this long a peer has announced what it has: Core's pauses are random, 5 seconds on
   * average, and one in 400 is longer than this.
   */
  private static final Duration SPREADING = Duration.ofSeconds(30);

  private final Session session;
  private final SharedPlan plan;
  private final Relay relay;
  private Stage stage = Stage.WAITING;
  private @Nullable Peer asked;
  private long ping;
  // Announced since the question, as long as its pong has not come.
  private final Set<Hash256> answer = new HashSet<>();
  private boolean answeredWithNothing;
  // The same of the question before, when a peer is asked twice.
  private final Set<Hash256> firstAnswer = new HashSet<>();
  private @Nullable Instant deadline;
  private int rounds;
  private int scriptsAsked;
  // How much of the log the filter held when what is pending was last asked for.
  private int elementsShown;
  // What the asked peer announced since it was asked, or was asked for by name.
  private final Set<Hash256> told = new HashSet<>();
  // Pending, and not found at the asked peer, since when.
  private final Map<Hash256, Instant> denied = new LinkedHashMap<>();

  MempoolQuery(Session session, SharedPlan plan, Relay relay) {
    this.session = session;
    this.plan = plan;
    this.relay = relay;
  }

  @Override
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  @Override
  public @Nullable Instant deadline() {
    if (stage == Stage.OVER) {
      return session.settings.follow() ? deniedDue() : null;
    }
    return stage == Stage.ASKED || stage == Stage.ANSWERED ? deadline : null;
  }

  /** Everything is covered and on disk: ask, or see whether the answer is whole. */
  @Override
  public void advance() {
    switch (stage) {
      case WAITING -> begin();
      case ASKED -> {
        if (isLate()) {
          finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
        }
      }
      case ANSWERED -> {
        Peer peer = asked;
        boolean all = peer == null || (peer.wanted.isEmpty() && peer.waiting.isEmpty());
        if (all && !session.journal.isClean()) {
          session.journal.hurry();
        } else if (all && (peer == null || !askForUntold(peer))) {
          finish(
              peer != null && peer.truncated
                  ? SyncEvent.MempoolAnswered.Answer.PARTIAL
                  : SyncEvent.MempoolAnswered.Answer.COMPLETE);
        } else if (isLate()) {
          finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
        }
      }
      case OVER -> {
        if (session.settings.follow() && !session.settings.headersOnly()) {
          follow();
        }
      }
    }
  }

  /**
   * What arrives from now on is announced by the peer itself if its filter lets it through: keep
   * everything in it. A peer that is new, and scripts that are, mean that what is there already has
   * to be asked for again.
   */
  private void follow() {
    Peer peer = session.scanner();
    if (peer == null || peer.nextLoad != null) {
      return;
    }
    if (!plan.holdsEverything(peer)) {
      plan.refresh(peer);
    } else if (!session.settings.mempoolWait().isZero()
        && (peer != asked || session.log.lastScript() > scriptsAsked)) {
      deadline = null;
      rounds = 0;
      stage = Stage.WAITING;
      begin();
    } else if (!session.settings.mempoolWait().isZero() && session.log.size() > elementsShown) {
      // A payment may have been replaced before the filter held its inputs: ask whether it is
      // there.
      elementsShown = session.log.size();
      told.clear();
      askForUntold(peer);
    } else {
      askForDenied(peer);
    }
  }

  @Override
  public void inv(Peer peer, Message.Inv inv) {
    if (peer != asked) {
      return;
    }
    answeredWithNothing |= stage == Stage.ASKED && inv.items().isEmpty();
    for (InventoryItem item : inv.items()) {
      boolean tx = item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX;
      if (tx && told.size() < MOST_TOLD) {
        told.add(item.hash());
        denied.remove(item.hash());
      }
      if (tx && stage == Stage.ASKED && answer.size() < MOST_TOLD) {
        answer.add(item.hash());
      }
    }
  }

  /**
   * The peer does not have what it was asked for. A peer that spreads its announcements in time
   * denies what it has not announced yet: it is asked once more when it should have.
   */
  @Override
  public void notFound(Peer peer, List<Hash256> txids) {
    if (peer != asked || (stage != Stage.ANSWERED && stage != Stage.OVER)) {
      return;
    }
    for (Hash256 txid : txids) {
      if (!session.pending.contains(txid)) {
        continue;
      }
      Instant before = denied.get(txid);
      if (peer.mempoolAtOnce || (before != null && isSpread(before))) {
        denied.remove(txid);
        session.journal.missing(txid, session.now);
      } else if (denied.size() < MOST_TOLD) {
        denied.putIfAbsent(txid, session.now);
      }
    }
  }

  /** Whether what was not announced at a time should have been by now. */
  private boolean isSpread(Instant then) {
    return !session.now.isBefore(then.plus(SPREADING));
  }

  private void askForDenied(Peer peer) {
    denied.keySet().retainAll(session.pending);
    List<Hash256> again = new ArrayList<>();
    for (Map.Entry<Hash256, Instant> entry : denied.entrySet()) {
      if (isSpread(entry.getValue()) && !peer.wanted.contains(entry.getKey())) {
        again.add(entry.getKey());
      }
    }
    if (!again.isEmpty()) {
      relay.ask(peer, again);
    }
  }

  private @Nullable Instant deniedDue() {
    Instant due = null;
    for (Instant at : denied.values()) {
      Instant spread = at.plus(SPREADING);
      due = due == null || spread.isBefore(due) ? spread : due;
    }
    return due;
  }

  /**
   * The whole mempool was told: what the wallet counts as pending and was not among it is asked for
   * by name, once. Not found then means that it was dropped, or replaced out of our sight.
   */
  private boolean askForUntold(Peer peer) {
    Set<Hash256> untold = new HashSet<>(session.pending);
    untold.removeAll(told);
    if (untold.isEmpty()) {
      return false;
    }
    told.addAll(untold);
    relay.ask(peer, untold);
    return true;
  }

  @Override
  public void ponged(Peer peer, long nonce) {
    if (stage != Stage.ASKED || peer != asked || nonce != ping) {
      return;
    }
    boolean again = !firstAnswer.isEmpty();
    peer.mempoolAtOnce |= answeredWithNothing || (again && answer.containsAll(firstAnswer));
    if (peer.mempoolAtOnce) {
      stage = Stage.ANSWERED;
    } else if (!again && !answer.isEmpty()) {
      // Perhaps only news that happened to arise between question and pong. Asked again, a peer
      // that answers at once says all of it once more, and news it says once.
      firstAnswer.addAll(answer);
      ask(peer);
    } else if (deadline != null) {
      session.emit(
          new SyncEvent.MempoolAwaited(
              peer.link.address(), Duration.between(session.now, deadline)));
    }
  }

  @Override
  public void lost(Peer peer) {
    if (peer != asked) {
      return;
    }
    denied.clear();
    if (stage == Stage.OVER && session.settings.follow()) {
      // Whoever comes next holds no filter and would relay nothing: it is asked as at the start.
      deadline = null;
      rounds = 0;
    }
    if (stage != Stage.OVER || session.settings.follow()) {
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
    if (!plan.holdsEverything(peer)) {
      plan.refresh(peer);
      return;
    }
    asked = peer;
    firstAnswer.clear();
    peer.truncated = false;
    told.clear();
    rounds++;
    scriptsAsked = session.log.lastScript();
    elementsShown = session.log.size();
    ask(peer);
    if (deadline == null) {
      deadline = session.now.plus(session.settings.mempoolWait());
    }
    stage = Stage.ASKED;
  }

  private void ask(Peer peer) {
    answer.clear();
    answeredWithNothing = false;
    session.send(peer, new Message.Mempool());
    ping = session.ping(peer);
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    boolean grown = session.log.lastScript() > scriptsAsked;
    if (answer == SyncEvent.MempoolAnswered.Answer.COMPLETE && grown && rounds < MAX_ROUNDS) {
      // At once: nothing else may happen for a minute.
      stage = Stage.WAITING;
      begin();
      return;
    }
    stage = Stage.OVER;
    session.emit(new SyncEvent.MempoolAnswered(answer));
  }
}
