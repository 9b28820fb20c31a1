package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Requests headers until no peer has more, checks them, and passes them to the rest of the machine.
 *
 * <p>Below the last checkpoint all peers send {@link Segments} in parallel. Above it each answer
 * determines the next request, so one peer leads. The others are asked when it has no more, for the
 * few headers that it lacks.
 *
 * <p>Headers that do not make the chain grow are limited: side branches, orphans, repetitions. The
 * counts start again when the chain grows.
 */
public final class HeaderSync extends Part<HeaderPeer> implements Alarm.Timed {

  /** A peer that claims this many more headers than we have is asked alone. */
  private static final int FAR = Headers.MAX_PER_MESSAGE;

  private final Budget budget;
  private final KnownHeaders known;
  private final Segments segments;

  // How often the chain grew.
  private int growth;
  private @Nullable Move move;
  private boolean enoughWork;

  /**
   * The chain moved; {@code fork} is the highest block that stayed, or {@link #GREW} if all did.
   */
  public record Move(int fork) {
    static final int GREW = Integer.MAX_VALUE;

    public boolean isReorganisation() {
      return fork < GREW;
    }
  }

  public HeaderSync(Part<? extends HeaderPeer> machine, Budget budget, HeaderSource source) {
    super(machine);
    this.budget = budget;
    this.known = new KnownHeaders(source, chain);
    this.segments = new Segments(this, budget, known);
  }

  /** Marks a peer to be asked for the headers after our tip. */
  public void ask(HeaderPeer peer) {
    peer.headers().done(false);
  }

  /**
   * Takes headers that others in this process have, as far as the disk keeps pace. Those of the
   * last period, where forks are, come from peers.
   */
  public void takeKnown() {
    while (segments.isActive()) {
      segments.open();
      if (!join()) {
        return;
      }
    }
    while (!journal.headersPileUp()) {
      Headers run = known.takeNext();
      if (run.isEmpty()) {
        return;
      }
      if (!(connect(run) instanceof Connect.Extended)) {
        known.giveUp();
      }
    }
  }

  /** Asks the peers that are due. */
  public Map<HeaderPeer, Refusal> plan() {
    if (segments.isActive()) {
      segments.plan();
      Map<HeaderPeer, Refusal> useless = new LinkedHashMap<>();
      segments.behind().forEach(peer -> useless.put(peer, tooLittleWork(peer)));
      return useless;
    }
    askForFutureHeaders();
    passOver();
    for (HeaderPeer peer : journal.headersPileUp() ? List.<HeaderPeer>of() : roster.peers()) {
      if (isDue(peer) && (!isFar(peer) || !somebodyLeads()) && budget.allowsHeaders(peer)) {
        ask(peer, chain.locator());
      }
    }
    return Map.of();
  }

  /**
   * Skips a peer whose claimed headers exceed the limit of bytes, once another peer has sent all of
   * its own. A false claim must not keep the session from completing.
   */
  private void passOver() {
    boolean any = roster.peers().stream().anyMatch(HeaderSync::isDone);
    for (HeaderPeer peer : any ? roster.peers() : List.<HeaderPeer>of()) {
      if (isDue(peer) && budget.rulesOutHeaders(peer)) {
        peer.headers().done(true);
        effects.changed();
        warnOfClaim(peer);
      }
    }
  }

  /** Whether a peer claims blocks that the limit of bytes left unchecked. */
  public boolean hasSkippedClaims() {
    return roster.peers().stream()
        .anyMatch(
            peer ->
                peer.version() != null
                    && peer.headers().isClaimUnchecked()
                    && peer.version().startHeight() > chain.height());
  }

  private void warnOfClaim(HeaderPeer peer) {
    Message.Version version = peer.version();
    if (version != null && peer.headers().leaveClaimUnchecked()) {
      effects.emit(new SyncWarning.ClaimUnchecked(peer.link().address(), version.startHeight()));
    }
  }

  private static boolean isDone(HeaderPeer peer) {
    return peer.isReady() && peer.headers().isDone();
  }

  /** The peers to ask for missing headers while nothing is on its way. */
  public List<? extends HeaderPeer> askable() {
    return segments.isActive() ? segments.askable() : roster.peers(HeaderSync::isDue);
  }

  /**
   * Asks again for headers from the future that our clock accepts by now. Nothing else would
   * request them.
   */
  private void askForFutureHeaders() {
    for (HeaderPeer peer : roster.peers()) {
      FutureHeaders future = peer.headers().future;
      if (mayAskAgain(peer) && future.isLetIn(effects.clock())) {
        future.forget();
        ask(peer);
      }
    }
  }

