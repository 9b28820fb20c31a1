package org.murmur.lab.privacy.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScriptClustersTest {

  private final SyntheticChain chain = SyntheticChain.of(ChainPlan.small(3));

  @Test
  void coinsSpentTogetherAreLinkedAndBelongToOneUser() {
    ScriptClusters clusters = ScriptClusters.of(chain, chain.height(), false);
    int linked = 0;
    for (int script = 0; script < chain.scripts(); script++) {
      assertThat(chain.owner(clusters.of(script))).isEqualTo(chain.owner(script));
      linked += clusters.sizeOf(script) > 1 ? 1 : 0;
    }
    assertThat(linked).isGreaterThan(chain.scripts() / 10);
    for (int tx = 0; tx < chain.firstTx(chain.height() + 1); tx++) {
      Set<Integer> roots = new HashSet<>();
      for (int input = chain.firstInput(tx); input < chain.firstInput(tx + 1); input++) {
        roots.add(clusters.of(chain.scriptOf(chain.spent(input))));
      }
      assertThat(roots).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void aGroupDisclosesAllItsScripts() {
    ScriptClusters clusters = ScriptClusters.of(chain, chain.height(), true);
    int told = 0;
    for (int script = 0; script < chain.scripts(); script++) {
      if (clusters.of(script) == script) {
        Set<Integer> members = new HashSet<>();
        clusters.forEach(script, members::add);
        assertThat(members).contains(script).hasSize(clusters.sizeOf(script));
        int number = script;
        assertThat(members).allMatch(member -> clusters.of(member) == number);
        told += members.size();
      }
    }
    assertThat(told).isEqualTo(chain.scripts());
  }

  @Test
  void sizesAndCountsAddUp() {
    ScriptClusters clusters = ScriptClusters.of(chain, 100, true);
    int sum = 0;
    int[] counts = clusters.counts(chain.scripts());
    for (int size = 1; size < counts.length; size++) {
      sum += size * counts[size];
    }
    assertThat(sum).isEqualTo(chain.scripts());
  }

  @Test
  void shadowChangeLinksMoreAndIsSometimesWrong() {
    ScriptClusters inputs = ScriptClusters.of(chain, chain.height(), false);
    ScriptClusters shadow = ScriptClusters.of(chain, chain.height(), true);
    int more = 0;
    int wrong = 0;
    for (int script = 0; script < chain.scripts(); script++) {
      more += shadow.sizeOf(script) > inputs.sizeOf(script) ? 1 : 0;
      wrong += chain.owner(shadow.of(script)) != chain.owner(script) ? 1 : 0;
    }
    assertThat(more).isPositive();
    // A payment to a fresh script with change to a used one looks like the reverse.
    assertThat(wrong).isPositive();
  }
}
