package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.internal.wire.Headers;

/** A chain whose headers are on disk answers the same as one that has them all in memory. */
class ArchivedChainTest {

  private static final int BITS = 0x207fffff;
  private static final long NOW = 2_000_000_000L;
  private static final List<BlockHeader> TRUNK = branch(genesis(), 9_000, 1);

  /** A disk that refuses data that was not committed, or is about to be replaced. */
  private static final class Disk implements HeaderArchive {
    Headers committed = Headers.NONE;
    int stable;
    int reads;

    @Override
    public Headers read(int from, int to) {
      assertThat(to - 1).as("asked for what is not on disk for good").isLessThanOrEqualTo(stable);
      assertThat(to - from).isBetween(1, ConsensusRules.PERIOD);
      reads++;
      return committed.slice(from - 1, to - 1);
    }

    void commit(HeaderChain chain) {
      committed = chain.headers(1, chain.height() + 1);
      stable = chain.height();
      chain.stored(stable);
    }
  }

  private static BlockHeader genesis() {
    return BlockHeader.of(ChainParams.REGTEST.genesisHeader());
  }

  private static List<BlockHeader> branch(BlockHeader parent, int count, long salt) {
    List<BlockHeader> headers = new ArrayList<>();
    BlockHeader last = parent;
    for (int i = 0; i < count; i++) {
      last = Mining.mine(last.hash(), salt, last.time() + 600, BITS);
      headers.add(last);
    }
    return headers;
  }

  private static void assertSame(HeaderChain chain, HeaderChain whole, Random random) {
    assertThat(chain.height()).isEqualTo(whole.height());
    assertThat(chain.tip()).isEqualTo(whole.tip());
    for (int i = 0; i < 20; i++) {
      int height = random.nextInt(whole.height() + 1);
      assertThat(chain.hashAt(height)).isEqualTo(whole.hashAt(height));
      assertThat(chain.timeAt(height)).isEqualTo(whole.timeAt(height));
      assertThat(chain.medianTimePast(height)).isEqualTo(whole.medianTimePast(height));
      assertThat(chain.heightOf(whole.hashAt(height))).isEqualTo(height);
      assertThat(chain.workAt(height)).isEqualTo(whole.workAt(height));
      long time = whole.timeAt(height);
      assertThat(chain.firstHeightSince(time)).isEqualTo(whole.firstHeightSince(time));
    }
    assertThat(chain.locator()).isEqualTo(whole.locator());
    assertThat(chain.headers(1, chain.height() + 1))
        .isEqualTo(whole.headers(1, whole.height() + 1));
  }

