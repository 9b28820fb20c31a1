package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.NodeAddress;

class StandingTest {

  /** {@link Set#copyOf} has another order in every process: traces could not be compared. */
  @Test
  void keepsTheOrderOfPeers() {
    Set<NodeAddress> peers = new LinkedHashSet<>();
    for (int i = 20; i > 0; i--) {
      peers.add(new NodeAddress("10.0.0." + i, 18444));
    }
    SyncFact.Standing standing = new SyncFact.Standing(true, peers, peers);
    assertThat(standing.asked()).containsExactlyElementsOf(peers);
    assertThat(standing.told()).containsExactlyElementsOf(peers);
  }
}
