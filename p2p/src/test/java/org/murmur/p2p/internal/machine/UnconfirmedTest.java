package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** The status of unconfirmed transactions during a session, requested from more than one peer. */
class UnconfirmedTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private static SyncSettings settings(boolean follow, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).follow(follow);
  }

  private void mineUsed() {
    // Its script is used, so that a payment to it later makes no look-ahead grow.
    node.mine(List.of(payments.pay(1)));
  }

  private Tx pending() {
    Tx pending = payments.pay(1);
    node.mempool.put(pending.txid(), pending);
    return pending;
  }

  /** A node with the same chain and a memory pool of its own. */
  private SimulatedNode another() {
    SimulatedNode another = new SimulatedNode();
    for (int height = 1; height <= node.chain.height(); height++) {
      SimulatedNode.Block block = node.block(height);
      another.blocks.put(block.hash(), block);
      another.chain.connect(Headers.ofStored(block.header()), Long.MAX_VALUE / 4);
    }
    return another;
  }

  private boolean answersAtOnce(NodeAddress address) {
    return Objects.requireNonNull(wallet.peers.get(address)).mempoolAtOnce();
  }

  private void follow(Runnable script, Duration length, NodeAddress... peers) {
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              script.run();
              world.later(length.toMillis(), () -> world.give(new Input.Stop()));
            });
    world.run(settings(true, peers));
  }

  /** The same transaction, by its txid, with witness data without a signature. */
  private static Tx withWitness(Tx tx, int bytes) {
    Bytes raw = tx.raw();
    int end = raw.length() - 4;
    return Tx.parse(
        new ByteWriter()
            .bytes(raw.slice(0, 4))
            .bytes(Bytes.of(new byte[] {0, 1}))
            .bytes(raw.slice(4, end))
            .compactSize(1)
            .varBytes(Bytes.wrap(new byte[bytes]))
            .bytes(raw.slice(end, raw.length()))
            .toBytes());
  }

  /** A txid does not cover witness data: anyone can make a copy too heavy to be believed. */
  @Test
  void comesFromAnotherPeerThoughTheFirstMadeItTooHeavy() {
    mineUsed();
    Tx payment = payments.pay(1);
    SimulatedNode liar = another();
    Tx heavy = withWitness(payment, Relay.MAX_WEIGHT);
    assertThat(heavy.txid()).isEqualTo(payment.txid());
    liar.mempool.put(payment.txid(), heavy);
    node.mempool.put(payment.txid(), payment);
    NodeAddress first = world.add(liar);
    NodeAddress second = world.add(node);
    world.delays.put(second, 300);
    world.run(settings(false, first, second));
    assertThat(wallet.relevant).containsEntry(payment.txid(), payment);
  }

  /** A peer that sends it too early must not make us ignore the others' announcements. */
  @Test
  void spendsACoinThatWasNotKnownWhenItWasFirstSeen() {
    Tx payment = payments.pay(1);
    node.mine(List.of(payment));
    node.mine(List.of());
    Tx spend = Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN));
    SimulatedNode liar = another();
    liar.omits = tx -> true;
    liar.mempool.put(spend.txid(), spend);
    node.mempool.put(spend.txid(), spend);
    NodeAddress first = world.add(liar);
    NodeAddress second = world.add(node);
    world.delays.put(second, 200);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.GetHeaders.class,
            () ->
                world.announce(
                    liar,
                    new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, spend.txid())))));
    world.run(settings(false, first, second).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(wallet.relevant).containsKeys(payment.txid(), spend.txid());
  }

  /**
   * Names a key of the wallet's in an output that a foreign transaction spends, as a bare
   * multisignature does. The server of a later peer adds that output; the spend matches there.
   */
  @Test
  void isNoReasonToDropAnHonestPeerThatWasNotAskedForItsParent() {
    mineUsed();
    Bytes named =
        new ByteWriter()
            .varBytes(SimulatedWallet.element(1))
            .bytes(Bytes.of(new byte[] {0x75, 0x51}))
            .toBytes();
    List<Bytes> outputs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      outputs.add(named);
    }
    Tx parent = Payments.tx(List.of(payments.foreignCoin()), outputs);
    SimulatedNode second = another();
    node.mempool.put(parent.txid(), parent);
    second.mempool.put(parent.txid(), parent);
    NodeAddress first = world.add(node);
    NodeAddress later = world.add(second);
    world.unreachable.add(later);
    follow(
        () -> {
          world.later(1_000, () -> world.unreachable.remove(later));
          world.later(
              600_000,
              () -> {
                for (int i = 0; i < 6; i++) {
                  world.relay(
                      second, Payments.tx(List.of(parent.outPoint(i)), List.of(Payments.FOREIGN)));
                }
              });
        },
        Duration.ofMinutes(15),
        first,
        later);
    assertThat(world.events)
        .anyMatch(e -> e instanceof SyncEvent.PeerReady ready && ready.address().equals(later))
        .noneMatch(
            e ->
                e instanceof SyncEvent.PeerLost lost
                    && lost.reason() == DisconnectReason.NOT_MATCHING);
  }

  @Test
  void findsTransactionsThatTheFirstPeerOmits() {
    mineUsed();
    SimulatedNode second = another();
    Tx payment = payments.pay(1);
    second.mempool.put(payment.txid(), payment);
    world.run(settings(false, world.add(node), world.add(second)));
    assertThat(wallet.relevant).containsKey(payment.txid());
  }

  @Test
  void isNotMissingWhenAPeerHasIt() {
    mineUsed();
    Tx payment = pending();
    SimulatedNode second = another();
    second.mempool.put(payment.txid(), payment);
    follow(
        () -> world.later(5_000, () -> node.mempool.remove(payment.txid())),
        Duration.ofMinutes(30),
        world.add(node),
        world.add(second));
    assertThat(wallet.relevant).containsKey(payment.txid());
    assertThat(wallet.missing).isEmpty();
  }

  /**
   * The second peer is slow, and announces nothing before its time: the sync does not end before.
   */
  @Test
  void isMissingThoughASecondPeerTakesItsTime() {
    mineUsed();
    Tx payment = pending();
    NodeAddress first = world.add(node);
    world.run(settings(false, first));
    assertThat(wallet.relevant).containsKey(payment.txid());
    node.mempool.remove(payment.txid());
    SimulatedNode slow = another();
    slow.answersPings = false;
    NodeAddress second = world.add(slow);
    world.delays.put(second, 500);
    world.run(settings(false, first, second));
    assertThat(wallet.missing).containsExactly(payment.txid());
  }

  /** Nobody has it yet. The question would tell the peer whose payment it is. */
  @Test
  void isNotAskedForIfItWasOnlySigned() {
    mineUsed();
    Tx payment = pending();
    NodeAddress address = world.add(node);
    world.run(settings(false, address));
    assertThat(wallet.relevant).containsKey(payment.txid());
    node.mempool.remove(payment.txid());
    wallet.heard.remove(payment.txid());
    wallet.signed.add(payment.txid());
    world.mentioned.clear();
    world.run(settings(false, address));
    assertThat(world.mentioned).isEmpty();
    assertThat(wallet.missing).isEmpty();
  }

  @Test
  void isMissingWhenNoPeerHasItAnyMore() {
    mineUsed();
    Tx payment = pending();
    SimulatedNode second = another();
    second.mempool.put(payment.txid(), payment);
    follow(
        () -> {
          world.later(5_000, () -> node.mempool.remove(payment.txid()));
          world.later(100_000, () -> second.mempool.remove(payment.txid()));
        },
        Duration.ofMinutes(15),
        world.add(node),
        world.add(second));
    assertThat(wallet.missing).containsExactly(payment.txid());
  }

  /**
   * Its reorganisation is older than the link, so it knows by now which transactions it put back.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestsByTxidTheTransactionsOfALostBranchThoughThePeerDelays(boolean putBack) {
    Tx payment = payments.pay(1);
    node.mine(List.of());
    node.mine(List.of(payment));
    node.spreads = true;
    NodeAddress address = world.add(node);
    world.run(settings(false, address));
    assertThat(wallet.confirmed).containsKey(payment.txid());
    loseTheBranchAbove(1);
    if (putBack) {
      node.mempool.put(payment.txid(), payment);
    }
    wallet.firstSeen = world.now().getEpochSecond();
    world.run(settings(false, address));
    assertThat(wallet.confirmed).isEmpty();
    assertThat(wallet.missing.contains(payment.txid())).isEqualTo(!putBack);
  }

  /** A sync that saw the reorganisation may have had no peer to ask. */
  @ParameterizedTest
  @CsvSource({"9, false", "11, true"})
  void requestsOldTransactionsByTxidThoughThePeerDelays(int minutes, boolean missing) {
    mineUsed();
    Tx payment = pending();
    world.run(settings(false, world.add(node)));
    assertThat(wallet.relevant).containsKey(payment.txid());
    SimulatedNode other = another();
    other.spreads = true;
    wallet.firstSeen = world.now().minus(Duration.ofMinutes(minutes)).getEpochSecond();
    world.run(settings(false, world.add(other)));
    assertThat(wallet.missing.contains(payment.txid())).isEqualTo(missing);
  }

  /** One of the two has it: then it is there. */
  @Test
  void isNotMissingIfASecondPeerThatSpreadsItsNewsHandsItOver() {
    mineUsed();
    Tx payment = pending();
    world.run(settings(false, world.add(node)));
    SimulatedNode without = another();
    without.spreads = true;
    SimulatedNode with = another();
    with.spreads = true;
    with.mempool.put(payment.txid(), payment);
    NodeAddress second = world.add(with);
    world.delays.put(second, 300);
    world.run(settings(false, world.add(without), second));
    assertThat(wallet.missing).isEmpty();
  }

  private void loseTheBranchAbove(int height) {
    Hash256 tip = node.chain.hashAt(height);
    int lost = node.chain.height() - height;
    for (int i = 0; i <= lost; i++) {
      tip = node.mineOn(tip, height + i, List.of()).hash();
    }
  }

  @Test
  void noticesDisconnectedTransactionsAtOnce() {
    mineUsed();
    node.mine(List.of());
    Tx payment = pending();
    long[] noticed = {-1};
    follow(
        () ->
            world.later(
                10_000,
                () -> {
                  node.mempool.remove(payment.txid());
                  Hash256 fork = node.chain.hashAt(1);
                  SimulatedNode.Block left = node.mineOn(fork, 1, List.of());
                  SimulatedNode.Block right = node.mineOn(left.hash(), 2, List.of());
                  world.announce(
                      node,
                      new Message.HeadersMessage(
                          Headers.ofStored(
                              new ByteWriter()
                                  .bytes(left.header())
                                  .bytes(right.header())
                                  .toBytes())));
                  world.later(
                      2_000, () -> noticed[0] = wallet.missing.contains(payment.txid()) ? 1 : 0);
                }),
        Duration.ofSeconds(20),
        world.add(node));
    assertThat(noticed[0]).isEqualTo(1);
  }

  /** No peer announced the block: it came while this machine slept. Checks are rare by then. */
  @Test
  void checksPendingTransactionsAtEveryNewTip() {
    mineUsed();
    Tx payment = pending();
    List<Boolean> gone = new ArrayList<>();
    follow(
        () -> {
          world.later(
              1_200_000,
              () -> {
                node.mempool.remove(payment.txid());
                node.mine(List.of());
                gone.add(wallet.missing.contains(payment.txid()));
                world.jump(Duration.ofSeconds(15));
              });
          world.later(1_205_000, () -> gone.add(wallet.missing.contains(payment.txid())));
        },
        Duration.ofMinutes(21),
        world.add(node));
    assertThat(gone).containsExactly(false, true);
  }

  @Test
  void noticesWithoutAnySignThatAPaymentIsGoneAndThatItIsThereAgain() {
    mineUsed();
    Tx payment = pending();
    List<Boolean> gone = new ArrayList<>();
    follow(
        () -> {
          world.later(5_000, () -> node.mempool.remove(payment.txid()));
          world.later(200_000, () -> gone.add(wallet.missing.contains(payment.txid())));
          // No transaction is announced twice on a link.
          world.later(200_001, () -> node.mempool.put(payment.txid(), payment));
          world.later(1_500_000, () -> gone.add(wallet.missing.contains(payment.txid())));
        },
        Duration.ofMinutes(26),
        world.add(node));
    assertThat(gone).containsExactly(true, false);
  }

  /** A restarting node loads its memory pool while it answers already. */
  @Test
  void losesNothingWhileANodeStartsAgain() {
    mineUsed();
    Tx payment = pending();
    List<Hash256> everMissing = new ArrayList<>();
    follow(
        () -> {
          world.later(
              5_000,
              () -> {
                node.mempool.clear();
                world.hangUp(node);
              });
          world.later(30_000, () -> node.mempool.put(payment.txid(), payment));
          for (int i = 1; i < 300; i++) {
            world.later(1_000L * i, () -> everMissing.addAll(wallet.missing));
          }
        },
        Duration.ofMinutes(5),
        world.add(node));
    assertThat(everMissing).isEmpty();
  }

  /** Transactions that a node loads are not announced. */
  @Test
  void findsTransactionsThatANodeLoadedAfterTheRequest() {
    mineUsed();
    Tx payment = payments.pay(1);
    follow(
        () -> world.later(30_000, () -> node.mempool.put(payment.txid(), payment)),
        Duration.ofMinutes(2),
        world.add(node));
    assertThat(wallet.relevant).containsKey(payment.txid());
  }

  /** Asked again, it announces the transaction that replaced the payment. */
  @Test
  void asksForTheWholePoolWhenSomethingIsMissing() {
    mineUsed();
    Tx payment = pending();
    follow(
        () -> world.later(20_000, () -> node.mempool.remove(payment.txid())),
        Duration.ofMinutes(3),
        world.add(node));
    assertThat(world.sent.stream().filter(Message.Mempool.class::isInstance).count())
        .isGreaterThanOrEqualTo(2);
  }

  /** It denied it at once, and announced it later: so it spreads its announcements. */
  @Test
  void isNoLongerBelievedAtOnceAfterAnnouncingADeniedTransaction() {
    mineUsed();
    Tx payment = pending();
    NodeAddress address = world.add(node);
    world.run(settings(false, address));
    assertThat(answersAtOnce(address)).isTrue();
    node.spreads = true;
    node.mempool.clear();
    follow(
        () ->
            world.later(
                40_000,
                () -> {
                  node.mempool.put(payment.txid(), payment);
                  world.announce(
                      node,
                      new Message.Inv(
                          List.of(new InventoryItem(InventoryItem.TX, payment.txid()))));
                }),
        Duration.ofMinutes(2),
        address);
    assertThat(wallet.missing).isEmpty();
    assertThat(answersAtOnce(address)).isFalse();
  }

  /** Whoever was away does not know what came to the pool meanwhile, until it asked again. */
  @Test
  void areKnownOfAPeerAsLongAsItIsConnected() {
    mineUsed();
    NodeAddress address = world.add(node);
    world.run(settings(false, address));
    Tx meanwhile = payments.pay(1);
    follow(
        () ->
            world.later(
                10_000,
                () -> {
                  node.mempool.put(meanwhile.txid(), meanwhile);
                  world.hangUp(node);
                }),
        Duration.ofMinutes(3),
        address);
    List<SyncFact.Standing> said =
        world.events.stream()
            .filter(SyncFact.Standing.class::isInstance)
            .map(SyncFact.Standing.class::cast)
            .collect(Collectors.toList());
    SyncFact.Standing asked = new SyncFact.Standing(true, Set.of(address), Set.of());
    SyncFact.Standing told = new SyncFact.Standing(true, Set.of(address), Set.of(address));
    assertThat(said.lastIndexOf(asked))
        .isGreaterThan(said.lastIndexOf(SyncFact.Standing.NOTHING))
        .isGreaterThan(said.indexOf(told));
    assertThat(said.lastIndexOf(told)).isEqualTo(said.size() - 1);
    assertThat(wallet.relevant).containsKey(meanwhile.txid());
  }

  // ---- what peers learn from requests, and from messages ----

  /**
   * The request tells a peer whose payment this is, so the world fails if it is sent before its
   * record is on disk. Until then the peer owes no answer, however long the disk takes.
   */
  @Test
  void requestsByTxidOnceOnDiskAndBlamesNoPeerForTheDisk() {
    mineUsed();
    Tx payment = payments.pay(1);
    NodeAddress address = world.add(node);
    follow(
        () -> {
          world.later(20_000, () -> world.commitMillis = 150_000);
          world.later(20_000, () -> world.relay(node, payment));
          world.later(25_000, () -> node.mempool.remove(payment.txid()));
        },
        Duration.ofMinutes(30),
        address);
    assertThat(wallet.missing).containsExactly(payment.txid());
    assertThat(world.mentioned.get(address)).contains(payment.txid());
    assertThat(world.events)
        .noneMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost && lost.reason() != DisconnectReason.DONE);
  }

  @Test
  void noPeerLearnsOfAPaymentIfTheProcessDiesBeforeItsRecord() {
    Tx ours = payments.pay(1);
    NodeAddress address = world.add(node);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Verack.class,
            () -> {
              world.later(200, () -> world.dieAtCommit = world.commitsSoFar() + 1);
              world.later(200, () -> world.give(new Input.BroadcastTx(ours)));
            });
    assertThat(
            world.run(
                settings(true, address)
                    .headersOnly(true)
                    .limits(limits -> limits.mempoolWait(Duration.ZERO))))
        .isFalse();
    assertThat(announced()).isFalse();
    assertThat(world.mentioned).isEmpty();
  }

  @Test
  void onePeerHasOneNameInTheRecord() {
    Tx ours = payments.pay(1);
    NodeAddress address = world.add(node, new NodeAddress("LocalHost.", 18444));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Verack.class,
            () -> {
              world.later(200, () -> world.give(new Input.BroadcastTx(ours)));
              world.later(2_000, () -> world.give(new Input.Stop()));
            });
    world.run(
        settings(true, address)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO)));
    assertThat(announced()).isTrue();
    assertThat(world.mentioned).containsOnlyKeys(new NodeAddress("127.0.0.1", 18444));
  }

  // ---- the peers' reactions to a broadcast ----

  private List<SyncEvent> broadcast(OptionalLong fee, long feeFilter, long feeFilterAfterMillis) {
    Tx ours = payments.pay(1);
    NodeAddress address = world.add(node);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Verack.class,
            () -> {
              world.later(
                  feeFilterAfterMillis,
                  () -> world.announce(node, new Message.FeeFilter(feeFilter)));
              world.later(200, () -> world.give(new Input.BroadcastTx(ours, fee)));
              world.later(2_000, () -> world.give(new Input.Stop()));
            });
    world.run(
        settings(true, address)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO)));
    return world.events.stream()
        .filter(
            event ->
                event instanceof SyncEvent.PeerReaction reaction
                    && reaction.kind() == SyncEvent.PeerReaction.Kind.REFUSED)
        .toList();
  }

  private boolean announced() {
    return world.sent.stream().anyMatch(Message.Inv.class::isInstance);
  }

  @Test
  void doesNotAnnounceBelowAPeersFeeFilterAndReportsIt() {
    assertThat(broadcast(OptionalLong.of(50), 5_000, 0))
        .singleElement()
        .satisfies(
            event ->
                assertThat(((SyncEvent.PeerReaction) event).reason())
                    .contains("5.00 sat/vB", "this pays 0."));
    assertThat(announced()).isFalse();
  }

  @Test
  void saysSoAlsoWhenThePeerNamesItsFeeLater() {
    assertThat(broadcast(OptionalLong.of(50), 5_000, 400)).hasSize(1);
    assertThat(announced()).isTrue();
  }

  @Test
  void announcesTransactionsThatPayEnoughOrAnUnknownFee() {
    assertThat(broadcast(OptionalLong.of(100_000), 5_000, 0)).isEmpty();
    assertThat(announced()).isTrue();
  }

  @Test
  void announcesWhoseFeeIsNotKnown() {
    assertThat(broadcast(OptionalLong.empty(), 5_000, 0)).isEmpty();
    assertThat(announced()).isTrue();
  }

  /** A node uses plain MSG_TX to request from a peer without NODE_WITNESS, as we are. */
  @ParameterizedTest
  @ValueSource(ints = {InventoryItem.TX, InventoryItem.WITNESS_TX})
  void handsOverAWholeTransactionHoweverItIsAskedFor(int type) {
    Tx signed = withWitness(payments.pay(1), 100);
    assertThat(signed.hasWitness()).isTrue();
    NodeAddress address = world.add(node);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Verack.class,
            () -> {
              world.later(
                  200, () -> world.give(new Input.BroadcastTx(signed, OptionalLong.empty())));
              world.later(
                  400,
                  () ->
                      world.announce(
                          node,
                          new Message.GetData(List.of(new InventoryItem(type, signed.txid())))));
              world.later(2_000, () -> world.give(new Input.Stop()));
            });
    world.run(
        settings(true, address)
            .headersOnly(true)
            .limits(limits -> limits.mempoolWait(Duration.ZERO)));
    assertThat(world.sent)
        .filteredOn(Message.TxMessage.class::isInstance)
        .extracting(message -> ((Message.TxMessage) message).tx().raw())
        .containsOnly(signed.raw());
  }

  @Test
  void passesOnAPeersRejectionInPrintableForm() {
    mineUsed();
    follow(
        () ->
            world.later(
                1_000,
                () ->
                    world.announce(
                        node,
                        new Message.Reject(
                            "filterload", 0x10, "no\u001b[31m " + "x".repeat(500), Bytes.EMPTY))),
        Duration.ofSeconds(5),
        world.add(node));
    assertThat(world.events)
        .filteredOn(
            event ->
                event instanceof SyncEvent.Note note && note.topic() == SyncEvent.Note.Topic.REJECT)
        .singleElement()
        .satisfies(
            event ->
                assertThat(((SyncEvent.Note) event).text())
                    .startsWith("rejects our filterload: no?[31m xxx")
                    .hasSizeLessThan(300));
  }

  private Tx payingFrom(int inputs) {
    List<OutPoint> coins = new ArrayList<>();
    for (int i = 0; i < inputs; i++) {
      coins.add(payments.foreignCoin());
    }
    return Payments.tx(coins, List.of(SimulatedWallet.script(1)));
  }

  /** Nodes relay no transaction this heavy, so it may be invented; in a block it is a payment. */
  @Test
  void doesNotCountATransactionThatNoPeerRelays() {
    mineUsed();
    // Of 41 bytes an input and 44 beside them, four weight units each.
    Tx heavy = payingFrom(2_438);
    Tx light = payingFrom(2_437);
    assertThat(List.of(heavy.raw().length() * 4, light.raw().length() * 4))
        .satisfiesExactly(
            weight -> assertThat(weight).isGreaterThan(400_000),
            weight -> assertThat(weight).isLessThanOrEqualTo(400_000));
    node.mempool.put(heavy.txid(), heavy);
    node.mempool.put(light.txid(), light);
    world.run(settings(false, world.add(node)));
    assertThat(wallet.relevant).containsKey(light.txid()).doesNotContainKey(heavy.txid());
    node.mine(List.of(heavy));
    world.run(settings(false, world.add(node)));
    assertThat(wallet.relevant).containsKey(heavy.txid());
  }
}
