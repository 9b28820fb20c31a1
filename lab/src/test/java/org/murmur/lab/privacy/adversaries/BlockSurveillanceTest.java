package org.murmur.lab.privacy.adversaries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.OwnWallet;
import org.murmur.lab.privacy.chain.SyntheticChain;
import org.murmur.regtest.chain.Dice;

class BlockSurveillanceTest {

  private static final long SEED = 20261128;

  /** As many as one over the rate: a filter matches by chance with 1 - 1/e. */
  private static final int MANY = 784_931;

  private static SyntheticChain chain;
  private static Surveillance.Linkage linkage;
  private static OwnWallet wallet;

  @BeforeAll
  static void makeChain() {
    chain = SyntheticChain.of(new ChainPlan(SEED, 500, 288, 20, List.of(30, 60), 50_000));
    linkage = Surveillance.Linkage.of(chain);
    wallet = chain.wallets().get(0);
  }

  private static BlockSurveillance life(OwnWallet of, int peers, int watched) {
    return new BlockSurveillance(chain, 50_000, of, peers, watched, new Dice(SEED));
  }

  private static Score score(BlockSurveillance life, Adversary adversary) {
    return Objects.requireNonNull(life.scores(linkage).get(adversary));
  }

  /** Both sides of a transaction, from the chain's own lists. */
  private static Set<Integer> scriptsOf(int tx) {
    Set<Integer> scripts = new TreeSet<>();
    for (int coin = chain.firstCoin(tx); coin < chain.firstCoin(tx + 1); coin++) {
      scripts.add(chain.scriptOf(coin));
    }
    for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
      scripts.add(chain.scriptOf(chain.spent(input)));
    }
    return scripts;
  }

  private static boolean isOwn(int script) {
    return chain.owner(script) == wallet.user();
  }

  @Test
  void filtersAloneTellNothing() {
    BlockSurveillance idle = life(new OwnWallet(400, List.of()), 1, 0);
    assertThat(idle.own()).isZero();
    assertThat(idle.fetched().cardinality()).isZero();
    assertThat(idle.scores(linkage).values())
        .hasSize(7)
        .allSatisfy(one -> assertThat(one.filters() + one.tp() + one.fp()).isZero())
        .allSatisfy(one -> assertThat(one.auc()).isEqualTo(0.5));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100_000})
  void oneServerSeesEveryScriptOfTheWalletAndAllOthersOfTheseBlocks(int watched) {
    BlockSurveillance life = life(wallet, 1, watched);
    BitSet expected = new BitSet();
    Set<Integer> near = new TreeSet<>();
    Set<Integer> elsewhere = new TreeSet<>();
    for (int height = 1; height <= chain.height(); height++) {
      for (int tx = chain.firstTx(height); tx < chain.firstTx(height + 1); tx++) {
        if (scriptsOf(tx).stream().anyMatch(BlockSurveillanceTest::isOwn)) {
          expected.set(height);
        }
      }
    }
    assertThat(life.own()).isEqualTo(expected.cardinality());
    BitSet fetched = life.fetched();
    expected.andNot(fetched);
    assertThat(expected.cardinality()).as("own blocks that are not fetched").isZero();
    assertThat(fetched.cardinality() > life.own()).isEqualTo(watched > 0);
    for (int tx = 0; tx < chain.firstTx(chain.height() + 1); tx++) {
      (fetched.get(chain.heightOf(tx)) ? near : elsewhere).addAll(scriptsOf(tx));
    }
    Score all = score(life, Adversary.A1);
    assertThat(all.fn()).isZero();
    assertThat(all.tp()).isEqualTo(30);
    assertThat(all.filters()).isEqualTo(fetched.cardinality());
    assertThat(all.fp()).isEqualTo(near.size() - 30).isLessThan(chain.scripts() - 60);
    near.removeAll(elsewhere);
    Score only = score(life, Adversary.A1B);
    assertThat(only.fn()).isZero();
    assertThat(only.fp()).isEqualTo(near.size() - 30).isLessThan(all.fp());
    // A restore fetches the same blocks.
    assertThat(score(life, Adversary.A2)).isEqualTo(all);
    long groups =
        near.stream()
            .map(linkage.inputs()::of)
            .distinct()
            .filter(group -> isWithin(group, near))
            .mapToInt(linkage.inputs()::sizeOf)
            .sum();
    Score linked = score(life, Adversary.A6);
    assertThat(linked.tp() + linked.fp()).isEqualTo(groups).isPositive();
    assertThat(score(life, Adversary.A4)).isEqualTo(linked);
  }

  private static boolean isWithin(int group, Set<Integer> scripts) {
    Set<Integer> members = new TreeSet<>();
    linkage.inputs().forEach(group, members::add);
    return members.size() > 1 && scripts.containsAll(members);
  }

  @Test
  void filtersMatchByChanceAsOftenAsTheStandardSays() {
    OwnWallet idle = new OwnWallet(400, List.of());
    int found = 0;
    for (int i = 0; i < 20; i++) {
      Dice dice = new Dice(SEED + i);
      found += new BlockSurveillance(chain, 50_000, idle, 1, MANY, dice).fetched().cardinality();
    }
    // 20 times 288 blocks, and five standard deviations of 36.6.
    assertThat(found / 5_760.0).isCloseTo(1 - 1 / Math.E, within(0.032));
  }

  @Test
  void peersThatShareTheBlocksSeeLessEach() {
    BlockSurveillance life = life(wallet, 4, 2_000);
    Map<Adversary, Score> scores = life.scores(linkage);
    assertThat(scores.keySet())
        .containsExactly(Adversary.A1, Adversary.A2, Adversary.A3, Adversary.A4);
    int one = score(life, Adversary.A1).filters();
    int all = life.fetched().cardinality();
    assertThat(one).isBetween(1, all / 2);
    assertThat(score(life, Adversary.A1).tp()).isLessThan(30);
    // Two peers, or a restore that asks other peers, add heights.
    for (Adversary more : List.of(Adversary.A2, Adversary.A3)) {
      assertThat(score(life, more).filters()).isGreaterThan(one).isLessThan(all);
      assertThat(score(life, more).tp()).isGreaterThan(score(life, Adversary.A1).tp());
    }
    assertThat(score(life, Adversary.A4).filters()).isEqualTo(all);
  }
}
