package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** A single peer claims that there are no more headers, though there must be. */
class EndsLongAgoTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  /** A network that never pauses; its known work is that of the node's last block. */
  private SyncSettings settings() {
    wallet.network = ChainParams.SIGNET;
    Checkpoints known =
        Checkpoints.of(
            List.of(new Checkpoint(node.chain.height(), node.chain.tip())), node.chain.work());
    return SyncSettings.of(List.of(world.add(node)), 1).checkpoints(known);
  }

  private Instant tipTime() {
    return Instant.ofEpochSecond(node.chain.timeAt(node.chain.height()));
  }

  private void mine(int count) {
    for (int i = 0; i < count; i++) {
      node.mine(List.of());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 15})
  void atTheLastKnownBlockOfWeeksAgoNothingIsComplete(int days) {
    Tx payment = payments.pay(1);
    mine(4);
    node.mine(List.of(payment));
    mine(25);
    world.beginAt(tipTime().plus(Duration.ofDays(days)));
    assertThat(world.run(settings())).isTrue();
    SyncEvent end =
        days < 14
            ? new SyncFact.Complete(30, node.chain.tip())
            : new SyncFact.EndsLongAgo(30, node.chain.tip());
    assertThat(world.events).contains(end);
    assertThat(world.events)
        .filteredOn(SyncFact.Complete.class::isInstance)
        .hasSize(days < 14 ? 1 : 0);
    // The blocks that were there were scanned anyway.
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 5));
  }

  /** Headers begin with the last known block, and a liar claims that they end there, too. */
  @Test
  void nothingIsCompleteAtTheBlockThatHeadersBeginWith() {
    mine(ConsensusRules.PERIOD - 1);
    SyncSettings settings = settings();
    int base = node.chain.height();
    SimulatedNode.Block last = node.block(base);
    wallet.base =
        new ChainBase(base, last.hash(), node.chain.timeAt(base), 0x207fffff, node.chain.work());
    mine(20);
    // It claims what it shows: who claims more is not believed at all.
    node.boasts = -20;
    node.headersServed = (ask, honest) -> Headers.NONE;
    assertThat(world.run(settings)).isTrue();
    assertThat(world.events)
        .contains(new SyncFact.EndsLongAgo(base, last.hash()))
        .noneMatch(SyncFact.Complete.class::isInstance);
  }

  /** It was the clock that was weeks ahead. */
  @Test
  void itIsCompleteWhenTheClockIsSetRight() {
    mine(30);
    world.beginAt(tipTime().plus(Duration.ofDays(60)));
    world.limit = Duration.ofDays(1);
    world.keepsQueue = true;
    world.later(20_000, () -> world.jump(Duration.ofDays(-60).plusHours(1)));
    world.later(30_000, () -> world.post(new Input.Stop()));
    assertThat(world.run(settings().follow(true))).isTrue();
    assertThat(world.events)
        .containsSubsequence(
            new SyncFact.EndsLongAgo(30, node.chain.tip()),
            new SyncFact.Complete(30, node.chain.tip()));
  }
}
