package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.internal.wire.Headers;

/**
 * Random trees of headers, good and bad ones, in random batches and any order: the chain answers
 * and holds the same as the naive one.
 */
class RandomTreesTest {

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void onRegtest(@ForAll long seed) {
    new World(ChainParams.REGTEST, List.of(), seed).run(60);
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void aroundTheFirstRetargetOfMainnet(@ForAll long seed) {
    new World(Mining.MAIN_RULES, Trunks.MAIN, seed).run(40);
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void aroundTheFirstRetargetOfTestnet3(@ForAll long seed) {
    new World(Mining.TEST3_RULES, Trunks.TEST3, seed).run(40);
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void aroundTheFirstRetargetOfTestnet4(@ForAll long seed) {
    new World(Mining.TEST4_RULES, Trunks.TEST4, seed).run(40);
  }

  /** The properties above would prove little if some outcomes never came up. */
  @Test
  void everyOutcomeComesUp() {
    Set<String> outcomes = new HashSet<>();
    for (int seed = 0; seed < 40; seed++) {
      outcomes.addAll(new World(Mining.TEST4_RULES, Trunks.TEST4, seed).run(60).outcomes);
    }
    Set<HeaderFault> reasons = EnumSet.allOf(HeaderFault.class);
    reasons.remove(HeaderFault.BRANCH_TOO_LONG); // no tree here is that large
    assertThat(outcomes)
        .containsAll(reasons.stream().map(HeaderFault::name).toList())
        .contains("Extended", "Reorganised", "Known", "SideBranch", "Orphan");
  }

  /** Chains that end shortly before a retarget, mined once. */
  private static final class Trunks {

    static final List<BlockHeader> MAIN = trunk(Mining.MAIN_RULES, 300);
    static final List<BlockHeader> TEST3 = trunk(Mining.TEST3_RULES, 300);
    static final List<BlockHeader> TEST4 = trunk(Mining.TEST4_RULES, 450);

    private static List<BlockHeader> trunk(ChainParams network, int spacing) {
      NaiveChain chain = new NaiveChain(network);
      List<BlockHeader> headers = new ArrayList<>();
      while (headers.size() < 2008) {
        NaiveChain.Node tip = chain.tip();
        long time = tip.header().time() + spacing;
        BlockHeader next = Mining.mine(tip.header().hash(), 0, time, chain.expectedBits(tip, time));
        headers.add(next);
        chain.connect(List.of(next), time);
      }
      return headers;
    }
  }

  /** A tree, both chains' knowledge of it, and the results of the batches so far. */
  private static final class World {

    final Set<String> outcomes = new HashSet<>();

    private final Random random;
    private final ChainParams network;
    private final HeaderChain chain;
    private final NaiveChain naive;

    /** Knows all nodes of the tree and treats them as valid, to make children of any of them. */
    private final List<NaiveChain.Node> tree = new ArrayList<>();

    private final long now;

    World(ChainParams network, List<BlockHeader> trunk, long seed) {
      this.random = new Random(seed);
      this.network = network;
      this.chain = HeaderChain.restore(network, Mining.headers(trunk));
      this.naive = new NaiveChain(network);
      naive.connect(trunk, Long.MAX_VALUE / 2);
      tree.add(naive.tip());
      now = naive.tip().header().time() + 20_000;
    }

    World run(int steps) {
      for (int step = 0; step < steps; step++) {
        int grow = random.nextInt(8);
        for (int i = 0; i < grow; i++) {
          tree.add(child(parent()));
        }
        List<BlockHeader> batch = batch();
        Connect expected = naive.connect(batch, now);
        assertThat(chain.connect(Mining.headers(batch), now)).isEqualTo(expected);
        outcomes.add(name(expected));
        assertThat(chain.height()).isEqualTo(naive.tip().height());
        assertThat(chain.tip()).isEqualTo(naive.tip().header().hash());
        if (step % 8 == 0) {
          compare();
        }
      }
      compare();
      return this;
    }

    private String name(Connect connect) {
      if (connect instanceof Connect.Invalid invalid) {
        return invalid.reason().name();
      }
      if (connect instanceof Connect.Extended extended && extended.forkHeight() < heightBefore) {
        return "Reorganised";
      }
      return connect.getClass().getSimpleName();
    }

    private int heightBefore;

    private NaiveChain.Node parent() {
      int recent = random.nextInt(4) == 0 ? tree.size() : Math.min(tree.size(), 6);
      return tree.get(tree.size() - 1 - random.nextInt(recent));
    }

    private NaiveChain.Node child(NaiveChain.Node parent) {
      long time = time(parent);
      int bits = naive.expectedBits(parent, time);
      if (random.nextInt(25) == 0) {
        bits = random.nextBoolean() ? network.rules().limitBits() : 0x1f7fffff;
      }
      Hash256 previous = parent.header().hash();
      long salt = random.nextLong();
      BlockHeader header =
          random.nextInt(25) == 0
              ? Mining.mineBadly(previous, salt, time, bits)
              : Mining.mine(previous, salt, time, bits);
      return new NaiveChain.Node(header, parent.height() + 1, parent.work(), parent);
    }

    private long time(NaiveChain.Node parent) {
      long median = NaiveChain.medianTimePast(parent);
      long[] times = {
        parent.header().time() + random.nextInt(1000),
        parent.header().time() + 1199 + random.nextInt(3),
        parent.header().time() + 1201 + random.nextInt(3000),
        Math.max(median + 1, parent.header().time() - 599 - random.nextInt(3)),
        median + random.nextInt(3),
        now + 7199 + random.nextInt(3),
      };
      boolean beginsPeriod = (parent.height() + 1) % ConsensusRules.PERIOD == 0;
      int kind = beginsPeriod && random.nextBoolean() ? 9 : random.nextInt(12);
      return times[kind < 7 ? 0 : kind - 6];
    }

    private List<BlockHeader> batch() {
      List<BlockHeader> batch = new ArrayList<>();
      NaiveChain.Node node = parent();
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++) {
        batch.add(node.header());
        if (node.parent() == null) {
          break;
        }
        node = node.up();
      }
      Collections.reverse(batch);
      if (batch.size() > 2 && random.nextInt(10) == 0) {
        batch.remove(1 + random.nextInt(batch.size() - 2));
      }
      heightBefore = chain.height();
      return batch;
    }

    private void compare() {
      List<Hash256> active = naive.activeHashes();
      check(chain, active);
      for (NaiveChain.Node node : tree) {
        Hash256 hash = node.header().hash();
        NaiveChain.Node known = naive.node(hash);
        assertThat(chain.knows(hash)).isEqualTo(known != null);
        boolean isActive = known != null && naive.isActive(known);
        assertThat(chain.heightOf(hash)).isEqualTo(isActive ? node.height() : -1);
        if (known != null) {
          LocatorTest.check(
              chain.locatorFrom(hash),
              known.height(),
              at -> known.ancestor(at).header().hash(),
              ancestor -> Objects.requireNonNull(naive.node(ancestor)).height());
        }
      }
      Headers stored = chain.headers(1, chain.height() + 1);
      check(HeaderChain.restore(network, stored), active);
    }

    private void check(HeaderChain some, List<Hash256> active) {
      assertThat(some.height()).isEqualTo(active.size() - 1);
      assertThat(some.work().hashes()).isEqualTo(naive.tip().work());
      assertThat(some.medianTimePast(some.height()))
          .isEqualTo(NaiveChain.medianTimePast(naive.tip()));
      NaiveChain.Node node = naive.tip();
      for (int at = some.height(); at >= 0; at--) {
        assertThat(some.hashAt(at)).isEqualTo(active.get(at));
        if (at > some.height() - 30 || at % 61 == 0) {
          // A search in memory is linear: all heights of a trunk would be most of the test's time.
          assertThat(some.heightOf(active.get(at))).isEqualTo(at);
        }
        if (at > some.height() - 30) {
          assertThat(some.headerAt(at)).isEqualTo(node.header());
          assertThat(some.timeAt(at)).isEqualTo(node.header().time());
          assertThat(some.workAt(at).hashes()).isEqualTo(node.work());
          node = Objects.requireNonNullElse(node.parent(), node);
        }
      }
    }
  }
}
