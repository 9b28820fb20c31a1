package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** A machine that finds blocks by their filters (BIP-0157). */
class CompactPlanTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = node();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = world(wallet);

  private static SimulatedNode node() {
    SimulatedNode node = new SimulatedNode();
    node.services |= Services.COMPACT_FILTERS;
    return node;
  }

  private static SimulatedWorld world(SimulatedWallet wallet) {
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    world.onOutput = output -> requireRecorded(world, output);
    return world;
  }

  /** No peer is asked for a block before it is on disk that it learns of it. */
  private static void requireRecorded(SimulatedWorld world, Output output) {
    if (output instanceof Output.Send send && send.message() instanceof Message.GetData ask) {
      NodeAddress peer = send.link().address();
      for (InventoryItem item : ask.items()) {
        int height = Objects.requireNonNull(world.nodes.get(peer)).chain.heightOf(item.hash());
        assertThat(world.fetches).contains(List.of(peer.canonical(), height));
      }
    }
  }

  private static SyncSettings once(int voices, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).preset(new Preset.Compact(voices));
  }

  private void mine(int blocks) {
    for (int i = 0; i < blocks; i++) {
      node.mine(List.of());
    }
  }

  private long sent(Class<? extends Message> kind) {
    return world.sent.stream().filter(kind::isInstance).count();
  }

  @Test
  void findsAPaymentAndItsSpend() {
    mine(5);
    Tx payment = payments.pay(3);
    node.mine(List.of(payment));
    mine(1);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mine(List.of(sweep));
    assertThat(world.run(once(1, world.add(node)))).isTrue();
    assertThat(wallet.confirmed)
        .containsExactlyInAnyOrderEntriesOf(Map.of(payment.txid(), 6, sweep.txid(), 8));
    assertThat(world.events).contains(new SyncFact.Complete(8, node.chain.tip()));
    assertThat(sent(Message.FilterLoad.class)).isZero();
    assertThat(sent(Message.GetData.class)).isEqualTo(2);
  }

  @Test
  void findsAPaymentThatIsSpentInItsBlock() {
    Tx payment = payments.pay(3);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mine(List.of(payment, sweep));
    world.run(once(1, world.add(node)));
    assertThat(wallet.confirmed).containsOnlyKeys(payment.txid(), sweep.txid());
    assertThat(sent(Message.GetData.class)).isEqualTo(1);
  }

  @Test
  void asksForEachFilterOnceWhenNothingGrows() {
    for (int i = 0; i < 3_100; i++) {
      node.mine(i % 310 == 0 ? List.of(payments.pay(i / 310)) : List.of());
    }
    SimulatedWallet large = new SimulatedWallet(100, 100);
    SimulatedWorld with = world(large);
    with.run(once(1, with.add(node)));
    long asked =
        with.sent.stream()
            .filter(Message.GetCFilters.class::isInstance)
            .map(Message.GetCFilters.class::cast)
            .mapToLong(ask -> node.chain.heightOf(ask.stop()) - ask.start() + 1)
            .sum();
    assertThat(asked).isEqualTo(3_100);
    assertThat(large.confirmed).hasSize(10);
    // Ten, and by chance one for 785,000 of the 620,000 tests: here two.
    assertThat(with.sent.stream().filter(Message.GetData.class::isInstance)).hasSize(12);
  }

  @Test
  void asksNothingAgainInASecondSession() {
    Tx payment = payments.pay(0);
    node.mine(List.of(payment));
    NodeAddress peer = world.add(node);
    world.run(once(1, peer));
    world.sent.clear();
    world.run(once(1, peer));
    assertThat(sent(Message.GetCFilters.class)).isZero();
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    node.mine(List.of(sweep));
    world.run(once(1, peer));
    assertThat(wallet.confirmed).containsKey(sweep.txid());
  }

  @Test
  void twoPeersShareTheFiltersAndBothVouch() {
    mine(2_500);
    NodeAddress anna = world.add(node);
    NodeAddress bert = world.add(node.twin(Services.COMPACT_FILTERS));
    world.run(once(2, anna, bert));
    assertThat(world.events).contains(new SyncFact.Complete(2_500, node.chain.tip()));
    assertThat(wallet.views.values())
        .extracting(view -> view.peer())
        .containsExactlyInAnyOrder(anna, bert);
    assertThat(
            world.sends.stream()
                .filter(send -> send.message() instanceof Message.GetCFilters)
                .map(send -> send.link().address())
                .distinct())
        .hasSize(2);
  }

  /** A liar with headers that fit its false filter of one block. */
  private SimulatedNode liar(int at, UnaryOperator<Bytes> lie) {
    SimulatedNode liar = node.twin(Services.COMPACT_FILTERS);
    liar.blockFilters.claims = (height, filter) -> height == at ? lie.apply(filter) : filter;
    liar.blockFilters.serves = liar.blockFilters.claims;
    return liar;
  }

  private void assertConvicted(NodeAddress peer) {
    assertThat(world.events)
        .anySatisfy(
            event ->
                assertThat(event)
                    .isInstanceOfSatisfying(
                        SyncEvent.PeerLost.class,
                        lost -> {
                          assertThat(lost.address()).isEqualTo(peer);
                          assertThat(lost.reason()).isEqualTo(DisconnectReason.FALSE_FILTER);
                        }));
    assertThat(wallet.disowned).containsOnly(peer);
  }

  /** The empty filter lacks the payment, and the coinbase's output. */
  @ParameterizedTest
  @ValueSource(ints = {11, 500, 1_700})
  void convictsAPeerThatHidesAPayment(int at) {
    mine(at - 1);
    node.mine(List.of(payments.pay(0)));
    mine(2_300 - at);
    NodeAddress liar = world.add(liar(at, filter -> Bytes.of(new byte[1])));
    world.run(once(2, liar, world.add(node), world.add(node.twin(Services.COMPACT_FILTERS))));
    assertConvicted(liar);
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(world.events).contains(new SyncFact.Complete(2_300, node.chain.tip()));
  }

  /** Two liars agree, and one honest peer is enough. */
  @Test
  void believesNoMajority() {
    mine(10);
    node.mine(List.of(payments.pay(0)));
    mine(5);
    NodeAddress one = world.add(liar(11, filter -> Bytes.of(new byte[1])));
    NodeAddress two = world.add(liar(11, filter -> Bytes.of(new byte[1])));
    world.run(once(1, one, two, world.add(node)));
    assertThat(wallet.disowned).containsExactlyInAnyOrder(one, two);
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(world.events).contains(new SyncFact.Complete(16, node.chain.tip()));
  }

  /** The spend of the wallet's own coin is missing in a filter that has all outputs. */
  @Test
  void convictsAPeerThatHidesASpend() {
    Tx payment = payments.pay(0);
    node.mine(List.of(payment));
    mine(3);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    SimulatedNode.Block block = node.mine(List.of(sweep));
    mine(2);
    Bytes lie = node.blockFilters.withoutSpends(block);
    world.run(once(1, world.add(node)));
    mine(1);
    NodeAddress liar = world.add(liar(5, filter -> lie));
    world.run(once(2, liar, world.add(node.twin(Services.COMPACT_FILTERS))));
    assertConvicted(liar);
  }

  /** In a first sync, the coin below the dispute has to be found before the block can decide. */
  @ParameterizedTest
  @ValueSource(ints = {7, 1_960, 2_040})
  void convictsAPeerThatHidesASpendOfACoinNotYetFound(int at) {
    mine(at - 3);
    Tx payment = payments.pay(0);
    node.mine(List.of(payment));
    mine(1);
    Tx sweep = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    SimulatedNode.Block block = node.mine(List.of(sweep));
    mine(60);
    Bytes lie = node.blockFilters.withoutSpends(block);
    NodeAddress liar = world.add(liar(at, filter -> lie));
    world.run(once(2, liar, world.add(node), world.add(node.twin(Services.COMPACT_FILTERS))));
    assertConvicted(liar);
    assertThat(wallet.confirmed).containsKeys(payment.txid(), sweep.txid());
    assertThat(world.events).contains(new SyncFact.Complete(at + 60, node.chain.tip()));
  }

  /** A filter with too many elements is false, whatever they are. */
  @Test
  void convictsAPeerThatAddsJunk() {
    mine(16);
    Bytes lie = node.blockFilters.withJunk(11, 20);
    NodeAddress liar = world.add(liar(11, filter -> lie));
    world.run(once(1, liar, world.add(node)));
    assertConvicted(liar);
    assertThat(world.events).contains(new SyncFact.Complete(16, node.chain.tip()));
  }

  /** One element too many could be a spent script: nobody is blamed, and nothing is complete. */
  @Test
  void blamesNobodyWhereTheBlockDecidesNothing() {
    mine(10);
    node.mine(List.of(Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN))));
    mine(5);
    Bytes lie = node.blockFilters.withJunk(11, 1);
    NodeAddress liar = world.add(liar(11, filter -> lie));
    NodeAddress honest = world.add(node);
    world.run(once(2, liar, honest));
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
    assertThat(wallet.disowned).isEmpty();
    assertThat(world.events.stream().filter(SyncWarning.FiltersDisagree.class::isInstance))
        .containsExactly(
            new SyncWarning.FiltersDisagree(
                11, node.chain.hashAt(11), List.of(liar, honest), Optional.empty()));
  }

  /** A named peer that claims other filters and sends none keeps the sync open, with a word. */
  @Test
  void namesThePeerThatDoesNotProveItsClaim() {
    mine(16);
    SimulatedNode liar = liar(11, filter -> Bytes.of(new byte[1]));
    liar.blockFilters.withheld.add(11);
    NodeAddress silent = world.add(liar);
    NodeAddress honest = world.add(node);
    world.run(once(2, silent, honest));
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
    assertThat(world.events.stream().filter(SyncWarning.FiltersDisagree.class::isInstance))
        .containsExactly(
            new SyncWarning.FiltersDisagree(
                11, node.chain.hashAt(11), List.of(silent, honest), Optional.of(silent)));
  }

  @Test
  void dropsAPeerWhoseFilterIsNotTheOneOfItsHeaders() {
    mine(3);
    node.mine(List.of(payments.pay(0)));
    SimulatedNode liar = node.twin(Services.COMPACT_FILTERS);
    liar.blockFilters.serves = (height, filter) -> Bytes.of(new byte[1]);
    world.run(once(1, world.add(liar), world.add(node)));
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(world.events).contains(new SyncFact.Complete(4, node.chain.tip()));
  }

  /** A block comes, and then another takes its place. */
  @Test
  void followsTheChain() {
    mine(1_999);
    NodeAddress peer = world.add(node);
    Tx first = payments.pay(0);
    Tx second = payments.pay(1);
    world.onOutput =
        output -> {
          requireRecorded(world, output);
          if (output instanceof Output.Emit emit
              && emit.event() instanceof SyncFact.Complete complete) {
            int height = complete.height();
            if (height == 1_999) {
              world.later(5_000, () -> announce(node.mine(List.of(first))));
            } else if (height == 2_000) {
              SimulatedNode.Block stays = node.block(1_999);
              SimulatedNode.Block other = node.mineOn(stays.hash(), 1_999, List.of(second));
              SimulatedNode.Block last = node.mineOn(other.hash(), 2_000, List.of(first));
              world.later(5_000, () -> announce(last));
            } else if (!wallet.confirmed.containsKey(second.txid()) || height < 2_001) {
              throw new AssertionError("complete at " + height + " without the new branch");
            } else {
              world.later(1_000, () -> world.post(new Input.Stop()));
            }
          }
        };
    world.run(once(1, peer).follow(true));
    assertThat(wallet.confirmed)
        .containsExactlyInAnyOrderEntriesOf(Map.of(first.txid(), 2_001, second.txid(), 2_000));
  }

  /** No row is left of a view, the file forgets it, and then it gets rows again. */
  @Test
  void recordsAViewAgainThatAReorganisationEmptied() {
    mine(1);
    NodeAddress peer = world.add(node);
    world.onOutput =
        output -> {
          if (output instanceof Output.Emit emit
              && emit.event() instanceof SyncFact.Complete complete) {
            if (complete.height() == 1) {
              SimulatedNode.Block other = node.mineOn(node.chain.hashAt(0), 0, List.of());
              SimulatedNode.Block last = node.mineOn(other.hash(), 1, List.of());
              world.later(5_000, () -> announce(last));
            } else {
              world.later(1_000, () -> world.post(new Input.Stop()));
            }
          }
        };
    world.run(once(1, peer).follow(true));
    assertThat(wallet.rows.values())
        .singleElement()
        .satisfies(row -> assertThat(wallet.views).containsOnlyKeys(row.view()));
  }

  private void announce(SimulatedNode.Block block) {
    world.announce(node, new Message.HeadersMessage(Headers.ofStored(block.header())));
  }

  /** Core is silent while its index lags; that is nobody's fault. */
  @Test
  void asksAgainWhenTheIndexLags() {
    node.mine(List.of(payments.pay(0)));
    mine(3);
    node.blockFilters.indexed = 2;
    NodeAddress peer = world.add(node);
    world.onSend =
        message -> {
          if (message instanceof Message.GetCFHeaders && sent(Message.GetCFHeaders.class) > 3) {
            node.blockFilters.indexed = 10;
          }
        };
    world.run(once(1, peer));
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(world.events).contains(new SyncFact.Complete(4, node.chain.tip()));
  }

  @Test
  void isNotCompleteWithoutAMatchedBlock() {
    mine(3);
    node.mine(List.of(payments.pay(0)));
    mine(3);
    node.hidesWholeBlocks = true;
    world.run(once(1, world.add(node)));
    assertThat(wallet.confirmed).isEmpty();
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
  }

  /** Scripts were derived while no peer was connected that the tested heights could be told of. */
  @Test
  void testsNewScriptsWhereverNoRowCouldBeWritten() {
    findsEverythingOfARandomLife(-8129);
  }

  /** Filters of lower blocks came after the records of higher ones, whose peers stayed reserved. */
  @Test
  void asksForRecordedBlocksThatAreNoLongerTheLowest() {
    findsEverythingOfARandomLife(-4410259945214L);
  }

  /** Lives with growing look-ahead, lost links and kills, against the truth. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void findsEverythingOfARandomLife(@ForAll long seed) {
    Random random = new Random(seed);
    RandomLife life = new RandomLife(random, 2 + random.nextInt(6));
    boolean isLong = random.nextInt(30) == 0;
    int blocks = isLong ? 1_000 + random.nextInt(1_100) : 1 + random.nextInt(60);
    for (int i = 0; i < blocks; i++) {
      life.block();
    }
    life.node.services |= Services.COMPACT_FILTERS;
    SimulatedWallet any = new SimulatedWallet(life.lookAhead, isLong ? 1_000 : random.nextInt(9));
    SimulatedWorld lossy = world(any);
    NodeAddress[] peers = new NodeAddress[1 + random.nextInt(3)];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = lossy.add(i == 0 ? life.node : life.node.twin(Services.COMPACT_FILTERS));
      lossy.delays.put(peers[i], 1 + random.nextInt(300));
    }
    int voices = 1 + random.nextInt(peers.length);
    for (int session = random.nextInt(4); session > 0; session--) {
      lossy.dieAtCommit = 1 + random.nextInt(4);
      lossy.lossPerMessage = random.nextInt(3) == 0 ? 0.02 : 0;
      lossy.run(once(voices, peers));
      for (int more = random.nextInt(3); more > 0; more--) {
        life.block();
      }
    }
    lossy.dieAtCommit = -1;
    lossy.lossPerMessage = 0;
    assertThat(lossy.run(once(voices, peers))).isTrue();
    assertThat(lossy.events)
        .contains(new SyncFact.Complete(life.node.chain.height(), life.node.chain.tip()));
    assertThat(any.confirmed).containsExactlyInAnyOrderEntriesOf(life.truth);
  }
}
