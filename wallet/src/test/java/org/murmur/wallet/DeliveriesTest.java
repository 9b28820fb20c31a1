package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.WalletEvent;

/** How events come to a listener that is slower than its session. */
@Timeout(60)
final class DeliveriesTest {

  private final List<SyncEvent> heard = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private static SyncEvent progress(int scanned) {
    return new SyncEvent.Progress(0, 0, scanned, 0, 0, Duration.ZERO, Optional.empty());
  }

  private static SyncEvent payment(int which) {
    return new WalletEvent.Reorganised(which, which);
  }

  private void slow(SyncEvent event) {
    begun.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    heard.add(event);
  }

  @Test
  void ofWhatWaitsOnlyTheLastProgressIsKeptAndEverythingElse() throws Exception {
    try (Deliveries deliveries = new Deliveries(this::slow, () -> {})) {
      deliveries.onEvent(payment(0));
      begun.await();
      for (int i = 1; i <= 300; i++) {
        deliveries.onEvent(progress(i));
        deliveries.onEvent(payment(i));
        deliveries.onEvent(progress(-i));
      }
      assertThat(heard).isEmpty();
      released.countDown();
    }
    assertThat(heard).hasSize(302).last().isEqualTo(progress(-300));
    for (int i = 0; i <= 300; i++) {
      assertThat(heard.get(i)).isEqualTo(payment(i));
    }
  }

  /** Nobody waits for the listeners of {@link RunningSync}: of what waits, the last are kept. */
  @Test
  void memoryIsBoundedIfNobodyWaits() {
    Deliveries.Backlog backlog = new Deliveries.Backlog();
    int calls = 0;
    for (int i = 0; i < 3 * Deliveries.LAST; i++) {
      calls += backlog.add(payment(i)) ? 1 : 0;
    }
    assertThat(backlog.size()).isEqualTo(Deliveries.LAST);
    assertThat(calls).as("calls that the executor keeps").isEqualTo(Deliveries.LAST);
    for (int i = 2 * Deliveries.LAST; i < 3 * Deliveries.LAST; i++) {
      assertThat(backlog.poll()).isEqualTo(payment(i));
    }
    assertThat(backlog.poll()).isNull();
  }

  /** Memory is bounded: who reports too much waits. */
  @Test
  void aSessionWaitsForAListenerThatIsFarBehind() throws Exception {
    List<Integer> reported = new CopyOnWriteArrayList<>();
    try (Deliveries deliveries = new Deliveries(this::slow, () -> {})) {
      Thread session =
          new Thread(
              () -> {
                for (int i = 0; i <= Deliveries.MOST + 1; i++) {
                  deliveries.onEvent(payment(i));
                  reported.add(i);
                }
              });
      deliveries.onEvent(payment(-1));
      begun.await();
      session.start();
      while (session.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(reported).hasSize(Deliveries.MOST);
      released.countDown();
      session.join();
    }
    assertThat(heard).hasSize(Deliveries.MOST + 3);
  }

  @Test
  void aListenerThatThrowsHearsNoMoreAndEndsTheSession() {
    CountDownLatch ended = new CountDownLatch(1);
    Deliveries deliveries =
        new Deliveries(
            event -> {
              heard.add(event);
              throw new IllegalStateException("the screen is gone");
            },
            ended::countDown);
    deliveries.onEvent(payment(1));
    assertThatThrownBy(
            () -> {
              ended.await();
              deliveries.onEvent(payment(2));
              deliveries.close();
            })
        .hasMessage("the screen is gone");
    assertThat(heard).containsExactly(payment(1));
  }
}
