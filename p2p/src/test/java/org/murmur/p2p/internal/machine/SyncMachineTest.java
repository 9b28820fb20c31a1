package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Noise;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** The machine against simulated nodes in virtual time. */
class SyncMachineTest {

  private final Payments payments = new Payments();

  private Tx pay(int script) {
    return payments.pay(script);
  }

  private static SyncSettings once(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1);
  }

  @Test
  void findsAPaymentAndItsSpend() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 5; i++) {
      node.mine(List.of());
    }
    Tx payment = pay(3);
    node.mine(List.of(payment));
    node.mine(List.of());
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mine(List.of(sweep));
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    assertThat(world.run(once(world.add(node)))).isTrue();
    assertThat(wallet.confirmed)
        .containsExactlyInAnyOrderEntriesOf(Map.of(payment.txid(), 6, sweep.txid(), 8));
    assertThat(world.events)
        .contains(new SyncFact.Complete(8, node.chain.tip()))
        .contains(new SyncEvent.MempoolAnswered(SyncEvent.MempoolAnswered.Answer.COMPLETE));
  }

  @Test
  void asksEveryBlockOnceWhenNothingGrows() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 3000; i++) {
      node.mine(i % 300 == 0 ? List.of(pay(i / 300)) : List.of());
    }
    SimulatedWallet wallet = new SimulatedWallet(100, 100);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    world.run(once(world.add(node)));
    long asked =
        world.sent.stream()
            .filter(Message.GetData.class::isInstance)
            .mapToLong(message -> ((Message.GetData) message).items().size())
            .sum();
    assertThat(asked).isEqualTo(3000);
    assertThat(wallet.confirmed).hasSize(10);
    assertThat(world.sent.stream().filter(Message.FilterLoad.class::isInstance))
        .filteredOn(message -> !Noise.isNoise(((Message.FilterLoad) message).filter()))
        .hasSize(1);
  }

  @Test
  void asksEveryBlockAsOftenAsWantedWhenNothingIsFound() {
    SimulatedNode node = new SimulatedNode();
    for (int i = 0; i < 3000; i++) {
      node.mine(List.of());
    }
    for (int peers = 1; peers <= 5; peers++) {
      for (int witnesses = 1; witnesses <= peers; witnesses++) {
        SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(100, 100));
        NodeAddress[] addresses = new NodeAddress[peers];
        for (int i = 0; i < peers; i++) {
          addresses[i] = world.add(node);
          world.delays.put(addresses[i], 5 + 20 * i);
        }
        world.run(once(addresses).preset(Preset.Fast.USUAL.verify(witnesses)));
        long asked =
            world.sent.stream()
                .filter(Message.GetData.class::isInstance)
                .mapToLong(message -> ((Message.GetData) message).items().size())
                .sum();
        assertThat(asked)
            .as("%d peers, %d witnesses", peers, witnesses)
            .isEqualTo(3000L * witnesses);
      }
    }
  }

  @Test
  void asksNothingAgainInASecondSession() {
    SimulatedNode node = new SimulatedNode();
    Tx payment = pay(0);
    node.mine(List.of(payment));
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    NodeAddress peer = world.add(node);
    world.run(once(peer));
    world.sent.clear();
    world.run(once(peer));
    assertThat(world.sent).noneMatch(Message.GetData.class::isInstance);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mine(List.of(sweep));
    world.run(once(peer));
    assertThat(wallet.confirmed).containsKey(sweep.txid());
  }

  @Test
  void recordsAFilterBeforeItIsSent() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of(pay(0)));
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    Set<Bytes> unrecorded = new HashSet<>();
    world.onSend =
        message -> {
          if (message instanceof Message.FilterLoad load
              && !Noise.isNoise(load.filter())
              && wallet.loads.values().stream()
                  .noneMatch(known -> known.filter().equals(load.filter()))) {
            unrecorded.add(load.filter().toPayload());
          }
        };
    world.run(once(world.add(node)));
    assertThat(wallet.loads).isNotEmpty();
    assertThat(unrecorded).isEmpty();
  }

  @Test
  void findsUnconfirmedPaymentsAndTheirSweeps() {
    SimulatedNode node = new SimulatedNode();
    Tx coin = pay(0);
    node.mine(List.of(coin));
    Tx pending = pay(1);
    Tx sweep =
        Payments.tx(List.of(coin.outPoint(0), pending.outPoint(0)), List.of(Payments.FOREIGN));
    node.mempool.put(pending.txid(), pending);
    node.mempool.put(sweep.txid(), sweep);
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    world.run(once(world.add(node)));
    assertThat(wallet.relevant.keySet())
        .containsExactlyInAnyOrder(coin.txid(), pending.txid(), sweep.txid());
  }

  @Test
  void waitsForASilentMempoolAndReportsIt() {
    SimulatedNode node = new SimulatedNode();
    node.tellsEmptyMempool = false;
    node.mine(List.of());
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(10));
    NodeAddress peer = world.add(node);
    world.run(once(peer));
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.MempoolAwaited awaited
                    && awaited.limit().compareTo(Duration.ofSeconds(9)) > 0)
        .contains(new SyncEvent.MempoolAnswered(SyncEvent.MempoolAnswered.Answer.PARTIAL));
  }

  @Test
  void noticesThatAPendingPaymentIsGone() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of());
    Tx stays = pay(0);
    Tx goes = pay(1);
    node.mempool.put(stays.txid(), stays);
    node.mempool.put(goes.txid(), goes);
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    NodeAddress peer = world.add(node);
    world.run(once(peer));
    assertThat(wallet.relevant).containsKeys(stays.txid(), goes.txid());
    assertThat(wallet.missing).isEmpty();
    node.mempool.remove(goes.txid());
    world.run(once(peer));
    assertThat(wallet.missing).containsExactly(goes.txid());
  }

  @Test
  void saysThatAPeerServesNoBloomFilters() {
    SimulatedNode node = new SimulatedNode();
    node.services = 1;
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(10));
    world.run(once(world.add(node)));
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncFact.NoUsablePeer no
                    && no.kind() == Obstacle.Kind.NO_BLOOM
                    && no.obstacles().containsValue(Obstacle.NO_BLOOM));
    assertThat(world.sent).noneMatch(Message.FilterLoad.class::isInstance);
  }

  @Test
  void followsNewBlocksAndReorganisations() {
    SimulatedNode node = new SimulatedNode();
    node.mine(List.of());
    SimulatedNode.Block fork = node.mine(List.of());
    Tx first = pay(0);
    Tx second = pay(1);
    SimulatedWallet wallet = new SimulatedWallet(10);
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    NodeAddress peer = world.add(node);
    SyncSettings settings = once(peer);
    boolean[] mined = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.Mempool && !mined[0]) {
            mined[0] = true;
            SimulatedNode.Block stale = node.mine(List.of(first));
            world.announce(node, new Message.HeadersMessage(Headers.ofStored(stale.header())));
            world.later(
                500,
                () -> {
                  SimulatedNode.Block a = node.mineOn(fork.hash(), 2, List.of(second));
                  SimulatedNode.Block b = node.mineOn(a.hash(), 3, List.of());
                  world.announce(
                      node,
                      new Message.HeadersMessage(
                          Headers.ofStored(
                              new ByteWriter().bytes(a.header()).bytes(b.header()).toBytes())));
                });
          }
        };
    // A wait so long that the blocks above come during the session.
    node.spreads = true;
    world.run(settings.peers(who -> who.connections(1)));
    world.run(settings);
    assertThat(wallet.confirmed).containsExactlyInAnyOrderEntriesOf(Map.of(second.txid(), 3));
  }

  @Property(tries = 150)
  void reportsTheTruthOfARandomLife(@ForAll long seed) {
    Random random = new Random(seed);
    RandomLife life = new RandomLife(random, 1 + random.nextInt(12));
    // Above a few hundred blocks the peers share the work.
    int blocks = random.nextInt(4) == 0 ? 500 + random.nextInt(1000) : 20 + random.nextInt(150);
    for (int i = 0; i < blocks; i++) {
      life.block();
    }
    // A longer look-ahead means another scan from the beginning: in long lives it grows rarely.
    SimulatedWallet wallet = new SimulatedWallet(life.lookAhead, blocks > 200 ? 1000 : 0);
    SimulatedWorld world = new SimulatedWorld(seed, wallet);
    int peers = 1 + random.nextInt(5);
    NodeAddress[] addresses = new NodeAddress[peers];
    for (int i = 0; i < peers; i++) {
      addresses[i] = world.add(life.node);
    }
    int witnesses = random.nextBoolean() ? 1 : 1 + random.nextInt(peers);
    world.stallsPerMessage = random.nextInt(3) == 0 ? 0.001 : 0;
    world.lossPerMessage = random.nextBoolean() ? 0.002 : 0;
    SyncSettings settings = once(addresses).preset(Preset.Fast.USUAL.verify(witnesses));
    for (int deaths = 0; deaths < 3; deaths++) {
      world.dieAtCommit = random.nextInt(6);
      world.run(settings);
    }
    world.dieAtCommit = -1;
    world.lossPerMessage = 0;
    world.stallsPerMessage = 0;
    world.run(settings);
    assertThat(world.events)
        .as("seed %d", seed)
        .contains(new SyncFact.Complete(blocks, life.node.chain.tip()));
    assertThat(wallet.confirmed).as("seed %d", seed).isEqualTo(life.truth);
    for (int height = 1; height <= blocks; height++) {
      assertThat(world.servers(life.node.chain.hashAt(height)))
          .as("seed %d, height %d", seed, height)
          .hasSizeGreaterThanOrEqualTo(witnesses);
    }
  }
}
