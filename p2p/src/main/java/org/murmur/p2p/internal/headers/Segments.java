package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Headers below the last checkpoint: requested in segments, in parallel and from all peers, and
 * processed in order.
 *
 * <p>A window of segments lies ahead of the chain. Early ones wait there, proven by the hash at
 * their end. Nothing else is kept: a peer that sends other headers costs no memory. A segment of a
 * silent peer is requested from another one too; the first answer counts.
 */
final class Segments extends Part<HeaderPeer> implements Alarm.Timed {

  /** Maximum number of segments under way or waiting. */
  private static final int MAX_SEGMENTS = 64;

  /** Maximum number of headers in them: 8 MB as received. */
  private static final int MAX_HEADERS = 100_000;

  /** After this long without an answer another peer gets the request too. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** After this another peer gets the request for the first segment, even if its peer answers. */
  private static final Duration FIRST_PATIENCE = PATIENCE.multipliedBy(2);

  private final Budget budget;
  private final Checkpoints known;
  private final KnownHeaders inProcess;
  private final ArrayDeque<Segment> window = new ArrayDeque<>();
  private int ahead;

  // The checkpoint at the end of the window's next segment; none left when all are opened.
  private int next;
  private int begin;
  private Hash256 beginHash;
  private boolean abandoned;

  Segments(Part<? extends HeaderPeer> machine, Budget budget, KnownHeaders inProcess) {
    super(machine);
    this.budget = budget;
    this.inProcess = inProcess;
    this.known = settings.checkpoints();
    int height = chain.height();
    this.next = known.countTo(height);
    int base = chain.base().height();
    int last = next == 0 ? 0 : known.height(next - 1);
    // From the last checkpoint that we have, not from our tip: that may lie on a branch that has
    // lost.
    this.begin = Math.max(base, last);
    this.beginHash = chain.hashAt(begin);
    this.abandoned = next > 0 && last == begin && !beginHash.equals(known.hash(next - 1));
    if (abandoned && next < known.size()) {
      effects.emit(new SyncWarning.StoredChainElsewhere(known.hash(next - 1), begin));
    }
  }

  /** Whether some headers below the last checkpoint are still missing. */
  boolean isActive() {
    return !abandoned && !(window.isEmpty() && next == known.size());
  }

  /** Whether the chain is known to lead through the last checkpoint. */
  boolean leadToTheEnd() {
    return !abandoned && window.isEmpty() && next == known.size();
  }

  /** The known blocks contradict the rules, or our clock does: stops using them. */
  void abandon() {
    abandoned = true;
    window.forEach(Segment::release);
    window.clear();
    ahead = 0;
  }

  /** Opens segments, requests them, and repeats requests, as far as necessary. */
  void plan() {
    if (!isActive()) {
      return;
    }
    open();
    for (Segment segment : window) {
      if (segment.isWhole()) {
        continue;
      }
      Peer owner = segment.owner;
      if (owner == null || isOverdue(segment, owner)) {
        HeaderPeer other = freest(segment);
        if (other != null) {
          give(segment, other);
        }
      }
    }
  }

  /** Opens segments, and fills those that need no peer. */
  void open() {
    while (next < known.size() && window.size() < MAX_SEGMENTS && !journal.headersPileUp()) {
      int to = known.height(next);
      if (!window.isEmpty() && ahead + to - begin > MAX_HEADERS) {
        return;
      }
      Segment segment = new Segment(begin, beginHash, to, known.hash(next));
      window.add(segment);
      ahead += segment.size();
      begin = to;
      beginHash = segment.end;
      next++;
      if (inProcess.has(to)) {
        segment.fill(inProcess);
        if (segment.equals(window.peek()) && segment.isWhole()) {
          return; // Joined first, so that the disk keeps pace.
        }
      }
    }
  }

  private boolean isOverdue(Segment segment, Peer owner) {
    return !effects.now().isBefore(overdueAt(segment, owner));
  }

