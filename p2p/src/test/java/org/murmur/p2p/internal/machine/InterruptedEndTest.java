package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncFact;

/** A session that is stopped at any instant reports that it is complete, if it is. */
class InterruptedEndTest {

  private static final int LONGEST_MILLIS = 400;

  @Test
  void theStateOnDiskAtTheEndCountsAndNotAtTheStop() {
    int complete = 0;
    for (int millis = 1; millis <= LONGEST_MILLIS; millis++) {
      SimulatedNode node = new SimulatedNode();
      Payments payments = new Payments();
      for (int i = 0; i < 5; i++) {
        node.mine(List.of(payments.pay(i)));
      }
      SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(10));
      NodeAddress peer = world.add(node);
      SyncSettings settings = SyncSettings.of(List.of(peer), 1);
      world.later(millis, () -> world.give(new Input.Stop()));
      world.keepsQueue = true;
      world.run(settings);
      boolean said = world.events.contains(new SyncFact.Complete(5, node.chain.tip()));
      world.sent.clear();
      world.keepsQueue = false;
      world.run(settings);
      boolean rest = world.sent.stream().anyMatch(Message.GetData.class::isInstance);
      assertThat(said).as("complete, stopped after %d ms", millis).isEqualTo(!rest);
      complete += said ? 1 : 0;
    }
    assertThat(complete).isStrictlyBetween(0, LONGEST_MILLIS);
  }
}
