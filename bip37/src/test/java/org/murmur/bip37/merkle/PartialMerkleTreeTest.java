package org.murmur.bip37.merkle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.bitcoinj.base.Sha256Hash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;

class PartialMerkleTreeTest {

  private static List<Hash256> txids(int count, SplittableRandom random) {
    List<Hash256> txids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] hash = new byte[32];
      random.nextBytes(hash);
      txids.add(Hash256.ofInternal(hash));
    }
    return txids;
  }

  private static BitSet some(int count, double chance, SplittableRandom random) {
    BitSet some = new BitSet();
    for (int i = 0; i < count; i++) {
      some.set(i, random.nextDouble() < chance);
    }
    return some;
  }

  private static List<Match> matches(List<Hash256> txids, BitSet positions) {
    List<Match> matches = new ArrayList<>();
    positions.stream().forEach(i -> matches.add(new Match(txids.get(i), i)));
    return matches;
  }

  private static Reason refusal(PartialMerkleTree tree) {
    Outcome outcome = tree.extract();
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).reason();
  }

  private static PartialMerkleTree tree(int transactions, List<Hash256> hashes, String flags) {
    return PartialMerkleTree.of(transactions, hashes, Bytes.ofHex(flags));
  }

  @Property(tries = 500)
  void givesBackTheMatchesItWasBuiltFrom(
      @ForAll @IntRange(min = 1, max = 700) int count,
      @ForAll @IntRange(max = 100) int percent,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Hash256> txids = txids(count, random);
    BitSet positions = some(count, percent / 100.0, random);
    PartialMerkleTree tree = PartialMerkleTree.build(txids, positions);
    Outcome expected = new Outcome.Proven(MerkleTree.root(txids), matches(txids, positions), false);
    assertThat(tree.extract()).isEqualTo(expected);
    assertThat(PartialMerkleTree.parse(tree.toBytes()).extract()).isEqualTo(expected);
    assertThat(PartialMerkleTree.of(tree.transactions(), tree.hashes(), tree.flags()))
        .isEqualTo(tree)
        .hasSameHashCodeAs(tree);
  }

  /** Two proofs of one block are what a server would have sent for the matches of both. */
  @Property(tries = 500)
  void joinsProofsOfOneBlock(
      @ForAll @IntRange(min = 1, max = 700) int count,
      @ForAll @IntRange(max = 100) int percent,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Hash256> txids = txids(count, random);
    BitSet first = some(count, percent / 100.0, random);
    BitSet second = some(count, random.nextDouble() * random.nextDouble(), random);
    PartialMerkleTree joined =
        PartialMerkleTree.build(txids, first)
            .join(PartialMerkleTree.build(txids, second))
            .orElseThrow();
    BitSet both = (BitSet) first.clone();
    both.or(second);
    assertThat(joined).isEqualTo(PartialMerkleTree.build(txids, both));
    assertThat(joined.only(second)).contains(PartialMerkleTree.build(txids, second));
    assertThat(joined.only(new BitSet()))
        .contains(PartialMerkleTree.withoutMatches(count, MerkleTree.root(txids)));
  }

  @Test
  void joinsNothingElse() {
    SplittableRandom random = new SplittableRandom(3);
    List<Hash256> txids = txids(7, random);
    BitSet some = BitSet.valueOf(new long[] {0b100_0010});
    PartialMerkleTree tree = PartialMerkleTree.build(txids, some);
    PartialMerkleTree other = PartialMerkleTree.build(txids(7, random), some);
    assertThat(tree.join(other)).isEmpty();
    // One transaction more, with the same root.
    List<Hash256> repeated = new ArrayList<>(txids);
    repeated.add(txids.get(6));
    PartialMerkleTree longer = PartialMerkleTree.build(repeated, BitSet.valueOf(new long[] {1}));
    assertThat(MerkleTree.root(repeated)).isEqualTo(MerkleTree.root(txids));
    assertThat(tree.join(longer)).isEmpty();
    assertThat(longer.join(tree)).isEmpty();
    PartialMerkleTree invalid = tree(7, tree.hashes().subList(1, tree.hashes().size()), "ff");
    assertThat(tree.join(invalid)).isEmpty();
    assertThat(invalid.join(tree)).isEmpty();
    assertThat(invalid.only(some)).isEmpty();
  }

  /** The sizes of Core's own pmt_tests, and the limits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 17, 56, 100, 127, 256, 312, 513, 1000, 4095, 16_666})
  void worksForBlocksOfThisSize(int count) {
    SplittableRandom random = new SplittableRandom(count);
    List<Hash256> txids = txids(count, random);
    MerkleTree whole = MerkleTree.of(txids);
    assertThat(whole.root()).isEqualTo(MerkleTree.root(txids));
    for (double chance : new double[] {0, 0.001, 0.1, 0.5, 1}) {
      BitSet positions = some(count, chance, random);
      assertThat(whole.prove(positions).extract())
          .isEqualTo(new Outcome.Proven(whole.root(), matches(txids, positions), false));
    }
    assertThat(whole.prove(new BitSet()))
        .isEqualTo(PartialMerkleTree.withoutMatches(count, whole.root()));
  }

  @Property(tries = 300)
  void agreesWithBitcoinj(
      @ForAll @IntRange(min = 1, max = 300) int count,
      @ForAll @IntRange(max = 100) int percent,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Hash256> txids = txids(count, random);
    BitSet positions = some(count, percent / 100.0, random);
    byte[] include = Arrays.copyOf(positions.toByteArray(), (count + 7) / 8);
    List<Sha256Hash> theirTxids =
        txids.stream().map(txid -> Sha256Hash.wrapReversed(txid.toInternal())).toList();
    org.bitcoinj.core.PartialMerkleTree theirs =
        org.bitcoinj.core.PartialMerkleTree.buildFromLeaves(include, theirTxids);
    PartialMerkleTree ours = PartialMerkleTree.build(txids, positions);
    assertThat(ours.toBytes()).isEqualTo(Bytes.of(theirs.serialize()));
    List<Sha256Hash> theirMatches = new ArrayList<>();
    Sha256Hash root = theirs.getTxnHashAndMerkleRoot(theirMatches);
    Outcome.Proven proven = (Outcome.Proven) ours.extract();
    assertThat(proven.root().toDisplay()).isEqualTo(root.toString());
    assertThat(proven.matches())
        .extracting(match -> match.txid().toDisplay())
        .isEqualTo(theirMatches.stream().map(Sha256Hash::toString).toList());
  }

  /** Random bytes in a sound tree: we refuse and accept exactly what bitcoinj does. */
  @Property(tries = 2000)
  void refusesTheSameAsBitcoinj(@ForAll @IntRange(min = 1, max = 40) int count, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Hash256> txids = txids(count, random);
    byte[] bytes = PartialMerkleTree.build(txids, some(count, 0.3, random)).toBytes().toArray();
    // Change the count or the flags: a changed hash only changes the root.
    int at = random.nextBoolean() ? 0 : bytes.length - 1 - random.nextInt((count + 15) / 8) % 3;
    bytes[Math.max(0, at)] ^= (byte) (1 << random.nextInt(8));
    Outcome ours;
    try {
      ours = PartialMerkleTree.parse(Bytes.of(bytes)).extract();
    } catch (MalformedException e) {
      return;
    }
    String theirs;
    List<Sha256Hash> theirMatches = new ArrayList<>();
    try {
      theirs =
          org.bitcoinj.core.PartialMerkleTree.read(ByteBuffer.wrap(bytes))
              .getTxnHashAndMerkleRoot(theirMatches)
              .toString();
    } catch (RuntimeException e) {
      theirs = "refused";
    }
    if (ours instanceof Outcome.Proven proven) {
      assertThat(theirs).isEqualTo(proven.root().toDisplay());
      assertThat(proven.matches())
          .extracting(match -> match.txid().toDisplay())
          .isEqualTo(theirMatches.stream().map(Sha256Hash::toString).toList());
    } else {
      assertThat(theirs).isEqualTo("refused");
    }
  }

  /**
   * Whatever one does to the bytes: what is still proven against the block's root is in the block,
   * at the place it claims. (With another number of transactions an inner node can pose as a
   * transaction; {@link #anInnerNodeCanPoseOnlyUnderAnotherCount} has that.)
   */
  @Property(tries = 5000)
  void tamperingNeverProvesATransactionOfAnotherBlock(
      @ForAll @IntRange(min = 1, max = 60) int count,
      @ForAll @IntRange(min = 1, max = 4) int changes,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Hash256> txids = txids(count, random);
    PartialMerkleTree honest = PartialMerkleTree.build(txids, some(count, 0.2, random));
    List<Hash256> hashes = new ArrayList<>(honest.hashes());
    byte[] flags = honest.flags().toArray();
    for (int i = 0; i < changes; i++) {
      switch (random.nextInt(5)) {
        case 0 -> flags[random.nextInt(flags.length)] ^= (byte) (1 << random.nextInt(8));
        case 1 -> hashes.set(random.nextInt(hashes.size()), txids(1, random).get(0));
        case 2 -> hashes.add(random.nextInt(hashes.size() + 1), txids.get(random.nextInt(count)));
        case 3 -> hashes.set(random.nextInt(hashes.size()), txids.get(random.nextInt(count)));
        default -> {
          if (hashes.size() > 1) {
            hashes.remove(random.nextInt(hashes.size()));
          }
        }
      }
    }
    Outcome outcome = PartialMerkleTree.of(count, hashes, Bytes.of(flags)).extract();
    if (outcome instanceof Outcome.Proven proven && proven.root().equals(MerkleTree.root(txids))) {
      for (Match match : proven.matches()) {
        assertThat(match.txid()).isEqualTo(txids.get(match.position()));
      }
    }
  }

  /** The count is not authenticated: this is why 64-byte transactions count as unproven. */
  @Test
  void anInnerNodeCanPoseOnlyUnderAnotherCount() {
    List<Hash256> txids = txids(4, new SplittableRandom(1));
    Hash256 left = DoubleSha256.ofPair(txids.get(0), txids.get(1));
    Hash256 right = DoubleSha256.ofPair(txids.get(2), txids.get(3));
    assertThat(tree(2, List.of(left, right), "03").extract())
        .isEqualTo(new Outcome.Proven(MerkleTree.root(txids), List.of(new Match(left, 0)), false));
    assertThat(refusal(tree(4, List.of(left, right), "03"))).isEqualTo(Reason.OUT_OF_HASHES);
  }

  @Test
  void refusesABlockWithoutTransactions() {
    assertThat(refusal(tree(0, List.of(), ""))).isEqualTo(Reason.NO_TRANSACTIONS);
  }

  @Test
  void refusesMoreTransactionsThanABlockCanHold() {
    List<Hash256> root = List.of(Hash256.ZERO);
    assertThat(tree(16_666, root, "00").extract()).isInstanceOf(Outcome.Proven.class);
    assertThat(refusal(tree(16_667, root, "00"))).isEqualTo(Reason.TOO_MANY_TRANSACTIONS);
    assertThat(refusal(tree(-1, root, "00"))).isEqualTo(Reason.TOO_MANY_TRANSACTIONS);
    assertThat(refusal(tree(Integer.MIN_VALUE, root, "00")))
        .isEqualTo(Reason.TOO_MANY_TRANSACTIONS);
  }

  @Test
  void refusesMoreHashesThanTransactions() {
    List<Hash256> hashes = txids(3, new SplittableRandom(2));
    assertThat(refusal(tree(2, hashes, "07"))).isEqualTo(Reason.MORE_HASHES_THAN_TRANSACTIONS);
  }

  @Test
  void refusesFewerBitsThanHashes() {
    List<Hash256> hashes = txids(9, new SplittableRandom(3));
    assertThat(refusal(tree(9, hashes, "ff"))).isEqualTo(Reason.FEWER_BITS_THAN_HASHES);
    assertThat(refusal(tree(1, hashes.subList(0, 1), ""))).isEqualTo(Reason.FEWER_BITS_THAN_HASHES);
  }

  @Test
  void refusesToRunOutOfBits() {
    // All flags set: eight bits are used up before the walk has come to an end.
    List<Hash256> hashes = txids(5, new SplittableRandom(4));
    assertThat(refusal(tree(5, hashes, "ff"))).isEqualTo(Reason.OUT_OF_BITS);
  }

  @Test
  void refusesToRunOutOfHashes() {
    List<Hash256> hashes = txids(1, new SplittableRandom(5));
    assertThat(refusal(tree(2, hashes, "07"))).isEqualTo(Reason.OUT_OF_HASHES);
    assertThat(refusal(tree(1, List.of(), "00"))).isEqualTo(Reason.OUT_OF_HASHES);
  }

  @Test
  void refusesBitsLeftOver() {
    List<Hash256> hashes = txids(1, new SplittableRandom(6));
    assertThat(refusal(tree(1, hashes, "0000"))).isEqualTo(Reason.BITS_LEFT_OVER);
  }

  @Test
  void refusesHashesLeftOver() {
    List<Hash256> hashes = txids(2, new SplittableRandom(7));
    assertThat(refusal(tree(2, hashes, "00"))).isEqualTo(Reason.HASHES_LEFT_OVER);
  }

  /** As Core: bits that fill up the last byte may be anything. */
  @Test
  void doesNotLookAtPadding() {
    List<Hash256> hashes = txids(1, new SplittableRandom(8));
    assertThat(tree(1, hashes, "01").extract()).isEqualTo(tree(1, hashes, "ff").extract());
  }

  /** CVE-2012-2459: six transactions, and the eight that have the same root. */
  @Test
  void refusesDoubledTransactions() {
    List<Hash256> six = txids(6, new SplittableRandom(9));
    List<Hash256> eight = new ArrayList<>(six);
    eight.addAll(six.subList(4, 6));
    assertThat(MerkleTree.root(eight)).isEqualTo(MerkleTree.root(six));
    assertThat(MerkleTree.hasEqualSiblings(six)).isFalse();
    assertThat(MerkleTree.hasEqualSiblings(eight)).isTrue();
    BitSet last = new BitSet();
    last.set(7);
    assertThat(refusal(PartialMerkleTree.build(eight, last))).isEqualTo(Reason.EQUAL_CHILDREN);
    BitSet first = new BitSet();
    first.set(0);
    // Not opened, the doubled part shows nowhere; what is proven is still in the block.
    assertThat(PartialMerkleTree.build(eight, first).extract())
        .isEqualTo(
            new Outcome.Proven(MerkleTree.root(six), List.of(new Match(six.get(0), 0)), false));
  }

  @Test
  void hasNoTreeOfNothing() {
    assertThatThrownBy(() -> MerkleTree.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MerkleTree.root(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** O18: expected hashes and bits when each transaction matches with probability q. */
  @ParameterizedTest
  @CsvSource({
    "4, 0.5, 3.4375, 5.875",
    "7, 0.25, 4.440735, 8.131470",
  })
  void isAsLargeAsTheoryExpects(int count, double q, double hashes, double bits) {
    List<Hash256> txids = txids(count, new SplittableRandom(10));
    MerkleTree whole = MerkleTree.of(txids);
    double meanHashes = 0;
    double meanBits = 0;
    for (int set = 0; set < 1 << count; set++) {
      BitSet positions = BitSet.valueOf(new long[] {set});
      double chance =
          Math.pow(q, positions.cardinality()) * Math.pow(1 - q, count - positions.cardinality());
      PartialMerkleTree tree = whole.prove(positions);
      meanHashes += chance * tree.hashes().size();
      meanBits += chance * nodes(count, positions);
      assertThat(tree.flags().length()).isEqualTo((nodes(count, positions) + 7) / 8);
    }
    assertThat(meanHashes).isCloseTo(hashes, within(1e-6));
    assertThat(meanBits).isCloseTo(bits, within(1e-6));
  }

  /** Nodes of the partial tree: the root, and both children of each node above a match. */
  private static int nodes(int count, BitSet positions) {
    int nodes = 1;
    for (int height = 1, width = count; width > 1; height++) {
      int below = width;
      width = (width + 1) / 2;
      for (int node = 0; node < width; node++) {
        int from = node << height;
        int next = positions.nextSetBit(from);
        if (next >= 0 && next < from + (1 << height)) {
          nodes += 2 * node + 1 < below ? 2 : 1;
        }
      }
    }
    return nodes;
  }
}
