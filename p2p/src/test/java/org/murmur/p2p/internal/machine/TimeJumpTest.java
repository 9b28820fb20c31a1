package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;

/** Computers sleep, clocks are set, networks change, and none of it is a peer's fault. */
class TimeJumpTest {

  private static final Duration NIGHT = Duration.ofHours(8);

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedNode other = node.twin();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final NodeAddress first = world.add(node);
  private final NodeAddress second = world.add(other);

  private SyncSettings settings(boolean follow) {
    return SyncSettings.of(List.of(first, second), 1).follow(follow);
  }

  private List<DisconnectReason> lost() {
    List<DisconnectReason> lost = new ArrayList<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.PeerLost peer) {
        lost.add(peer.reason());
      }
    }
    return lost;
  }

  private void assertNobodyIsBlamed() {
    assertThat(lost()).noneMatch(DisconnectReason::isMisbehaviour);
    assertThat(wallet.peers.values()).allMatch(facts -> facts.misbehaviour().isEmpty());
    assertThat(world.events).noneMatch(SyncWarning.PeerInBackOff.class::isInstance);
    assertThat(world.events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .allMatch(event -> event instanceof SyncWarning.NobodyReachable);
  }

  private Tx mine(int blocks) {
    Tx payment = payments.pay(1);
    for (int i = 0; i < blocks; i++) {
      node.mine(i == blocks - 1 ? List.of(payment) : List.of());
    }
    return payment;
  }

  private void announceTip() {
    Headers tip = node.chain.headers(node.chain.height(), node.chain.height() + 1);
    world.announce(node, new Message.HeadersMessage(tip));
    world.announce(other, new Message.HeadersMessage(tip));
  }

  @ParameterizedTest
  @ValueSource(longs = {8 * 3600, -3600, 45, -45})
  void aClockJumpDuringASyncIsNoPeersFault(long seconds) {
    Tx payment = mine(2_000);
    world.blocksPerSecond = 100;
    world.onSend =
        SimulatedWorld.atFirst(
            Message.GetData.class,
            () -> {
              for (int i = 1; i <= 5; i++) {
                world.later(1_500L * i, () -> world.jump(Duration.ofSeconds(seconds)));
              }
            });
    world.run(settings(false));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 2_000));
    assertThat(lost()).isEmpty();
    assertNobodyIsBlamed();
  }

  /** With the clock an hour back, half a minute must not become an hour and a half. */
  @Test
  void aStallIsNoticedInTimeAlthoughTheClockWasSetBack() {
    mine(2_000);
    world.blocksPerSecond = 100;
    world.limit = Duration.ofMinutes(10);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.GetData.class,
            () ->
                world.later(
                    1_000,
                    () -> {
                      other.mute = true;
                      world.jump(Duration.ofHours(-1));
                    }));
    world.run(settings(false));
    assertThat(lost()).contains(DisconnectReason.STALLED);
    assertThat(wallet.confirmed).hasSize(1);
  }

  private void followThrough(Runnable night, long stopAfterMillis) {
    world.limit = Duration.ofDays(8);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(20_000, night);
              world.later(20_000 + stopAfterMillis, () -> world.give(new Input.Stop()));
            });
    world.run(settings(true));
  }

  /** A phone whose network comes and goes every five seconds: the first ping decides. */
  @Test
  void findsItsLinesDeadHoweverOftenItIsToldToRetry() {
    mine(5);
    followThrough(
        () -> {
          world.killLines();
          for (int second = 0; second < 120; second += 5) {
            world.later(1000L * second, () -> world.post(new Input.RetryNow()));
          }
        },
        130_000);
    assertThat(lost()).isNotEmpty().containsOnly(DisconnectReason.LINE_DEAD);
  }

  @Test
  void findsItsLinesDeadAfterANightAndCallsAgain() {
    mine(5);
    Tx[] meanwhile = new Tx[1];
    followThrough(
        () -> {
          world.killLines();
          meanwhile[0] = mine(3);
          announceTip();
          world.jump(NIGHT);
        },
        30_000);
    assertThat(wallet.confirmed).containsEntry(meanwhile[0].txid(), 8);
    assertThat(lost()).isNotEmpty().containsOnly(DisconnectReason.LINE_DEAD);
    assertNobodyIsBlamed();
  }

  @Test
  void keepsLinesThatSurvivedTheNightAndRequestsMissedBlocks() {
    mine(5);
    Tx[] meanwhile = new Tx[1];
    followThrough(
        () -> {
          // Announced to a machine that slept: lost.
          meanwhile[0] = mine(3);
          world.jump(NIGHT);
        },
        20_000);
    assertThat(wallet.confirmed).containsEntry(meanwhile[0].txid(), 8);
    assertThat(lost()).isEmpty();
    assertNobodyIsBlamed();
  }

  @Test
  void callsWaitingPeersAtOnceAfterANight() {
    mine(5);
    followThrough(
        () -> {
          world.unreachable.addAll(List.of(first, second));
          world.cutAll();
          // By now the pauses are long.
          world.later(
              600_000,
              () -> {
                world.unreachable.clear();
                mine(1);
                world.jump(NIGHT);
              });
        },
        605_000);
    assertThat(wallet.confirmed).hasSize(2);
    assertNobodyIsBlamed();
  }

  @Test
  void aNetworkThatIsAwayForAnHourIsCalledAgainWithPauses() {
    mine(5);
    followThrough(
        () -> {
          world.unreachable.addAll(List.of(first, second));
          world.cutAll();
          world.later(
              3_600_000,
              () -> {
                world.unreachable.clear();
                mine(1);
              });
        },
        3_700_000);
    assertThat(wallet.confirmed).hasSize(2);
    // Once a minute each at the most, when the pauses have grown.
    assertThat(world.calls).isBetween(60, 160);
    assertNobodyIsBlamed();
  }

  @Test
  void allFallSilentTogetherWhenTheNetworkChanged() {
    mine(5);
    followThrough(
        () -> {
          world.killLines();
          mine(1);
        },
        150_000);
    assertThat(lost()).isNotEmpty().containsOnly(DisconnectReason.LINE_DEAD);
    assertThat(wallet.confirmed).hasSize(2);
    assertNobodyIsBlamed();
  }

  @Test
  void oneThatFallsSilentAloneIsToBlame() {
    mine(5);
    followThrough(
        () -> {
          other.mute = true;
          for (int i = 1; i < 15; i++) {
            world.later(10_000L * i, () -> world.announce(node, new Message.Ping(7)));
          }
        },
        150_000);
    assertThat(lost()).contains(DisconnectReason.PING_TIMEOUT);
    assertThat(lost()).doesNotContain(DisconnectReason.LINE_DEAD);
  }

  /** More than a day behind, every new block is from the future: for hours, from all peers. */
  @Test
  void aClockSetBackWhileFollowingBlamesNoPeerForLaterBlocks() {
    mine(5);
    Duration back =
        Duration.between(Instant.ofEpochSecond(1_600_000_000L), world.now()).plusDays(2);
    world.limit = Duration.ofDays(3);
    List<Tx> payments = new ArrayList<>();
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(20_000, () -> world.jump(back.negated()));
              for (int i = 1; i <= 200; i++) {
                world.later(
                    20_000 + 600_000L * i,
                    () -> {
                      payments.add(mine(1));
                      announceTip();
                    });
              }
              world.later(20_000 + 600_000L * 201, () -> world.jump(back));
              world.later(20_000 + 600_000L * 202, () -> world.give(new Input.Stop()));
            });
    world.run(settings(true));
    assertThat(payments).hasSize(200);
    assertThat(wallet.confirmed).hasSize(201);
    assertThat(lost()).isEmpty();
    assertThat(wallet.peers.values()).allMatch(facts -> facts.misbehaviour().isEmpty());
    assertThat(world.events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .extracting(Object::getClass)
        .containsExactly(
            SyncWarning.BlockFromTheFuture.class,
            SyncWarning.BlockFromTheFuture.class,
            SyncWarning.ClockBehind.class);
  }

  // ---- a chain that stands still ----

  private long headersAskedFor() {
    return world.sent.stream().filter(Message.GetHeaders.class::isInstance).count();
  }

  @Test
  void reportsOnceInAWeekThatNoBlockComesAndKeepsAsking() {
    wallet.network = ChainParams.TESTNET3;
    mine(5);
    long week = Duration.ofDays(7).toMillis();
    Tx[] late = new Tx[1];
    followThrough(
        () ->
            world.later(
                week,
                () -> {
                  // No peer announces it: it is requested.
                  late[0] = mine(1);
                }),
        week + Duration.ofMinutes(15).toMillis());
    assertThat(world.events.stream().filter(SyncEvent.Warning.class::isInstance))
        .singleElement()
        .satisfies(
            warning ->
                assertThat(warning)
                    .isInstanceOfSatisfying(
                        SyncWarning.NoNewBlock.class,
                        standstill -> assertThat(standstill.height()).isEqualTo(5)));
    assertThat(headersAskedFor()).isBetween(2L * 6 * 24 * 6, 2L * 8 * 24 * 6);
    assertThat(wallet.confirmed).containsEntry(late[0].txid(), 6);
    assertThat(lost()).isEmpty();
  }

  @Test
  void callsAnotherPeerWhenNoBlockComes() {
    wallet.network = ChainParams.TESTNET3;
    mine(5);
    // The second one has the transaction that the first one lacks, and so far there was no room for
    // it.
    SimulatedNode ahead = new SimulatedNode();
    for (int height = 1; height <= 5; height++) {
      SimulatedNode.Block block = node.block(height);
      ahead.blocks.put(block.hash(), block);
      ahead.chain.connect(Headers.ofStored(block.header()), Long.MAX_VALUE / 4);
    }
    Tx payment = payments.pay(2);
    ahead.mine(List.of(payment));
    world.nodes.put(second, ahead);
    world.limit = Duration.ofHours(3);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () ->
                world.later(Duration.ofMinutes(45).toMillis(), () -> world.give(new Input.Stop())));
    world.run(settings(true).peers(who -> who.connections(1)));
    assertThat(wallet.confirmed).containsEntry(payment.txid(), 6);
  }
}
