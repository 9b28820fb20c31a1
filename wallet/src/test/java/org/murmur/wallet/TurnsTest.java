package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.murmur.wallet.Turns.Kind;
import org.murmur.wallet.Turns.Turn;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncReport;

/** The queue of those who write, without sessions. */
final class TurnsTest {

  private final Turns turns = new Turns("w");
  private final List<String> order = new ArrayList<>();

  private Turn sync(Optional<StopSignal> stop) {
    return turns.queue(Kind.SYNC, true, stop);
  }

  private Turn errand() {
    return turns.queue(Kind.ERRAND, false, Optional.empty());
  }

  private void requireLocked() {
    assertThatThrownBy(() -> sync(Optional.empty()))
        .isInstanceOfSatisfying(
            WalletException.class,
            e -> assertThat(e.kind()).isEqualTo(WalletException.Kind.SYNCING));
  }

  @Test
  void aSecondSyncIsRefusedUntilTheFirstIsStopped() throws Exception {
    StopSignal stop = new StopSignal();
    Turn first = sync(Optional.of(stop));
    requireLocked();
    stop.stop();
    Turn second = sync(Optional.empty());
    requireLocked();
    turns.stop();
    Turn third = sync(Optional.empty());
    assertThat(turns.current()).isSameAs(first);
    first.close();
    assertThat(turns.current()).isSameAs(second);
    second.close();
    assertThat(turns.current()).isSameAs(third);
    third.close();
    assertThat(turns.current()).isNull();
  }

  /** A stop that came first is not forgotten. */
  @Test
  void aSyncWhoseSignalIsGivenAlreadyRefusesNobody() throws Exception {
    StopSignal given = new StopSignal();
    given.stop();
    Turn first = sync(Optional.of(given));
    Turn second = sync(Optional.empty());
    requireLocked();
    second.close();
    first.close();
  }

  @Test
  void othersComeBeforeASyncThatWaitsToFollow() throws Exception {
    Turn errand = errand();
    Turn follower = sync(Optional.empty());
    Turn late = errand();
    errand.close();
    assertThat(turns.current()).isSameAs(late);
    late.close();
    assertThat(turns.current()).isSameAs(follower);
    follower.close();
  }

  /** Whoever stops while a sync makes way for others stops what would go on after them, too. */
  @Test
  void noStopIsLostWhileASyncMakesWay() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    for (int round = 0; round < 5_000; round++) {
      Turn sync = sync(Optional.empty());
      Turn errand = errand();
      Thread stops =
          new Thread(
              () -> {
                meet(both);
                turns.stop();
              });
      stops.start();
      meet(both);
      Optional<Turn> again = sync.again(SyncReport.Ending.STOPPED);
      stops.join();
      sync.close();
      errand.close();
      // Refused only if the one that would go on has not been stopped.
      sync(Optional.empty()).close();
      again.ifPresent(Turn::close);
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An entry is made by whoever has the turn, at the latest at its end. */
  @Test
  void noEntryIsLost() throws Exception {
    Turn mine = errand();
    turns.enter(() -> entered("while it waits for its session"));
    assertThat(order).isEmpty();
    mine.await();
    turns.enter(() -> entered("by the thread that has the turn"));
    mine.close();
    turns.enter(() -> entered("by nobody else"));
    assertThat(order)
        .containsExactly(
            "by the thread that has the turn", "while it waits for its session", "by nobody else");
    assertThat(turns.current()).isNull();
  }

  private <T> Optional<T> entered(String name) {
    order.add(name);
    return Optional.empty();
  }

  @Test
  void whoHasTheTurnDoesNotWaitForItself() throws Exception {
    try (Turn mine = errand()) {
      mine.await();
      assertThatThrownBy(() -> turns.queueHere(Kind.ERRAND, false, Optional.empty()))
          .isInstanceOf(WalletException.class)
          .hasMessageContaining("use another thread");
    }
  }
}
