package org.murmur.wallet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.murmur.bip37.bytes.Hex;

/**
 * Stands between wallet and node, counts the node's bytes, whether they are read or not, and keeps
 * all bytes in the order in which they came.
 */
final class Meter implements AutoCloseable {

  /**
   * Bytes that may be on the wire beyond the limit, sent and never read: unsolicited messages after
   * the version message, and the excess of the last answers over their estimate.
   */
  static final long UNREAD = 2_000;

  private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
  private final AtomicLong carried = new AtomicLong();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final String node;

  Meter(String node) throws IOException {
    this.node = node;
    start(
        () -> {
          while (true) {
            Socket client = server.accept();
            int colon = this.node.lastIndexOf(':');
            Socket peer =
                new Socket(
                    this.node.substring(0, colon),
                    Integer.parseInt(this.node.substring(colon + 1)));
            start(() -> pump(client, peer, new AtomicLong()));
            start(() -> pump(peer, client, carried));
          }
        });
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // Closed by either side: the test is over, or the session is.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void pump(Socket from, Socket to, AtomicLong count) throws IOException {
    try (from;
        to) {
      byte[] buffer = new byte[4_096];
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        count.addAndGet(n);
        synchronized (line) {
          line.write(buffer, 0, n);
        }
        to.getOutputStream().write(buffer, 0, n);
      }
    }
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  long carried() {
    return carried.get();
  }

  /** What somebody on the line saw, in hex. */
  String line() {
    synchronized (line) {
      return Hex.format(line.toByteArray());
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
