package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Several peers, one of which omits a transaction: the consequences, in virtual time. */
class SettlementTest {

  private final Payments payments = new Payments();
  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedNode liar = honest.twin();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private Tx payment = payments.pay(0);
  private Tx spend = payment;

  private static boolean pays(Tx tx) {
    return tx.outputs().stream().anyMatch(out -> !out.script().equals(Payments.FOREIGN));
  }

  private static SyncSettings settings(int witnesses, NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 7);
    return usual
        .preset(Preset.Fast.USUAL.verify(witnesses))
        .limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  /** Thirty blocks, a payment at 10 and its spend without change at 20. */
  private void chain() {
    payment = payments.pay(2);
    spend = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    for (int height = 1; height <= 30; height++) {
      honest.mine(height == 10 ? List.of(payment) : height == 20 ? List.of(spend) : List.of());
    }
  }

  private List<SyncEvent.PeerLost> convicted() {
    return of(SyncEvent.PeerLost.class).stream()
        .filter(lost -> lost.reason() == DisconnectReason.OMISSION)
        .toList();
  }

  private <E extends SyncEvent> List<E> of(Class<E> type) {
    return world.events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private long wholeBlocksAsked() {
    return world.sent.stream()
        .filter(Message.GetData.class::isInstance)
        .flatMap(message -> ((Message.GetData) message).items().stream())
        .filter(item -> item.type() == InventoryItem.BLOCK)
        .count();
  }

  private void isTheTruth() {
    assertThat(wallet.confirmed.get(payment.txid())).isEqualTo(10);
    assertThat(wallet.confirmed.get(spend.txid())).isEqualTo(20);
  }

  @Test
  void threePeersOfWhichOneHidesPayments() {
    chain();
    liar.omits = SettlementTest::pays;
    NodeAddress first = world.add(liar);
    world.run(settings(2, first, world.add(honest), world.add(honest)));
    assertThat(convicted()).hasSize(1).first().extracting("address").isEqualTo(first);
    assertThat(convicted().get(0).detail()).contains(payment.txid().toString(), "height 10");
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(of(SyncFact.TooFewCrossChecks.class)).isEmpty();
    assertThat(wholeBlocksAsked()).isEqualTo(1);
    isTheTruth();
    assertThat(wallet.rows.values())
        .noneMatch(
            row -> Objects.requireNonNull(wallet.loads.get(row.view())).peer().equals(first));
  }

  @Test
  void aSpendOfACoinThatTheServerHadToAddConvictsIt() {
    chain();
    liar.omits = tx -> tx.txid().equals(spend.txid());
    // No scripts are derived later, so only the doubt causes another scan.
    SimulatedWallet steady = new SimulatedWallet(5, 100);
    SimulatedWorld other = new SimulatedWorld(1, steady);
    NodeAddress first = other.add(liar);
    NodeAddress second = other.add(honest);
    other.run(settings(2, first, second));
    assertThat(other.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.reason() == DisconnectReason.OMISSION
                    && lost.detail().contains("had to add")
                    && lost.address().equals(first));
    assertThat(other.events).contains(new SyncFact.TooFewCrossChecks(30, 2, 1));
    assertThat(steady.confirmed.keySet()).contains(payment.txid(), spend.txid());
  }

  /** Dies at every commit in turn, between an accusation and the block that settles it too. */
  private void neverCountsTheLiarAfterADeath(int blocksPerSecond) {
    chain();
    int deaths = 0;
    for (int seed = 0; seed < 80; seed++) {
      // Its seed says whether the commit that it dies at is on disk.
      int at = 1 + seed / 4;
      SimulatedWallet mortal = new SimulatedWallet(5, 100);
      SimulatedWorld lives = new SimulatedWorld(seed, mortal);
      NodeAddress first = lives.add(liar);
      NodeAddress second = lives.add(honest);
      // Longer than anything waits to be written.
      lives.delays.put(first, 400);
      lives.delays.put(second, 400);
      lives.blocksPerSecond = blocksPerSecond;
      lives.dieAtCommit = at;
      deaths += lives.run(settings(2, first, second)) ? 0 : 1;
      lives.dieAtCommit = -1;
      lives.events.clear();
      lives.run(settings(2, second));
      assertThat(mortal.confirmed.keySet()).contains(payment.txid(), spend.txid());
      assertThat(lives.events)
          .as("death at commit %d, seed %d", at, seed)
          .contains(new SyncFact.TooFewCrossChecks(30, 2, 1))
          .noneMatch(SyncFact.Complete.class::isInstance);
    }
    assertThat(deaths).isGreaterThan(12);
  }

  @Test
  void anAccusedPeerDoesNotCountThoughTheProcessDiesBeforeItIsConvicted() {
    liar.omits = SettlementTest::pays;
    neverCountsTheLiarAfterADeath(0);
  }

  /** Blocks in flight at the time of the accusation do not count either, should the process die. */
  @Test
  void blocksOwedByAnAccusedPeerDoNotCount() {
    payment = payments.pay(2);
    for (int height = 1; height <= 200; height++) {
      honest.mine(height == 10 ? List.of(payment) : List.of());
    }
    liar.omits = SettlementTest::pays;
    for (int at = 1; at < 30; at++) {
      SimulatedWallet mortal = new SimulatedWallet(5, 100);
      SimulatedWorld life = new SimulatedWorld(at, mortal);
      NodeAddress first = life.add(liar);
      NodeAddress second = life.add(honest);
      life.blocksPerSecond = 20;
      life.wholeBlockTakes = Duration.ofSeconds(20);
      life.dieAtCommit = at;
      boolean died = !life.run(settings(2, first, second));
      if (died && mortal.confirmed.containsKey(payment.txid())) {
        assertThat(mortal.rows.values())
            .as("death at commit %d", at)
            .noneMatch(
                row ->
                    row.to() >= 10
                        && Objects.requireNonNull(mortal.loads.get(row.view()))
                            .peer()
                            .equals(first));
      }
    }
  }

  @Test
  void aServerThatDidNotAddDoesNotCountThoughTheProcessDies() {
    liar.omits = tx -> tx.txid().equals(spend.txid());
    // So slow that the payment is in the books before its spend is announced.
    neverCountsTheLiarAfterADeath(20);
  }

  /** Nor does it count later that its server adds outpoints, in this session or in the next one. */
  @Test
  void laterBlocksOfANonAddingServerDoNotCountAfterACrash() {
    payment = payments.pay(2);
    spend = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    Tx later = payments.pay(3);
    Tx laterSpend = Payments.tx(List.of(later.outPoint(0)), List.of(Payments.FOREIGN));
    Map<Integer, Tx> mined = Map.of(10, payment, 20, spend, 400, later, 420, laterSpend);
    for (int height = 1; height <= 600; height++) {
      Tx tx = mined.get(height);
      honest.mine(tx == null ? List.of() : List.of(tx));
    }
    liar.addsNothing = true;
    int disowned = 0;
    for (int seed = 0; seed < 120; seed++) {
      SimulatedWallet mortal = new SimulatedWallet(5, 100);
      SimulatedWorld lives = new SimulatedWorld(seed, mortal);
      NodeAddress first = lives.add(liar);
      NodeAddress second = lives.add(honest);
      lives.delays.put(second, 400);
      lives.blocksPerSecond = 50;
      lives.dieAtCommit = 1 + seed;
      lives.run(settings(2, first, second));
      if (!mortal.disowned.contains(first)) {
        continue;
      }
      disowned++;
      lives.dieAtCommit = -1;
      // The second is asked for everything that the first one is not known to have scanned for.
      lives.run(settings(1, second));
      assertThat(mortal.confirmed.keySet())
          .as("death at commit %d", 1 + seed)
          .contains(payment.txid(), spend.txid(), later.txid(), laterSpend.txid());
    }
    assertThat(disowned).isGreaterThan(20);
  }

  @Test
  void twoPeersOfWhichOneLiesLeaveOneWitness() {
    chain();
    liar.omits = SettlementTest::pays;
    NodeAddress last = world.add(liar);
    world.run(settings(2, world.add(honest), last));
    assertThat(convicted()).extracting("address").containsExactly(last);
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    assertThat(of(SyncFact.TooFewCrossChecks.class))
        .containsExactly(new SyncFact.TooFewCrossChecks(30, 2, 1));
    isTheTruth();
  }

  @Test
  void fewerPeersThanAskedForEndIncompleteAndDoNotHang() {
    chain();
    world.run(settings(3, world.add(honest), world.add(honest)));
    assertThat(of(SyncFact.TooFewCrossChecks.class))
        .containsExactly(new SyncFact.TooFewCrossChecks(30, 3, 2));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    isTheTruth();
  }

  @Test
  void unservedBlocksStayUnsettled() {
    chain();
    liar.omits = SettlementTest::pays;
    liar.hidesWholeBlocks = true;
    honest.hidesWholeBlocks = true;
    NodeAddress first = world.add(honest);
    NodeAddress last = world.add(liar);
    world.run(settings(2, first, last));
    assertThat(of(SyncWarning.PeersDisagree.class))
        .containsExactly(new SyncWarning.PeersDisagree(10, payment.txid(), last, List.of(first)));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    assertThat(convicted()).isEmpty();
    assertThat(wholeBlocksAsked()).isEqualTo(2);
  }

  @Test
  void theLiarsOwnBlockConvictsItIfNoOtherPeerServesIt() {
    chain();
    liar.omits = SettlementTest::pays;
    honest.hidesWholeBlocks = true;
    NodeAddress last = world.add(liar);
    world.run(settings(2, world.add(honest), last));
    assertThat(convicted()).extracting("address").containsExactly(last);
    assertThat(wholeBlocksAsked()).isEqualTo(2);
    isTheTruth();
  }

  @Test
  void honestPeersCostNoWholeBlock() {
    chain();
    world.run(settings(3, world.add(honest), world.add(honest), world.add(honest)));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(wholeBlocksAsked()).isZero();
    isTheTruth();
    for (int height = 1; height <= 30; height++) {
      assertThat(world.servers(honest.chain.hashAt(height))).hasSize(3);
    }
  }

  @Test
  void aLiarIsCaughtByTheFindsOfAnEarlierSession() {
    chain();
    NodeAddress first = world.add(honest);
    world.run(settings(1, first));
    isTheTruth();
    liar.omits = SettlementTest::pays;
    NodeAddress last = world.add(liar);
    NodeAddress third = world.add(honest);
    world.events.clear();
    world.run(settings(2, last, third));
    assertThat(convicted()).extracting("address").containsExactly(last);
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
  }

  @Test
  void aLiarOfAnEarlierSessionIsAskedAgain() {
    chain();
    liar.omits = SettlementTest::pays;
    NodeAddress first = world.add(liar);
    world.run(settings(1, first));
    assertThat(wallet.confirmed).isEmpty();
    world.events.clear();
    NodeAddress second = world.add(honest);
    NodeAddress third = world.add(honest);
    world.run(settings(2, first, second, third));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    isTheTruth();
  }

  @Test
  void aSpotCheckFindsALonelyLiar() {
    chain();
    liar.omits = SettlementTest::pays;
    NodeAddress only = world.add(liar);
    // Every block: the check cannot miss it.
    world.run(settings(1, only).preset(Preset.Fast.USUAL.spotChecks(30)));
    assertThat(convicted()).extracting("address").containsExactly(only);
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    // The transactions in the blocks are the wallet's.
    assertThat(wallet.confirmed.get(payment.txid())).isEqualTo(10);
  }

  @Test
  void spotChecksOfTheHonestCostTheirNumber() {
    chain();
    world.run(settings(1, world.add(honest)).preset(Preset.Fast.USUAL.spotChecks(12)));
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
    assertThat(wholeBlocksAsked()).isEqualTo(12);
    isTheTruth();
  }

  @Test
  void aWholeBlockMayTakeItsTime() {
    chain();
    world.wholeBlockTakes = Duration.ofSeconds(100);
    world.run(settings(1, world.add(honest)).preset(Preset.Fast.USUAL.spotChecks(1)));
    assertThat(of(SyncEvent.PeerLost.class)).isEmpty();
    assertThat(of(SyncEvent.Warning.class)).isEmpty();
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
  }

  @Test
  void aWholeBlockMayNotTakeForEver() {
    chain();
    world.wholeBlockTakes = Duration.ofSeconds(130);
    world.run(settings(1, world.add(honest)).preset(Preset.Fast.USUAL.spotChecks(1)));
    assertThat(of(SyncEvent.PeerLost.class))
        .extracting("reason")
        .containsOnly(DisconnectReason.STALLED);
  }

  @Test
  void spotChecksWhereNothingElseIsToDoBeginAtOnce() {
    chain();
    SyncSettings settings = settings(1, world.add(honest));
    world.run(settings);
    Instant before = world.now();
    world.run(settings.preset(Preset.Fast.USUAL.spotChecks(30)));
    assertThat(wholeBlocksAsked()).isEqualTo(30);
    assertThat(Duration.between(before, world.now())).isLessThan(Duration.ofSeconds(5));
  }

  /** A broadcast for instance: its peers must learn nothing of the wallet's blocks. */
  @Test
  void aSessionForHeadersOnlyMakesNoSpotChecks() {
    chain();
    NodeAddress only = world.add(honest);
    world.run(settings(1, only));
    world.sent.clear();
    world.events.clear();
    world.run(
        settings(1, only)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO))
            .preset(Preset.Fast.USUAL.spotChecks(3)));
    assertThat(wholeBlocksAsked()).isZero();
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
  }

  @Test
  void unservedSpotChecksAreReported() {
    chain();
    honest.hidesWholeBlocks = true;
    world.run(settings(1, world.add(honest)).preset(Preset.Fast.USUAL.spotChecks(2)));
    assertThat(of(SyncEvent.Warning.class)).hasSize(2);
    assertThat(of(SyncFact.Complete.class)).hasSize(1);
  }

  /**
   * Random lives over two to five peers. One of them omits a random part, loses or keeps its
   * connection, and the process dies now and then: the truth is found, and no other peer is blamed.
   */
  @Property(tries = 60)
  void theTruthComesOutWhateverOneLiarLeavesOut(@ForAll long seed) {
    live(seed);
  }

  /**
   * A liar whose filter still held a payment that it hid sends spends that the filter, by all that
   * is known, cannot match: it is dropped for that, without proof of an omission.
   */
  @Test
  void aLiarThatRevealsItselfIsOnePeerLess() {
    live(-48);
  }

  private static void live(long seed) {
    Random random = new Random(seed);
    RandomLife life = new RandomLife(random, 1 + random.nextInt(12));
    int blocks = 20 + random.nextInt(100);
    for (int i = 0; i < blocks; i++) {
      life.block();
    }
    // A longer look-ahead means another scan from the beginning, so it grows rarely.
    SimulatedWallet own = new SimulatedWallet(life.lookAhead, random.nextInt(4) == 0 ? 0 : 40);
    SimulatedWorld lives = new SimulatedWorld(seed, own);
    int peers = 2 + random.nextInt(4);
    int place = random.nextInt(peers);
    SimulatedNode lying = life.node.twin();
    int kind = random.nextInt(4);
    int share = 2 + random.nextInt(10);
    lying.omits =
        tx ->
            switch (kind) {
              case 0 -> pays(tx);
              case 1 -> !pays(tx);
              case 2 -> tx.txid().hashCode() % share == 0;
              default -> true;
            };
    lying.hidesWholeBlocks = random.nextBoolean();
    NodeAddress[] addresses = new NodeAddress[peers];
    for (int i = 0; i < peers; i++) {
      addresses[i] = lives.add(i == place ? lying : life.node);
    }
    int witnesses = 2 + (peers > 2 ? random.nextInt(peers - 1) : 0);
    SyncSettings settings = settings(witnesses, addresses);
    lives.lossPerMessage = random.nextBoolean() ? 0.002 : 0;
    for (int deaths = 0; deaths < 2; deaths++) {
      lives.dieAtCommit = random.nextInt(6);
      lives.run(settings);
    }
    lives.dieAtCommit = -1;
    lives.lossPerMessage = 0;
    lives.run(settings);
    assertThat(own.confirmed).as("seed %d", seed).isEqualTo(life.truth);
    for (SyncEvent event : lives.events) {
      if (event instanceof SyncEvent.PeerLost lost && lost.reason().isMisbehaviour()) {
        assertThat(lost.address()).as("seed %d: %s", seed, lost).isEqualTo(addresses[place]);
      }
    }
    SyncEvent last = end(lives.events);
    // For good: a peer that only stalled is called again.
    boolean caught =
        lives.events.stream()
            .anyMatch(
                event ->
                    event instanceof SyncEvent.PeerLost lost
                        && lost.reason().isMisbehaviour()
                        && !lost.reason().isTransient());
    assertThat(last)
        .as("seed %d, caught %s", seed, caught)
        .isInstanceOfAny(SyncFact.Complete.class, SyncFact.TooFewCrossChecks.class);
    if (!caught || peers > witnesses) {
      assertThat(last).as("seed %d", seed).isInstanceOf(SyncFact.Complete.class);
    }
  }

  private static SyncEvent end(List<SyncEvent> events) {
    List<SyncEvent> ends = new ArrayList<>(events);
    ends.removeIf(
        event ->
            !(event instanceof SyncFact.Complete
                || event instanceof SyncFact.TooFewCrossChecks
                || event instanceof SyncWarning.PeersDisagree
                || event instanceof SyncFact.NoUsablePeer));
    return ends.get(ends.size() - 1);
  }
}
