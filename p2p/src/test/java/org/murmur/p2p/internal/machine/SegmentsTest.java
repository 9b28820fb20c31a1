package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Headers between known blocks: in parallel, from all peers, and proof against every lie. */
public class SegmentsTest {

  private static final long FIRST_TIME = 1_600_000_000L;
  private static final int EASIEST_BITS = 0x207fffff;

  private static final Headers LONG = mined(ChainParams.REGTEST.genesisHash(), 100_000, 0, 1);
  private static final Headers SHORT = LONG.slice(0, 9_000);

  /** Linked headers with as much work as regtest requires. */
  public static Headers mined(Hash256 behind, int count, int height, int salt) {
    ByteWriter run = new ByteWriter(count * Headers.HEADER_LENGTH);
    Hash256 previous = behind;
    byte[] root = new byte[Hash256.LENGTH];
    LittleEndian.putInt32(root, 0, salt);
    for (int i = 1; i <= count; i++) {
      Bytes header;
      Hash256 hash;
      int nonce = 0;
      do {
        header =
            new ByteWriter(Headers.HEADER_LENGTH)
                .int32(0x20000000)
                .hash(previous)
                .hash(Hash256.ofInternal(root))
                .int32((int) (FIRST_TIME + height + i))
                .int32(EASIEST_BITS)
                .int32(nonce++)
                .toBytes();
        hash = DoubleSha256.of(header);
      } while (hash.toInternal()[31] < 0);
      previous = hash;
      run.bytes(header);
    }
    return Headers.ofStored(run.toBytes());
  }

  public static SimulatedNode node(Headers chain) {
    SimulatedNode node = new SimulatedNode();
    assertThat(node.chain.connect(chain, FIRST_TIME + 1_000_000).toString()).contains("Extended");
    return node;
  }

  /** At this interval, and the last one a few blocks below the tip. */
  static Checkpoints every(Headers chain, int step) {
    List<Checkpoint> known = new ArrayList<>();
    for (int height = step; height < chain.count() - 3; height += step) {
      known.add(new Checkpoint(height, chain.hash(height - 1)));
    }
    return Checkpoints.of(known, ChainWork.ZERO);
  }

  private static SyncSettings headersFrom(List<NodeAddress> peers, Checkpoints known) {
    SyncSettings usual = SyncSettings.of(peers, 1);
    return usual
        .headersOnly(true)
        .limits(limits -> limits.mempoolWait(Duration.ZERO))
        .checkpoints(known);
  }

  private static List<SyncEvent.PeerLost> lost(SimulatedWorld world, DisconnectReason reason) {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(event -> event.reason() == reason)
        .toList();
  }

  private static void assertHolds(SimulatedWorld world, Headers chain) {
    assertThat(world.wallet.headers).hasSize(chain.count());
    assertThat(world.wallet.headers.get(chain.count() - 1))
        .isEqualTo(chain.header(chain.count() - 1));
    ByteWriter stored = new ByteWriter(chain.count() * Headers.HEADER_LENGTH);
    world.wallet.headers.forEach(stored::bytes);
    assertThat(Headers.ofStored(stored.toBytes())).isEqualTo(chain);
    assertThat(world.events.stream().anyMatch(SyncFact.Complete.class::isInstance)).isTrue();
  }

