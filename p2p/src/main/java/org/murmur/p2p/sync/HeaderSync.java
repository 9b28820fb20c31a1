package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Connect;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/**
 * Headers: asked for until a peer has no more, checked, and told to the rest of the machine.
 *
 * <p>Below the last checkpoint they come in {@link Segments}, side by side. Above it each answer
 * tells where the next question begins: one peer leads, and the others are asked when it has no
 * more, for the little that they may have beyond.
 *
 * <p>What brings nothing forward is bounded: side branches, orphans, repetitions. All of that is
 * forgiven when the chain grows.
 */
final class HeaderSync {

  /** An honest peer's announcement can fail to connect now and then, but not again and again. */
  private static final int MAX_ORPHANS = 8;

  /** Messages that bring nothing new, between two that do; a full one counts as many. */
  private static final int MAX_FRUITLESS = 64;

  private static final int FULL_AND_FRUITLESS = 8;

  /** A peer that says it has so many more headers than we is asked alone. */
  private static final int FAR = Headers.MAX_PER_MESSAGE;

  private final Session session;
  private final Segments segments;

  // Grows with the chain.
  private int growth;
  private boolean enoughWork;

  HeaderSync(Session session) {
    this.session = session;
    this.segments = new Segments(session);
  }

  /** Has a peer asked for what comes behind our tip. */
  void ask(Peer peer) {
    HeaderTalk.of(peer).done = false;
  }

  /**
   * Asks whoever is to be asked now.
   *
   * @return the peers that are of no use, with the reason
   */
  Map<Peer, Refusal> plan() {
    if (segments.isActive()) {
      segments.plan();
      Map<Peer, Refusal> useless = new LinkedHashMap<>();
      segments.behind().forEach(peer -> useless.put(peer, tooLittleWork(peer)));
      return useless;
    }
    askForWhatIsLetIn();
    passOver();
    for (Peer peer : session.headersPileUp() ? List.<Peer>of() : session.peers.values()) {
      if (isDue(peer) && (!isFar(peer) || !somebodyLeads()) && session.budget.allowsHeaders(peer)) {
        ask(peer, session.chain.locator());
      }
    }
    return Map.of();
  }

  /**
   * Skips a peer whose claimed headers exceed the limit of bytes, once another peer has sent all of
   * its own. A boast must not keep the sync from what there is.
   */
  private void passOver() {
    boolean told = session.peers.values().stream().anyMatch(HeaderSync::hasToldAll);
    for (Peer peer : told ? session.peers.values() : List.<Peer>of()) {
      if (isDue(peer) && session.budget.rulesOutHeaders(peer)) {
        HeaderTalk.of(peer).done = true;
        session.changes++;
        tellPassedOver(peer);
      }
    }
  }

  /** Whether a peer claims blocks that the limit of bytes left unchecked. */
  boolean hasSkippedClaims() {
    return session.peers.values().stream()
        .anyMatch(
            peer ->
                peer.version != null
                    && HeaderTalk.of(peer).passedOverTold
                    && peer.version.startHeight() > session.chain.height());
  }

  private void tellPassedOver(Peer peer) {
    Message.Version version = peer.version;
    if (version == null || HeaderTalk.of(peer).passedOverTold) {
      return;
    }
    HeaderTalk.of(peer).passedOverTold = true;
    session.emit(
        new SyncEvent.Warning(
            new SyncWarning.ClaimUnchecked(peer.link.address(), version.startHeight())));
  }

  private static boolean hasToldAll(Peer peer) {
    return peer.isReady() && HeaderTalk.of(peer).done;
  }

  /** Who can be asked for headers that are missing, while nothing is on its way. */
  List<Peer> askable() {
    return segments.isActive() ? segments.askable() : session.peers(HeaderSync::isDue);
  }

  /** A clock that goes on lets in what it left out; nobody else would ask for it. */
  private void askForWhatIsLetIn() {
    for (Peer peer : session.peers.values()) {
      if (looksAgain(peer) && HeaderTalk.of(peer).isLetIn(session.clock())) {
        HeaderTalk.of(peer).leftOutUntil = null;
        ask(peer);
      }
    }
  }

  private boolean looksAgain(Peer peer) {
    return session.settings.follow() && peer.isReady() && !HeaderTalk.of(peer).isAsked();
  }

  /** When the next header is let in that was left out, and its peer asked again; or null. */
  @Nullable Instant letInAt() {
    Instant next = null;
    for (Peer peer : session.peers.values()) {
      Duration by = HeaderTalk.of(peer).leftOutBy(session.clock());
      if (looksAgain(peer) && !by.isZero()) {
        Instant at = session.now.plus(by);
        next = next == null || at.isBefore(next) ? at : next;
      }
    }
    return next;
  }