  private boolean mayAskAgain(HeaderPeer peer) {
    return settings.follow() && peer.isReady() && !peer.headers().isAsked();
  }

  private static boolean isDue(HeaderPeer peer) {
    return peer.isReady() && !peer.headers().isAsked() && !peer.headers().isDone();
  }

  private boolean isFar(HeaderPeer peer) {
    Message.Version version = peer.version();
    return version != null && version.startHeight() >= chain.height() + FAR;
  }

  private boolean somebodyLeads() {
    for (HeaderPeer peer : roster.peers()) {
      HeaderQuestions questions = peer.headers().questions;
      if (questions.isLeading()
          && !questions.isSilentFor(Segments.PATIENCE, effects.now())
          && !questions.isWaitedOut(Segments.PATIENCE, effects.now())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    for (HeaderPeer peer : roster.peers()) {
      // When our clock accepts its next header from the future.
      Duration by = peer.headers().future.leftOutBy(effects.clock());
      if (mayAskAgain(peer) && !by.isZero()) {
        alarm.at(effects.now().plus(by));
      }
    }
    if (!segments.isActive()) {
      setAlarmForTheNextPeer(alarm);
    } else if (roster.size() > 1) {
      segments.setAlarm(alarm);
    }
  }

  /** Those asked so far are silent: another one is asked, or not waited for any longer. */
  private void setAlarmForTheNextPeer(Alarm alarm) {
    Instant soonest = null;
    for (HeaderPeer peer : roster.peers()) {
      HeaderQuestions questions = peer.headers().questions;
      if (questions.isLeading()) {
        Instant at = givesWayAt(questions);
        soonest = soonest == null || at.isAfter(soonest) ? at : soonest;
      }
    }
    if (roster.peers().stream().anyMatch(HeaderSync::isDue)) {
      alarm.at(soonest);
      return;
    }
    for (HeaderPeer peer : roster.peers()) {
      alarm.at(peer.headers().questions.waitedOutAt(settings.stallTimeout()));
    }
  }

  /** When a leading peer no longer keeps others from being asked. */
  private static Instant givesWayAt(HeaderQuestions leading) {
    Instant silent = leading.heardAt().plus(Segments.PATIENCE);
    Instant vain = leading.waitedOutAt(Segments.PATIENCE);
    return vain == null || silent.isBefore(vain) ? silent : vain;
  }

  /** A peer is gone. */
  public void lost(HeaderPeer peer) {
    segments.release(peer);
  }

  /**
   * Headers came and will be checked next. Requests those after them at once, so that the answer
   * travels during the check.
   */
  public void coming(HeaderPeer peer, Headers headers) {
    peer.headers().asksAhead();
    askAhead(peer, headers);
  }

  private void askAhead(HeaderPeer peer, Headers headers) {
    HeaderLink link = peer.headers();
    if (link.questions.isLeadingNext()
        && UselessHeaders.isFull(headers)
        && !link.future.isAskedBeyond()
        && !known.has(chain.height() + headers.count() + 1)
        && !journal.headersPileUp()
        && budget.allowsHeaders(peer)) {
      // If these headers are invalid, the link is closed.
      ask(peer, behind(headers.hash(headers.count() - 1)));
    }
  }

  /** Processes headers, and returns why to drop the peer, or none. */
  public Refusal received(HeaderPeer peer, Headers headers) {
    HeaderLink link = peer.headers();
    if (!link.takeAskedAhead()) {
      askAhead(peer, headers);
    }
    HeaderQuestions.Ask ask = link.questions.answered(headers, effects.now());
    Segment segment = ask == null ? null : ask.segment();
    if (ask != null && segment != null) {
      Refusal refusal = segments.answered(peer, ask, segment, headers);
      join();
      return refusal;
    }
    if (segments.isActive()) {
      // An announcement. The headers before it are not here yet, and will be requested.
      return link.useless.fruitless(headers, growth);
    }
    if (ask == null && headers.isEmpty()) {
      return peer.conduct().noise(0, effects.now());
    }
    int before = growth;
    Refusal refusal = ordinary(peer, headers);
    if (ask != null) {
      // An answer that makes the chain grow may come before requested blocks; no other may.
      peer.questions()
          .earns(
              growth > before ? Patience.Answer.PROGRESS : Patience.Answer.HEADERS, effects.now());
    }
    return refusal;
  }

  /** Connects complete segments; returns whether there was one. */
  private boolean join() {
    boolean any = false;
    for (Segment segment = segments.ready(); segment != null; segment = segments.ready()) {
      any = true;
      for (Headers part : segment.parts()) {
        Connect outcome = connect(part);
        if (outcome instanceof Connect.Invalid invalid) {
          // They lead to a known block, so no peer is at fault.
          segments.abandon();
          effects.emit(
              new SyncWarning.KnownChainRefused(
                  part.hash(invalid.index()), segment.end, segment.to, invalid.reason()));
          return true;
        }
      }
    }
    return any;
  }

  private Refusal ordinary(HeaderPeer peer, Headers headers) {
    HeaderLink link = peer.headers();
    if (headers.isEmpty()) {
      link.future.ends();
      return done(peer);
    }
    Connect outcome = connect(headers);
    if (outcome instanceof Connect.Extended) {
      link.future.forget();
      // Known headers do not count as service: a peer that sent only those is not worth another
      // call.
      link.serves(headers.count());
      link.useless.forgive();
    } else if (outcome instanceof Connect.Orphan) {
      return orphan(peer, headers);
    } else if (outcome instanceof Connect.Invalid invalid) {
      return invalid(peer, headers, invalid);
    } else {
      link.future.forget();
      if (outcome instanceof Connect.SideBranch branch) {
        link.shows(branch.height());
      }
      Refusal refusal =
          outcome instanceof Connect.SideBranch
              ? link.useless.onSideBranch(headers.count())
              : link.useless.known(headers, growth);
      if (refusal.isRefusal()) {
        return refusal;
      }
    }
    return UselessHeaders.isFull(headers) || link.isAsked() ? Refusal.NONE : done(peer);
  }

  private Refusal invalid(HeaderPeer peer, Headers headers, Connect.Invalid invalid) {
    if (invalid.reason() != HeaderFault.TIME_TOO_NEW) {
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
    HeaderLink link = peer.headers();
    link.useless.forgiveOrphans();
    link.future.askedBeyond(UselessHeaders.isFull(headers));
    // Our clock still refuses these headers: asking again at once would repeat for ever.
    return link.isAsked() ? Refusal.NONE : done(peer);
  }

  private Connect connect(Headers headers) {
    int before = chain.height();
    Connect outcome = chain.connect(headers, effects.clock().getEpochSecond());
    if (outcome instanceof Connect.Extended extended) {
      extended(before, extended.forkHeight());
    }
    return outcome;
  }

  /**
   * The peer has no more headers. That is enough if the chain has the work that the network is
   * known to have.
   */
  private Refusal done(HeaderPeer peer) {
    HeaderLink link = peer.headers();
    if (!link.future.leftOutBy(effects.clock()).isZero()) {
      // Our clock refuses the rest of its chain, so its low work is not its fault.
      link.done(true);
      return Refusal.NONE;
    }
    if (lacksBase(peer)) {
      return tooLittleWork(peer);
    }
    if (!enoughWork) {
      ChainWork least = settings.checkpoints().minimumWork();
      enoughWork =
          segments.leadToTheEnd()
              || least.equals(ChainWork.ZERO)
              || !least.isMoreThan(chain.work());
    }
    if (!enoughWork) {
      return tooLittleWork(peer);
    }
    link.shows(chain.height());
    Message.Version version = peer.version();
    if (version != null && version.startHeight() > link.shown()) {
      return claimNotKept(peer, version.startHeight(), link.shown());
    }
    link.done(true);
    return Refusal.NONE;
  }

  /**
   * A peer claims more than it shows: that it has no more headers is not believed. A peer that
   * keeps its claim decides what is complete; if nobody does, nothing is.
   */
  private Refusal claimNotKept(HeaderPeer peer, int claimed, int shown) {
    effects.emit(new SyncWarning.ClaimNotKept(peer.link().address(), claimed, shown));
    return new Refusal(
        DisconnectReason.CLAIM_NOT_KEPT,
        Obstacle.NOT_SYNCED,
        "says that its chain ends at height "
            + claimed
            + ", and its headers end at height "
            + shown
            + " (a node that is still syncing?)");
  }

  /**
   * Whether the peer claims a chain that ends before our first header, and we have no other header
   * yet. Then its answer does not mean that there are no more.
   */
  private boolean lacksBase(HeaderPeer peer) {
    int base = chain.base().height();
    Message.Version version = peer.version();
    return chain.height() == base && version != null && version.startHeight() < base;
  }

  /**
   * The possible reason of a peer's silence, if it was asked for headers and never sent any; or
   * empty.
   */
  public String silence(HeaderPeer peer) {
    Message.Version version = peer.version();
    // Before Core 24 a node did not answer during its initial block download.
    return version == null || !peer.headers().isAsked() || peer.headers().served() > 0
        ? ""
        : "; it was asked for headers and says that its chain ends at height "
            + version.startHeight()
            + " (a node that is still syncing?)";
  }

  private Refusal tooLittleWork(HeaderPeer peer) {
    Message.Version version = peer.version();
    int base = chain.base().height();
    return new Refusal(
        DisconnectReason.LOW_WORK,
        Obstacle.NOT_SYNCED,
        "its chain does not reach block height "
            + Math.max(base, settings.checkpoints().lastHeight())
            + " of the network's"
            + (version == null
                ? ""
                : "; it says that it ends at height "
                    + version.startHeight()
                    + " (a node that is still syncing, or was cut off?)"));
  }

  private Refusal orphan(HeaderPeer peer, Headers headers) {
    if (!chain.base().isGenesis() && headers.previous(0).equals(chain.network().genesisHash())) {
      // It does not know our first block, so it sends its chain from genesis.
      return tooLittleWork(peer);
    }
    HeaderLink link = peer.headers();
    if (link.future.isAskedBeyond()) {
      // These follow headers that our clock refused; they were requested before that.
      link.future.askedBeyond(false);
      return done(peer);
    }
    Refusal refusal = link.useless.orphan();
    if (refusal.isRefusal()) {
      return refusal;
    }
    ask(peer);
    return link.useless.fruitless(headers, growth);
  }

  /**
   * A header is from the future, or our clock is wrong. Connects the headers before it and does not
   * count it as misbehaviour. The user is warned once per peer.
   */
  private Refusal tooNew(HeaderPeer peer, Headers headers, int index) {
    HeaderLink link = peer.headers();
    if (link.future.leaveOut(headers, index)) {
      effects.emit(new SyncWarning.BlockFromTheFuture(peer.link().address(), headers.hash(index)));
    }
    if (connect(headers.slice(0, index)) instanceof Connect.Extended) {
      link.serves(index);
      return Refusal.NONE;
    }
    // It is our clock's fault that the headers after these are orphans.
    link.useless.forgiveOne();
    return peer.conduct().noise(headers.count() * BlockHeader.LENGTH, effects.now());
  }

  private void extended(int before, int fork) {
    growth++;
    // First, so that the journal has the new chain even if a later line throws.
    journal.headersAbove(fork, effects.now());
    int lost = fork < before ? fork : Move.GREW;
    Move earlier = move;
    move = new Move(earlier == null ? lost : Math.min(lost, earlier.fork()));
    effects.changed();
    for (HeaderPeer peer : roster.peers()) {
      peer.headers().questions.chainGrew(effects.now());
      peer.headers().shows(chain.height());
      if (fork < before) {
        peer.reach().cutAbove(fork);
      }
    }
  }

  /** Returns how the chain moved since the last call; null if it did not. */
  public @Nullable Move takeMove() {
    Move taken = move;
    move = null;
    return taken;
  }

  /**
   * Whether we have all headers of every ready peer. One such peer is enough once the others had
   * enough time: two that take turns could send new headers for ever.
   */
  public boolean areDone() {
    boolean any = false;
    for (HeaderPeer peer : roster.peers()) {
      HeaderLink link = peer.headers();
      any |= peer.isReady() && link.isDone();
      if (peer.isReady()
          && !link.isDone()
          && !link.questions.isWaitedOut(settings.stallTimeout(), effects.now())) {
        return false;
      }
    }
    return any;
  }

  /** The highest height that we have, or that a peer with more headers claims. */
  public int target() {
    int target = chain.height();
    for (HeaderPeer peer : roster.peers()) {
      Message.Version version = peer.version();
      if (version != null && !peer.headers().isDone()) {
        target = Math.max(target, version.startHeight());
      }
    }
    return target;
  }

  private List<Hash256> behind(Hash256 last) {
    List<Hash256> locator = new ArrayList<>();
    locator.add(last);
    locator.addAll(chain.recentLocator());
    return locator;
  }

  private void ask(HeaderPeer peer, List<Hash256> locator) {
    HeaderLink link = peer.headers();
    link.done(false);
    Message request = new Message.GetHeaders(locator, Hash256.ZERO);
    link.questions.asked(
        effects.ask(peer, Question.Kind.HEADERS, 1, request), locator.get(0), null);
  }
}
