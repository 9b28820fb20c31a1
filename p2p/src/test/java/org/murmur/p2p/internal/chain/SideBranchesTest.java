package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.wire.Headers;

/** Side branches: kept, swung to and back, and never too many. */
class SideBranchesTest {

  private static final int REGTEST_BITS = 0x207fffff;
  private static final BlockHeader GENESIS = BlockHeader.of(ChainParams.REGTEST.genesisHeader());

  private static final long NOW = GENESIS.time() + 100_000_000;

  @Test
  void theBranchFirstSeenStaysUntilAnotherHasMoreWork() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    List<BlockHeader> one = branch(GENESIS, 5, 1);
    List<BlockHeader> other = branch(GENESIS, 7, 2);
    assertThat(connect(chain, one)).isEqualTo(new Connect.Extended(0, 5));
    assertThat(connect(chain, other.subList(0, 5)))
        .isEqualTo(
            new Connect.SideBranch(
                0, other.get(4).hash(), 5, Target.ofBits(REGTEST_BITS).work().times(6)));
    assertThat(chain.tip()).isEqualTo(one.get(4).hash());
    assertThat(connect(chain, other.subList(5, 7))).isEqualTo(new Connect.Extended(0, 7));
    assertThat(connect(chain, one)).as("kept as a branch").isEqualTo(new Connect.Known());

