package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;

/** A report names the peers that had a problem, and the report of a long session has a limit. */
final class ParticipantsTest {

  private static final NodeAddress NAMED = peer(0);
  private final Participants peers = new Participants(Set.of(NAMED));

  private static NodeAddress peer(int number) {
    return new NodeAddress("10.1." + number / 250 + "." + number % 250, 8333);
  }

  @Test
  void theGonePeerThatDidLeastMakesRoom() {
    peers.of(NAMED).problem = Optional.of("gone");
    peers.of(peer(1)).userAgent = "still there";
    peers.of(peer(2)).problem = Optional.of("gone");
    peers.of(peer(2)).blocks = 7;
    for (int i = 3; i < 5 * Participants.MOST; i++) {
      peers.of(peer(i)).problem = Optional.of("gone");
    }
    assertThat(peers.size()).isEqualTo(Participants.MOST);
    assertThat(peers.find(NAMED)).isNotNull();
    assertThat(peers.of(peer(1)).userAgent).isEqualTo("still there");
    assertThat(peers.of(peer(2)).blocks).isEqualTo(7);
    assertThat(peers.find(peer(3))).isNull();
    assertThat(peers.find(peer(5 * Participants.MOST - 1))).isNotNull();
  }

  @Test
  void isBoundedAlsoWhereAllAreThere() {
    for (int i = 1; i < 2 * Participants.MOST; i++) {
      peers.of(peer(i)).blocks = 1;
    }
    assertThat(peers.size()).isEqualTo(Participants.MOST);
  }

  @Test
  void aPeerThatServedItsShareIsNoProblem() {
    peers.heard(new SyncEvent.PeerLost(peer(1), DisconnectReason.SERVED, "served 16 blocks"));
    peers.heard(new SyncEvent.PeerLost(peer(2), DisconnectReason.NO_FILTERS, "no filters"));
    assertThat(peers.problems()).containsOnlyKeys(peer(2));
  }
}