  /** Batches, commits and reorganisations of any depth, in any order; reopened now and then. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void aChainOnDiskAnswersLikeOneInMemory(@ForAll long seed) {
    Random random = new Random(seed);
    Disk disk = new Disk();
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, disk, 0);
    HeaderChain whole = HeaderChain.ofGenesis(ChainParams.REGTEST);
    int sent = 0;
    for (int step = 0; step < 25; step++) {
      Headers batch;
      if (random.nextInt(4) > 0 && sent < TRUNK.size()) {
        int to = Math.min(TRUNK.size(), sent + 1 + random.nextInt(2_000));
        batch = Mining.headers(TRUNK.subList(sent, to));
        sent = to;
      } else {
        int fork = Math.max(0, whole.height() - random.nextInt(step % 5 == 0 ? 5_000 : 30));
        int length = whole.height() - fork + random.nextInt(4) - 1;
        batch =
            Mining.headers(branch(whole.headerAt(fork), Math.max(1, length), random.nextLong()));
      }
      int before = chain.height();
      Connect outcome = chain.connect(batch, NOW);
      assertThat(outcome).isEqualTo(whole.connect(batch, NOW));
      if (outcome instanceof Connect.Extended extended && extended.forkHeight() < before) {
        disk.stable = Math.min(disk.stable, extended.forkHeight());
      }
      if (random.nextInt(3) == 0) {
        disk.commit(chain);
      }
      if (random.nextInt(6) == 0) {
        disk.commit(chain);
        // Reopened, it has forgotten the side branches; so must the other.
        chain = HeaderChain.restore(ChainParams.REGTEST, disk, disk.stable);
        whole = HeaderChain.restore(ChainParams.REGTEST, whole.headers(1, whole.height() + 1));
      }
      if (random.nextInt(4) == 0) {
        assertSame(chain, whole, random);
      }
    }
    assertSame(chain, whole, random);
  }

  @Test
  void openingReadsTheLastPeriodAlone() {
    Disk disk = new Disk();
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, disk, 0);
    chain.connect(Mining.headers(TRUNK), NOW);
    disk.commit(chain);
    disk.reads = 0;
    HeaderChain reopened = HeaderChain.restore(ChainParams.REGTEST, disk, 9_000);
    assertThat(disk.reads).as("the first header, and the last period").isEqualTo(2);
    List<BlockHeader> more = branch(TRUNK.get(8_999), 3, 2);
    reopened.connect(Mining.headers(more), NOW);
    assertThat(disk.reads).isEqualTo(2);
    assertThat(reopened.height()).isEqualTo(9_003);
    assertThat(reopened.hashAt(10)).isEqualTo(TRUNK.get(9).hash());
    assertThat(disk.reads).isEqualTo(3);
    assertThat(reopened.knowsRecent(more.get(1).hash())).isTrue();
    assertThat(reopened.knowsRecent(Hash256.ZERO)).isFalse();
    assertThat(disk.reads).isEqualTo(3);
  }

  /**
   * Every second peer that announces a new block repeats a header that follows the tip's parent.
   */
  @Test
  void aKnownHeaderNearTheTipReadsNothing() {
    Disk disk = new Disk();
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, disk, 0);
    chain.connect(Mining.headers(TRUNK), NOW);
    disk.commit(chain);
    HeaderChain reopened = HeaderChain.restore(ChainParams.REGTEST, disk, 9_000);
    disk.reads = 0;
    assertThat(reopened.connect(Mining.headers(TRUNK.subList(8_999, 9_000)), NOW))
        .isEqualTo(new Connect.Known());
    assertThat(reopened.heightOf(TRUNK.get(8_500).hash())).isEqualTo(8_501);
    assertThat(disk.reads).as("no index of all headers").isZero();
    assertThat(reopened.heightOf(TRUNK.get(10).hash())).isEqualTo(11);
    assertThat(disk.reads).isPositive();
  }

  /** The rules of testnet3 walk back to the period's first header, wherever that is. */
  @Test
  void theWalkBackToTheLastEarnedTargetReachesTheDisk() {
    NaiveChain naive = new NaiveChain(Mining.TEST3_RULES);
    List<BlockHeader> headers = new ArrayList<>();
    while (headers.size() < 4_200) {
      NaiveChain.Node tip = naive.tip();
      // Every block but a few comes after more than twenty minutes, at the limit.
      int spacing = headers.size() % 2_016 < 2_000 && headers.size() % 700 != 5 ? 1_300 : 300;
      long time = tip.header().time() + spacing;
      BlockHeader next = Mining.mine(tip.header().hash(), 0, time, naive.expectedBits(tip, time));
      headers.add(next);
      naive.connect(List.of(next), time);
    }
    for (int height : new int[] {2_015, 2_016, 2_017, 2_020, 4_031, 4_032, 4_033, 4_034, 4_100}) {
      Disk disk = new Disk();
      disk.committed = Mining.headers(headers.subList(0, height));
      disk.stable = height;
      HeaderChain chain = HeaderChain.restore(Mining.TEST3_RULES, disk, height);
      assertThat(chain.connect(Mining.headers(headers.subList(height, height + 60)), NOW * 2))
          .isEqualTo(new Connect.Extended(height, 60));
    }
  }

  @Test
  void aDiskThatGivesTooFewOrForeignHeadersIsNotBelieved() {
    Disk disk = new Disk();
    disk.committed = Mining.headers(TRUNK.subList(5, 2_000));
    disk.stable = 1_995;
    assertThatThrownBy(() -> HeaderChain.restore(ChainParams.REGTEST, disk, 1_995))
        .hasMessageContaining("expected the genesis");
    HeaderArchive torn = (from, to) -> Mining.headers(TRUNK.subList(0, 1));
    assertThatThrownBy(() -> HeaderChain.restore(ChainParams.REGTEST, torn, 100))
        .hasMessageContaining("1 headers read from height 1, expected 100");
  }

  /** Two hundred thousand headers, and no more than a few periods of them in memory. */
  @Test
  void memoryHoldsAFewPeriods() {
    int count = 200_000;
    int[] reads = new int[1];
    HeaderArchive disk =
        (from, to) -> {
          reads[0]++;
          byte[] headers = new byte[(to - from) * BlockHeader.LENGTH];
          if (from == 1) {
            ChainParams.REGTEST.genesisHash().write(headers, BlockHeader.PREVIOUS);
          }
          return Headers.ofStored(Bytes.wrap(headers));
        };
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, disk, count);
    for (int height = 0; height < count; height += 500) {
      chain.timeAt(height);
    }
    int passed = reads[0];
    assertThat(passed).isBetween(100, 110);
    // The last read headers are still there, earlier ones are not.
    chain.timeAt(count - 4 * ConsensusRules.PERIOD);
    assertThat(reads[0]).isEqualTo(passed);
    chain.timeAt(1);
    assertThat(reads[0]).isEqualTo(passed + 1);
  }
}
