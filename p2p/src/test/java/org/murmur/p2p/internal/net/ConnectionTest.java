package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.sync.Encryption;

/** Back-pressure, step by step on one thread. */
@Timeout(60)
final class ConnectionTest {

  @Test
  void nothingIsReadWhileTooMuchWaits() throws IOException {
    try (Selector selector = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open();
        SocketChannel ours = SocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      ours.connect(server.getLocalAddress());
      ours.configureBlocking(false);
      try (SocketChannel theirs = server.accept()) {
        SelectionKey key = ours.register(selector, SelectionKey.OP_CONNECT);
        Connection connection =
            new Connection(
                new Link(1, new NodeAddress("x", 1)), new PlainTransport(1), null, Encryption.OFF);
        connection.use(ours, key);
        connection.begin();
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);

        long queued = 0;
        while (connection.waiting() <= Connection.PAUSE_READING) {
          connection.queue(new byte[500_000]);
          queued += 500_000;
          connection.write();
          int expected =
              connection.waiting() == 0
                  ? SelectionKey.OP_READ
                  : connection.waiting() > Connection.PAUSE_READING
                      ? SelectionKey.OP_WRITE
                      : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
          assertThat(key.interestOps()).isEqualTo(expected);
        }

        long came = 0;
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        while (came < queued) {
          buffer.clear();
          came += theirs.read(buffer);
          connection.write();
        }
        assertThat(came).isEqualTo(queued);
        assertThat(connection.waiting()).isZero();
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
      }
    }
  }
}
