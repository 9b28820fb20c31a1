package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;

/** Which events of a process matter for the judge at the end. */
class ProcessEventsTest {

  private final ProcessEvents events = new ProcessEvents();

  @Test
  void aPeerLostBeforeTheMempoolQuestionCounts() {
    events.peerLost();
    events.mempool(new MempoolAnswered(MempoolAnswered.Answer.COMPLETE));
    assertThat(events.isPeerLost()).isTrue();
  }

  /** Its answer has come: nothing that it holds can be missed. */
  @Test
  void aPeerLostAfterTheMempoolQuestionDoesNotCount() {
    events.mempool(new MempoolAnswered(MempoolAnswered.Answer.PARTIAL));
    events.peerLost();
    assertThat(events.isPeerLost()).isFalse();
  }

  @Test
  void aQuestionThatWasSkippedIsNoQuestion() {
    events.mempool(new MempoolAnswered(MempoolAnswered.Answer.SKIPPED));
    assertThat(events.isMempoolAsked()).isFalse();
    events.peerLost();
    assertThat(events.isPeerLost()).isTrue();
  }

  @Test
  void onlyACompleteAnswerShowsTheMempool() {
    events.mempool(new MempoolAnswered(MempoolAnswered.Answer.PARTIAL));
    assertThat(events.isMempoolAsked()).isTrue();
    assertThat(events.isMempoolTold()).isFalse();
    events.mempool(new MempoolAnswered(MempoolAnswered.Answer.COMPLETE));
    assertThat(events.isMempoolTold()).isTrue();
  }

  @Test
  void aGuardThatWasMissingOnceWasMissing() {
    events.guardMissing(true);
    events.guardMissing(false);
    assertThat(events.isGuardMissing()).isTrue();
  }
}