  private Instant overdueAt(Segment segment, Peer owner) {
    Instant silent =
        latest(segment.askedAt, owner.questions().waitingSince(Question.Kind.HEADERS))
            .plus(PATIENCE);
    if (!segment.equals(window.peek())) {
      return silent;
    }
    Instant late = segment.askedAt.plus(FIRST_PATIENCE);
    return late.isBefore(silent) ? late : silent;
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** The peer with the fewest open requests that may be asked for a segment, or null. */
  private @Nullable HeaderPeer freest(Segment segment) {
    HeaderPeer best = null;
    for (HeaderPeer peer : roster.peers()) {
      HeaderQuestions questions = peer.headers().questions;
      boolean fit =
          mayHave(peer, segment)
              && peer != segment.owner
              && budget.allowsHeaders(peer)
              && questions.hasRoom()
              && !questions.isSilentFor(PATIENCE, effects.now());
      if (fit && (best == null || questions.size() < best.headers().questions.size())) {
        best = peer;
      }
    }
    return best;
  }

  private static boolean mayHave(HeaderPeer peer, Segment segment) {
    return peer.isReady() && peer.headers().mayHaveAbove(segment.from);
  }

  /** The peers to ask for the next segment. */
  List<? extends HeaderPeer> askable() {
    Segment first = window.peek();
    return first == null ? List.of() : roster.peers(peer -> mayHave(peer, first));
  }

  private void give(Segment segment, HeaderPeer peer) {
    segment.release();
    segment.owner = peer;
    ask(segment, peer);
  }

  private void ask(Segment segment, HeaderPeer peer) {
    if (!budget.allowsHeaders(peer)) {
      segment.release();
      return;
    }
    segment.askedAt = effects.now();
    Message request = new Message.GetHeaders(List.of(segment.last()), segment.end);
    Question question = effects.ask(peer, Question.Kind.HEADERS, 1, request);
    peer.headers().questions.asked(question, segment.last(), segment);
  }

  /** Adds an answer; complete segments then wait in {@link #ready}. */
  Refusal answered(HeaderPeer peer, HeaderQuestions.Ask ask, Segment segment, Headers headers) {
    if (headers.isEmpty() || !headers.previous(0).equals(ask.behind())) {
      lacks(peer, segment);
      return Refusal.NONE;
    }
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    if (segment.isWhole() || abandoned) {
      return Refusal.NONE;
    }
    if (segment.owner != peer) {
      // Late: another peer was asked meanwhile. The first that began continues.
      if (segment.isBegun() || !segment.start.equals(ask.behind())) {
        return Refusal.NONE;
      }
      segment.owner = peer;
    } else if (!segment.last().equals(ask.behind())) {
      return Refusal.NONE;
    }
    switch (segment.add(headers)) {
      case MORE -> ask(segment, peer);
      case WHOLE -> peer.headers().serves(segment.size());
      case ENDS_EARLY -> lacks(peer, segment);
      case BROKEN -> {
        return new Refusal(
            DisconnectReason.BAD_HEADERS,
            "unlinked headers in an answer after block " + ask.behind());
      }
      case ASTRAY -> {
        return new Refusal(
            DisconnectReason.BAD_HEADERS,
            "headers that do not lead to block " + segment.end + " at height " + segment.to);
      }
    }
    return Refusal.NONE;
  }

  /** A peer lacks the requested headers. That is no offence: it may be behind. */
  private void lacks(HeaderPeer peer, Segment segment) {
    peer.headers().lacksAbove(segment.from);
    release(peer);
  }

  /** Frees the segments of a peer, so that other peers get the requests. */
  void release(HeaderPeer peer) {
    for (Segment segment : window) {
      if (segment.owner == peer && !segment.isWhole()) {
        segment.release();
      }
    }
  }

  /** Returns the next complete segment that connects to the chain, or null. */
  @Nullable Segment ready() {
    Segment first = window.peek();
    if (first == null || !first.isWhole()) {
      return null;
    }
    window.remove();
    ahead -= first.size();
    return first;
  }

  /** The peers that lack the next segment, if all do. */
  List<HeaderPeer> behind() {
    Segment first = window.peek();
    List<HeaderPeer> behind = new ArrayList<>();
    if (first == null) {
      return behind;
    }
    for (HeaderPeer peer : roster.peers()) {
      if (mayHave(peer, first)) {
        return List.of();
      }
      if (peer.isReady()) {
        behind.add(peer);
      }
    }
    return behind;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    for (Segment segment : window) {
      Peer owner = segment.owner;
      if (!segment.isWhole() && owner != null) {
        alarm.at(overdueAt(segment, owner));
      }
    }
  }
}