  private static boolean isDue(Peer peer) {
    return peer.isReady() && !HeaderTalk.of(peer).isAsked() && !HeaderTalk.of(peer).done;
  }

  private boolean isFar(Peer peer) {
    Message.Version version = peer.version;
    return version != null && version.startHeight() >= session.chain.height() + FAR;
  }

  private boolean somebodyLeads() {
    for (Peer peer : session.peers.values()) {
      if (HeaderTalk.of(peer).isLeading()
          && !HeaderTalk.of(peer).isSilentFor(Segments.PATIENCE, session.now)
          && !HeaderTalk.of(peer).isWaitedOut(Segments.PATIENCE, session.now)) {
        return true;
      }
    }
    return false;
  }

  /** When somebody else is to be asked because those who were are silent. */
  @Nullable Instant dueAt() {
    if (segments.isActive()) {
      return session.peers.size() > 1 ? segments.overdueAt() : null;
    }
    boolean waiting = false;
    Instant soonest = null;
    for (Peer peer : session.peers.values()) {
      waiting |= isDue(peer);
      if (HeaderTalk.of(peer).isLeading()) {
        Instant at = givesWayAt(HeaderTalk.of(peer));
        soonest = soonest == null || at.isAfter(soonest) ? at : soonest;
      }
    }
    return waiting ? soonest : waitedOutAt();
  }

  /** When somebody who leads does no longer keep others from being asked. */
  private static Instant givesWayAt(HeaderTalk leading) {
    Instant silent = leading.heardAt.plus(Segments.PATIENCE);
    Instant vain = leading.waitedOutAt(Segments.PATIENCE);
    return vain == null || silent.isBefore(vain) ? silent : vain;
  }

