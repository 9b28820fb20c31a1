package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Sequences in which false or missing filters of blocks once cost a coin, or an end. */
class FilterAttackTest {

  private static final Preset.Fast FAST = Preset.Fast.USUAL.filterPeers(1);
  private static final Preset.Private PRIVATE = Preset.Private.USUAL.onePeer(true).filterPeers(1);
  private static final Bytes EMPTY_FILTER = Bytes.of(new byte[1]);

  private final Payments payments = new Payments();
  private final SimulatedNode bloom = new SimulatedNode();
  private final SimulatedNode filters = filterPeer();
  private SimulatedWallet wallet = new SimulatedWallet(10, 100);
  private SimulatedWorld world = new SimulatedWorld(1, wallet);

  private SimulatedNode filterPeer() {
    SimulatedNode peer = bloom.twin();
    peer.services = Services.NETWORK | Services.WITNESS | Services.COMPACT_FILTERS;
    return peer;
  }

  private static SyncSettings once(Preset preset, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 1).preset(preset);
  }

  private <E extends SyncEvent> List<E> of(Class<E> type) {
    return world.events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void mine(int to, Map<Integer, Tx> at) {
    for (int height = 1; height <= to; height++) {
      bloom.mine(at.containsKey(height) ? List.of(at.get(height)) : List.of());
    }
  }

  private void lies(SimulatedNode liar, Map<Integer, Bytes> at) {
    liar.blockFilters.claims = (height, filter) -> at.getOrDefault(height, filter);
    liar.blockFilters.serves = liar.blockFilters.claims;
  }

  /** The honest filter peer comes when the liars are gone; the session follows. */
  private void comesLate(NodeAddress honest) {
    world.unreachable.add(honest);
    world.onOutput =
        output -> {
          if (output instanceof Output.Emit emit
              && emit.event() instanceof SyncEvent.PeerLost lost
              && lost.reason() == DisconnectReason.FALSE_FILTER
              && world.unreachable.remove(honest)) {
            world.later(600_000, () -> world.post(new Input.Stop()));
          }
        };
  }

  /** What a convicted witness hid below its conviction is found by the next one. */
  @Test
  void aWitnessThatIsConvictedHidNothingBelow() {
    Tx hidden = payments.pay(3);
    mine(30, Map.of(5, hidden, 10, payments.pay(4)));
    bloom.omits = tx -> tx.equals(hidden);
    lies(filters, Map.of(5, EMPTY_FILTER, 10, EMPTY_FILTER));
    NodeAddress peer = world.add(bloom);
    NodeAddress liar = world.add(filters);
    NodeAddress honest = world.add(filterPeer());
    comesLate(honest);
    world.run(once(FAST, peer, liar, honest).follow(true));
    assertThat(wallet.confirmed).containsKey(hidden.txid());
  }

  /** The same in the compact preset, where two liars contradict each other. */
  @Test
  void twoLiarsThatAreConvictedHidNothingBelow() {
    Tx hidden = payments.pay(3);
    mine(30, Map.of(5, hidden));
    SimulatedNode other = filterPeer();
    lies(filters, Map.of(5, EMPTY_FILTER, 11, EMPTY_FILTER));
    lies(other, Map.of(5, EMPTY_FILTER, 11, bloom.blockFilters.withJunk(11, 20)));
    NodeAddress one = world.add(filters);
    NodeAddress two = world.add(other);
    NodeAddress honest = world.add(filterPeer());
    comesLate(honest);
    world.run(once(new Preset.Compact(1), one, two, honest).follow(true));
    assertThat(wallet.confirmed).containsKey(hidden.txid());
  }

  /** Scripts grow while a matched block is on its way, and the only peer is convicted. */
  @Test
  void growthWhileTheOnlyPeerIsConvicted() {
    wallet = new SimulatedWallet(3);
    world = new SimulatedWorld(1, wallet);
    Tx one = payments.pay(2);
    Tx two = payments.pay(1);
    mine(30, Map.of(10, one, 20, two));
    bloom.omits = tx -> tx.equals(one) || tx.equals(two);
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.wholeBlockTakes = java.time.Duration.ofSeconds(1);
    world.run(once(FAST, peer, witness));
    // It ends; a later session finds the second one.
    assertThat(wallet.confirmed).containsKey(one.txid());
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  /** The only peer is convicted, and the byte limit forbids the next whole block. */
  @Test
  void heldUpByBytesWhenTheOnlyPeerIsConvicted() {
    List<String> stuck = new ArrayList<>();
    for (int bytes = 1_004_000; bytes <= 1_016_000; bytes += 50) {
      long limit = bytes;
      FilterAttackTest in = new FilterAttackTest();
      Tx one = in.payments.pay(2);
      Tx two = in.payments.pay(1);
      Tx three = in.payments.pay(0);
      in.mine(30, Map.of(10, one, 20, two, 25, three));
      in.bloom.omits = tx -> tx.equals(one) || tx.equals(two) || tx.equals(three);
      NodeAddress peer = in.world.add(in.bloom);
      NodeAddress witness = in.world.add(in.filters);
      try {
        in.world.run(once(FAST, peer, witness).limits(l -> l.bytes(limit)));
      } catch (AssertionError e) {
        stuck.add(limit + " " + in.wallet.confirmed.size() + ": " + e.getMessage());
      }
    }
    assertThat(stuck).isEmpty();
  }

  /** A guard that lied in a session without a witness. */
  @Test
  void aGuardThatLiedBeforeIsConvicted() {
    Tx one = payments.pay(2);
    mine(30, Map.of(10, one));
    bloom.omits = tx -> tx.equals(one);
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(Preset.Private.USUAL.onePeer(true), peer));
    world.events.clear();
    world.run(once(PRIVATE, peer, witness));
    assertThat(wallet.disowned).contains(peer);
  }

  /** A guard is not asked for the block of which it omitted something. */
  @Test
  void aGuardIsNotAskedForWhatItOmitted() {
    Tx one = payments.pay(2);
    mine(30, Map.of(10, one));
    bloom.omits = tx -> true;
    bloom.hidesWholeBlocks = true;
    filters.hidesWholeBlocks = true;
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(PRIVATE, peer, witness));
    assertThat(world.sends)
        .noneMatch(
            send ->
                send.link().address().equals(peer)
                    && send.message() instanceof Message.GetData ask
                    && ask.items().get(0).type() == InventoryItem.BLOCK);
  }

  /** A second payment to a script in block 10, and one to another script in block 15. */
  private void omitsASecondPaymentAndAnother() {
    Tx shown = payments.pay(2);
    Tx hidden = payments.pay(2);
    Tx elsewhere = payments.pay(4);
    for (int height = 1; height <= 30; height++) {
      bloom.mine(
          height == 10 ? List.of(shown, hidden) : height == 15 ? List.of(elsewhere) : List.of());
    }
    bloom.omits = tx -> tx.equals(hidden) || tx.equals(elsewhere);
  }

  /** The guard omitted them in a session without a witness, too. */
  @Test
  void isNotCompleteWithAGuardThatOmits() {
    omitsASecondPaymentAndAnother();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(Preset.Private.USUAL.onePeer(true), peer));
    world.events.clear();
    world.run(once(PRIVATE, peer, witness));
    assertThat(wallet.confirmed).hasSize(2);
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  /** It omits them in this session. */
  @Test
  void isNotCompleteWithAGuardThatOmitsNow() {
    omitsASecondPaymentAndAnother();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(PRIVATE, peer, witness));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  /** A compact sync where the lowest filters are never served, and a matched block is here. */
  @Test
  void compactEndsIfTheLowestFiltersNeverCome() {
    mine(400, Map.of(120, payments.pay(3)));
    NodeAddress first = world.add(filterPeer());
    NodeAddress second = world.add(filters);
    world.onSend =
        message -> {
          if (message instanceof Message.GetCFilters ask) {
            filters.blockFilters.indexed = ask.start() < 101 ? 0 : Integer.MAX_VALUE;
            if (ask.start() == 1 && world.unreachable.add(first)) {
              world.later(0, () -> world.hangUp(Objects.requireNonNull(world.nodes.get(first))));
            }
          }
        };
    world.run(once(new Preset.Compact(1), first, second));
  }

  /** Compact. A liar, then a second that differs elsewhere; then an honest peer. */
  @Test
  void liarsOneAfterTheOther() {
    Tx hidden = payments.pay(3);
    mine(30, Map.of(5, hidden));
    SimulatedNode other = filterPeer();
    lies(filters, Map.of(5, EMPTY_FILTER, 11, EMPTY_FILTER));
    lies(other, Map.of(5, EMPTY_FILTER, 11, bloom.blockFilters.withJunk(11, 20)));
    NodeAddress one = world.add(filters);
    NodeAddress two = world.add(other);
    NodeAddress honest = world.add(filterPeer());
    comesLate(honest);
    world.delays.put(two, 2_000);
    world.run(once(new Preset.Compact(1), one, two, honest).follow(true));
    assertThat(wallet.confirmed).containsKey(hidden.txid());
  }

  /** With a convicted guard that comes again nothing is complete. */
  @Test
  void aGuardThatComesAgainIsNotBelieved() {
    omitsASecondPaymentAndAnother();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(PRIVATE, peer, witness));
    assertThat(lost(DisconnectReason.OMISSION)).containsExactly(peer);
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    world.events.clear();
    world.run(once(PRIVATE, peer, witness));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  /** Nor if the process is killed before the session ends, wherever that is. */
  @Test
  void aKillAbsolvesNoGuard() {
    omitsASecondPaymentAndAnother();
    int convicted = 0;
    for (int commit = 1; commit <= 20; commit++) {
      wallet = new SimulatedWallet(10, 100);
      world = new SimulatedWorld(commit, wallet);
      NodeAddress peer = world.add(bloom);
      NodeAddress witness = world.add(filters);
      world.dieAtCommit = commit;
      world.run(once(PRIVATE, peer, witness));
      world.dieAtCommit = -1;
      if (wallet.confirmed.size() > 1) {
        convicted++;
        assertThat(wallet.rows.values())
            .as("rows after commit %d", commit)
            .noneMatch(row -> wallet.peerOf(row).equals(peer));
        assertThat(wallet.peers.get(peer))
            .extracting(CommitBatch.PeerFacts::misbehaviour)
            .isEqualTo(DisconnectReason.OMISSION.name());
      }
    }
    assertThat(convicted).isGreaterThan(3);
  }

  /** In a session that goes on it gets no rows that a kill would leave. */
  @Test
  void aConvictedGuardGetsNoNewRows() {
    omitsASecondPaymentAndAnother();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    boolean[] served = {false};
    world.onOutput =
        output -> {
          if (output instanceof Output.Emit emit
              && emit.event() instanceof SyncFact.TooFewCrossChecks seen
              && seen.height() == 30) {
            world.later(1_000, this::announceABlock);
            world.later(
                60_000,
                () -> {
                  served[0] = world.servers(bloom.chain.tip()).contains(peer);
                  assertThat(wallet.rows.values())
                      .isNotEmpty()
                      .noneMatch(row -> wallet.peerOf(row).equals(peer));
                  world.post(new Input.Stop());
                });
          }
        };
    world.run(once(PRIVATE, peer, witness).follow(true));
    assertThat(served[0]).isTrue();
  }

  private void announceABlock() {
    bloom.mine(List.of());
    Message news = new Message.HeadersMessage(bloom.chain.headers(31, 32));
    world.announce(bloom, news);
    world.announce(filters, news);
  }

  /** Nor with a convicted peer under the fast preset. */
  @Test
  void aPeerThatComesAgainIsNotBelieved() {
    omitsASecondPaymentAndAnother();
    NodeAddress peer = world.add(bloom);
    NodeAddress witness = world.add(filters);
    world.run(once(FAST, peer, witness));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
    world.events.clear();
    world.run(once(FAST, peer, witness));
    assertThat(of(SyncFact.Complete.class)).isEmpty();
  }

  private List<NodeAddress> lost(DisconnectReason reason) {
    return of(SyncEvent.PeerLost.class).stream()
        .filter(lost -> lost.reason() == reason)
        .map(SyncEvent.PeerLost::address)
        .toList();
  }

  /** Lives among honest peers of all kinds: nobody is disowned, and all is found. */
  @Test
  void honestLives() {
    List<String> wrong = new ArrayList<>();
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      RandomLife life = new RandomLife(random, 2 + random.nextInt(6));
      int blocks = 1 + random.nextInt(80);
      for (int i = 0; i < blocks; i++) {
        life.block();
      }
      boolean fast = random.nextBoolean();
      SimulatedWallet any =
          fast
              ? new SimulatedWallet(life.lookAhead, random.nextInt(9))
              : SimulatedWallet.ofEpochs(life.lookAhead, 1 + random.nextInt(9));
      SimulatedWorld lossy = new SimulatedWorld(seed, any);
      int n = 2 + random.nextInt(3);
      NodeAddress[] peers = new NodeAddress[n];
      int voices = 0;
      int views = 0;
      for (int i = 0; i < n; i++) {
        SimulatedNode one = i == 0 ? life.node : life.node.twin();
        int kind =
            i == 0 ? random.nextInt(2) * 2 : i == 1 ? 1 + random.nextInt(2) : random.nextInt(3);
        one.services =
            Services.NETWORK
                | Services.WITNESS
                | (kind != 1 ? Services.BLOOM : 0)
                | (kind != 0 ? Services.COMPACT_FILTERS : 0);
        voices += kind != 0 ? 1 : 0;
        views += kind != 1 ? 1 : 0;
        peers[i] = lossy.add(one);
        lossy.delays.put(peers[i], 1 + random.nextInt(300));
      }
      int k = 1 + random.nextInt(voices);
      Preset preset =
          fast
              ? Preset.Fast.USUAL.verify(1 + random.nextInt(views)).filterPeers(k)
              : Preset.Private.USUAL.onePeer(true).filterPeers(k);
      try {
        for (int session = random.nextInt(4); session > 0; session--) {
          lossy.dieAtCommit = 1 + random.nextInt(12);
          lossy.lossPerMessage = random.nextInt(3) == 0 ? 0.02 : 0;
          lossy.run(once(preset, peers));
          for (int more = random.nextInt(3); more > 0; more--) {
            life.block();
          }
        }
        lossy.dieAtCommit = -1;
        lossy.lossPerMessage = 0;
        lossy.events.clear();
        lossy.run(once(preset, peers));
        boolean complete =
            lossy.events.contains(
                new SyncFact.Complete(life.node.chain.height(), life.node.chain.tip()));
        if (!complete || !any.confirmed.equals(life.truth) || !any.disowned.isEmpty()) {
          wrong.add(
              seed
                  + " complete="
                  + complete
                  + " truth="
                  + any.confirmed.equals(life.truth)
                  + " disowned="
                  + any.disowned
                  + " "
                  + preset);
        }
      } catch (AssertionError e) {
        wrong.add(seed + " " + preset + " " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
  }
}
