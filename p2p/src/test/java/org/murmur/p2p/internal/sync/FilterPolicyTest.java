package org.murmur.p2p.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.sync.Preset;

/** How large filters are, how long they last, and how far to request blocks under them. */
class FilterPolicyTest {

  private static final double RATE = 1e-9;
  private static final NodeAddress PEER = new NodeAddress("10.0.0.1", 1);
  private static final int CAPACITY = Preset.Fast.capacity(RATE);

  private final FilterPolicy policy = new FilterPolicy(RATE, CAPACITY, Bytes.of(new byte[] {1}));
  private final WatchedLog log = log(CAPACITY + 1);

  private static WatchedLog log(int size) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(
          new Element.Script(Bytes.of(new byte[] {(byte) i, (byte) (i >> 8), (byte) (i >> 16)})));
    }
    return new WatchedLog(elements);
  }

  private Load load(int elements, int expected) {
    BitSet members = new BitSet();
    members.set(0, elements);
    return new Load(1, PEER, elements, policy.filter(log, members, expected, PEER), 0);
  }

  /** 36,000 bytes and n = m (ln 2)² / -ln p, as BIP-0037 says, for p = 1e-6. */
  @Test
  void aFullFilterOfTheLargestSizeHasALowRate() {
    assertThat(CAPACITY).isEqualTo(10_015);
    FilterParameters full = load(CAPACITY, 0).filter().parameters();
    assertThat(full.bytes()).isLessThanOrEqualTo(36_000);
    // Fewer hash functions than are best for this many leave room for what the server adds.
    assertThat(full.expectedRate(CAPACITY)).isBetween(1e-6, 2e-6);
    assertThat(full.expectedRate(6_000)).isLessThan(4e-9);
  }

  /** A thousand scripts of each of eight chains, and as many coins as most wallets have. */
  @Test
  void aWalletOfFourTypesOfScriptFitsOneFilter() {
    assertThat(CAPACITY).isGreaterThan(8_000 + 2_000);
  }

  @Test
  void expectedOutpointsGetRoomAsFarAsItFits() {
    int small = load(100, 0).filter().parameters().bytes();
    int large = load(100, 3_000).filter().parameters().bytes();
    int full = load(100, 1_000_000).filter().parameters().bytes();
    assertThat(small).isLessThan(2_000);
    assertThat(large).isBetween(16_000, 17_000);
    assertThat(full).isBetween(35_900, 36_000);
  }

  @Test
  void itIsWornAtTheEndOfItsLifetime() {
    for (int elements : new int[] {10, 1_000, 5_000}) {
      Load load = load(elements, 0);
      int lifetime = policy.lifetime(load, elements);
      assertThat(policy.isWorn(load, elements, lifetime)).isTrue();
      assertThat(policy.isWorn(load, elements, lifetime - 1)).isFalse();
    }
  }

  @Test
  void blocksAheadFollowTheServedBlocks() {
    Load load = load(1_000, 0);
    assertThat(policy.window(load, 1_000, 0, 0, 0)).isEqualTo(200);
    assertThat(policy.window(load, 1_000, 700, 0, 0)).isEqualTo(700);
  }

  @Test
  void blocksAheadDoNotWearItOutAtThePaceSoFar() {
    Load load = load(1_000, 0);
    int lifetime = policy.lifetime(load, 1_000);
    for (int matched = 0; matched < lifetime; matched += 10) {
      int served = matched / 10;
      int ahead = policy.window(load, 1_000, served, matched, 10);
      assertThat(ahead).isBetween(1, 200);
      assertThat(matched + 10 * (ahead - 1)).isLessThan(lifetime);
    }
  }

  /** A pass for old coins matches nothing, even if the blocks are full of payments. */
  @Test
  void blocksAheadGrowWhenAPassFindsLessThanWasExpected() {
    Load load = load(1_000, 0);
    int first = policy.window(load, 1_000, 0, 0, 10);
    int later = policy.window(load, 1_000, 1_000, 0, 10);
    assertThat(later).isGreaterThan(5 * first);
  }

  @Test
  void aWornLoadStillGetsABlock() {
    Load load = load(1_000, 0);
    assertThat(policy.window(load, 1_000, 10, 1_000_000, 100_000)).isEqualTo(1);
  }

  private Bytes sentTo(NodeAddress peer, int elements, int key) {
    BitSet members = new BitSet();
    members.set(0, elements);
    FilterPolicy keyed = new FilterPolicy(RATE, CAPACITY, Bytes.of(new byte[] {(byte) key}));
    return keyed.filter(log, members, 0, peer).toPayload();
  }

  /** Seeing a filter again reveals nothing; two filters of the same elements would. */
  @Test
  void aPeerGetsTheSameFilterAgainWhileItHoldsTheSame() {
    Bytes first = sentTo(PEER, 100, 1);
    assertThat(sentTo(PEER, 100, 1)).isEqualTo(first);
    assertThat(sentTo(PEER, 101, 1)).isNotEqualTo(first);
  }

  /** Peers that compare what they got find no equal bytes, and neither do two wallets' filters. */
  @Test
  void anotherPeerAndAnotherWalletGetAnotherTweak() {
    Bytes first = sentTo(PEER, 100, 1);
    assertThat(sentTo(new NodeAddress("10.0.0.2", 1), 100, 1)).isNotEqualTo(first);
    assertThat(sentTo(PEER, 100, 2)).isNotEqualTo(first);
  }
}
