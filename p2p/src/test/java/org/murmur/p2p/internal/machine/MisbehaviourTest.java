package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.headers.Reach;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;

/** A misbehaving peer and an honest one: the first is dropped with its reason, the other serves. */
class MisbehaviourTest {

  private final Payments payments = new Payments();
  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedNode liar = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final NodeAddress liarsAddress = world.add(liar);
  private final NodeAddress honestAddress = world.add(honest);

  private SyncSettings settings(boolean follow) {
    SyncSettings usual = SyncSettings.of(List.of(liarsAddress, honestAddress), 1);
    return usual.follow(follow);
  }

  /** Both have the same blocks: mining is deterministic. */
  private void mine(int blocks, Tx payment) {
    for (int i = 0; i < blocks; i++) {
      List<Tx> transactions = i == blocks / 2 ? List.of(payment) : List.of();
      share(honest.mine(transactions));
    }
  }

  private void share(SimulatedNode.Block block) {
    liar.blocks.put(block.hash(), block);
    liar.chain.connect(Headers.ofStored(block.header()), Long.MAX_VALUE / 4);
  }

  private List<DisconnectReason> lost(NodeAddress address) {
    List<DisconnectReason> lost = new ArrayList<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.PeerLost peer && peer.address().equals(address)) {
        lost.add(peer.reason());
      }
    }
    return lost;
  }

  private void says(Message message, int times) {
    for (int i = 0; i < times; i++) {
      world.announce(liar, message);
    }
  }

  private static Message.Inv announcements(int count) {
    Random random = new Random(count);
    List<InventoryItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] hash = new byte[32];
      random.nextBytes(hash);
      items.add(new InventoryItem(InventoryItem.TX, Hash256.ofInternal(hash)));
    }
    return new Message.Inv(items);
  }

  /** Runs a sync in which the liar repeats a message once it is asked for blocks. */
  private void syncWhile(Message message, int times) {
    Tx payment = payments.pay(1);
    mine(40, payment);
    world.onSend = SimulatedWorld.atFirst(Message.FilterLoad.class, () -> says(message, times));
    world.run(settings(false));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 21));
    assertThat(lost(honestAddress)).isEmpty();
  }

  @Test
  void endlessAnnouncements() {
    syncWhile(announcements(50_000), 3);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.FLOODING);
  }

  @Test
  void endlessAddresses() {
    NetworkAddress somewhere =
        new NetworkAddress(
            1_700_000_000L, 9, NetworkAddress.IPV4, Bytes.of(new byte[] {10, 0, 0, 9}), 8333);
    syncWhile(new Message.Addr(Collections.nCopies(1_000, somewhere)), 6);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.FLOODING);
  }

  @Test
  void endlessPings() {
    syncWhile(new Message.Ping(7), 101);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.FLOODING);
  }

  @Test
  void endlessQuestionsForHeaders() {
    syncWhile(new Message.GetHeaders(List.of(), Hash256.ZERO), 101);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.FLOODING);
  }

  @Test
  void unsolicitedTransactionsThatNoFilterMatches() {
    Tx foreign = Payments.tx(List.of(payments.foreignCoin()), List.of(Payments.FOREIGN));
    syncWhile(new Message.TxMessage(foreign), 5);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.NOT_MATCHING);
  }

  @Test
  void unsolicitedTransactions() {
    syncWhile(new Message.TxMessage(payments.pay(2)), 20);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.UNASKED);
  }

  @Test
  void provenTransactionsThatTheFilterDoesNotMatch() {
    Tx payment = payments.pay(1);
    mine(400, payment);
    liar.injects = true;
    world.run(settings(false));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 201));
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.NOT_MATCHING);
    assertThat(lost(honestAddress)).isEmpty();
  }

  @Test
  void pingsThatAreNotAnswered() {
    Tx payment = payments.pay(1);
    mine(2_000, payment);
    liar.answersPings = false;
    world.run(settings(false));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 1_001));
    assertThat(lost(liarsAddress)).contains(DisconnectReason.PING_TIMEOUT);
    assertThat(lost(honestAddress)).isEmpty();
  }

  @Test
  void aChainThatEndsADayBelowTheOthers() {
    mine(100, payments.pay(2));
    Tx payment = payments.pay(1);
    for (int i = 0; i < Reach.FAR_BEHIND; i++) {
      honest.mine(i == 10 ? List.of(payment) : List.of());
    }
    world.run(settings(false));
    assertThat(wallet.confirmed).containsEntry(payment.txid(), 111);
    assertThat(lost(liarsAddress)).containsExactly(DisconnectReason.STALE_TIP);
    assertThat(lost(honestAddress)).isEmpty();
  }

  private void followWhile(boolean liarHasThem) {
    mine(20, payments.pay(1));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              for (int i = 0; i < 5; i++) {
                world.later(
                    20_000L * (i + 1),
                    () -> {
                      SimulatedNode.Block block = honest.mine(List.of());
                      if (liarHasThem) {
                        share(block);
                      }
                      world.announce(
                          honest, new Message.HeadersMessage(Headers.ofStored(block.header())));
                    });
              }
              Duration enough = TipWatch.PATIENCE.plusMinutes(5);
              world.later(enough.toMillis(), () -> world.give(new Input.Stop()));
            });
    world.run(settings(true));
  }

  @Test
  void aChainThatStandsStillWhileAnotherGoesOn() {
    followWhile(false);
    assertThat(lost(liarsAddress)).contains(DisconnectReason.STALE_TIP);
    assertThat(lost(honestAddress)).isEmpty();
  }

  @Test
  void aPeerWithALowHeightButAllBlocksIsNotBehind() {
    followWhile(true);
    assertThat(lost(liarsAddress)).isEmpty();
  }

  // ---- claims of a peer that we must not believe ----

  private SyncEvent.MempoolAnswered.Answer answer() {
    return world.events.stream()
        .filter(SyncEvent.MempoolAnswered.class::isInstance)
        .map(event -> ((SyncEvent.MempoolAnswered) event).answer())
        .findFirst()
        .orElseThrow();
  }

  private long transactionsAskedFor() {
    return world.sent.stream()
        .filter(Message.GetData.class::isInstance)
        .flatMap(message -> ((Message.GetData) message).items().stream())
        .filter(i -> i.type() == InventoryItem.TX || i.type() == InventoryItem.WITNESS_TX)
        .distinct()
        .count();
  }

  @Test
  void fetchesMoreAnnouncementsThanAreAskedForAtOnce() {
    mine(10, payments.pay(1));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> world.nodes.values().forEach(n -> world.announce(n, announcements(12_000))));
    world.run(settings(false));
    assertThat(answer()).isEqualTo(SyncEvent.MempoolAnswered.Answer.COMPLETE);
    assertThat(transactionsAskedFor()).isGreaterThanOrEqualTo(12_000);
  }

  @Test
  void doesNotCallAnAnswerCompleteThatWasTooLong() {
    mine(10, payments.pay(1));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () ->
                world
                    .nodes
                    .values()
                    .forEach(
                        n -> {
                          world.announce(n, announcements(50_000));
                          world.announce(n, announcements(20_000));
                        }));
    world.run(settings(false));
    assertThat(answer()).isEqualTo(SyncEvent.MempoolAnswered.Answer.PARTIAL);
  }

  @Test
  void newsBetweenQuestionAndPongIsNoAnswer() {
    mine(10, payments.pay(1));
    honest.spreads = true;
    liar.spreads = true;
    Tx news = payments.pay(2);
    honest.mempool.put(news.txid(), news);
    liar.mempool.put(news.txid(), news);
    Message inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, news.txid())));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> world.nodes.values().forEach(node -> world.announce(node, inv)));
    world.run(settings(false));
    assertThat(answer()).isEqualTo(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    assertThat(wallet.relevant).containsKey(news.txid());
  }

  @Test
  void anAnswerThatIsRepeatedIsBelieved() {
    mine(10, payments.pay(1));
    honest.tellsEmptyMempool = false;
    liar.tellsEmptyMempool = false;
    Tx pending = payments.pay(2);
    honest.mempool.put(pending.txid(), pending);
    liar.mempool.put(pending.txid(), pending);
    world.run(settings(false));
    assertThat(answer()).isEqualTo(SyncEvent.MempoolAnswered.Answer.COMPLETE);
    assertThat(wallet.peers.values()).anyMatch(CommitBatch.PeerFacts::mempoolAtOnce);
  }

  private void followAPendingPaymentThatIs(boolean gone) {
    mine(10, payments.pay(1));
    // To a used script: the look-ahead does not grow.
    Tx pending = payments.pay(1);
    for (SimulatedNode node : world.nodes.values()) {
      node.spreads = true;
      node.mempool.put(pending.txid(), pending);
    }
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              // Announced and fetched, and from then on denied; for good, or for 20 seconds.
              world.later(1_000, () -> world.relay(honest, pending));
              world.later(1_000, () -> world.relay(liar, pending));
              world.later(1_050, () -> honest.mempool.remove(pending.txid()));
              world.later(1_050, () -> liar.mempool.remove(pending.txid()));
              if (!gone) {
                world.later(25_000, () -> honest.mempool.put(pending.txid(), pending));
                world.later(25_000, () -> liar.mempool.put(pending.txid(), pending));
              }
              world.later(90_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(true));
    assertThat(wallet.relevant).containsKey(pending.txid());
    assertThat(wallet.missing).hasSize(gone ? 1 : 0);
  }

  @Test
  void aPeerThatSpreadsItsNewsIsNotBelievedWhenItDeniesOnce() {
    followAPendingPaymentThatIs(false);
  }

  @Test
  void aPeerThatSpreadsItsNewsIsBelievedWhenItDeniesAgain() {
    followAPendingPaymentThatIs(true);
  }

  @Test
  void anUnsolicitedDenialDropsNoPendingPayment() {
    mine(10, payments.pay(1));
    Tx pending = payments.pay(2);
    honest.mempool.put(pending.txid(), pending);
    liar.mempool.put(pending.txid(), pending);
    Message denial =
        new Message.NotFound(List.of(new InventoryItem(InventoryItem.TX, pending.txid())));
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              for (int i = 1; i < 20; i++) {
                world.later(500L * i, () -> says(denial, 1));
                world.later(500L * i, () -> world.announce(honest, denial));
              }
              world.later(20_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(true));
    assertThat(wallet.relevant).containsKey(pending.txid());
    assertThat(wallet.missing).isEmpty();
  }
}
