package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncWarning;

/** A machine that hears all unconfirmed transactions. */
class WholePoolTest {

  private static final int LOOK_AHEAD = 10;

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(LOOK_AHEAD);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final List<Hash256> written = new ArrayList<>();
  private int mostInFlight;

  WholePoolTest() {
    node.services |= Services.COMPACT_FILTERS;
    node.mine(List.of());
    world.keepsQueue = true;
    world.onOutput =
        output -> {
          if (output instanceof Output.Commit commit) {
            commit.batch().unconfirmed().forEach(tx -> written.add(tx.txid()));
          }
          mostInFlight = Math.max(mostInFlight, world.machine().footprint().wantedTransactions());
        };
  }

  private static SyncSettings settings(Preset.Pool pool, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).preset(new Preset.Compact(1, pool));
  }

  private void follow(NodeAddress... peers) {
    world.later(60_000, () -> world.post(new Input.Stop()));
    world.run(settings(Preset.Pool.ALL, peers).follow(true));
  }

  private Tx foreign() {
    return Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN));
  }

  private Tx pay(int script) {
    return Payments.tx(List.of(payments.foreignCoin()), List.of(SimulatedWallet.script(script)));
  }

  private static Message.Inv inv(Tx... transactions) {
    return new Message.Inv(
        Stream.of(transactions).map(tx -> new InventoryItem(InventoryItem.TX, tx.txid())).toList());
  }

  private List<Hash256> askedOf(NodeAddress peer) {
    List<Hash256> asked = new ArrayList<>();
    for (Output.Send send : world.sends) {
      if (send.message() instanceof Message.GetData ask && send.link().address().equals(peer)) {
        ask.items().forEach(item -> asked.add(item.hash()));
      }
    }
    return asked;
  }

  /** When everything was heard from, as reported last. */
  private Instant since() {
    Instant since = Instant.MIN;
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.MempoolAnswered answered) {
        assertThat(answered.answer()).isEqualTo(SyncEvent.MempoolAnswered.Answer.HEARD);
        since = answered.since().orElseThrow();
      }
    }
    return since;
  }

  @Test
  void findsPaymentsAndShowsNothing() {
    NodeAddress peer = world.add(node);
    Tx payment = pay(3);
    Tx other = foreign();
    world.later(5_000, () -> world.relay(node, other));
    world.later(6_000, () -> world.relay(node, payment));
    follow(peer);
    assertThat(written).containsExactly(payment.txid());
    assertThat(askedOf(peer)).containsExactly(other.txid(), payment.txid());
    assertThat(world.sent)
        .noneMatch(
            message -> message instanceof Message.FilterLoad || message instanceof Message.Mempool);
  }

  @Test
  void hearsNothingUnlessToldTo() {
    NodeAddress peer = world.add(node);
    world.later(5_000, () -> world.announce(node, inv(pay(3))));
    world.later(9_000, () -> world.post(new Input.Stop()));
    world.run(settings(Preset.Pool.NONE, peer).follow(true));
    assertThat(askedOf(peer)).isEmpty();
    assertThat(world.sent)
        .filteredOn(Message.Version.class::isInstance)
        .allMatch(version -> !((Message.Version) version).relay());
  }

  /** The spend comes before the coin is known: the wallet gets that with the next batch. */
  @Test
  void findsASpendThatCameRightBehindItsCoin() {
    Tx payment = pay(3);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mempool.put(payment.txid(), payment);
    node.mempool.put(sweep.txid(), sweep);
    world.later(5_000, () -> world.announce(node, inv(sweep, payment)));
    follow(world.add(node));
    assertThat(written).containsExactly(payment.txid(), sweep.txid());
  }

  @Test
  void findsAPaymentThatCameBeforeTheLookAheadReachedIt() {
    Tx far = pay(LOOK_AHEAD + 2);
    Tx near = pay(5);
    world.later(5_000, () -> world.relay(node, far));
    world.later(9_000, () -> world.relay(node, near));
    follow(world.add(node));
    assertThat(written).containsExactly(near.txid(), far.txid());
  }

  /** Until then the coins are not known, so a spend would not be recognised. */
  /** The look-ahead reaches it only after its replacement came: that stays the later one. */
  @Test
  void aPaymentThatWasReplacedBeforeTheLookAheadReachedItIsNotTaken() {
    NodeAddress peer = world.add(node);
    OutPoint coin = payments.foreignCoin();
    Tx replaced = Payments.tx(List.of(coin), List.of(SimulatedWallet.script(LOOK_AHEAD + 2)));
    Tx by = Payments.tx(List.of(coin), List.of(SimulatedWallet.script(3)));
    world.later(5_000, () -> world.relay(node, replaced));
    world.later(6_000, () -> world.relay(node, by));
    follow(peer);
    assertThat(askedOf(peer)).containsExactly(replaced.txid(), by.txid());
    assertThat(written).containsExactly(by.txid());
  }

  @Test
  void fetchesNothingBeforeTheBlocksAreRead() {
    Tx payment = payments.pay(3);
    node.mine(List.of(payment));
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mempool.put(sweep.txid(), sweep);
    NodeAddress peer = world.add(node);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.GetCFilters.class, () -> world.announce(node, inv(sweep, foreign())));
    follow(peer);
    assertThat(written).containsExactly(sweep.txid());
    assertThat(askedOf(peer).get(0)).isEqualTo(node.block(2).hash());
  }

  @Test
  void fetchesEachOnceAndFromAnotherPeerIfItMust() {
    SimulatedNode twin = node.twin(Services.COMPACT_FILTERS);
    SimulatedNode poor = node.twinWithItsOwnPool();
    poor.services |= Services.COMPACT_FILTERS;
    poor.mine(List.of());
    NodeAddress one = world.add(poor);
    NodeAddress two = world.add(twin);
    Tx payment = pay(3);
    Tx common = foreign();
    node.mempool.put(payment.txid(), payment);
    node.mempool.put(common.txid(), common);
    poor.mempool.put(common.txid(), common);
    world.later(5_000, () -> world.announce(poor, inv(payment, common)));
    world.later(5_001, () -> world.announce(twin, inv(payment, common)));
    follow(one, two);
    assertThat(written).containsExactly(payment.txid());
    assertThat(askedOf(one)).containsExactly(payment.txid(), common.txid());
    assertThat(askedOf(two)).containsExactly(payment.txid());
  }

  @Test
  void fetchesFromAnotherPeerWhatOneDidNotSendBeforeItWasLost() {
    SimulatedNode silent = node.twin(Services.COMPACT_FILTERS);
    NodeAddress one = world.add(silent);
    NodeAddress two = world.add(node);
    Tx payment = pay(3);
    node.mempool.put(payment.txid(), payment);
    world.onSend =
        message -> {
          if (message instanceof Message.GetData && askedOf(two).isEmpty()) {
            world.hangUp(silent);
          }
        };
    world.later(5_000, () -> world.announce(silent, inv(payment)));
    world.later(5_001, () -> world.announce(node, inv(payment)));
    follow(one, two);
    assertThat(written).containsExactly(payment.txid());
    assertThat(askedOf(two)).containsExactly(payment.txid());
  }

  @Test
  void aFloodIsFetchedBitByBitAndWhatIsLeftOutIsSaid() {
    NodeAddress peer = world.add(node);
    List<Tx> flood = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      flood.add(foreign());
    }
    flood.forEach(tx -> node.mempool.put(tx.txid(), tx));
    world.later(5_000, () -> world.announce(node, inv(flood.toArray(Tx[]::new))));
    Instant[] before = {Instant.MIN};
    world.later(30_000, () -> before[0] = since());
    List<InventoryItem> invented = new ArrayList<>();
    for (int i = 0; i < Relay.MAX_WAITING + 1_000; i++) {
      byte[] txid = new byte[Hash256.LENGTH];
      txid[0] = (byte) i;
      txid[1] = (byte) (i >> 8);
      txid[2] = 1;
      invented.add(new InventoryItem(InventoryItem.TX, Hash256.read(txid, 0)));
    }
    world.later(
        40_000,
        () -> world.announce(node, new Message.Inv(invented.subList(0, Relay.MAX_WAITING))));
    world.later(
        40_000,
        () ->
            world.announce(
                node, new Message.Inv(invented.subList(Relay.MAX_WAITING, invented.size()))));
    follow(peer);
    assertThat(askedOf(peer)).containsAll(flood.stream().map(Tx::txid).toList());
    assertThat(mostInFlight).isEqualTo(100);
    assertThat(written).isEmpty();
    Instant began = world.now().minusSeconds(60);
    assertThat(before[0]).isBefore(began.plusSeconds(1));
    assertThat(since()).isAfter(began.plusSeconds(39));
  }

  @Test
  void listensForAWhileIfItDoesNotFollow() {
    NodeAddress peer = world.add(node);
    Tx payment = pay(3);
    world.later(5_000, () -> world.relay(node, payment));
    Instant before = world.now();
    world.run(
        settings(Preset.Pool.ALL, peer)
            .limits(limits -> limits.mempoolWait(Duration.ofSeconds(8))));
    assertThat(written).containsExactly(payment.txid());
    assertThat(Duration.between(before, world.now()))
        .isBetween(Duration.ofSeconds(8), Duration.ofSeconds(9));
    assertThat(since()).isBetween(before, before.plusSeconds(1));
  }

  /** Nobody is asked for it again: it is reported, and given up when nodes would drop it. */
  @Test
  void aPaymentThatNobodyCanDenyExpires() {
    NodeAddress peer = world.add(node);
    Tx payment = pay(3);
    world.later(5_000, () -> world.relay(node, payment));
    follow(peer);
    assertThat(written).containsExactly(payment.txid());
    for (Preset.Pool pool : List.of(Preset.Pool.NONE, Preset.Pool.ALL)) {
      wallet.firstSeen =
          world.now().minus(UnconfirmedQuery.EXPIRY).plusSeconds(100).getEpochSecond();
      assertThat(warnings(pool, peer)).containsExactly(1);
      assertThat(wallet.missing).isEmpty();
    }
    wallet.firstSeen = world.now().minus(UnconfirmedQuery.EXPIRY).getEpochSecond();
    assertThat(warnings(Preset.Pool.NONE, peer)).isEmpty();
    assertThat(wallet.missing).containsExactly(payment.txid());
  }

  private List<Integer> warnings(Preset.Pool pool, NodeAddress peer) {
    world.events.clear();
    world.keepsQueue = false;
    world.run(settings(pool, peer));
    return world.events.stream()
        .filter(SyncWarning.PaymentsUnchecked.class::isInstance)
        .map(event -> ((SyncWarning.PaymentsUnchecked) event).payments())
        .toList();
  }
}
