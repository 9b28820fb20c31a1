package org.murmur.lab.privacy.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scripts found from one key, counted pair by pair in a search through the graph of payments.
 */
class FromOneKeyTest {

  private final SyntheticChain chain =
      SyntheticChain.of(new ChainPlan(11, 40, 60, 6, List.of(1, 10, 30), 1_000));

  /** The scripts that were inputs together, and with shadow the change, as edges. */
  private List<BitSet> neighbours(boolean shadow) {
    List<BitSet> edges = new ArrayList<>();
    for (int i = 0; i < chain.scripts(); i++) {
      edges.add(new BitSet());
    }
    for (int tx = 0; tx < chain.firstTx(chain.height() + 1); tx++) {
      List<Integer> joined = new ArrayList<>();
      for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
        joined.add(chain.scriptOf(chain.spent(input)));
      }
      if (joined.isEmpty()) {
        continue;
      }
      List<Integer> fresh = new ArrayList<>();
      int outputs = 0;
      for (int coin = chain.firstCoin(tx); coin < chain.firstCoin(tx + 1); coin++) {
        outputs++;
        if (chain.firstCoinOf(chain.scriptOf(coin)) >= chain.firstCoin(tx)) {
          fresh.add(chain.scriptOf(coin));
        }
      }
      if (shadow && outputs >= 2 && fresh.size() == 1) {
        joined.add(fresh.get(0));
      }
      for (int one : joined) {
        for (int other : joined) {
          edges.get(one).set(other);
        }
      }
    }
    return edges;
  }

  private static BitSet reached(int from, List<BitSet> edges) {
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      int script = open.remove();
      if (!seen.get(script)) {
        seen.set(script);
        edges.get(script).stream().forEach(open::add);
      }
    }
    seen.set(from);
    return seen;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recallAndPrecisionAreThoseOfASearch(boolean shadow) {
    List<BitSet> edges = neighbours(shadow);
    Map<Integer, List<Integer>> wallets = new HashMap<>();
    for (int script = 0; script < chain.scripts(); script++) {
      wallets.computeIfAbsent(chain.owner(script), user -> new ArrayList<>()).add(script);
    }
    double recall = 0;
    double precision = 0;
    for (List<Integer> wallet : wallets.values()) {
      double recalled = 0;
      double precise = 0;
      for (int script : wallet) {
        BitSet found = reached(script, edges);
        long own = wallet.stream().filter(found::get).count();
        recalled += own / (double) wallet.size();
        precise += own / (double) found.cardinality();
      }
      recall += recalled / wallet.size();
      precision += precise / wallet.size();
    }
    FromOneKey measured = FromOneKey.of(chain, ScriptClusters.of(chain, chain.height(), shadow));
    assertThat(measured.recall()).isCloseTo(recall / wallets.size(), within(1e-9));
    assertThat(measured.precision()).isCloseTo(precision / wallets.size(), within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clustersAreTheComponentsOfTheGraph(boolean shadow) {
    List<BitSet> edges = neighbours(shadow);
    ScriptClusters clusters = ScriptClusters.of(chain, chain.height(), shadow);
    int several = 0;
    for (int script = 0; script < chain.scripts(); script++) {
      BitSet members = new BitSet();
      clusters.forEach(clusters.of(script), members::set);
      assertThat(members).isEqualTo(reached(script, edges));
      assertThat(clusters.sizeOf(script)).isEqualTo(members.cardinality());
      several += members.cardinality() > 1 ? 1 : 0;
    }
    assertThat(several).as("linked scripts").isGreaterThan(20);
  }

  /** An adversary that links nothing has each key alone, and is always right about it. */
  @Test
  void withoutLinksAKeyLeadsToItself() {
    Map<Integer, Integer> sizes = new HashMap<>();
    for (int script = 0; script < chain.scripts(); script++) {
      sizes.merge(chain.owner(script), 1, Integer::sum);
    }
    double recall = sizes.values().stream().mapToDouble(size -> 1.0 / size).average().orElseThrow();
    FromOneKey alone = FromOneKey.of(chain, null);
    assertThat(alone.recall()).isCloseTo(recall, within(1e-9));
    assertThat(alone.precision()).isCloseTo(1, within(1e-9));
  }
}
