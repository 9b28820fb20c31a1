package org.murmur.p2p.internal.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Question.Kind;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;

/** The open requests of one link, without a machine around. */
class QuestionsTest {

  private static final Instant START = Instant.ofEpochSecond(1_700_000_000L);
  private static final NodeAddress ADDRESS = new NodeAddress("10.0.0.1", 1);
  private static final SyncSettings SETTINGS = SyncSettings.of(List.of(ADDRESS), 1);
  private static final Duration STALL = SETTINGS.stallTimeout();

  private final Peer peer = new Peer(new Link(1, ADDRESS), 7, START);
  private final Questions questions = peer.questions();
  private final List<Long> closed = new ArrayList<>();

  @BeforeEach
  void greets() {
    peer.greeted(new Message.Version(70016, Services.NETWORK, 0, 5, "/peer/", 0, true));
  }

  private static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  /** Sends a request with a ping after it; the owner records what was still owed at the pong. */
  private Question ask(Kind kind, int owed, long ping, int seconds) {
    Question.Owner owner =
        question -> {
          closed.add(ping);
          closed.add((long) question.owed());
          return Refusal.NONE;
        };
    return questions.open(kind, owed, ping, owner, at(seconds));
  }

  private Question ask(Kind kind, int owed, int seconds) {
    return questions.open(kind, owed, null, Question.Owner.NOBODY, at(seconds));
  }

  private void pong(long ping) {
    questions.close(Objects.requireNonNull(questions.behind(ping)));
  }

  @Test
  void pongsCloseTheirOwnQuestionInTheOrderAsked() {
    ask(Kind.BLOCKS, 3, 11, 0);
    ask(Kind.MEMPOOL, 0, 12, 0);
    pong(11);
    pong(12);
    assertThat(closed).containsExactly(11L, 3L, 12L, 0L);
    assertThat(questions.owes()).isFalse();
    assertThat(questions.pings()).isZero();
    assertThat(questions.awaited()).isNull();
  }

  /** It is closed, and the one before it stays the oldest. */
  @Test
  void aPongOutOfOrderClosesItsOwnQuestionOnly() {
    Question first = ask(Kind.BLOCKS, 3, 11, 0);
    Question second = ask(Kind.BLOCKS, 2, 12, 0);
    assertThat(questions.isOldestPing(first)).isTrue();
    assertThat(questions.isOldestPing(second)).isFalse();
    pong(12);
    assertThat(closed).containsExactly(12L, 2L);
    assertThat(questions.owed(Kind.BLOCKS)).isEqualTo(3);
    assertThat(questions.isOldestPing(first)).isTrue();
    assertThat(questions.awaited()).isSameAs(first);
  }

  @Test
  void noQuestionStandsBeforeAPingThatWasNotSentOrWasAnswered() {
    ask(Kind.BLOCKS, 1, 11, 0);
    assertThat(questions.behind(10)).isNull();
    pong(11);
    assertThat(questions.behind(11)).isNull();
  }

  @Test
  void theOwnerDecidesWhetherThePeerStays() {
    Refusal refusal = new Refusal(DisconnectReason.STALE_TIP, "too short");
    Question question = questions.open(Kind.TIP, 0, 11L, asked -> refusal, at(0));
    assertThat(questions.close(question)).isEqualTo(refusal);
  }

  @Test
  void aQuestionStaysOpenForItsPongWhenAllHasCome() {
    Question question = ask(Kind.BLOCKS, 2, 11, 0);
    questions.answered(question, 1, at(1));
    questions.passed(question, 1);
    assertThat(questions.owes()).isFalse();
    assertThat(questions.pings()).isEqualTo(1);
    assertThat(questions.awaited()).isSameAs(question);
    pong(11);
    assertThat(closed).containsExactly(11L, 0L);
  }

  @Test
  void aQuestionWithoutPingEndsWithItsAnswer() {
    Question question = ask(Kind.TRANSACTIONS, 2, 0);
    questions.answered(question, 1, at(1));
    assertThat(questions.awaited()).isSameAs(question);
    questions.answered(question, 1, at(2));
    assertThat(questions.awaited()).isNull();
    assertThat(questions.deadline(SETTINGS)).isNull();
  }

  @Test
  void patienceIsMeasuredFromTheLastAnswerThatCounts() {
    Question blocks = ask(Kind.BLOCKS, 2, 11, 0);
    ask(Kind.HEADERS, 1, 5);
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(0).plus(STALL));
    // Transactions do not count while blocks are owed.
    questions.earns(Patience.Answer.NEWS, at(6));
    questions.earns(Patience.Answer.HEADERS, at(7));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(0).plus(STALL));
    questions.earns(Patience.Answer.PROGRESS, at(8));
    questions.answered(blocks, 1, at(8));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(8).plus(STALL));
    questions.passed(blocks, 1);
    questions.earns(Patience.Answer.NEWS, at(9));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(8).plus(STALL));
    questions.earns(Patience.Answer.HEADERS, at(10));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(10).plus(STALL));
  }

  /** Only earlier requests may come first: blocks, but no headers and no pongs. */
  @Test
  void aWholeBlockHasFourTimesAsLongBehindTheBlocksBeforeIt() {
    Question blocks = ask(Kind.BLOCKS, 2, 11, 0);
    ask(Kind.WHOLE_BLOCK, 1, 12, 1);
    questions.earns(Patience.Answer.PROGRESS, at(5));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(1).plus(STALL.multipliedBy(4)));
    questions.answered(blocks, 1, at(9));
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(9).plus(STALL.multipliedBy(4)));
  }

  @Test
  void aPongHasItsTimeFromTheLastBlockBeforeIt() {
    Question blocks = ask(Kind.BLOCKS, 1, 11, 0);
    ask(Kind.PING, 0, 12, 3);
    questions.answered(blocks, 1, at(20));
    pong(11);
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(20).plus(STALL));
  }

  @Test
  void theTimeToAnswerBeginsWhenNothingWasOwed() {
    questions.earns(Patience.Answer.NEWS, at(1));
    ask(Kind.HEADERS, 1, 50);
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(50).plus(STALL));
    ask(Kind.BLOCKS, 1, 11, 60);
    assertThat(questions.deadline(SETTINGS)).isEqualTo(at(50).plus(STALL));
    assertThat(questions.waitingSince(Kind.HEADERS)).isEqualTo(at(50));
    assertThat(questions.waitingSince(Kind.BLOCKS)).isEqualTo(at(60));
  }

  @Test
  void aConnectionAndItsHandshakeHaveTheirTimeEach() {
    Peer called = new Peer(new Link(2, ADDRESS), 8, at(0));
    assertThat(called.questions().awaited()).extracting(Question::kind).isEqualTo(Kind.CONNECTION);
    assertThat(called.questions().deadline(SETTINGS))
        .isEqualTo(at(0).plus(SETTINGS.connectTimeout()));
    called.connected(at(4));
    assertThat(called.questions().awaited()).extracting(Question::kind).isEqualTo(Kind.HANDSHAKE);
    assertThat(called.questions().deadline(SETTINGS))
        .isEqualTo(at(4).plus(SETTINGS.connectTimeout()));
    called.greeted(new Message.Version(70016, Services.NETWORK, 0, 5, "/peer/", 0, true));
    assertThat(called.questions().owes()).isFalse();
  }
}
