package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.wire.Headers;

/** The open questions for headers of one peer, and how long we have waited for it. State only. */
final class HeaderQuestions {

  /** Core announces at most so many headers without being asked (MAX_BLOCKS_TO_ANNOUNCE). */
  private static final int MAX_ANNOUNCED = 8;

  /** Open questions at first; one more with every prompt answer, like TCP's window. */
  private static final int FIRST_DEPTH = 8;

  /** Open questions at most: 48,000 headers, so that at 100 ms a round trip costs little. */
  private static final int MAX_DEPTH = 24;

  /** An answer within this time is prompt. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  /**
   * A question for headers.
   *
   * @param question the question on the link
   * @param behind the header whose followers were asked for
   * @param segment the segment that they are of, or null if it was asked with a whole locator
   */
  record Ask(Question question, Hash256 behind, @Nullable Segment segment) {}

  private final Peer peer;
  private final ArrayDeque<Ask> asks = new ArrayDeque<>();
  private int depth = FIRST_DEPTH;
  // How long we waited for it since the chain last grew, for answers that did not make it grow; and
  // since when we are waiting now.
  private Duration vain = Duration.ZERO;
  private @Nullable Instant waitingSince;

  HeaderQuestions(Peer peer) {
    this.peer = peer;
  }

  boolean isEmpty() {
    return asks.isEmpty();
  }

  int size() {
    return asks.size();
  }

  /** Whether one more may be asked at the same time. */
  boolean hasRoom() {
    return asks.size() < depth;
  }

  /** A question was sent. */
  void asked(Question question, Hash256 behind, @Nullable Segment segment) {
    if (asks.isEmpty()) {
      waitingSince = question.askedAt();
    }
    asks.add(new Ask(question, behind, segment));
  }

  /** Whether one of them was asked with a whole locator. */
  boolean isLeading() {
    return asks.stream().anyMatch(ask -> ask.segment() == null);
  }

  /** Whether the next answer is for one that was asked with a whole locator. */
  boolean isLeadingNext() {
    Ask first = asks.peek();
    return first != null && first.segment() == null;
  }

  /** When the peer last answered one, or was asked while none was open. */
  Instant heardAt() {
    return peer.questions().waitingSince(Question.Kind.HEADERS);
  }

  /** Whether it has owed an answer for so long and sent none. */
  boolean isSilentFor(Duration time, Instant now) {
    return !asks.isEmpty() && !now.isBefore(heardAt().plus(time));
  }

  /** The chain grew: the time that we waited is forgotten. */
  void chainGrew(Instant now) {
    vain = Duration.ZERO;
    waitingSince = waitingSince == null ? null : now;
  }

  private Duration waited(Instant now) {
    return waitingSince == null ? vain : vain.plus(Duration.between(waitingSince, now));
  }

  /**
   * Whether we waited so long in all since the chain last grew. A peer that answers now and then,
   * with nothing new, cannot make us wait again and again.
   */
  boolean isWaitedOut(Duration time, Instant now) {
    return waited(now).compareTo(time) >= 0;
  }

  /** When that will be if no answer comes, or null while none is open. */
  @Nullable Instant waitedOutAt(Duration time) {
    return waitingSince == null ? null : waitingSince.plus(time).minus(vain);
  }

  /**
   * Finds the question that headers answer and closes it, with those before it: answers come in the
   * order asked.
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
    // Many headers that begin at another block: the peer does not know what was asked for.
    return headers.count() > MAX_ANNOUNCED ? 0 : -1;
  }
}
