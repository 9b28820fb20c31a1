package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.SyncReport.Ending;

/** The reason for a session's end is one value: how each event changes it. */
final class SessionEndTest {

  private static final SyncEvent COMPLETE = new SyncFact.Complete(7, Hash256.ZERO);
  private static final SyncEvent TOO_FEW = new SyncFact.TooFewCrossChecks(7, 2, 1);
  private static final SyncEvent LONG_AGO = new SyncFact.EndsLongAgo(7, Hash256.ZERO);
  private static final SyncEvent BEHIND =
      new SyncWarning.ClockBehind(7, Hash256.ZERO, Duration.ofHours(3));
  private static final SyncEvent NOBODY =
      new SyncFact.NoUsablePeer(Obstacle.Kind.LOST, Map.of(), Optional.empty(), "all are gone");
  private static final SyncEvent DISAGREE =
      new SyncWarning.PeersDisagree(7, Hash256.ZERO, new NodeAddress("10.1.0.1", 8333), List.of());

  private static Ending after(SyncEvent... events) {
    SessionEnd end = SessionEnd.DONE;
    for (SyncEvent event : events) {
      end = end.after(event);
    }
    return end.why();
  }

  @Test
  void theLastReportCounts() {
    assertThat(after()).isEqualTo(Ending.DONE);
    assertThat(after(TOO_FEW)).isEqualTo(Ending.TOO_FEW_PEERS);
    assertThat(after(TOO_FEW, BEHIND)).isEqualTo(Ending.CLOCK_BEHIND);
    assertThat(after(BEHIND, LONG_AGO)).isEqualTo(Ending.ENDS_LONG_AGO);
    assertThat(after(LONG_AGO, COMPLETE)).isEqualTo(Ending.DONE);
    assertThat(after(COMPLETE, NOBODY)).isEqualTo(Ending.NO_USABLE_PEER);
  }

  /** A session with too few peers is not complete before everything is seen. */
  @Test
  void missingPeersAreForgottenOnlyWhenItIsComplete() {
    assertThat(after(NOBODY, TOO_FEW)).isEqualTo(Ending.NO_USABLE_PEER);
    assertThat(after(NOBODY, BEHIND)).isEqualTo(Ending.NO_USABLE_PEER);
    assertThat(after(NOBODY, COMPLETE)).isEqualTo(Ending.DONE);
    assertThat(SessionEnd.DONE.after(NOBODY).none()).contains((SyncFact.NoUsablePeer) NOBODY);
    assertThat(SessionEnd.DONE.after(NOBODY).after(COMPLETE).none()).isEmpty();
  }

  @Test
  void aDisagreementIsSettledOnlyWhenItIsComplete() {
    assertThat(after(DISAGREE, TOO_FEW, NOBODY)).isEqualTo(Ending.PEERS_DISAGREE);
    assertThat(after(DISAGREE, TOO_FEW, COMPLETE)).isEqualTo(Ending.DONE);
    assertThat(after(DISAGREE, new SyncFact.BudgetSpent())).isEqualTo(Ending.MAX_BYTES);
  }

  @ParameterizedTest
  @EnumSource(
      value = Ending.class,
      names = {"STOPPED", "TIMEOUT"})
  void theFirstOrderHoldsForGood(Ending order) {
    SessionEnd end = SessionEnd.DONE.after(DISAGREE).ordered(order);
    assertThat(end.why()).isEqualTo(order);
    assertThat(end.after(NOBODY).why()).isEqualTo(order);
    assertThat(end.after(NOBODY).none()).isEmpty();
    assertThat(end.after(COMPLETE).after(new SyncFact.BudgetSpent()).why()).isEqualTo(order);
    assertThat(end.ordered(Ending.STOPPED).ordered(Ending.TIMEOUT).why()).isEqualTo(order);
  }

  /**
   * A broadcast timed out, and no peer sent its version: the machine reports that when it stops.
   */
  @Test
  void anOrderDoesNotHideThatNoPeerWasThere() {
    SessionEnd end = SessionEnd.DONE.after(NOBODY).ordered(Ending.TIMEOUT);
    assertThat(end.why()).isEqualTo(Ending.TIMEOUT);
    assertThat(end.none()).contains((SyncFact.NoUsablePeer) NOBODY);
  }
}
