package org.murmur.testbed.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.TestPeer;

/** The relay over real sockets. */
@Timeout(60)
final class TcpRelayTest {

  private static final long SEED = 37;

  /** Serves one connection on a separate thread. */
  private interface Service {
    void serve(InputStream in, OutputStream out) throws IOException;
  }

  private static ServerSocket server(Service service) throws IOException {
    ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                service.serve(socket.getInputStream(), socket.getOutputStream());
              } catch (IOException e) {
                // The client sees the end of its connection and fails its test.
                return;
              }
            },
            "relay-test-server");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static Socket connect(TcpRelay relay) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), relay.port());
  }

  @Test
  void keepsBytesAndTheirOrderBothWays() throws IOException {
    byte[] sent = new byte[3_000_000];
    new Random(SEED).nextBytes(sent);
    try (ServerSocket server =
            server(
                (in, out) -> {
                  in.transferTo(out);
                  out.flush();
                });
        TcpRelay relay = TcpRelay.start(server.getLocalPort(), Duration.ofMillis(20));
        Socket socket = connect(relay)) {
      write(socket, sent);
      byte[] echoed = socket.getInputStream().readAllBytes();
      assertThat(Arrays.equals(echoed, sent)).isTrue();
    }
  }

  /** Writes in pieces of all sizes, then closes its half, on a separate thread. */
  private static void write(Socket socket, byte[] bytes) {
    Thread thread =
        new Thread(
            () -> {
              Random random = new Random(SEED);
              try {
                OutputStream out = socket.getOutputStream();
                for (int at = 0; at < bytes.length; ) {
                  int count = Math.min(bytes.length - at, 1 + random.nextInt(40_000));
                  out.write(bytes, at, count);
                  at += count;
                }
                socket.shutdownOutput();
              } catch (IOException e) {
                // The reader sees too few bytes and fails the test.
                return;
              }
            },
            "relay-test-writer");
    thread.setDaemon(true);
    thread.start();
  }

  /** A lower bound only: a loaded machine makes it longer, nothing makes it shorter. */
  @Test
  void roundTripTakesAtLeastAsLongAsSaid() throws IOException {
    try (ServerSocket server = server(InputStream::transferTo);
        TcpRelay relay = TcpRelay.start(server.getLocalPort(), Duration.ofMillis(150));
        Socket socket = connect(relay)) {
      for (int i = 0; i < 3; i++) {
        long start = System.nanoTime();
        socket.getOutputStream().write(i);
        assertThat(socket.getInputStream().read()).isEqualTo(i);
        assertThat(System.nanoTime() - start)
            .isGreaterThanOrEqualTo(Duration.ofMillis(150).toNanos());
      }
    }
  }

  /** The server does not answer before it has everything: a relay that waits for answers hangs. */
  @Test
  void doesNotWaitForAnswers() throws IOException {
    try (ServerSocket server = server((in, out) -> out.write(in.readNBytes(200)));
        TcpRelay relay = TcpRelay.start(server.getLocalPort(), Duration.ofMillis(10));
        Socket socket = connect(relay)) {
      for (int i = 0; i < 200; i++) {
        socket.getOutputStream().write(i);
      }
      assertThat(socket.getInputStream().readNBytes(200)).hasSize(200);
    }
  }

  @Test
  void limitsTheRate() throws IOException {
    try (ServerSocket server = server((in, out) -> out.write(new byte[50_000]));
        TcpRelay relay = TcpRelay.start(server.getLocalPort(), Duration.ZERO, 100_000)) {
      long start = System.nanoTime();
      try (Socket socket = connect(relay)) {
        assertThat(socket.getInputStream().readAllBytes()).hasSize(50_000);
      }
      assertThat(System.nanoTime() - start)
          .isGreaterThanOrEqualTo(Duration.ofMillis(500).toNanos());
    }
  }

  @Test
  void handsEndOfConnectionOn() throws IOException {
    try (ServerSocket server = server((in, out) -> out.write(1));
        TcpRelay relay = TcpRelay.start(server.getLocalPort(), Duration.ofMillis(10));
        Socket socket = connect(relay)) {
      assertThat(socket.getInputStream().readAllBytes()).containsExactly(1);
    }
  }

  @Test
  void connectionEndsWhenThereIsNoListener() throws IOException {
    int nobody;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = server.getLocalPort();
    }
    try (TcpRelay relay = TcpRelay.start(nobody, Duration.ZERO);
        Socket socket = connect(relay)) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void dropsConnectionsAndGoesOn() throws IOException {
    try (RegtestNode node = RegtestNode.start();
        TcpRelay relay = TcpRelay.start(node.port(), Duration.ofMillis(5))) {
      try (TestPeer peer = TestPeer.connect("127.0.0.1", relay.port())) {
        assertThat(relay.connections()).isEqualTo(1);
        relay.dropConnections();
        assertThat(relay.connections()).isZero();
        peer.untilClosed();
      }
      try (TestPeer peer = TestPeer.connect("127.0.0.1", relay.port())) {
        peer.send(new Message.Ping(5));
        assertThat(peer.await(Message.Pong.class)).isEqualTo(new Message.Pong(5));
      }
    }
  }
}
