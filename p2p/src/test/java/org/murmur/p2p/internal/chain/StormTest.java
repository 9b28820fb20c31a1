package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Block storms of testnet3 as headers, one message each: their cost is counted, not timed. Every
 * storm is twice as long as the one before, and looks back no further.
 */
class StormTest {

  private static final ChainParams NETWORK = Mining.TEST3_RULES;
  private static final long NOW = 2_000_000_000;

  /** One look-back: through a period for the last regular target, and at eleven times. */
  private static final long ONE_LOOK = ConsensusRules.PERIOD + MedianTime.SPAN;

  /** Fast at first, so that the least difficulty is a quarter of what is due: 2,020 blocks. */
  private static final List<BlockHeader> HARD = hard();

  private static List<BlockHeader> hard() {
    NaiveChain naive = new NaiveChain(NETWORK);
    grow(naive, 2_020, 100);
    List<BlockHeader> headers = new ArrayList<>();
    for (NaiveChain.Node node = naive.tip(); node.parent() != null; node = node.up()) {
      headers.add(0, node.header());
    }
    return headers;
  }

  private static List<BlockHeader> grow(NaiveChain naive, int count, int spacing) {
    List<BlockHeader> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NaiveChain.Node tip = naive.tip();
      long time = tip.header().time() + spacing;
      BlockHeader next =
          Mining.mine(tip.header().hash(), spacing, time, naive.expectedBits(tip, time));
      headers.add(next);
      naive.connect(List.of(next), time);
    }
    return headers;
  }

  private static HeaderChain chain() {
    HeaderChain chain = HeaderChain.ofGenesis(NETWORK);
    chain.connect(Mining.headers(HARD), NOW);
    return chain;
  }

  private static Headers one(BlockHeader header) {
    return Headers.ofStored(header.bytes());
  }

  @Test
  void aStormOnTheChainLooksBackOnceHoweverLong() {
    List<BlockHeader> storm = grow(new NaiveChain(NETWORK, HARD), 6_000, 1_201);
    int limit = NETWORK.rules().limitBits();
    assertThat(storm.stream().filter(header -> header.bits() != limit)).hasSizeLessThan(4);
    for (int length : new int[] {1_500, 3_000, 6_000}) {
      HeaderChain chain = chain();
      long before = chain.lookedBack();
      for (BlockHeader header : storm.subList(0, length)) {
        assertThat(chain.connect(one(header), NOW)).isInstanceOf(Connect.Extended.class);
      }
      assertThat(chain.height()).isEqualTo(2_020 + length);
      assertThat(chain.lookedBack() - before).as(length + " headers").isLessThanOrEqualTo(ONE_LOOK);
    }
  }

  /** A side branch may not even look back along its own branch for each header. */
  @Test
  void aStormOnASideBranchLooksBackOnceHoweverLong() {
    List<BlockHeader> storm = grow(new NaiveChain(NETWORK, HARD), 2_000, 1_201);
    List<BlockHeader> best = grow(new NaiveChain(NETWORK, HARD), 600, 599);
    for (int length : new int[] {500, 1_000, 2_000}) {
      HeaderChain chain = chain();
      chain.connect(Mining.headers(best), NOW);
      final long before = chain.lookedBack();
      for (BlockHeader header : storm.subList(0, length)) {
        assertThat(chain.connect(one(header), NOW)).isInstanceOf(Connect.SideBranch.class);
        assertThat(chain.beside(header.hash()).orElseThrow().forkHeight()).isEqualTo(2_020);
      }
      assertThat(chain.tip()).isEqualTo(best.get(599).hash());
      assertThat(chain.lookedBack() - before).as(length + " headers").isLessThanOrEqualTo(ONE_LOOK);
    }
  }

  /**
   * By turns, sixty times: each change of the active branch looks back once, and both stay known.
   */
  @Test
  void twoBranchesThatGrowInTurn() {
    HeaderChain chain = chain();
    NaiveChain one = new NaiveChain(NETWORK, HARD);
    NaiveChain other = new NaiveChain(NETWORK, HARD);
    NaiveChain both = new NaiveChain(NETWORK, HARD);
    long before = chain.lookedBack();
    int turns = 60;
    for (int turn = 0; turn < turns; turn++) {
      boolean first = turn % 2 == 0;
      List<BlockHeader> grown = first ? grow(one, turn == 0 ? 1 : 2, 601) : grow(other, 2, 602);
      for (BlockHeader header : grown) {
        assertThat(chain.connect(one(header), NOW)).isEqualTo(both.connect(List.of(header), NOW));
      }
      assertThat(chain.tip()).isEqualTo(grown.get(grown.size() - 1).hash());
    }
    List<Hash256> active = both.activeHashes();
    for (int height = 0; height <= chain.height(); height += 7) {
      assertThat(chain.hashAt(height)).isEqualTo(active.get(height));
    }
    assertThat(chain.knows(one.tip().header().hash())).isTrue();
    assertThat(chain.beside(one.tip().header().hash()).orElseThrow().forkHeight()).isEqualTo(2_020);
    assertThat(chain.lookedBack() - before).isLessThanOrEqualTo(2L * turns * ONE_LOOK);
  }

  @Test
  void aReorganisationOfFiveHundred() {
    HeaderChain chain = chain();
    List<BlockHeader> gone = grow(new NaiveChain(NETWORK, HARD), 500, 601);
    List<BlockHeader> come = grow(new NaiveChain(NETWORK, HARD), 501, 602);
    assertThat(chain.connect(Mining.headers(gone), NOW))
        .isEqualTo(new Connect.Extended(2_020, 500));
    long before = chain.lookedBack();
    assertThat(chain.connect(Mining.headers(come), NOW))
        .isEqualTo(new Connect.Extended(2_020, 501));
    assertThat(chain.lookedBack() - before).isLessThanOrEqualTo(ONE_LOOK);
    assertThat(chain.beside(gone.get(499).hash()).orElseThrow())
        .isEqualTo(
            new Connect.SideBranch(
                2_020,
                gone.get(499).hash(),
                2_520,
                ChainWork.of(chain.work().hashes().subtract(lastWork(come)))));
  }

  private static BigInteger lastWork(List<BlockHeader> headers) {
    return Target.ofBits(headers.get(headers.size() - 1).bits()).work().hashes();
  }

  /** A limit of memory: side branches hold at most this many headers, in any storm. */
  @Test
  void aStormOnSideBranchesIsBounded() {
    HeaderChain chain = HeaderChain.ofGenesis(NETWORK, 300);
    chain.connect(Mining.headers(HARD), NOW);
    chain.connect(Mining.headers(grow(new NaiveChain(NETWORK, HARD), 200, 599)), NOW);
    List<BlockHeader> storm = grow(new NaiveChain(NETWORK, HARD), 320, 1_201);
    Connect last = new Connect.Known();
    int kept = 0;
    for (BlockHeader header : storm) {
      last = chain.connect(one(header), NOW);
      if (last instanceof Connect.SideBranch) {
        kept++;
      }
    }
    assertThat(kept).isEqualTo(300);
    assertThat(last).isInstanceOf(Connect.Orphan.class);
    HeaderChain all = HeaderChain.ofGenesis(NETWORK, 300);
    all.connect(Mining.headers(HARD), NOW);
    all.connect(Mining.headers(grow(new NaiveChain(NETWORK, HARD), 200, 599)), NOW);
    assertThat(all.connect(Mining.headers(storm), NOW))
        .isEqualTo(new Connect.Invalid(HeaderFault.BRANCH_TOO_LONG, 300));
  }
}
