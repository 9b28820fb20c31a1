package org.murmur.testbed.world.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Dice;

class DamagedLineTest {

  private static final Link LINK = new Link(1, new NodeAddress("10.0.0.1", 18444));
  private static final Message PING = new Message.Ping(7);

  /** Mostly the client hears that the bytes are no message; then it hears nothing more. */
  @Test
  void isHeardAsTheDecoderReadsIt() {
    Dice dice = new Dice(1);
    List<Input> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      DamagedLine line = new DamagedLine();
      assertThat(line.hear(LINK, PING, null))
          .extracting(Object::getClass)
          .containsExactly(RECEIVED);
      List<Input> heard = line.hear(LINK, PING, dice);
      all.addAll(heard);
      if (!heard.isEmpty() && !(heard.get(0) instanceof Input.Received)) {
        assertThat(line.hear(LINK, PING, null)).isEmpty();
      }
    }
    assertThat(all).anyMatch(Input.Garbled.class::isInstance);
    assertThat(all).anyMatch(Input.Oversized.class::isInstance);
    // No checksum covers the command; "ping2" may be a later version of it.
    assertThat(all)
        .noneMatch(
            input ->
                input instanceof Input.Received received
                    && received.message() instanceof Message.Unknown unknown
                    && !unknown.command().matches("ping[0-9]"));
    assertThat(all).doesNotContain(new Input.Received(LINK, PING, 32));
  }

  private static final Class<?> RECEIVED = Input.Received.class;
}
