package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Payments that the user sent in an earlier session, and that no block holds. That nobody is told
 * of one before the disk is checked in all of these.
 */
class RebroadcastTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedNode second = node.twinWithItsOwnPool();
  private final SimulatedNode third = node.twinWithItsOwnPool();
  private final SimulatedWallet wallet = SimulatedWallet.ofEpochs(10, 50);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final NodeAddress a = world.add(node);
  private final NodeAddress b = world.add(second);
  private final NodeAddress c = world.add(third);
  private Tx coin = payments.pay(1);

  @BeforeEach
  void peersTakeWhatIsAnnounced() {
    coin = payments.pay(1);
    node.mine(List.of(coin));
    for (SimulatedNode each : List.of(node, second, third)) {
      each.takes = true;
    }
  }

  private static SyncSettings fast(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1);
  }

  private static SyncSettings guarded(NodeAddress... peers) {
    return fast(peers).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL);
  }

  /** Some of the coin goes to a stranger, the rest comes back. */
  private Tx payment() {
    return Payments.tx(
        List.of(coin.outPoint(0)), List.of(Payments.FOREIGN, SimulatedWallet.script(2)));
  }

  private Tx sent() {
    Tx payment = wallet.send(payment());
    sentBefore(Duration.ofHours(1));
    return payment;
  }

  private void sentBefore(Duration ago) {
    wallet.firstSeen = world.now().minus(ago).getEpochSecond();
  }

  private List<NodeAddress> announcedTo(Tx tx) {
    Message inv = inv(tx);
    List<NodeAddress> told = new ArrayList<>();
    for (Output.Send send : world.sends) {
      if (send.message().equals(inv)) {
        told.add(send.link().address());
      }
    }
    return told;
  }

  @Test
  void areAnnouncedToEveryPeerAndKnownToBeAcceptedBeforeTheSyncEnds() {
    Tx payment = sent();
    world.run(fast(a, b));
    assertThat(announcedTo(payment)).containsExactlyInAnyOrder(a, b);
    assertThat(node.mempool).containsKey(payment.txid());
    assertThat(second.mempool).containsKey(payment.txid());
    assertThat(wallet.heard).contains(payment.txid());
    assertThat(world.events)
        .contains(
            new SyncEvent.PeerReaction(payment.txid(), a, SyncEvent.PeerReaction.Kind.FETCHED),
            new SyncEvent.PeerReaction(payment.txid(), a, SyncEvent.PeerReaction.Kind.ACCEPTED));
  }

  /** A node that was restarted with an empty memory pool, for instance. */
  @Test
  void areAnnouncedWherePeersAcceptedThemOnceAndLostThem() {
    Tx payment = sent();
    wallet.heard.add(payment.txid());
    world.run(fast(a));
    assertThat(node.mempool).containsKey(payment.txid());
    assertThat(wallet.heard).contains(payment.txid());
    assertThat(wallet.missing).isEmpty();
  }

  @Test
  void areNotAnnouncedToAPeerThatHasThem() {
    Tx payment = sent();
    node.mempool.put(payment.txid(), payment);
    world.run(fast(a, b));
    assertThat(announcedTo(payment)).containsExactly(b);
    assertThat(wallet.heard).contains(payment.txid());
  }

  @Test
  void areLeftAloneWhileTheyAreYoungAndAPeerHasThem() {
    Tx payment = sent();
    wallet.heard.add(payment.txid());
    node.mempool.put(payment.txid(), payment);
    sentBefore(Input.Pending.YOUNG.dividedBy(2));
    world.run(fast(a, b));
    assertThat(announcedTo(payment)).isEmpty();
  }

  /** The peer was away when the user sent it. */
  @Test
  void areAnnouncedAtOnceIfNoPeerIsKnownToHaveThem() {
    Tx payment = sent();
    sentBefore(Duration.ofSeconds(5));
    world.run(fast(a));
    assertThat(announcedTo(payment)).containsExactly(a);
    assertThat(wallet.heard).contains(payment.txid());
  }

  @Test
  void areNotThoseOfOthers() {
    Tx incoming = payments.pay(3);
    node.mempool.put(incoming.txid(), incoming);
    world.run(fast(a));
    sentBefore(Duration.ofHours(1));
    assertThat(wallet.relevant).containsKey(incoming.txid());
    world.run(fast(b));
    assertThat(announcedTo(incoming)).isEmpty();
  }

  /** It was mined while nobody looked: all blocks are seen first. */
  @Test
  void areNotAnnouncedIfABlockHoldsThem() {
    Tx payment = sent();
    node.mine(List.of(payment));
    world.run(fast(a));
    assertThat(wallet.confirmed).containsKey(payment.txid());
    assertThat(announcedTo(payment)).isEmpty();
  }

  /** Nodes do not fetch what they refused, and a refusal is silent. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepNoSyncFromItsEnd(boolean fetched) {
    Tx payment = sent();
    node.takes = fetched;
    node.accepts = false;
    Instant began = world.now();
    world.run(fast(a));
    assertThat(announcedTo(payment)).containsExactly(a);
    assertThat(Duration.between(began, world.now()))
        .isBetween(Duration.ZERO, Duration.ofSeconds(25));
    assertThat(world.events).anyMatch(SyncFact.Complete.class::isInstance);
  }

  /** As Core does it: at random, 12 to 36 hours apart. */
  @Test
  void areAnnouncedAtRandomTimesWhileFollowing() {
    Tx payment = sent();
    node.accepts = false;
    List<Instant> times = new ArrayList<>();
    world.onSend =
        message -> {
          if (message instanceof Message.Inv) {
            times.add(world.now());
          }
        };
    world.limit = Duration.ofDays(12);
    world.keepsQueue = true;
    world.later(Duration.ofDays(10).toMillis(), () -> world.post(new Input.Stop()));
    world.run(fast(a).follow(true));
    assertThat(announcedTo(payment)).hasSizeBetween(6, 20);
    List<Duration> pauses = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      pauses.add(Duration.between(times.get(i - 1), times.get(i)));
    }
    assertThat(pauses)
        .allSatisfy(
            pause -> assertThat(pause).isBetween(Duration.ofHours(12), Duration.ofHours(37)))
        .doesNotHaveDuplicates();
  }

  /** A session that is older than the payment announces it at a random time, too. */
  @Test
  void areNotAnnouncedAgainAsSoonAsTheyAreOld() {
    Tx payment = sent();
    wallet.sent.clear();
    wallet.signed.add(payment.txid());
    node.accepts = false;
    world.keepsQueue = true;
    world.limit = Duration.ofDays(3);
    world.later(
        20_000,
        () -> {
          wallet.signed.clear();
          wallet.sent.add(payment.txid());
          sentBefore(Duration.ZERO);
          world.post(new Input.BroadcastTx(payment));
        });
    world.later(Duration.ofHours(11).toMillis(), () -> world.post(new Input.Stop()));
    world.run(fast(a).follow(true));
    assertThat(announcedTo(payment)).containsExactly(a);
  }

  // ---- under the private preset ----

  @Test
  void areAnnouncedOnlyToPeersWithoutAFilterUnderThePrivatePreset() {
    Tx payment = sent();
    world.run(guarded(a, b, c));
    assertThat(announcedTo(payment)).containsExactly(c);
    assertThat(third.mempool).containsKey(payment.txid());
    assertThat(wallet.heard).contains(payment.txid());
    assertThat(wallet.loads.values()).extracting(load -> load.peer()).containsOnly(a, b);
  }

  /** It was shown all addresses then: the payment would add its time, and who made it. */
  @Test
  void areNotAnnouncedUnderThePrivatePresetToAPeerThatHeldAFilterOfTheFastOne() {
    world.run(fast(c));
    Tx payment = sent();
    world.run(guarded(a, b, c));
    assertThat(announcedTo(payment)).isEmpty();
  }

  /** Who counts the seconds would see that something is pending. */
  @Test
  void keepNoGuardLongerUnderThePrivatePreset() {
    List<Map<NodeAddress, Duration>> stays = new ArrayList<>();
    for (boolean pending : new boolean[] {false, true}) {
      RebroadcastTest story = new RebroadcastTest();
      story.peersTakeWhatIsAnnounced();
      story.third.accepts = false;
      if (pending) {
        story.sent();
      }
      Instant began = story.world.now();
      story.world.commitMillis = 10;
      story.world.run(guarded(story.a, story.b, story.c));
      stays.add(
          Map.of(
              story.a, stay(story, began, story.a),
              story.b, stay(story, began, story.b)));
      Duration third = stay(story, began, story.c);
      assertThat(third.compareTo(stay(story, began, story.a)) > 0).isEqualTo(pending);
    }
    assertThat(stays.get(0)).isEqualTo(stays.get(1));
  }

  private static Duration stay(RebroadcastTest story, Instant began, NodeAddress peer) {
    return Duration.between(began, Objects.requireNonNull(story.world.parted.get(peer)));
  }

  /** What a peer without a filter announces is not fetched, and counts as accepted. */
  @Test
  void areHeardOfFromAPeerWithoutAFilterThatAnnouncesThem() {
    Tx payment = sent();
    world.keepsQueue = true;
    // It was away when the payment was announced.
    world.unreachable.add(c);
    world.later(120_000, () -> world.unreachable.remove(c));
    world.later(240_000, () -> world.announce(third, inv(payment)));
    world.later(300_000, () -> world.post(new Input.Stop()));
    world.run(guarded(a, b, c).follow(true));
    assertThat(announcedTo(payment)).isEmpty();
    assertThat(world.events)
        .contains(
            new SyncEvent.PeerReaction(payment.txid(), c, SyncEvent.PeerReaction.Kind.ANNOUNCED));
    assertThat(wallet.heard).contains(payment.txid());
  }

  /** It learnt of the payment from us: its announcement does not show that others have it. */
  @Test
  void areNotHeardOfFromAPeerThatRepeatsWhatWeAnnounced() {
    Tx payment = sent();
    third.accepts = false;
    world.onSend =
        message -> {
          if (message instanceof Message.TxMessage) {
            world.announce(third, inv(payment));
          }
        };
    world.run(guarded(a, b, c));
    assertThat(announcedTo(payment)).containsExactly(c);
    assertThat(world.events)
        .doesNotContain(
            new SyncEvent.PeerReaction(payment.txid(), c, SyncEvent.PeerReaction.Kind.ANNOUNCED));
    assertThat(wallet.heard).doesNotContain(payment.txid());
  }

  private static Message inv(Tx tx) {
    return new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid())));
  }

  // ---- what is sent while a session runs ----

  /** It was to be sent, and a sync that is otherwise done waits for the peers' answers. */
  @Test
  void aPaymentThatIsSentDuringASyncDoesNotKeepItFromItsEnd() {
    Tx payment = payment();
    world.keepsQueue = true;
    world.later(15, () -> world.post(new Input.BroadcastTx(payment)));
    world.run(fast(a));
    assertThat(announcedTo(payment)).containsExactly(a);
    assertThat(world.events)
        .contains(
            new SyncEvent.PeerReaction(payment.txid(), a, SyncEvent.PeerReaction.Kind.ACCEPTED));
  }

  @Test
  void aPaymentThatWasSentIsNotAnnouncedToNewPeersOnceABlockHoldsIt() {
    Tx payment = payment();
    world.unreachable.add(b);
    world.keepsQueue = true;
    world.later(20_000, () -> world.post(new Input.BroadcastTx(payment)));
    world.later(
        60_000,
        () -> {
          Hash256 block = node.mine(List.of(payment)).hash();
          world.announce(
              node, new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, block))));
        });
    world.later(120_000, () -> world.unreachable.remove(b));
    world.later(Duration.ofHours(1).toMillis(), () -> world.post(new Input.Stop()));
    world.run(fast(a, b).follow(true));
    assertThat(world.events)
        .anyMatch(e -> e instanceof SyncEvent.PeerReady ready && ready.address().equals(b));
    assertThat(wallet.confirmed).containsKey(payment.txid());
    assertThat(announcedTo(payment)).containsExactly(a);
  }

  /**
   * Only what was announced on a link is served there. A peer that suspects the user's transaction
   * gets the answer that it gets for any other.
   */
  @Test
  void areServedOnlyWhereTheyWereAnnounced() {
    Tx payment = sent();
    Tx other = payments.pay(3);
    List<Message> answers = new ArrayList<>();
    world.onOutput =
        output -> {
          if (output instanceof Output.Send send
              && (send.message() instanceof Message.NotFound
                  || send.message() instanceof Message.TxMessage)) {
            answers.add(send.message());
          }
        };
    world.keepsQueue = true;
    world.later(60_000, () -> world.hangUp(node));
    world.later(
        120_000,
        () -> {
          assertThat(announcedTo(payment)).containsExactly(a);
          assertThat(answers).containsExactly(new Message.TxMessage(payment));
          answers.clear();
          world.announce(node, new Message.GetData(items(payment)));
          world.announce(node, new Message.GetData(items(other)));
        });
    world.later(180_000, () -> world.post(new Input.Stop()));
    world.run(fast(a).follow(true));
    assertThat(answers)
        .containsExactly(new Message.NotFound(items(payment)), new Message.NotFound(items(other)));
  }

  /** Nodes judge the fees of a child and its parent together, and request the parent by txid. */
  @Test
  void aParentBelowTheFeeFilterIsServedOnceItsChildIsAnnounced() {
    Tx parent = payment();
    Tx child = Payments.tx(List.of(parent.outPoint(1)), List.of(Payments.FOREIGN));
    node.takes = false;
    List<Message> answers = new ArrayList<>();
    world.onSend =
        message -> {
          if (message instanceof Message.NotFound || message instanceof Message.TxMessage) {
            answers.add(message);
          }
        };
    Runnable asked = () -> world.announce(node, new Message.GetData(items(parent)));
    world.keepsQueue = true;
    world.later(20_000, () -> world.announce(node, new Message.FeeFilter(20_000)));
    world.later(
        21_000,
        () -> world.post(new Input.BroadcastTx(parent, OptionalLong.of(parent.virtualSize()))));
    world.later(25_000, asked);
    world.later(
        30_000,
        () -> world.post(new Input.BroadcastTx(child, OptionalLong.of(90L * child.virtualSize()))));
    world.later(35_000, asked);
    world.later(60_000, () -> world.post(new Input.Stop()));
    world.run(fast(a).follow(true));
    assertThat(announcedTo(parent)).isEmpty();
    assertThat(announcedTo(child)).containsExactly(a);
    assertThat(answers)
        .containsExactly(new Message.NotFound(items(parent)), new Message.TxMessage(parent));
  }

  private static List<InventoryItem> items(Tx tx) {
    return List.of(new InventoryItem(InventoryItem.TX, tx.txid()));
  }

  /** The record says that the peer knows the payment, although it was asked for it before. */
  @Test
  void areRecordedAsPaymentsAfterARequestByTxid() {
    Tx payment = sent();
    wallet.heard.add(payment.txid());
    List<NodeAddress> recorded = new ArrayList<>();
    world.onOutput =
        output -> {
          if (output instanceof Output.Commit commit) {
            commit.batch().mentions().stream()
                .filter(mention -> mention.sent() != null)
                .forEach(mention -> recorded.add(mention.peer()));
          }
        };
    world.run(fast(a, b));
    assertThat(announcedTo(payment)).containsExactlyInAnyOrder(a, b);
    assertThat(recorded).containsExactlyInAnyOrder(a, b);
  }

  private SimulatedNode twin() {
    SimulatedNode twin = node.twinWithItsOwnPool();
    twin.takes = true;
    return twin;
  }

  /** Two spellings of a guard's address are one peer, also while the guard itself is away. */
  @Test
  void areNotAnnouncedToAGuardUnderAnotherName() {
    Tx payment = payment();
    NodeAddress spelled = world.add(twin(), new NodeAddress("::ffff:10.0.0.1", a.port()));
    NodeAddress named = world.add(twin(), new NodeAddress("node.example", b.port()));
    world.numbers.put(named, b);
    world.unreachable.addAll(List.of(spelled, named));
    world.later(20_000, () -> world.post(new Input.BroadcastTx(payment)));
    world.later(
        60_000,
        () -> {
          world.unreachable.clear();
          world.unreachable.addAll(List.of(a, b));
          world.hangUp(node);
          world.hangUp(second);
        });
    world.later(Duration.ofHours(1).toMillis(), () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
    world.run(guarded(a, b, spelled, named, c).follow(true));
    assertThat(world.events)
        .filteredOn(SyncEvent.PeerReady.class::isInstance)
        .extracting(event -> ((SyncEvent.PeerReady) event).address())
        .contains(spelled, named);
    assertThat(announcedTo(payment)).containsExactly(c);
  }
}
