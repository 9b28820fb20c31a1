package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Peers that do their worst to a machine that finds blocks by their filters. */
class CompactAttacksTest {

  private static final Bytes EMPTY = Bytes.of(new byte[1]);

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  CompactAttacksTest() {
    node.services |= Services.COMPACT_FILTERS;
    world.limit = Duration.ofMinutes(20);
  }

  private static SyncSettings once(int voices, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).preset(new Preset.Compact(voices));
  }

  private void mine(int blocks) {
    for (int i = 0; i < blocks; i++) {
      node.mine(List.of());
    }
  }

  /** Its headers commit to an empty filter of one block. */
  private SimulatedNode liar(int at) {
    SimulatedNode liar = node.twin(Services.COMPACT_FILTERS);
    liar.blockFilters.claims = (height, filter) -> height == at ? EMPTY : filter;
    liar.blockFilters.serves = liar.blockFilters.claims;
    return liar;
  }

  /** An honest node that is slow to answer our call. */
  private NodeAddress late(int millis) {
    NodeAddress late = world.add(node.twin(Services.COMPACT_FILTERS));
    world.delays.put(late, millis);
    return late;
  }

  private void mineAndTell(SimulatedNode... nodes) {
    SimulatedNode.Block block = node.mine(List.of());
    for (SimulatedNode each : nodes) {
      world.announce(each, new Message.HeadersMessage(Headers.ofStored(block.header())));
    }
  }

  private void stopAfter(int seconds) {
    world.keepsQueue = true;
    world.later(1_000L * seconds, () -> world.post(new Input.Stop()));
  }

  private boolean isComplete(int height) {
    return world.events.contains(new SyncFact.Complete(height, node.chain.hashAt(height)));
  }

  private List<NodeAddress> blamed() {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(lost -> lost.reason() == DisconnectReason.FALSE_FILTER)
        .map(SyncEvent.PeerLost::address)
        .distinct()
        .toList();
  }

  private long asks(Class<? extends Message> kind) {
    return world.sent.stream().filter(kind::isInstance).count();
  }

  @Test
  void aChainOfNoBlocksIsComplete() {
    world.run(once(1, world.add(node)));
    assertThat(isComplete(0)).isTrue();
  }

  @Test
  void aChainOfOneBlockIsComplete() {
    node.mine(List.of(payments.pay(0)));
    world.run(once(1, world.add(node)));
    assertThat(isComplete(1)).isTrue();
    assertThat(wallet.confirmed).hasSize(1);
  }

  /** The last filter of a request is false: nothing more is owed when the liar goes. */
  @Test
  void asksAgainForTheLastFilterOfALiar() {
    mine(7);
    SimulatedNode liar = node.twin(Services.COMPACT_FILTERS);
    liar.blockFilters.serves = (height, filter) -> height == 7 ? EMPTY : filter;
    NodeAddress bad = world.add(liar);
    world.run(once(1, bad, world.add(node)));
    assertThat(blamed()).containsExactly(bad);
    assertThat(isComplete(7)).isTrue();
  }

  /** A block comes while a dispute waits for the filter that the liar keeps back. */
  @Test
  void aNewBlockDoesNotConfuseADispute() {
    mine(10);
    SimulatedNode liar = liar(5);
    SimulatedNode third = node.twin(Services.COMPACT_FILTERS);
    NodeAddress bad = world.add(liar);
    world.onSend =
        message -> {
          boolean silent =
              message instanceof Message.GetCFilters && world.elapsed().toSeconds() < 9;
          liar.blockFilters.indexed = silent ? 0 : Integer.MAX_VALUE;
        };
    stopAfter(60);
    world.later(2_000, () -> mineAndTell(node, liar, third));
    world.run(once(2, bad, world.add(node), world.add(third)).follow(true));
    assertThat(blamed()).containsExactly(bad);
    assertThat(isComplete(11)).isTrue();
  }

  /** The first peer knows the tip before the last one, the second one does not. */
  @Test
  void peersThatCameAtDifferentTipsAgree() {
    mine(10);
    NodeAddress first = world.add(node);
    NodeAddress second = late(700);
    stopAfter(60);
    world.later(500, () -> mineAndTell(node));
    world.run(once(2, first, second).follow(true));
    assertThat(isComplete(11)).isTrue();
    assertThat(asks(Message.GetCFHeaders.class)).isLessThan(20);
  }

  /** A liar was alone, and is gone: an honest peer must not be measured by its headers. */
  @Test
  void headersOfALiarThatIsGoneDoNotCount() {
    mine(4);
    node.mine(List.of(payments.pay(0)));
    mine(200);
    SimulatedNode liar = liar(5);
    NodeAddress bad = world.add(liar);
    NodeAddress good = late(400);
    boolean[] gone = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.GetCFilters && !gone[0]) {
            gone[0] = true;
            world.unreachable.add(bad);
            world.later(1, () -> world.hangUp(liar));
          }
        };
    stopAfter(120);
    world.later(20_000, () -> mineAndTell(node, Objects.requireNonNull(world.nodes.get(good))));
    world.run(once(1, bad, good).follow(true));
    assertThat(gone[0]).isTrue();
    assertThat(blamed()).doesNotContain(good);
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(isComplete(206)).isTrue();
  }

  /** The only node was on another branch for a moment, and came back: no block left our chain. */
  @Test
  void asksAgainForABlockThatWasNotSent() {
    mine(4);
    node.mine(List.of(payments.pay(0)));
    node.hidesWholeBlocks = true;
    world.later(10_000, () -> node.hidesWholeBlocks = false);
    stopAfter(60);
    world.run(once(1, world.add(node)).follow(true));
    assertThat(isComplete(5)).isTrue();
    assertThat(wallet.confirmed).hasSize(1);
  }

  /** A liar was alone until all was read and written: its word was worth no more. */
  @Test
  void rowsOfALiarThatIsGoneDoNotCount() {
    mine(4);
    node.mine(List.of(payments.pay(0)));
    mine(200);
    SimulatedNode liar = liar(5);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(node);
    world.unreachable.add(good);
    stopAfter(300);
    world.later(
        20_000,
        () -> {
          assertThat(isComplete(205)).isTrue();
          world.unreachable.add(bad);
          world.unreachable.remove(good);
          world.hangUp(liar);
          mine(1);
        });
    world.run(once(1, bad, good).follow(true));
    assertThat(world.unreachable).containsExactly(bad);
    assertThat(blamed()).isEmpty();
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(isComplete(206)).isTrue();
  }

  /** A liar was alone in a whole session: the next honest peer denies what it was read with. */
  @ParameterizedTest
  @CsvSource({"1200, 0", "1200, 1", "1200, 400", "1200, 3000", "200, 3000"})
  void rowsOfALiarOfAnEarlierSessionDoNotCount(int blocks, int newBlocks) {
    readWithALiar(blocks);
    mine(newBlocks);
    NodeAddress good = world.add(node);
    world.run(once(1, good));
    assertThat(world.events).contains(new SyncWarning.FiltersDenied(0, List.of(good)));
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(blamed()).isEmpty();
    assertThat(isComplete(5 + blocks + newBlocks)).isTrue();
  }

  /** The last block that the liar spoke of left the chain meanwhile. */
  @Test
  void rowsOfALiarDoNotCountAfterAReorganisation() {
    readWithALiar(1_200);
    SimulatedNode.Block other = node.mineOn(node.chain.hashAt(1_204), 1_204, List.of());
    node.mineOn(other.hash(), 1_205, List.of());
    world.run(once(1, world.add(node)));
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(isComplete(1_206)).isTrue();
  }

  /** One of two denies it: the whole block decides, as between any two peers. */
  @Test
  void aLiarOfAnEarlierSessionThatComesAgainIsConvicted() {
    NodeAddress bad = readWithALiar(1_200);
    world.run(once(1, bad, world.add(node)));
    assertThat(blamed()).containsExactly(bad);
    assertThat(wallet.confirmed).hasSize(1);
    assertThat(isComplete(1_205)).isTrue();
  }

  /** It hides the payment at height 5. */
  private NodeAddress readWithALiar(int blocks) {
    mine(4);
    node.mine(List.of(payments.pay(0)));
    mine(blocks);
    NodeAddress bad = world.add(liar(5));
    world.run(once(1, bad));
    assertThat(isComplete(5 + blocks)).isTrue();
    assertThat(wallet.confirmed).isEmpty();
    world.events.clear();
    return bad;
  }

  /** A liar was alone, and is gone; the honest peer that comes later knows more blocks. */
  @Test
  void headersOfALiarThatIsGoneDoNotCountBelowANewTip() {
    mine(10);
    SimulatedNode liar = liar(11);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(node);
    world.unreachable.add(good);
    stopAfter(300);
    world.later(5_000, () -> mineAndTell(liar));
    world.onSend =
        message -> {
          if (message instanceof Message.GetCFilters ask && ask.start() == 11) {
            world.unreachable.add(bad);
            world.unreachable.remove(good);
            world.hangUp(liar);
            mine(3);
          }
        };
    world.run(once(1, bad, good).follow(true));
    assertThat(world.unreachable).containsExactly(bad);
    assertThat(blamed()).isEmpty();
    assertThat(isComplete(14)).isTrue();
  }

  /** A liar speaks of a block when the honest peer spoke of the next one only. */
  @Test
  void aLiarThatSpeaksOfAnEarlierTipConvictsNobody() {
    mine(10);
    SimulatedNode liar = liar(12);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(node);
    stopAfter(60);
    world.later(5_000, () -> mineAndTell(liar));
    world.later(
        10_000,
        () -> {
          mineAndTell(liar);
          mine(1);
          world.announce(node, new Message.HeadersMessage(node.chain.headers(11, 14)));
        });
    world.run(once(1, bad, good).follow(true));
    assertThat(blamed()).doesNotContain(good);
  }

  /** The honest peer speaks when the liar's headers are taken, and the liar evades the dispute. */
  @Test
  void nothingIsCompleteWhileAPeerContradicts() {
    mine(4);
    node.mine(List.of(payments.pay(0)));
    mine(2_500);
    SimulatedNode liar = liar(5);
    NodeAddress bad = world.add(liar);
    NodeAddress good = late(150);
    world.delays.put(bad, 100);
    world.onSend =
        message -> {
          // It never proves its claims from the genesis block on.
          boolean isDispute = message instanceof Message.GetCFHeaders ask && ask.start() == 0;
          liar.blockFilters.indexed = isDispute ? 0 : Integer.MAX_VALUE;
        };
    world.run(once(1, bad, good));
    assertThat(wallet.confirmed.isEmpty() && isComplete(2_505)).isFalse();
  }

  /** Its index is behind for minutes; then it is of use again. */
  @Test
  void aPeerWhoseIndexLagsForLongIsAskedAgainWhileFollowing() {
    mine(4);
    node.blockFilters.indexed = 2;
    NodeAddress peer = world.add(node);
    stopAfter(900);
    world.later(400_000, () -> node.blockFilters.indexed = Integer.MAX_VALUE);
    world.run(once(1, peer).follow(true));
    assertThat(isComplete(4)).isTrue();
  }

  /** A liar comes when later tips were agreed on, and lies below them. */
  @Test
  void convictsALiarThatLiesBelowAnAgreedTip() {
    mine(10);
    NodeAddress good = world.add(node);
    SimulatedNode liar = liar(5);
    NodeAddress bad = world.add(liar);
    world.delays.put(bad, 300);
    stopAfter(60);
    world.later(400, () -> mineAndTell(node));
    world.later(10_000, () -> mineAndTell(node, liar));
    world.run(once(1, good, bad, world.add(node.twin())).follow(true));
    assertThat(blamed()).containsExactly(bad);
    assertThat(isComplete(12)).isTrue();
  }

  /** The liar hangs up, or is dropped, in the moment when the block convicts it. */
  @Test
  void aLiarThatIsGoneWhenTheBlockComesDoesNoHarm() {
    mine(10);
    SimulatedNode liar = liar(5);
    NodeAddress bad = world.add(liar);
    world.wholeBlockTakes = Duration.ofSeconds(3);
    boolean[] gone = {false};
    SimulatedNode other = node.twin(Services.COMPACT_FILTERS);
    world.onSend =
        message -> {
          if (message instanceof Message.GetData && !gone[0]) {
            gone[0] = true;
            // Other headers are under way, so that nothing is planned until the block is here.
            other.headersServed = (ask, honest) -> null;
            node.headersServed = (ask, honest) -> null;
            world.later(500, () -> mineAndTell(node));
            world.later(600, () -> world.hangUp(liar));
          }
        };
    world.run(once(2, bad, world.add(node), world.add(other)));
    assertThat(gone[0]).isTrue();
  }

  /** It sends other hashes below an agreed tip where it claimed nothing so far. */
  @Test
  void asksAnotherPeerWhereHashesLeadElsewhere() {
    mine(10);
    NodeAddress first = world.add(node);
    SimulatedNode liar = node.twin(Services.COMPACT_FILTERS);
    SimulatedNode third = node.twin(Services.COMPACT_FILTERS);
    NodeAddress bad = new NodeAddress("10.0.0.8", 18444);
    NodeAddress good = new NodeAddress("10.0.0.9", 18444);
    boolean[] lies = {false};
    liar.blockFilters.claims = (height, filter) -> lies[0] && height == 5 ? EMPTY : filter;
    stopAfter(300);
    world.later(5_000, () -> mineAndTell(node));
    world.later(
        10_000,
        () -> {
          world.add(liar, bad);
          world.add(third, good);
        });
    world.later(
        60_000,
        () -> {
          world.unreachable.add(first);
          world.hangUp(node);
          lies[0] = true;
          liar.blockFilters.forget();
          world.post(new Input.RescanFrom(new Birthday.AtHeight(1)));
        });
    world.run(once(1, first, bad, good).follow(true));
    assertThat(isComplete(11)).isTrue();
    assertThat(asks(Message.GetCFHeaders.class)).isLessThan(50);
    assertThat(asks(Message.GetCFilters.class)).isGreaterThan(1);
  }

  /** Two blocks of one height: a peer is not asked about the one that it may not know. */
  @Test
  void asksNobodyAboutABlockThatARivalReplaces() {
    mine(10);
    SimulatedNode other = node.follower();
    other.services |= Services.COMPACT_FILTERS;
    NodeAddress first = world.add(node);
    NodeAddress second = world.add(other);
    stopAfter(60);
    world.later(
        5_000,
        () -> {
          SimulatedNode.Block ours = node.mine(List.of());
          SimulatedNode.Block theirs = other.mineOn(node.chain.hashAt(10), 10, List.of());
          world.announce(node, new Message.HeadersMessage(Headers.ofStored(ours.header())));
          world.later(
              2,
              () ->
                  world.announce(
                      other, new Message.HeadersMessage(Headers.ofStored(theirs.header()))));
        });
    world.later(
        30_000,
        () -> {
          SimulatedNode.Block next = node.mine(List.of());
          other.chain.connect(node.chain.headers(11, 13), Long.MAX_VALUE / 4);
          world.announce(node, new Message.HeadersMessage(Headers.ofStored(next.header())));
          world.announce(other, new Message.HeadersMessage(node.chain.headers(11, 13)));
        });
    world.run(once(2, first, second).follow(true));
    assertThat(blamed()).isEmpty();
    assertThat(isComplete(12)).isTrue();
  }

  /** It hides a payment, is contradicted, and leaves before the block decides. */
  @Test
  void theWordOfALiarThatLeavesADisputeCountsNoLonger() {
    mine(10);
    node.mine(List.of(payments.pay(0)));
    mine(5);
    SimulatedNode liar = liar(11);
    NodeAddress first = world.add(liar);
    NodeAddress second = late(400);
    world.onSend =
        message -> {
          boolean both =
              world.events.stream().filter(SyncEvent.PeerReady.class::isInstance).count() == 2;
          if (message instanceof Message.GetCFilters && both) {
            world.unreachable.add(first);
            world.hangUp(liar);
          }
        };
    world.keepsQueue = true;
    world.later(60_000, () -> world.post(new Input.Stop()));
    world.run(once(1, first, second).follow(true));
    assertThat(world.unreachable).containsExactly(first);
    assertThat(wallet.confirmed).hasSize(1);
  }
}
