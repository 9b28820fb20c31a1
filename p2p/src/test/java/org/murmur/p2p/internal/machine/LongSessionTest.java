package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Faults that show only in long sessions: silence, dropped links, and messages meanwhile. */
class LongSessionTest {

  private static final Bytes FOREIGN = Bytes.of(new byte[] {0x51, 0x52, 0x53});

  // The time of the simulated node's block 0, and between two.
  private static final long GENESIS_TIME = 1_600_000_000L;
  private static final long SPACING = 600;

  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private int serial;

  private Tx tx(List<OutPoint> inputs, Bytes script) {
    ByteWriter out = new ByteWriter().int32(2).compactSize(inputs.size());
    for (OutPoint input : inputs) {
      out.hash(input.txid()).int32(input.index()).varBytes(Bytes.EMPTY).int32(-1);
    }
    return Tx.parse(out.compactSize(1).int64(1000).varBytes(script).int32(0).toBytes());
  }

  private Tx pay(int script) {
    byte[] txid = new byte[32];
    txid[0] = (byte) ++serial;
    txid[31] = 9;
    return tx(List.of(new OutPoint(Hash256.ofInternal(txid), 0)), SimulatedWallet.script(script));
  }

  private static SyncSettings settings(boolean follow, int connections, NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 1);
    return usual.peers(who -> who.connections(connections)).follow(follow);
  }

  /** Runs this once, when the wallet first asks for unconfirmed transactions. */
  private void atFirstMempool(Runnable script) {
    world.onSend = SimulatedWorld.atFirst(Message.Mempool.class, script);
  }

  @Test
  void turnsToAnotherPeerWhenTheOnlyConnectionIsSilent() {
    SimulatedNode silent = new SimulatedNode();
    silent.mute = true;
    Tx payment = pay(0);
    node.mine(List.of(payment));
    world.run(settings(false, 1, world.add(silent), world.add(node)));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 1));
  }

  @Test
  void noticesSilenceAfterTheWaitForUnconfirmedTransactionsIsOver() {
    node.mine(List.of());
    atFirstMempool(
        () -> {
          SimulatedNode.Block next = node.mine(List.of());
          world.announce(
              node, new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, next.hash()))));
          node.mute = true;
        });
    world.run(settings(false, 1, world.add(node)));
    assertThat(world.events).anyMatch(SyncFact.NoUsablePeer.class::isInstance);
  }

  @Test
  void looksForUnconfirmedPaymentsAgainAfterTheLinkWasCut() {
    node.mine(List.of());
    Tx meanwhile = pay(0);
    Tx afterwards = pay(1);
    atFirstMempool(
        () -> {
          world.later(1_000, () -> world.hangUp(node));
          world.later(1_001, () -> node.mempool.put(meanwhile.txid(), meanwhile));
          world.later(100_000, () -> world.relay(node, afterwards));
          world.later(110_000, () -> world.post(new Input.Stop()));
        });
    world.run(settings(true, 1, world.add(node)));
    assertThat(wallet.relevant).containsOnlyKeys(meanwhile.txid(), afterwards.txid());
  }

  /**
   * A week: a thousand blocks in two days, none in the other five, and a peer that disconnects
   * every quarter of an hour. The number of events grows with what happens, not with the time, and
   * they are of few kinds; of each of them the log has at most 20 lines an hour (FoldedLog).
   */
  @Test
  void theEventsOfAWeekAreInProportionToWhatHappens() {
    final int blocks = 1_000;
    final int flaps = 7 * 24 * 4;
    node.mine(List.of());
    wallet.network = ChainParams.SIGNET;
    world.limit = Duration.ofDays(8);
    List<SimulatedNode> nodes = List.of(node, node.twin(), node.twin());
    NodeAddress[] peers = nodes.stream().map(world::add).toArray(NodeAddress[]::new);
    atFirstMempool(
        () -> {
          for (int i = 1; i <= blocks; i++) {
            world.later(170_000L * i, () -> mineAndAnnounce(nodes));
          }
          for (int i = 1; i <= flaps; i++) {
            SimulatedNode flapping = nodes.get(i % nodes.size());
            world.later(900_000L * i - 120_007, () -> world.hangUp(flapping));
          }
          world.later(Duration.ofDays(7).toMillis(), () -> world.post(new Input.Stop()));
        });
    world.run(settings(true, 3, peers));
    assertThat(world.events).contains(new SyncFact.Complete(blocks + 1, node.chain.tip()));
    Map<String, Integer> told = new TreeMap<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.Note note) {
        told.merge("note of " + note.topic(), 1, Integer::sum);
      } else if (event instanceof SyncEvent.Warning) {
        told.merge("Warning", 1, Integer::sum);
      } else if (!(event instanceof SyncEvent.Progress)
          && !(event instanceof SyncFact.HeadersServed)) {
        told.merge(event.getClass().getSimpleName(), 1, Integer::sum);
      }
    }
    assertThat(told.get("Complete")).isEqualTo(blocks + 1);
    assertThat(told.get("Warning")).as("of the stale tip, once").isEqualTo(1);
    assertThat(told.get("PeerLost")).isEqualTo(flaps);
    assertThat(told.get("PeerReady")).isEqualTo(flaps + 3);
    // A filter for each link, and three requests for the mempool and one each hour.
    assertThat(told.get("note of FILTER")).isLessThanOrEqualTo(2 * (flaps + 3));
    assertThat(told.get("note of UNCONFIRMED")).isLessThanOrEqualTo(4 * (flaps + 3) + 3 * 7 * 24);
    assertThat(told.keySet()).hasSizeLessThanOrEqualTo(8);
  }

  private void mineAndAnnounce(List<SimulatedNode> nodes) {
    node.mine(List.of());
    int height = node.chain.height();
    Message news = new Message.HeadersMessage(node.chain.headers(height, height + 1));
    nodes.forEach(each -> world.announce(each, news));
  }

  /** The server-side filter must match the spend of a replacement that does not pay us. */
  @Test
  void showsThePeerNewElementsWhileItFollows() {
    node.mine(List.of());
    List<Bytes> shown = new ArrayList<>();
    OutPoint[] expected = new OutPoint[1];
    atFirstMempool(
        () -> {
          Tx payment = pay(0);
          expected[0] = payment.inputs().get(0).outPoint();
          // The least a wallet does about an incoming payment: its inputs are watched.
          world.later(
              1_000,
              () -> {
                Element input = new Element.PendingInput(expected[0], 2, Element.OPEN);
                int from = wallet.log.size();
                wallet.log.add(input);
                world.post(new Input.WatchSetChanged(from, List.of(input), List.of(), List.of()));
              });
          world.later(20_000, () -> world.post(new Input.Stop()));
        });
    world.run(settings(true, 1, world.add(node)));
    for (Message message : world.sent) {
      if (message instanceof Message.FilterAdd add) {
        shown.add(add.element());
      }
    }
    assertThat(shown).contains(expected[0].toBytes());
  }

  @Test
  void noticesAReplacementThatWasFasterThanTheFilter() {
    node.mine(List.of());
    Tx payment = pay(0);
    atFirstMempool(
        () -> {
          world.later(1_000, () -> world.relay(node, payment));
          // Fetched, and gone before the wallet has written it.
          world.later(1_050, () -> node.mempool.remove(payment.txid()));
          world.later(30_000, () -> world.post(new Input.Stop()));
        });
    world.run(settings(true, 1, world.add(node)));
    assertThat(wallet.missing).containsExactly(payment.txid());
  }

  /**
   * A payment that belongs to the wallet only because another pending payment extended the
   * look-ahead.
   */
  @Test
  void asksAgainForUnconfirmedPaymentsWhenScriptsAreNew() {
    node.mine(List.of());
    Tx near = pay(9);
    Tx far = pay(15);
    atFirstMempool(
        () -> {
          world.later(1_000, () -> world.relay(node, far));
          world.later(2_000, () -> world.relay(node, near));
          world.later(30_000, () -> world.post(new Input.Stop()));
        });
    world.run(settings(true, 1, world.add(node)));
    assertThat(wallet.relevant).containsOnlyKeys(near.txid(), far.txid());
  }

  private void mineWithPaymentAt(int height, Tx payment, int blocks) {
    for (int i = 1; i <= blocks; i++) {
      node.mine(i == height ? List.of(payment) : List.of());
    }
  }

  @Test
  void neverSkipsBlocksForARescanFromADateThatIsAhead() {
    NodeAddress peer = world.add(node);
    mineWithPaymentAt(3, pay(0), 10);
    world.run(settings(false, 1, peer));
    assertThat(wallet.birthdayHeight).hasValue(1);
    Tx later = pay(1);
    mineWithPaymentAt(5, later, 100);
    rescan(peer, new Birthday.AtTime(Instant.ofEpochSecond(GENESIS_TIME + 90 * SPACING)));
    assertThat(wallet.birthdayHeight).hasValue(1);
    assertThat(wallet.confirmed).containsKey(later.txid());
  }

  @Test
  void neverSkipsBlocksForARescanBeforeTheFirstSync() {
    NodeAddress peer = world.add(node);
    Tx payment = pay(1);
    mineWithPaymentAt(50, payment, 100);
    wallet.birthday = new Birthday.AtTime(Instant.ofEpochSecond(GENESIS_TIME + 40 * SPACING));
    rescan(peer, new Birthday.AtTime(Instant.ofEpochSecond(GENESIS_TIME + 90 * SPACING)));
    assertThat(wallet.confirmed).containsKey(payment.txid());
    assertThat(wallet.birthdayHeight.orElseThrow()).isLessThanOrEqualTo(40);
  }

  @Test
  void rescansBeforeTheFirstSyncFromAnEarlierHeight() {
    NodeAddress peer = world.add(node);
    Tx payment = pay(1);
    mineWithPaymentAt(50, payment, 100);
    wallet.birthday = new Birthday.AtTime(Instant.ofEpochSecond(GENESIS_TIME + 90 * SPACING));
    rescan(peer, new Birthday.AtHeight(30));
    assertThat(wallet.confirmed).containsKey(payment.txid());
    assertThat(wallet.birthdayHeight).hasValue(30);
  }

  private void rescan(NodeAddress peer, Birthday from) {
    boolean[] asked = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.Version && !asked[0]) {
            asked[0] = true;
            world.post(new Input.RescanFrom(from));
          }
        };
    world.run(settings(false, 1, peer));
    assertThat(world.events).contains(new SyncFact.Complete(node.chain.height(), node.chain.tip()));
    assertThat(Set.copyOf(wallet.missing)).isEmpty();
  }

  @Test
  void isNotDelayedByUnsolicitedMessages() {
    node.mine(List.of(pay(0)));
    NodeAddress peer = world.add(node);
    Tx noise = tx(List.of(pay(0).outPoint(0)), FOREIGN);
    boolean[] done = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.GetData && !done[0]) {
            done[0] = true;
            node.mute = true;
            chatter(noise, 500);
          }
        };
    world.run(settings(false, 1, peer));
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.reason() == DisconnectReason.STALLED);
  }

  private void chatter(Tx noise, int times) {
    world.announce(node, new Message.TxMessage(noise));
    world.announce(node, new Message.NotFound(List.of()));
    if (times > 0) {
      world.later(Duration.ofSeconds(20).toMillis(), () -> chatter(noise, times - 1));
    }
  }
}
