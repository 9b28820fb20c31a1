package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.wire.Headers;

/** The open requests for headers of one peer, and how long we have waited for it. State only. */
final class HeaderQuestions {

  /** The most headers that Core announces unsolicited (MAX_BLOCKS_TO_ANNOUNCE). */
  private static final int MAX_ANNOUNCED = 8;

  /** Open requests at first; one more with every prompt answer, like TCP's window. */
  private static final int FIRST_DEPTH = 8;

  /** Maximum open requests: 48,000 headers, so that a round trip of 100 ms costs little. */
  private static final int MAX_DEPTH = 24;

  /** An answer within this time is prompt. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  /**
   * A request for the headers after {@code behind}, in a segment, or without one if it had a whole
   * locator.
   */
  record Ask(Question question, Hash256 behind, @Nullable Segment segment) {}

  private final Peer peer;
  private final ArrayDeque<Ask> asks = new ArrayDeque<>();
  private int depth = FIRST_DEPTH;
  // How long we waited for answers that did not make the chain grow, since it last grew; and the
  // begin of the present wait.
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

  /** Whether one more request may be open at the same time. */
  boolean hasRoom() {
    return asks.size() < depth;
  }

  /** A request was sent. */
  void asked(Question question, Hash256 behind, @Nullable Segment segment) {
    if (asks.isEmpty()) {
      waitingSince = question.askedAt();
    }
    asks.add(new Ask(question, behind, segment));
  }

  /** Whether one of the open requests has a whole locator. */
  boolean isLeading() {
    return asks.stream().anyMatch(ask -> ask.segment() == null);
  }

  /** Whether the next answer is for a request with a whole locator. */
  boolean isLeadingNext() {
    Ask first = asks.peek();
    return first != null && first.segment() == null;
  }

  /** When the peer last answered a request, or got one while none was open. */
  Instant heardAt() {
    return peer.questions().waitingSince(Question.Kind.HEADERS);
  }

  /** Whether it has owed an answer for this long and sent none. */
  boolean isSilentFor(Duration time, Instant now) {
    return !asks.isEmpty() && !now.isBefore(heardAt().plus(time));
  }

  /** The chain grew: the waiting time starts again at zero. */
  void chainGrew(Instant now) {
    vain = Duration.ZERO;
    waitingSince = waitingSince == null ? null : now;
  }

  private Duration waited(Instant now) {
    return waitingSince == null ? vain : vain.plus(Duration.between(waitingSince, now));
  }

  /**
   * Whether we waited this long in all since the chain last grew. A peer that answers now and then,
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
   * Finds the request that headers answer, and closes it and those before it: answers come in the
   * order of the requests. Null if they answer none, an announcement for instance.
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

  /** How many requests are before the one that headers answer; -1 if they answer none. */
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
    // Many headers that begin at another block: the peer does not know the requested one.
    return headers.count() > MAX_ANNOUNCED ? 0 : -1;
  }
}
