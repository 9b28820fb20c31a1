package org.murmur.testbed.world.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.plan.WorldOptions;
import org.murmur.testbed.world.plan.WorldPlan;

/** When a node of a world can be reached. */
class SimNodeTest {

  private static final long LATER = 1_000_000;

  private final SimNode node = node();

  private static SimNode node() {
    List<Bytes> scripts = List.of(OutputScripts.anyoneCanSpend(1));
    return new SimNode(
        0,
        WorldPlan.neighbour(WorldPlan.Kind.HONEST, new Dice(1)),
        new Economy(
            WorldPlan.draw(1, WorldOptions.ALL), scripts, scripts, (unsigned, spent) -> unsigned));
  }

  @Test
  void aNodeThatVanishedComesBack() {
    node.vanish(LATER, true);
    assertThat(node.isAway(LATER - 1)).isTrue();
    assertThat(node.refuses()).isTrue();
    assertThat(node.isAway(LATER)).isFalse();
    assertThat(node.isReliable()).isTrue();
  }

  @Test
  void aNodeThatVanishedIsBackWhenItCalmsDown() {
    node.vanish(LATER, false);
    node.calmDown();
    assertThat(node.isAway(0)).isFalse();
  }

  /** The temporary outage was drawn before the node left for good. */
  @Test
  void aNodeThatIsGoneForGoodDoesNotComeBack() {
    node.goForGood(false);
    node.vanish(LATER, true);
    assertThat(node.isAway(LATER)).isTrue();
    assertThat(node.isReliable()).isFalse();
    node.calmDown();
    assertThat(node.isAway(LATER)).isTrue();
  }
}