  /** When somebody who is asked is waited for no longer; see {@link Session#headersDone}. */
  private @Nullable Instant waitedOutAt() {
    Instant next = null;
    for (Peer peer : session.peers.values()) {
      Instant at = HeaderTalk.of(peer).waitedOutAt(session.settings.stallTimeout());
      if (at != null && at.isAfter(session.now) && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return next;
  }

  /** A peer is gone. */
  void lost(Peer peer) {
    segments.release(peer);
  }

  /**
   * Headers have come and are about to be handed over: what follows them is asked for at once, so
   * that the answer travels while they are checked.
   */
  void coming(Peer peer, Headers headers) {
    HeaderTalk.of(peer).aheadAsked = true;
    HeaderTalk.Ask first = HeaderTalk.of(peer).asks.peek();
    boolean leading = first != null && first.segment() == null;
    if (leading
        && isFull(headers)
        && !HeaderTalk.of(peer).tooNewAsked
        && !session.headersPileUp()
        && session.budget.allowsHeaders(peer)) {
      // If these headers are bad, the link goes.
      ask(peer, behind(headers.hash(headers.count() - 1)));
    }
  }

  /**
   * Takes headers in.
   *
   * @return why the peer has to go, or none
   */
  Refusal received(Peer peer, Headers headers) {
    if (!HeaderTalk.of(peer).aheadAsked) {
      coming(peer, headers);
    }
    HeaderTalk.of(peer).aheadAsked = false;
    HeaderTalk.Ask ask = HeaderTalk.of(peer).answered(headers, session.now);
    Segment segment = ask == null ? null : ask.segment();
    if (ask != null && segment != null) {
      Refusal refusal = segments.answered(peer, ask, segment, headers);
      join();
      return refusal;
    }
    if (segments.isActive()) {
      // An announcement; what it follows on is not here yet, and will be asked for.
      return fruitless(peer, headers);
    }
    if (ask == null && headers.isEmpty()) {
      return peer.conduct.noise(0, session.now);
    }
    int before = growth;
    Refusal refusal = ordinary(peer, headers);
    if (ask != null) {
      // What makes the chain grow may come before blocks that are owed; all else may not.
      peer.brings(
          growth > before ? Patience.Answer.PROGRESS : Patience.Answer.HEADERS, session.now);
    }
    return refusal;
  }

  private static boolean isFull(Headers headers) {
    return headers.count() == Headers.MAX_PER_MESSAGE;
  }

  private void join() {
    for (Segment segment = segments.ready(); segment != null; segment = segments.ready()) {
      for (Headers part : segment.parts()) {
        Connect outcome = connect(part);
        if (outcome instanceof Connect.Invalid invalid) {
          // They lead to a block that is known, so nobody is to blame.
          segments.abandon();
          session.emit(
              new SyncEvent.Warning(
                  new SyncWarning.KnownChainRefused(
                      part.hash(invalid.index()), segment.end, segment.to, invalid.reason())));
          return;
        }
      }
    }
  }

  private Refusal ordinary(Peer peer, Headers headers) {
    boolean full = isFull(headers);
    if (headers.isEmpty()) {
      if (!HeaderTalk.of(peer).tooNewAsked) {
        HeaderTalk.of(peer).leftOutUntil = null;
      }
      HeaderTalk.of(peer).tooNewAsked = false;
      return done(peer);
    }
    Connect outcome = connect(headers);
    if (outcome instanceof Connect.Extended) {
      HeaderTalk.of(peer).leftOutUntil = null;
      // What was known is no service: a peer that hangs up after it is not worth calling again.
      HeaderTalk.of(peer).served += headers.count();
      forgive(peer);
    } else if (outcome instanceof Connect.Orphan) {
      return orphan(peer, headers);
    } else if (outcome instanceof Connect.Invalid invalid) {
      if (invalid.reason() != Connect.Reason.TIME_TOO_NEW) {
        return new Refusal(
            DisconnectReason.BAD_HEADERS,
            "header "
                + headers.hash(invalid.index())
                + " breaks a rule: "
                + Refusal.words(invalid.reason()));
      }
      Refusal refusal = tooNew(peer, headers, invalid.index());
      if (refusal.isRefusal()) {
        return refusal;
      }
      HeaderTalk.of(peer).orphans = 0;
      HeaderTalk.of(peer).tooNewAsked = full;
      // To ask again at once for what is not taken would go on for ever.
      return HeaderTalk.of(peer).isAsked() ? Refusal.NONE : done(peer);
    } else {
      HeaderTalk.of(peer).leftOutUntil = null;
      Refusal refusal =
          outcome instanceof Connect.SideBranch
              ? beside(peer, headers.count())
              : known(peer, headers);
      if (refusal.isRefusal()) {
        return refusal;
      }
    }
    return full || HeaderTalk.of(peer).isAsked() ? Refusal.NONE : done(peer);
  }

  private Connect connect(Headers headers) {
    int before = session.chain.height();
    Connect outcome = session.chain.connect(headers, session.clock().getEpochSecond());
    if (outcome instanceof Connect.Extended extended) {
      extended(before, extended.forkHeight());
    }
    return outcome;
  }

  /** It has no more: enough, if the chain is as good as the network's is known to be. */
  private Refusal done(Peer peer) {
    if (!HeaderTalk.of(peer).leftOutBy(session.clock()).isZero()) {
      // What it has beyond is left out by our clock: that it has too little is not its fault.
      HeaderTalk.of(peer).done = true;
      return Refusal.NONE;
    }
    if (lacksBase(peer)) {
      return tooLittleWork(peer);
    }
    if (!enoughWork) {
      ChainWork least = session.settings.checkpoints().minimumWork();
      enoughWork =
          segments.leadToTheEnd()
              || least.equals(ChainWork.ZERO)
              || !least.isMoreThan(session.chain.work());
    }
    if (!enoughWork) {
      return tooLittleWork(peer);
    }
    HeaderTalk.of(peer).done = true;
    return Refusal.NONE;
  }

  /**
   * Whether nobody has shown that it has the block that our headers begin with, this peer says that
   * its chain is shorter, and there is nothing but that block yet: it cannot tell us that there is
   * no more.
   */
  private boolean lacksBase(Peer peer) {
    int base = session.chain.base().height();
    Message.Version version = peer.version;
    return session.chain.height() == base && version != null && version.startHeight() < base;
  }

  /** What its silence may mean, if it was asked for headers and never sent any. */
  String silence(Peer peer) {
    Message.Version version = peer.version;
    // Before Core 24 a node did not answer at all while it was in its initial download.
    return version == null || !HeaderTalk.of(peer).isAsked() || HeaderTalk.of(peer).served > 0
        ? ""
        : "; it was asked for headers and says that its chain ends at height "
            + version.startHeight()
            + " (a node that is still syncing?)";
  }

  private Refusal tooLittleWork(Peer peer) {
    Message.Version version = peer.version;
    int base = session.chain.base().height();
    return new Refusal(
        DisconnectReason.LOW_WORK,
        Obstacle.NOT_SYNCED,
        "its chain does not reach block height "
            + Math.max(base, session.settings.checkpoints().lastHeight())
            + " of the network's"
            + (version == null
                ? ""
                : "; it says that it ends at height "
                    + version.startHeight()
                    + " (a node that is still syncing, or was cut off?)"));
  }

  private Refusal orphan(Peer peer, Headers headers) {
    if (!session.chain.base().isGenesis()
        && headers.previous(0).equals(session.chain.network().genesisHash())) {
      // Asked what follows the block that we begin with, it tells its chain from the start.
      return tooLittleWork(peer);
    }
    if (HeaderTalk.of(peer).tooNewAsked) {
      // What follows on headers that our clock left out; the question was on its way already.
      HeaderTalk.of(peer).tooNewAsked = false;
      return done(peer);
    }
    HeaderTalk.of(peer).orphans++;
    if (HeaderTalk.of(peer).orphans > MAX_ORPHANS) {
      return new Refusal(DisconnectReason.BAD_HEADERS, "headers that connect to nothing");
    }
    ask(peer);
    return fruitless(peer, headers);
  }

  /** Valid headers, but their branch has less work: only so many of them may come. */
  private Refusal beside(Peer peer, int count) {
    HeaderTalk.of(peer).beside += count;
    return HeaderTalk.of(peer).beside > HeaderChain.SIDE_LIMIT
        ? new Refusal(
            DisconnectReason.BAD_HEADERS,
            HeaderTalk.of(peer).beside + " headers beside the chain that never reach more work")
        : Refusal.NONE;
  }

  /** Known headers: an honest peer goes through them once, each batch behind the one before. */
  private Refusal known(Peer peer, Headers headers) {
    boolean goesOn = Objects.equals(HeaderTalk.of(peer).knownTo, headers.previous(0));
    HeaderTalk.of(peer).knownTo = headers.linkage().last();
    return goesOn && isFull(headers) ? Refusal.NONE : fruitless(peer, headers);
  }

  private Refusal fruitless(Peer peer, Headers headers) {
    if (HeaderTalk.of(peer).growth != growth) {
      HeaderTalk.of(peer).growth = growth;
      HeaderTalk.of(peer).fruitless = 0;
    }
    HeaderTalk.of(peer).fruitless += isFull(headers) ? FULL_AND_FRUITLESS : 1;
    return HeaderTalk.of(peer).fruitless > MAX_FRUITLESS
        ? new Refusal(
            DisconnectReason.BAD_HEADERS, "headers that bring nothing new, again and again")
        : Refusal.NONE;
  }

  private static void forgive(Peer peer) {
    HeaderTalk.of(peer).orphans = 0;
    HeaderTalk.of(peer).beside = 0;
    HeaderTalk.of(peer).knownTo = null;
  }

  /**
   * Perhaps it is our clock that is wrong: take what stands before, and blame nobody, however many
   * blocks come before it is right again. It is said once, and is of no use otherwise.
   */
  private Refusal tooNew(Peer peer, Headers headers, int index) {
    int last = headers.count() - 1;
    HeaderTalk.of(peer).leftOutUntil =
        Instant.ofEpochSecond(
            Math.max(headers.time(index), headers.time(last)) - ConsensusRules.FUTURE_SECONDS);
    if (!HeaderTalk.of(peer).tooNewTold) {
      HeaderTalk.of(peer).tooNewTold = true;
      session.emit(
          new SyncEvent.Warning(
              new SyncWarning.BlockFromTheFuture(peer.link.address(), headers.hash(index))));
    }
    if (connect(headers.slice(0, index)) instanceof Connect.Extended) {
      HeaderTalk.of(peer).served += index;
      return Refusal.NONE;
    }
    // What followed on such headers was an orphan by our fault.
    HeaderTalk.of(peer).fruitless = Math.max(0, HeaderTalk.of(peer).fruitless - 1);
    return peer.conduct.noise(headers.count() * BlockHeader.LENGTH, session.now);
  }

  private void extended(int before, int fork) {
    growth++;
    // First, so that the journal has the new chain even if a later line throws.
    session.journal.headersAbove(fork, session.now);
    if (fork < before) {
      session.book.cutAbove(fork);
      session.settlement.cutAbove(fork);
      session.reorganised(fork);
      for (Peer peer : session.peers.values()) {
        ScanLink.of(peer).cutAbove(fork);
        FilterSession.of(peer).row = null;
        Reach.of(peer).cutAbove(fork);
      }
    }
    session.changes++;
    // Blocks that a peer would not serve may be there now; who was without will tell.
    for (Peer peer : session.peers.values()) {
      HeaderTalk.of(peer).grown(session.now);
      if (ScanLink.of(peer).askAgainAt != null && !Reach.of(peer).isLate()) {
        ScanLink.of(peer).askAgainAt = session.now;
      }
    }
  }

  private List<Hash256> behind(Hash256 last) {
    List<Hash256> locator = new ArrayList<>();
    locator.add(last);
    locator.addAll(session.chain.recentLocator());
    return locator;
  }

  private void ask(Peer peer, List<Hash256> locator) {
    peer.beginsToOwe(session.now);
    HeaderTalk.of(peer).done = false;
    HeaderTalk.of(peer).asked(locator.get(0), null, session.now);
    session.send(peer, new Message.GetHeaders(locator, Hash256.ZERO));
  }
}
