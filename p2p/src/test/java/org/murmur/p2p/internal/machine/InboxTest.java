package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.internal.wire.Message;

/** A message that has no place in the inbox would be lost without a word. */
class InboxTest {

  @Test
  void everyMessageHasItsPlace() {
    SyncMachine machine = new SyncMachine(new TestParts().start, TestParts.SETTINGS);
    Set<Class<?>> placed = new HashSet<>(machine.inbox.actions.keySet());
    // These are taken in the version handshake, too.
    placed.add(Message.Version.class);
    placed.add(Message.Reject.class);
    assertThat(placed).containsExactlyInAnyOrder(Message.class.getPermittedSubclasses());
  }
}
