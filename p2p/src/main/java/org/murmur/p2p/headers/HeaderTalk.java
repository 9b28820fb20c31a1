package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.wire.Headers;

/** What was asked of one peer about headers, and what came of it. State only. */
public final class HeaderTalk {

  private static final PerPeer<HeaderTalk> TALKS = new PerPeer<>(HeaderTalk::new);

  /** Core announces at most so many headers without being asked (MAX_BLOCKS_TO_ANNOUNCE). */
  private static final int MAX_ANNOUNCED = 8;

  /** Questions under way at first; it grows by one with every prompt answer, as TCP's window. */
  private static final int FIRST_DEPTH = 8;

  /** Questions under way at most: 48,000 headers, so that at 100 ms a round trip costs little. */
  private static final int MAX_DEPTH = 24;

  /** An answer within this time is prompt. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  /**
   * A question for headers.
   *
   * @param question what is open of it
   * @param behind the header whose followers were asked for
   * @param segment the segment that they are of, or null if it was asked with a whole locator
   */
  record Ask(Question question, Hash256 behind, @Nullable Segment segment) {}

  private final Peer peer;
  final ArrayDeque<Ask> asks = new ArrayDeque<>();
  int depth = FIRST_DEPTH;
  // How long it was waited for since the chain last grew, by answers that did not make it grow; and
  // since when it is waited for now.
  private Duration vain = Duration.ZERO;
  private @Nullable Instant waitingSince;
  // Above this height it has nothing of the chain that leads to the checkpoints.
  int lacksAbove = Integer.MAX_VALUE;
  // Whether what follows on the batch about to be handed over was asked for already.
  boolean aheadAsked;
  // How much came that brought nothing new since the chain last grew.
  int fruitless;
  int growth;
  // Headers that came beside the active chain since it last brought that forward.
  int beside;
  // Whether the user was told that it sends blocks of the future.
  boolean tooNewTold;
  // Whether the user was told that it is not asked, because of the limit of bytes.
  boolean passedOverTold;
  // Until our clock shows this, the newest header that was left out as too new stays out; null if
  // none was left out, or headers came since that were not.
  @Nullable Instant leftOutUntil;
  // Where the last full batch of known headers ended.
  @Nullable Hash256 knownTo;
  // It has told all headers that it has.
  boolean done;
  int orphans;
  // By how much its clock is ahead of the session's steady time, by its version message.
  Duration ahead = Duration.ZERO;
  // Whether it was asked for what follows on headers that were left out as too new.
  boolean tooNewAsked;
  // How many headers it brought that were not known before.
  int served;

  private HeaderTalk(Peer peer) {
    this.peer = peer;
  }

  /** Returns the one of a peer. */
  public static HeaderTalk of(Peer peer) {
    return TALKS.of(peer);
  }

  /** How many headers it brought that were not known before. */
  public int served() {
    return served;
  }

  /** Whether it has told all headers that it has. */
  public boolean isDone() {
    return done;
  }

  /** By how much its clock is ahead of the steady time, by its version message. */
  public void clockIsAhead(Duration by) {
    ahead = by;
  }

  /** The batch that came is none to follow on. */
  public void passOver() {
    aheadAsked = false;
  }

  /** Whether it owes headers. */
  public boolean isAsked() {
    return !asks.isEmpty();
  }

  /** A question was sent. */
  void asked(Question question, Hash256 behind, @Nullable Segment segment) {
    if (asks.isEmpty()) {
      waitingSince = question.askedAt();
    }
    asks.add(new Ask(question, behind, segment));
  }

  /** When it last answered, or was asked while it owed nothing. */
  Instant heardAt() {
    return peer.questions().waitingSince(Question.Kind.HEADERS);
  }

  /** Whether a question of the ordinary kind is under way. */
  boolean isLeading() {
    for (Ask ask : asks) {
      if (ask.segment() == null) {
        return true;
      }
    }
    return false;
  }

  /** Whether it has been silent for so long since it owes an answer. */
  boolean isSilentFor(Duration time, Instant now) {
    return !asks.isEmpty() && !now.isBefore(heardAt().plus(time));
  }

  /**
   * By how much our clock is behind at least if its headers are honest; zero if none is too new.
   */
  Duration leftOutBy(Instant clock) {
    Instant until = leftOutUntil;
    return until == null || !clock.isBefore(until) ? Duration.ZERO : Duration.between(clock, until);
  }

  /** Whether a header was left out that our clock lets in by now. */
  boolean isLetIn(Instant clock) {
    return leftOutUntil != null && !clock.isBefore(leftOutUntil);
  }

  /** The chain grew: what was waited for is forgotten. */
  void grown(Instant now) {
    vain = Duration.ZERO;
    waitingSince = waitingSince == null ? null : now;
  }

  private Duration waited(Instant now) {
    return waitingSince == null ? vain : vain.plus(Duration.between(waitingSince, now));
  }

  /**
   * Whether it was waited for so long in all since the chain last grew. Who answers now and then,
   * and brings nothing forward, is not waited for again and again.
   */
  boolean isWaitedOut(Duration time, Instant now) {
    return waited(now).compareTo(time) >= 0;
  }

  /** When that will be if nothing comes, or null while it is not asked. */
  @Nullable Instant waitedOutAt(Duration time) {
    return waitingSince == null ? null : waitingSince.plus(time).minus(vain);
  }

  /**
   * Finds the question that headers answer and crosses it off, with those before it: answers come
   * in the order asked.
   *
   * @return null if they answer none, an announcement for instance
   */
  @Nullable Ask answered(Headers headers, Instant now) {
    Ask answered = null;
    for (int passed = passedOver(headers); passed >= 0; passed--) {
      answered = asks.remove();
      peer.questions().answered(answered.question(), 1, now);
    }
    if (answered == null) {
      return null;
    }
    boolean prompt = now.isBefore(answered.question().askedAt().plus(PROMPT));
    depth = prompt ? Math.min(MAX_DEPTH, depth + 1) : Math.max(2, depth / 2);
    vain = waited(now);
    waitingSince = asks.isEmpty() ? null : now;
    return answered;
  }

  /** How many questions stand before the one that headers answer; -1 if they answer none. */
  private int passedOver(Headers headers) {
    Ask first = asks.peek();
    if (first == null || headers.isEmpty() || first.segment() == null) {
      return first == null ? -1 : 0;
    }
    Hash256 previous = headers.previous(0);
    int passed = 0;
    for (Ask ask : asks) {
      if (ask.segment() != null && ask.behind().equals(previous)) {
        return passed;
      }
      passed++;
    }
    // Many that begin elsewhere: the peer does not know what was asked for.
    return headers.count() > MAX_ANNOUNCED ? 0 : -1;
  }
}
