package org.murmur.lab.fp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.RandomFilter;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Dice;

class SampleTest {

  private static final int SEEDS = 20;
  private static final int TWEAKS = 30;

  /** Four bytes of functions, little-endian, four of the tweak, one of the flag. */
  private static final int FUNCTIONS_FROM_END = 9;

  private static final Bytes MINER = Bytes.ofHex("0014" + "5a".repeat(20));

  /** Coinbases that pay one address: each has its txid and its height alone. */
  private static List<FullBlock> blocks() throws Exception {
    List<FullBlock> blocks = new ArrayList<>();
    try (RegtestNode node = RegtestNode.start()) {
      List<?> ignored = node.mineTo(MINER, 60);
      for (int height = 21; height <= 60; height++) {
        blocks.add(FullBlock.parse(node.blockAt(height).raw()));
      }
    }
    return blocks;
  }

  private static FilterParameters parameters(int tweak) {
    return FilterParameters.of(500, 0.01, tweak, UpdateFlag.NONE, Rounding.CORE);
  }

  private static List<Hash256> matched(List<FullBlock> blocks, BloomFilter filter) {
    ServerFilter server = new ServerFilter(filter);
    return blocks.stream()
        .flatMap(block -> block.transactions().stream())
        .filter(server::matchAndUpdate)
        .map(tx -> tx.txid())
        .toList();
  }

  /** The same bits, of which the server tests two fewer for each element. */
  private static BloomFilter worse(BloomFilter filter) {
    byte[] payload = filter.toPayload().toArray();
    int functions = payload.length - FUNCTIONS_FROM_END;
    payload[functions] = (byte) (payload[functions] - 2);
    return BloomFilter.fromPayload(Bytes.of(payload));
  }

  @Test
  void aServerThatTestsTooFewBitsIsFoundOut() throws Exception {
    List<FullBlock> blocks = blocks();
    Sample sample = Sample.of(blocks);
    assertThat(sample.transactions()).isEqualTo(40);
    for (int seed = 1; seed <= SEEDS; seed++) {
      Dice dice = new Dice(seed);
      Sample.Count[] honest = new Sample.Count[TWEAKS];
      Sample.Count[] mutated = new Sample.Count[TWEAKS];
      for (int i = 0; i < TWEAKS; i++) {
        BloomFilter filter = RandomFilter.of(parameters((int) dice.number()), 500, dice);
        honest[i] = sample.count(filter, matched(blocks, filter));
        mutated[i] = sample.count(filter, matched(blocks, worse(filter)));
      }
      assertThat(inside(honest)).as("seed %d, honest", seed).isTrue();
      assertThat(inside(mutated)).as("seed %d, two functions too few", seed).isFalse();
    }
  }

  private static boolean inside(Sample.Count... counts) {
    long tested = 0;
    long hits = 0;
    double expected = 0;
    for (Sample.Count count : counts) {
      tested += count.tested();
      hits += count.hits();
      expected += count.expected();
    }
    return Binomial.counts(tested, expected, 0.99).holds((double) hits);
  }

  @Test
  void aTransactionMatchedByASharedElementIsNoTrial() throws Exception {
    List<FullBlock> blocks = blocks();
    BloomFilter filter =
        BloomFilter.builder(parameters(1)).add(MINER.slice(2, MINER.length())).build();
    Sample.Count count = Sample.of(blocks).count(filter, matched(blocks, filter));
    assertThat(count.matched()).isEqualTo(40);
    assertThat(count.tested()).isZero();
    assertThat(count.rate()).isZero();
  }
}
