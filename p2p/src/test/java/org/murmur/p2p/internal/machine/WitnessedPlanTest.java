package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Block filters (BIP-0157) as a witness of what peers serve under filters of the wallet. */
class WitnessedPlanTest {

  private static final Preset.Fast FAST = Preset.Fast.USUAL.filterPeers(1);
  private static final Preset.Private PRIVATE = Preset.Private.USUAL.onePeer(true).filterPeers(1);

  private final Payments payments = new Payments();
  private final SimulatedNode bloom = new SimulatedNode();
  private final SimulatedNode filters = filterPeer();
  private final SimulatedWallet wallet = new SimulatedWallet(10, 100);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private Tx payment = payments.pay(3);
  private Tx spend = payment;

  private SimulatedNode filterPeer() {
    SimulatedNode peer = bloom.twin();
    peer.services = Services.NETWORK | Services.WITNESS | Services.COMPACT_FILTERS;
    return peer;
  }

  private static SyncSettings once(Preset preset, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).preset(preset);
  }

  /** Thirty blocks, a payment at 10 and its spend without change at 20. */
  private void chain() {
    payment = payments.pay(3);
    spend = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    for (int height = 1; height <= 30; height++) {
      bloom.mine(height == 10 ? List.of(payment) : height == 20 ? List.of(spend) : List.of());
    }
  }

  private <E extends SyncEvent> List<E> of(Class<E> type) {
    return world.events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private List<NodeAddress> lost(DisconnectReason reason) {
    return of(SyncEvent.PeerLost.class).stream()
        .filter(lost -> lost.reason() == reason)
        .map(SyncEvent.PeerLost::address)
        .toList();
  }

  private long wholeBlocksAsked() {
    return world.sent.stream().mapToLong(WitnessedPlanTest::wholeBlocks).sum();
  }

  private long wholeBlocksAskedOf(NodeAddress peer) {
    return world.sends.stream()
        .filter(send -> send.link().address().equals(peer))
        .mapToLong(send -> wholeBlocks(send.message()))
        .sum();
  }

  private static long wholeBlocks(Message message) {
    return message instanceof Message.GetData ask
        ? ask.items().stream().filter(item -> item.type() == InventoryItem.BLOCK).count()
        : 0;
  }

  private long filtersAsked() {
    return world.sent.stream().filter(Message.GetCFilters.class::isInstance).count();
  }

  private void isTheTruth() {
    assertThat(wallet.confirmed.get(payment.txid())).isEqualTo(10);
    assertThat(wallet.confirmed.get(spend.txid())).isEqualTo(20);
  }

  private static List<Preset> presets() {
    return List.of(FAST, PRIVATE);
  }

  @Test
  void explainsWhatHonestPeersServedAndFetchesNoBlock() {
    for (Preset preset : presets()) {
      WitnessedPlanTest one = new WitnessedPlanTest();
      one.chain();
      one.world.run(once(preset, one.world.add(one.bloom), one.world.add(one.filters)));
      one.isTheTruth();
      assertThat(one.of(SyncFact.Complete.class)).hasSize(1);
      assertThat(one.filtersAsked()).isPositive();
      assertThat(one.wholeBlocksAsked()).isZero();
      assertThat(one.wallet.disowned).isEmpty();
    }
  }

  @Test
  void oneNodeMayDoBoth() {
    chain();
    bloom.services |= Services.COMPACT_FILTERS;
    world.run(once(FAST, world.add(bloom)));
    isTheTruth();
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(filtersAsked()).isPositive();
  }

  /** The spend has no own output: it is recognised by its coin, which was omitted, too. */
  @Test
  void findsAPaymentAndItsSpendThatTheOnlyPeerOmits() {
    for (Preset preset : presets()) {
      WitnessedPlanTest one = new WitnessedPlanTest();
      one.chain();
      one.bloom.omits = tx -> tx.equals(one.payment) || tx.equals(one.spend);
      NodeAddress liar = one.world.add(one.bloom);
      one.world.run(once(preset, liar, one.world.add(one.filters)));
      one.isTheTruth();
      assertThat(one.lost(DisconnectReason.OMISSION)).containsExactly(liar);
      assertThat(one.wallet.disowned).containsExactly(liar);
      assertThat(one.wholeBlocksAsked()).isEqualTo(2);
      // It would learn which blocks matter before it is found out.
      assertThat(one.wholeBlocksAskedOf(liar)).isZero();
      // What else it omitted is not known: a filter does not say how often a block touches a
      // script.
      assertThat(one.of(SyncFact.Complete.class)).isEmpty();
      assertThat(one.of(SyncFact.TooFewCrossChecks.class))
          .containsExactly(new SyncFact.TooFewCrossChecks(30, 1, 0));
    }
  }

  /** To be dropped at once would tell a guard which omission was the wallet's. */
  @Test
  void aGuardStaysUntilTheSessionEnds() {
    chain();
    bloom.omits = tx -> tx.equals(payment);
    NodeAddress guard = world.add(bloom);
    world.run(once(PRIVATE, guard, world.add(filters)));
    int at = world.events.indexOf(of(SyncFact.TooFewCrossChecks.class).get(0));
    assertThat(world.events.subList(0, at))
        .noneMatch(
            event -> event instanceof SyncEvent.PeerLost lost && lost.address().equals(guard));
    assertThat(lost(DisconnectReason.OMISSION)).containsExactly(guard);
  }

  /** The request would tell it which omission was the wallet's. */
  @Test
  void aGuardServesNoBlockThatItMayHaveOmittedSomethingOf() {
    chain();
    bloom.omits = tx -> tx.equals(payment);
    filters.hidesWholeBlocks = true;
    NodeAddress guard = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(PRIVATE, guard, witness));
    assertThat(wholeBlocksAskedOf(witness)).isPositive();
    assertThat(wholeBlocksAskedOf(guard)).isZero();
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  @Test
  void aFurtherPeerServesWhatTheConvictedOneDid() {
    chain();
    bloom.omits = tx -> tx.equals(spend);
    NodeAddress liar = world.add(bloom);
    NodeAddress honest = world.add(bloom.twin());
    world.run(once(FAST, liar, honest, world.add(filters)));
    isTheTruth();
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(lost(DisconnectReason.OMISSION)).isSubsetOf(liar);
  }

  /** What a block proved is more than what all filter peers say. */
  @ParameterizedTest
  @ValueSource(ints = {10, 20})
  void convictsFilterPeersByTheWalletsTransactions(int at) {
    chain();
    SimulatedNode.Block block = bloom.block(at);
    Bytes lie = at == 10 ? Bytes.of(new byte[1]) : filters.blockFilters.withoutSpends(block);
    filters.blockFilters.claims = (height, filter) -> height == at ? lie : filter;
    filters.blockFilters.serves = filters.blockFilters.claims;
    NodeAddress liar = world.add(filters);
    world.run(once(FAST, world.add(bloom), liar));
    assertThat(lost(DisconnectReason.FALSE_FILTER)).containsExactly(liar);
    isTheTruth();
    assertThat(of(SyncFact.TooFewCrossChecks.class))
        .containsExactly(new SyncFact.TooFewCrossChecks(30, 1, 0, true));
  }

  @Test
  void saysThatNobodyServesFilters() {
    chain();
    world.run(once(FAST, world.add(bloom)));
    isTheTruth();
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    assertThat(of(SyncFact.TooFewCrossChecks.class))
        .containsExactly(new SyncFact.TooFewCrossChecks(30, 1, 0, true));
  }

  @Test
  void checksABlockOnce() {
    chain();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(FAST, peer, witness));
    assertThat(filtersAsked()).isEqualTo(1);
    bloom.mine(List.of(payments.pay(4)));
    world.sent.clear();
    world.run(once(FAST, peer, witness));
    assertThat(filtersAsked()).isEqualTo(1);
    assertThat(wallet.views.values())
        .extracting(View::content)
        .hasOnlyElementsOfType(Content.Scripts.class);
  }

  /** A scan of an earlier session without a witness is checked, too. */
  @Test
  void checksWhatWasScannedBefore() {
    chain();
    bloom.omits = tx -> tx.equals(payment) || tx.equals(spend);
    NodeAddress liar = world.add(bloom);
    world.run(once(Preset.Fast.USUAL, liar));
    assertThat(wallet.confirmed).isEmpty();
    bloom.omits = tx -> false;
    world.run(once(FAST, liar, world.add(filters)));
    isTheTruth();
    assertThat(of(SyncFact.Complete.class)).isNotEmpty();
  }

  /**
   * Wallets with payments and spends of which the only peer omits some: all are found, and the peer
   * is convicted if it omitted any. Nobody else is. A filter does not say how often a block touches
   * a script, so no block does twice. Only with a further peer the sync is complete.
   */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void findsEverythingThatIsOmitted(@ForAll long seed) {
    Random dice = new Random(seed);
    WitnessedPlanTest one = new WitnessedPlanTest();
    List<Tx> all = new ArrayList<>();
    List<Tx> unspent = new ArrayList<>();
    for (int height = 1; height <= 200; height++) {
      List<Tx> block = new ArrayList<>();
      if (!unspent.isEmpty() && dice.nextInt(15) == 0) {
        Tx coin = unspent.remove(dice.nextInt(unspent.size()));
        block.add(Payments.tx(List.of(coin.outPoint(0)), List.of(Payments.FOREIGN)));
      }
      if (dice.nextInt(10) == 0) {
        Tx next = one.payments.pay(all.size());
        block.add(next);
        unspent.add(next);
      }
      all.addAll(block);
      one.bloom.mine(block);
    }
    // A spend of a coin whose payment was hidden would not match what is known of the filter.
    List<Tx> hidden = new ArrayList<>();
    for (Tx tx : all) {
      boolean orphan =
          hidden.stream()
              .anyMatch(other -> other.txid().equals(tx.inputs().get(0).outPoint().txid()));
      if (orphan || dice.nextInt(4) == 0) {
        hidden.add(tx);
      }
    }
    one.bloom.omits = hidden::contains;
    Preset preset = dice.nextBoolean() ? FAST : PRIVATE;
    NodeAddress peer = one.world.add(one.bloom);
    NodeAddress witness = one.world.add(one.filters);
    boolean further = preset == FAST && dice.nextBoolean();
    NodeAddress honest = further ? one.world.add(one.bloom.twin()) : peer;
    one.world.run(once(preset, peer, honest, witness));
    List<NodeAddress> convicted = one.lost(DisconnectReason.OMISSION);
    if (hidden.isEmpty()) {
      assertThat(convicted).as("seed %d", seed).isEmpty();
    } else if (further) {
      // It may not have been asked for these blocks.
      assertThat(convicted).as("seed %d", seed).isSubsetOf(peer);
    } else {
      assertThat(convicted).as("seed %d", seed).containsExactly(peer);
    }
    assertThat(one.lost(DisconnectReason.FALSE_FILTER)).as("seed %d", seed).isEmpty();
    assertThat(one.of(SyncFact.Complete.class))
        .as("seed %d", seed)
        .hasSize(further || hidden.isEmpty() ? 1 : 0);
    assertThat(one.wallet.confirmed.keySet())
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Tx::txid).toList());
  }

  /** The process dies at each commit of a session once, and the next one goes on. */
  @Test
  void findsWhatIsOmittedAfterAKillAtAnyCommit() {
    int kills = 0;
    for (Preset preset : presets()) {
      for (int commit = 1; ; commit++) {
        WitnessedPlanTest one = new WitnessedPlanTest();
        one.chain();
        one.bloom.omits = tx -> tx.equals(one.payment) || tx.equals(one.spend);
        NodeAddress liar = one.world.add(one.bloom);
        NodeAddress witness = one.world.add(one.filters);
        one.world.dieAtCommit = commit;
        boolean died = !one.world.run(once(preset, liar, witness));
        if (!died) {
          break;
        }
        kills++;
        one.world.dieAtCommit = -1;
        one.world.events.clear();
        assertThat(one.world.run(once(preset, liar, witness))).isTrue();
        assertThat(one.wallet.disowned).as("%s, commit %d", preset, commit).containsExactly(liar);
        assertThat(one.of(SyncFact.Complete.class)).as("%s, commit %d", preset, commit).isEmpty();
        if (preset == FAST) {
          // No other peer becomes the guard without the user's word.
          one.world.run(once(FAST, one.world.add(one.bloom.twin()), witness));
          one.isTheTruth();
          assertThat(one.of(SyncFact.Complete.class)).as("commit %d", commit).hasSize(1);
        }
      }
    }
    System.out.println("kills at " + kills + " commits");
    assertThat(kills).isGreaterThan(10);
  }

  /** Nobody takes the place of the only peer with Bloom filters: its witness has none. */
  @Test
  void theOnlyPeerThatScansIsCalledInItsBackOff() {
    chain();
    NodeAddress scanner = world.add(bloom);
    wallet.peers.put(
        scanner,
        new CommitBatch.PeerFacts(
            scanner, 0, "", 0, -1, world.now().getEpochSecond(), false, "LACKS_BLOCKS"));
    world.run(once(FAST, scanner, world.add(filters)));
    isTheTruth();
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(of(SyncWarning.MisbehavedPeerCalled.class)).hasSize(1);
  }

  /** Many false filters are kept while lower ones, which have to be read first, are missing. */
  @Test
  void manyFalseFiltersDoNotKeepLowerOnesFromComing() {
    for (int height = 1; height <= 400; height++) {
      bloom.mine(height > 300 ? List.of(payments.pay(height % 5)) : List.of());
    }
    SimulatedNode[] liars = {filterPeer(), filterPeer()};
    for (SimulatedNode liar : liars) {
      liar.blockFilters.claims = (height, filter) -> height > 300 ? Bytes.of(new byte[1]) : filter;
      liar.blockFilters.serves = liar.blockFilters.claims;
    }
    world.onSend =
        message ->
            liars[0].mute |= message instanceof Message.GetCFilters asked && asked.start() == 1;
    NodeAddress silent = world.add(liars[0]);
    NodeAddress other = world.add(liars[1]);
    world.run(once(FAST, world.add(bloom), silent, other));
    assertThat(lost(DisconnectReason.FALSE_FILTER)).contains(other);
    assertThat(wallet.confirmed).hasSize(100);
  }
}
