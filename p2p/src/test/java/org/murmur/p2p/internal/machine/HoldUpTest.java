package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Peers that answer now and then, so as never to finish. */
class HoldUpTest {

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private int announced;

  private void chain(int blocks) {
    while (honest.chain.height() < blocks) {
      honest.mine(List.of());
    }
  }

  private <E extends SyncEvent> List<E> of(Class<E> type) {
    return world.events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  /** Announces a block that no peer has. */
  private void tellOfABlock(SimulatedNode node) {
    byte[] hash = new byte[Hash256.LENGTH];
    hash[0] = (byte) ++announced;
    hash[1] = (byte) (announced >> 8);
    world.announce(
        node,
        new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, Hash256.read(hash, 0)))));
  }

  /** Has no headers to send, answers so slowly, and announces a block at once. */
  private void alwaysHasMore(SimulatedNode node, int first) {
    int[] asked = new int[1];
    node.headersServed =
        (ask, all) -> {
          world.later(
              asked[0]++ == 0 ? first : 24_000,
              () -> {
                world.announce(node, new Message.HeadersMessage(Headers.NONE));
                tellOfABlock(node);
              });
          return null;
        };
  }

  @Test
  void twoPeersThatTakeTurnsWithNewHeaders() {
    chain(30);
    SimulatedNode one = honest.twin();
    SimulatedNode other = honest.twin();
    alwaysHasMore(one, 24_000);
    alwaysHasMore(other, 12_000);
    world.run(settings(world.add(honest), world.add(one), world.add(other)));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(3));
  }

  @Test
  void aPeerThatSendsKnownHeadersSlowly() {
    chain(30);
    SimulatedNode slow = honest.twin();
    chain(9_000);
    NodeAddress good = world.add(honest);
    world.run(settings(good).headersOnly(true));
    SimulatedWorld again = new SimulatedWorld(2, wallet);
    int[] next = new int[1];
    slow.headersServed =
        (ask, all) -> {
          int from = 1 + 2_000 * (next[0]++ % 4);
          again.later(
              20_000,
              () ->
                  again.announce(
                      slow, new Message.HeadersMessage(honest.chain.headers(from, from + 2_000))));
          return null;
        };
    NodeAddress bad = again.add(slow, new NodeAddress("10.0.0.9", 18444));
    again.add(honest, good);
    again.run(settings(bad, good).headersOnly(true));
    assertThat(again.elapsed()).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void aWholeBlockThatNeverComesThoughHeadersDo() {
    chain(30);
    SimulatedNode liar = honest.twin();
    liar.hidesWholeBlocks = true;
    world.onSend =
        message -> {
          if (message instanceof Message.GetData ask
              && ask.items().get(0).type() == InventoryItem.BLOCK) {
            liar.answersPings = false;
          }
        };
    for (int seconds = 1; seconds < 7_000; seconds += 20) {
      world.later(1000L * seconds, () -> tellOfABlock(liar));
    }
    NodeAddress bad = world.add(liar);
    world.keepsQueue = true;
    world.run(settings(bad, world.add(honest)).preset(Preset.Fast.USUAL.spotChecks(3)));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(10));
  }

  /** It would keep its place from another honest peer for as long as it likes. */
  @Test
  void blocksThatNeverComeThoughHeadersDo() {
    chain(30);
    SimulatedNode liar = honest.twin();
    liar.hidesFilteredBlocks = true;
    liar.answersPings = false;
    for (int seconds = 1; seconds < 8_000; seconds++) {
      world.later(1000L * seconds, () -> tellOfABlock(liar));
    }
    world.keepsQueue = true;
    NodeAddress bad = world.add(liar);
    SyncSettings settings = settings(bad, world.add(honest), world.add(honest));
    world.run(settings.peers(who -> who.connections(2)).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(3));
    assertThat(of(SyncEvent.PeerLost.class))
        .extracting("address", "reason")
        .containsExactly(tuple(bad, DisconnectReason.STALLED));
  }

  /**
   * Each is the wallet's by the script that it pays, and is written before the next one is there.
   */
  @Test
  void paymentsThatComeFasterThanTheyAreWritten() {
    chain(30);
    SimulatedNode liar = honest.twinWithItsOwnPool();
    liar.spreads = true;
    Payments payments = new Payments();
    for (int i = 10; i < 3_000; i++) {
      world.later(10L * i, () -> world.relay(liar, payments.pay(2)));
    }
    world.keepsQueue = true;
    world.commitMillis = 20;
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(honest);
    world.delays.put(good, 300);
    world.run(
        SyncSettings.of(List.of(bad, good), 7)
            .limits(limits -> limits.mempoolWait(Duration.ofSeconds(10))));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(20));
  }

  /** A peer that repeats one of two matched transactions each second holds the sync up. */
  private enum HeldUp {
    ALONE,
    BESIDE_AN_HONEST_ONE,
    VERIFYING,
    AS_GUARD
  }

  /** It answers the request, but it came before: only the other one is still to come. */
  @ParameterizedTest
  @EnumSource
  void oneOfTwoMatchedTransactionsAgainAndAgain(HeldUp how) {
    Payments payments = new Payments();
    Tx first = payments.pay(1);
    Tx second = payments.pay(2);
    chain(15);
    honest.mine(List.of(first, second));
    chain(30);
    SimulatedNode liar = honest.twin();
    liar.stopsBefore = second::equals;
    for (int seconds = 1; seconds < 7_000; seconds++) {
      world.later(1000L * seconds, () -> world.announce(liar, new Message.TxMessage(first)));
    }
    world.keepsQueue = true;
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(honest);
    world.run(
        switch (how) {
          case ALONE -> settings(bad);
          case BESIDE_AN_HONEST_ONE -> settings(bad, good);
          case VERIFYING -> settings(bad, good).preset(Preset.Fast.USUAL.verify(2));
          case AS_GUARD ->
              settings(bad, good)
                  .keyedBy(Bytes.ofHex("c0ffee"))
                  .preset(Preset.Private.USUAL.onePeer(true));
        });
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(3));
    assertThat(of(SyncEvent.PeerLost.class))
        .filteredOn(lost -> lost.address().equals(bad))
        .extracting(SyncEvent.PeerLost::reason)
        .isSubsetOf(DisconnectReason.STALLED, DisconnectReason.UNASKED)
        // An honest one does its work before its time is up.
        .hasSizeGreaterThanOrEqualTo(how == HeldUp.BESIDE_AN_HONEST_ONE ? 0 : 1);
  }

  /** It sends its version message and pongs, but nothing else: asking again does not help. */
  @Test
  void aPeerThatNeverSendsHeadersCostsTheTimeOfOneRequest() {
    chain(30);
    SimulatedNode mute = honest.twin();
    mute.headersServed = (ask, all) -> null;
    world.run(settings(world.add(mute)));
    assertThat(of(SyncFact.NoUsablePeer.class)).hasSize(1);
    assertThat(world.elapsed()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40));
  }
}