    List<BlockHeader> back = branch(one.get(3), 5, 3);
    assertThat(connect(chain, back)).isEqualTo(new Connect.Extended(0, 9));
    assertThat(chain.hashAt(4)).isEqualTo(one.get(3).hash());
    assertThat(chain.hashAt(5)).isEqualTo(back.get(0).hash());
    assertThat(chain.knows(one.get(4).hash())).isTrue();
    assertThat(chain.knows(other.get(6).hash())).isTrue();
    assertThat(chain.heightOf(other.get(6).hash())).isEqualTo(-1);
  }

  /**
   * By the rules of testnet3: after a fast first period targets are a quarter of the limit, but a
   * block twenty minutes late has the limit. Four such blocks are worth one.
   */
  @Test
  void aLongerBranchWithLessWorkLoses() {
    ChainParams network = Mining.TEST3_RULES;
    HeaderChain chain = HeaderChain.ofGenesis(network);
    NaiveChain naive = new NaiveChain(network);
    long now = 2_000_000_000;
    List<BlockHeader> trunk = grow(naive, naive.tip(), 2_020, 100);
    chain.connect(Mining.headers(trunk), now);
    NaiveChain.Node fork = naive.tip();
    int hard = trunk.get(2_019).bits();
    assertThat(Target.ofBits(hard).work())
        .isEqualTo(Target.ofBits(network.rules().limitBits()).work().times(4));

    List<BlockHeader> few = grow(naive, fork, 10, 600);
    assertThat(few).allMatch(header -> header.bits() == hard);
    assertThat(connectAt(chain, few, now)).isEqualTo(new Connect.Extended(2_020, 10));
    List<BlockHeader> many = grow(new NaiveChain(network, trunk), 41, 1_201);
    assertThat(many).allMatch(header -> header.bits() == network.rules().limitBits());
    // Thirty-nine are less, forty as much, forty-one more.
    assertThat(connectAt(chain, many.subList(0, 39), now)).isInstanceOf(Connect.SideBranch.class);
    assertThat(chain.height()).isEqualTo(2_030);
    assertThat(connectAt(chain, many.subList(39, 40), now))
        .isEqualTo(new Connect.SideBranch(2_020, many.get(39).hash(), 2_060, chain.work()));
    assertThat(chain.tip())
        .as("the first seen of two with equal work")
        .isEqualTo(few.get(9).hash());
    assertThat(connectAt(chain, many.subList(40, 41), now))
        .isEqualTo(new Connect.Extended(2_020, 41));
    // And a shorter branch with more work wins.
    List<BlockHeader> back = grow(naive, 1, 600);
    assertThat(connectAt(chain, back, now)).isEqualTo(new Connect.Extended(2_020, 11));
    assertThat(chain.height()).isEqualTo(2_031);
  }

  private static List<BlockHeader> grow(NaiveChain naive, int count, int spacing) {
    return grow(naive, naive.tip(), count, spacing);
  }

  private static List<BlockHeader> grow(
      NaiveChain naive, NaiveChain.Node from, int count, int spacing) {
    List<BlockHeader> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NaiveChain.Node tip = i == 0 ? from : naive.tip();
      long time = tip.header().time() + spacing;
      BlockHeader next = Mining.mine(tip.header().hash(), 7, time, naive.expectedBits(tip, time));
      headers.add(next);
      naive.connect(List.of(next), time);
    }
    return headers;
  }

  private static Connect connectAt(HeaderChain chain, List<BlockHeader> headers, long now) {
    return chain.connect(Mining.headers(headers), now);
  }

  @Test
  void aReorganisationAcrossPeriodsKeepsSumsAndIndexRight() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    List<BlockHeader> one = branch(GENESIS, 4100, 1);
    connect(chain, one);
    ChainWork perBlock = Target.ofBits(REGTEST_BITS).work();
    assertThat(chain.work()).isEqualTo(perBlock.times(4101));
    assertThat(chain.heightOf(one.get(4099).hash())).isEqualTo(4100);
    List<BlockHeader> other = branch(one.get(1000), 3200, 2, 1200);
    assertThat(connect(chain, other)).isEqualTo(new Connect.Extended(1001, 3200));
    assertThat(chain.work()).isEqualTo(perBlock.times(4202));
    for (int height = 1; height <= 4201; height += 100) {
      assertThat(chain.firstHeightSince(chain.timeAt(height))).hasValue(height);
    }
    assertThat(chain.heightOf(one.get(4099).hash())).isEqualTo(-1);
    assertThat(chain.heightOf(other.get(3199).hash())).isEqualTo(4201);
    assertThat(chain.heightOf(one.get(1000).hash())).isEqualTo(1001);
    List<BlockHeader> swing = branch(one.get(4099), 200, 3);
    assertThat(connect(chain, swing)).isEqualTo(new Connect.Extended(1001, 3299));
    assertThat(chain.work()).isEqualTo(perBlock.times(4301));
    assertThat(chain.headers(1, 4101)).isEqualTo(Mining.headers(one));
  }

  @Test
  void headersHandedOutDoNotChangeWithTheChain() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    List<BlockHeader> one = branch(GENESIS, 5, 1);
    connect(chain, one);
    Headers before = chain.headers(1, 6);
    connect(chain, branch(GENESIS, 6, 2));
    assertThat(before).isEqualTo(Mining.headers(one));
  }

  @Test
  void aRefusedBatchLeavesNothingBehind() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    List<BlockHeader> good = branch(GENESIS, 5, 1);
    List<BlockHeader> bad = new ArrayList<>(good.subList(0, 3));
    bad.add(Mining.mineBadly(good.get(2).hash(), 9, good.get(2).time() + 600, REGTEST_BITS));
    Connect refused = new Connect.Invalid(HeaderFault.BAD_PROOF_OF_WORK, 3);
    assertThat(connect(chain, bad)).isEqualTo(refused);
    assertThat(chain.height()).isZero();
    assertThat(chain.knows(good.get(0).hash())).isFalse();
    connect(chain, branch(GENESIS, 5, 2));
    assertThat(connect(chain, bad)).as("beside the active chain").isEqualTo(refused);
    assertThat(chain.knows(good.get(0).hash())).isFalse();
    assertThat(connect(chain, good.subList(0, 3))).isInstanceOf(Connect.SideBranch.class);
  }

  @Test
  void genesisInABatchIsKnown() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST);
    List<BlockHeader> batch = new ArrayList<>(branch(GENESIS, 3, 1));
    batch.add(0, GENESIS);
    assertThat(connect(chain, List.of(GENESIS))).isEqualTo(new Connect.Known());
    assertThat(connect(chain, batch)).isEqualTo(new Connect.Extended(0, 3));
    assertThat(connect(chain, branch(branch(GENESIS, 1, 7).get(0), 1, 7)))
        .isEqualTo(new Connect.Orphan(branch(GENESIS, 1, 7).get(0).hash()));
  }

  @Test
  void theLeastWorkGoesFirstWhenThereAreTooMany() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST, 10);
    connect(chain, branch(GENESIS, 20, 1));
    List<BlockHeader> five = branch(GENESIS, 5, 2);
    List<BlockHeader> four = branch(GENESIS, 4, 3);
    List<BlockHeader> three = branch(GENESIS, 3, 4);
    connect(chain, five);
    connect(chain, four);
    connect(chain, three); // 12 of 10: the branch of four gives way, from its end
    assertThat(known(chain, five)).isEqualTo(5);
    assertThat(known(chain, four)).isEqualTo(2);
    assertThat(known(chain, three)).isEqualTo(3);
    List<BlockHeader> ten = branch(GENESIS, 10, 5);
    connect(chain, ten);
    assertThat(known(chain, ten)).isEqualTo(10);
    assertThat(known(chain, five) + known(chain, four) + known(chain, three)).isZero();
    assertThat(connect(chain, branch(GENESIS, 12, 6)))
        .isEqualTo(new Connect.Invalid(HeaderFault.BRANCH_TOO_LONG, 10));
    assertThat(connect(chain, branch(ten.get(9), 2, 7)))
        .isEqualTo(new Connect.Invalid(HeaderFault.BRANCH_TOO_LONG, 0));
    assertThat(known(chain, ten)).isEqualTo(10);
    List<BlockHeader> winner = branch(GENESIS, 21, 8);
    assertThat(connect(chain, winner))
        .as("long, but of more work")
        .isEqualTo(new Connect.Extended(0, 21));
    assertThat(chain.tip()).isEqualTo(winner.get(20).hash());
  }

  /** In any order of the branches the limit holds and all known headers are connected. */
  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void theBoundHoldsAndTheBestBranchWins(@ForAll long seed) {
    Random random = new Random(seed);
    int limit = 1 + random.nextInt(30);
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.REGTEST, limit);
    List<List<BlockHeader>> paths = new ArrayList<>();
    paths.add(branch(GENESIS, 1 + random.nextInt(10), random.nextLong()));
    for (int i = 0; i < 40; i++) {
      List<BlockHeader> trunk = paths.get(random.nextInt(paths.size()));
      int fork = random.nextInt(trunk.size() + 1);
      List<BlockHeader> path = new ArrayList<>(trunk.subList(0, fork));
      BlockHeader parent = fork == 0 ? GENESIS : trunk.get(fork - 1);
      path.addAll(branch(parent, 1 + random.nextInt(8), random.nextLong()));
      paths.add(path);
      List<BlockHeader> sent =
          random.nextInt(3) == 0 ? path : paths.get(random.nextInt(paths.size()));
      ChainWork before = chain.work();
      Connect connect = connect(chain, sent);
      assertThat(chain.work()).isGreaterThanOrEqualTo(before);
      if (connect instanceof Connect.Extended || connect instanceof Connect.Known) {
        assertThat(sent).allMatch(header -> chain.knows(header.hash()));
      }
      assertHangsTogether(chain, paths, limit);
    }
    List<BlockHeader> best = paths.get(0);
    for (List<BlockHeader> path : paths) {
      connect(chain, path);
      best = path.size() > best.size() ? path : best;
    }
    assertThat(chain.height()).isEqualTo(best.size());
  }

  private static void assertHangsTogether(
      HeaderChain chain, List<List<BlockHeader>> paths, int limit) {
    Set<Hash256> side = new HashSet<>();
    for (List<BlockHeader> path : paths) {
      boolean above = true;
      for (BlockHeader header : path) {
        boolean knows = chain.knows(header.hash());
        assertThat(knows && !above).as("known above an unknown one").isFalse();
        above = knows;
        if (knows && chain.heightOf(header.hash()) < 0) {
          side.add(header.hash());
        }
      }
      int tip = known(chain, path);
      if (tip > 0) {
        assertThat(chain.locatorFrom(path.get(tip - 1).hash())).hasSizeGreaterThan(1);
      }
    }
    assertThat(side).hasSizeLessThanOrEqualTo(limit);
  }

  private static int known(HeaderChain chain, List<BlockHeader> headers) {
    return (int) headers.stream().filter(header -> chain.knows(header.hash())).count();
  }

  private static Connect connect(HeaderChain chain, List<BlockHeader> headers) {
    return chain.connect(Mining.headers(headers), NOW);
  }

  private static List<BlockHeader> branch(BlockHeader parent, int count, long salt) {
    return branch(parent, count, salt, 600);
  }

  private static List<BlockHeader> branch(BlockHeader parent, int count, long salt, int spacing) {
    List<BlockHeader> headers = new ArrayList<>();
    BlockHeader last = parent;
    for (int i = 0; i < count; i++) {
      last = Mining.mine(last.hash(), salt, last.time() + spacing, REGTEST_BITS);
      headers.add(last);
    }
    return headers;
  }
}