  /** Fifty round trips one after the other; in parallel, a handful. */
  @Test
  void aLongRoundTripCostsLittle() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    NodeAddress one = world.add(node(LONG));
    NodeAddress other = world.add(node(LONG));
    world.delays.put(one, 50);
    world.delays.put(other, 50);
    world.run(headersFrom(List.of(one, other), every(LONG, 2016)));
    assertHolds(world, LONG);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(2));

    SimulatedWorld without = new SimulatedWorld(1, new SimulatedWallet(1));
    without.delays.put(without.add(node(LONG)), 50);
    without.run(headersFrom(List.copyOf(without.nodes.keySet()), Checkpoints.NONE));
    assertHolds(without, LONG);
    assertThat(without.elapsed()).isGreaterThan(Duration.ofSeconds(5));
  }

  @Test
  void bothPeersServeTheirShare() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    int[] served = new int[2];
    for (int i = 0; i < 2; i++) {
      int mine = i;
      SimulatedNode node = node(LONG);
      node.headersServed =
          (ask, honest) -> {
            served[mine] += honest.count();
            return honest;
          };
      world.delays.put(world.add(node), 50);
    }
    world.run(headersFrom(List.copyOf(world.nodes.keySet()), every(LONG, 2016)));
    assertHolds(world, LONG);
    assertThat(served[0]).isBetween(30_000, 70_000);
    assertThat(served[0] + served[1]).as("none but the last twice").isLessThan(102_000);
  }

  @Test
  void aTamperedSegmentIsRefusedAndRequestedFromAnotherPeer() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    SimulatedNode liar = node(SHORT);
    liar.headersServed = (ask, honest) -> tampered(honest, honest.count() / 2);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(node(SHORT));
    world.run(headersFrom(List.of(bad, good), every(SHORT, 1000)));
    assertHolds(world, SHORT);
    assertThat(lost(world, DisconnectReason.BAD_HEADERS))
        .extracting(SyncEvent.PeerLost::address)
        .containsExactly(bad);
  }

  /** Valid headers with real work, on a branch that misses the known blocks. */
  @Test
  void headersOfAnotherBranchAreRefusedAndTheInnocentPeerStays() {
    Headers branch = mined(SHORT.hash(4_499), 3_000, 4_500, 2);
    ByteWriter other = new ByteWriter();
    other.bytes(SHORT.slice(0, 4_500).toStored()).bytes(branch.toStored());
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    NodeAddress bad = world.add(node(Headers.ofStored(other.toBytes())));
    NodeAddress good = world.add(node(SHORT));
    world.delays.put(good, 100); // so that the other one is asked first
    world.run(headersFrom(List.of(bad, good), every(SHORT, 2000)));
    assertHolds(world, SHORT);
    assertThat(lost(world, DisconnectReason.BAD_HEADERS))
        .allMatch(event -> event.address().equals(bad))
        .hasSize(1)
        .allMatch(event -> event.detail().contains("do not lead to block"));
  }

  @Test
  void aSilentPeersSegmentsAreAskedOfAnother() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    SimulatedNode silent = node(SHORT);
    int[] answers = new int[1];
    silent.headersServed = (ask, honest) -> answers[0]++ < 2 ? honest : null;
    NodeAddress quiet = world.add(silent);
    NodeAddress good = world.add(node(SHORT));
    Duration[] joined = new Duration[1];
    world.onSend =
        message -> {
          // Headers above the last known block are requested: all below it have come.
          if (joined[0] == null
              && message instanceof Message.GetHeaders ask
              && ask.locator().size() > 1) {
            joined[0] = world.elapsed();
          }
        };
    world.run(headersFrom(List.of(quiet, good), every(SHORT, 500)));
    assertHolds(world, SHORT);
    assertThat(Objects.requireNonNull(joined[0]))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    assertThat(lost(world, DisconnectReason.BAD_HEADERS)).isEmpty();
    assertThat(lost(world, DisconnectReason.STALLED)).hasSize(1);
  }

  /** A peer that is behind is of little use, but no liar; alone it ends the sync, incomplete. */
  @Test
  void aPeerThatIsBehindHoldsNoOtherUp() {
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    NodeAddress behind = world.add(node(SHORT.slice(0, 3_100)));
    NodeAddress good = world.add(node(SHORT));
    world.run(headersFrom(List.of(behind, good), every(SHORT, 1000)));
    assertHolds(world, SHORT);
    assertThat(world.events.stream().filter(SyncEvent.PeerLost.class::isInstance))
        .allMatch(event -> ((SyncEvent.PeerLost) event).reason() == DisconnectReason.STALE_TIP);

    SimulatedWorld alone = new SimulatedWorld(1, new SimulatedWallet(1));
    alone.add(node(SHORT.slice(0, 3_100)));
    alone.run(headersFrom(List.copyOf(alone.nodes.keySet()), every(SHORT, 1000)));
    assertThat(lost(alone, DisconnectReason.LOW_WORK)).isNotEmpty();
    assertThat(alone.events.stream().anyMatch(SyncFact.Complete.class::isInstance)).isFalse();
    assertThat(alone.events)
        .filteredOn(SyncFact.NoUsablePeer.class::isInstance)
        .singleElement()
        .extracting(none -> List.copyOf(((SyncFact.NoUsablePeer) none).obstacles().values()))
        .isEqualTo(List.of(Obstacle.NOT_SYNCED));
    assertThat(alone.wallet.headers).as("what is proven is kept").hasSize(3_000);
  }

  /** Below the last known block nothing else is kept, however much of it comes. */
  @Test
  void aFloodOfCheapHeadersBelowTheKnownBlocksCostsNothing() {
    Headers flood = mined(ChainParams.REGTEST.genesisHash(), 2_000, 0, 3);
    SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(1));
    SimulatedNode liar = node(flood);
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(node(SHORT));
    world.run(headersFrom(List.of(bad, good), every(SHORT, 1000)));
    assertHolds(world, SHORT);
    assertThat(lost(world, DisconnectReason.BAD_HEADERS))
        .extracting(e -> e.address())
        .contains(bad);
  }

  /** Known blocks of another chain than the stored one: they are not used then. */
  @Test
  void knownBlocksThatTheStoredHeadersContradictAreLeftAside() {
    SimulatedWallet wallet = new SimulatedWallet(1);
    Headers other = mined(ChainParams.REGTEST.genesisHash(), 1_500, 0, 4);
    for (int i = 0; i < other.count(); i++) {
      wallet.headers.add(other.header(i));
    }
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    NodeAddress good = world.add(node(SHORT));
    world.run(headersFrom(List.of(good), every(SHORT, 1000)));
    assertHolds(world, SHORT);
    assertThat(world.events.stream().anyMatch(SyncEvent.Warning.class::isInstance)).isTrue();
  }

  @Test
  void itGoesOnWhereItStopped() {
    SimulatedWallet wallet = new SimulatedWallet(1);
    for (int i = 0; i < 4_321; i++) {
      wallet.headers.add(SHORT.header(i));
    }
    SimulatedWorld world = new SimulatedWorld(1, wallet);
    int[] served = new int[1];
    SimulatedNode node = node(SHORT);
    node.headersServed =
        (ask, honest) -> {
          served[0] += honest.count();
          return honest;
        };
    world.run(headersFrom(List.of(world.add(node)), every(SHORT, 1000)));
    assertHolds(world, SHORT);
    assertThat(served[0]).isLessThanOrEqualTo(5_000);
  }

  /**
   * Any split into segments, any number of peers at any distance, some of which lie, stall or are
   * behind: the chain is the same, and every honest peer is kept.
   */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void anySplitAndAnyOrderGivesTheSameChain(@ForAll long seed) {
    anySplitAndAnyOrder(seed, 0);
  }

  /** The same with headers that begin at a known block. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void anySplitAndAnyOrderGivesTheSameChainFromABase(@ForAll long seed) {
    anySplitAndAnyOrder(seed, ConsensusRules.PERIOD * (1 + new Random(seed).nextInt(4)) - 1);
  }

  private static void anySplitAndAnyOrder(long seed, int base) {
    Random random = new Random(seed);
    SimulatedWallet wallet = new SimulatedWallet(1);
    if (base > 0) {
      wallet.base = base(base);
    }
    SimulatedWorld world = new SimulatedWorld(seed, wallet);
    List<NodeAddress> peers = new ArrayList<>();
    List<NodeAddress> honest = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    int good = random.nextInt(count);
    for (int i = 0; i < count; i++) {
      int kind = i == good ? 0 : random.nextInt(5);
      NodeAddress address = world.add(peer(kind, random));
      // The honest one is the nearest: the sync does not wait for peers without a version message.
      world.delays.put(address, i == good ? 1 : 1 + random.nextInt(300));
      peers.add(address);
      if (kind <= 1) {
        honest.add(address);
      }
    }
    List<Checkpoint> known = new ArrayList<>();
    for (int height = 1 + random.nextInt(4_000); height <= 9_000; ) {
      if (base > 0 && height > base && known.stream().noneMatch(k -> k.height() == base)) {
        known.add(new Checkpoint(base, SHORT.hash(base - 1)));
      }
      known.add(new Checkpoint(height, SHORT.hash(height - 1)));
      height += 1 + random.nextInt(random.nextBoolean() ? 100 : 5_000);
    }
    world.run(headersFrom(peers, Checkpoints.of(known, ChainWork.ZERO)));
    assertHolds(world, SHORT.slice(base, 9_000));
    assertThat(lost(world, DisconnectReason.BAD_HEADERS))
        .as("seed " + seed)
        .noneMatch(event -> honest.contains(event.address()));
  }

  private static ChainBase base(int height) {
    Headers last = SHORT.slice(height - 1, height);
    return new ChainBase(
        height,
        last.hash(0),
        last.time(0),
        last.bits(0),
        Target.ofBits(last.bits(0)).work().times(height + 1));
  }

  /**
   * The stored headers are another chain's, and its work is less than the network's: neither its
   * peer nor its end makes that complete.
   */
  @Test
  void aChainWithLessWorkThanTheNetworksIsNotComplete() {
    Headers other = mined(ChainParams.REGTEST.genesisHash(), 1_500, 0, 4);
    ChainWork work = Target.ofBits(0x207fffff).work();
    for (int least : new int[] {1_501, 1_502}) {
      SimulatedWallet wallet = new SimulatedWallet(1);
      for (int i = 0; i < other.count(); i++) {
        wallet.headers.add(other.header(i));
      }
      SimulatedWorld world = new SimulatedWorld(1, wallet);
      NodeAddress peer = world.add(node(other));
      List<Checkpoint> known = List.of(new Checkpoint(1_000, SHORT.hash(999)));
      world.run(headersFrom(List.of(peer), Checkpoints.of(known, work.times(least))));
      boolean enough = least == 1_501; // genesis counts, too
      assertThat(world.events.stream().anyMatch(SyncFact.Complete.class::isInstance))
          .isEqualTo(enough);
      assertThat(lost(world, DisconnectReason.LOW_WORK).isEmpty()).isEqualTo(enough);
    }
  }

  /** All it has is the first block of the headers; the peer does not even have that. */
  @Test
  void aPeerWithoutTheBaseIsOfNoUse() {
    for (int height : new int[] {10, 2_014}) {
      SimulatedWallet wallet = new SimulatedWallet(1);
      wallet.base = base(2_015);
      SimulatedWorld world = new SimulatedWorld(1, wallet);
      NodeAddress behind = world.add(node(SHORT.slice(0, height)));
      Checkpoints known =
          Checkpoints.of(List.of(new Checkpoint(2_015, SHORT.hash(2_014))), wallet.base.work());
      world.run(headersFrom(List.of(behind), known));
      assertThat(lost(world, DisconnectReason.LOW_WORK)).isNotEmpty();
      assertThat(world.events.stream().anyMatch(SyncFact.Complete.class::isInstance)).isFalse();
      assertThat(wallet.headers).isEmpty();
    }
  }

  private static SimulatedNode peer(int kind, Random random) {
    SimulatedNode node = node(kind == 1 ? SHORT.slice(0, 1 + random.nextInt(8_999)) : SHORT);
    int from = random.nextInt(6);
    int[] answers = new int[1];
    if (kind == 2) {
      node.headersServed =
          (ask, headers) ->
              answers[0]++ < from || headers.isEmpty()
                  ? headers
                  : tampered(headers, random.nextInt(headers.count()));
    } else if (kind == 3) {
      node.headersServed = (ask, headers) -> answers[0]++ < from ? headers : null;
    } else if (kind == 4) {
      node.headersServed = (ask, headers) -> random.nextInt(4) == 0 ? Headers.NONE : headers;
    }
    return node;
  }

  private static Headers tampered(Headers honest, int at) {
    if (honest.isEmpty()) {
      return honest;
    }
    byte[] bytes = honest.toStored().toArray();
    bytes[at * Headers.HEADER_LENGTH + 40] ^= 1;
    return Headers.ofStored(Bytes.wrap(bytes));
  }

  /** A chain built header by header agrees, whatever the machine did. */
  @Test
  void theChainUsedHereIsValid() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    chain.connect(SHORT, FIRST_TIME + 1_000_000);
    assertThat(chain.height()).isEqualTo(9_000);
  }
}
