package org.murmur.testbed.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts distance between a client and a node on the same machine: listens on loopback and forwards
 * every byte, later and, if wanted, no faster than a rate.
 *
 * <pre>{@code
 * try (Relay relay = Relay.start(node.port(), Duration.ofMillis(100))) {
 *   sync(relay.address());
 * }
 * }</pre>
 *
 * <p>Each direction takes half of the round trip. Bytes are delayed, not exchanges: pipelined
 * messages are under way together. Only setting up a connection costs no round trip, since the
 * relay answers itself. At most 16 MiB are under way on a connection in each direction; beyond that
 * the sender has to wait. Thread-safe.
 */
public final class TcpRelay implements AutoCloseable {

  private static final int BACKLOG = 64;

  private final int target;
  private final long delay;
  private final long bytesPerSecond;
  private final ServerSocket server;
  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private TcpRelay(int target, Duration roundTrip, long bytesPerSecond) throws IOException {
    this.target = target;
    this.delay = roundTrip.toNanos() / 2;
    this.bytesPerSecond = bytesPerSecond;
    if (delay < 0 || bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "round trip " + roundTrip + ", " + bytesPerSecond + " bytes/s, expected 0 at least");
    }
    this.server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    start(this::acceptAll, "relay-" + server.getLocalPort());
  }

  /** Starts a relay without a limit, on a free port. */
  public static TcpRelay start(int target, Duration roundTrip) {
    return start(target, roundTrip, 0);
  }

  /**
   * Starts a relay on a free port to a port of 127.0.0.1. The limit holds in each direction of each
   * connection; 0 is none. Throws {@link UncheckedIOException} if it cannot listen.
   */
  public static TcpRelay start(int target, Duration roundTrip, long bytesPerSecond) {
    try {
      return new TcpRelay(target, roundTrip, bytesPerSecond);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on 127.0.0.1", e);
    }
  }

  /** Returns the TCP port of 127.0.0.1 where it listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Returns where it listens. */
  public String address() {
    return "127.0.0.1:" + port();
  }

  /** Returns how many connections have at least one open direction. */
  public int connections() {
    return wires.size();
  }

  /** Cuts every connection with what is under way on it; goes on listening. */
  public void dropConnections() {
    wires.forEach(Wire::cut);
  }

  /** Stops listening and cuts every connection. */
  @Override
  public void close() {
    closed = true;
    closeQuietly(server);
    dropConnections();
  }

  private void acceptAll() {
    while (!closed) {
      try {
        Socket client = server.accept();
        // Connecting must not delay the next client.
        start(() -> join(client), "relay-join-" + client.getPort());
      } catch (IOException e) {
        // Closed, which ends the loop, or a client that left before it was served.
      }
    }
  }

  private void join(Socket client) {
    Socket node = new Socket();
    try {
      node.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      client.setTcpNoDelay(true);
      node.setTcpNoDelay(true);
    } catch (IOException e) {
      // The target refused; the end of the connection shows it to the client.
      closeQuietly(node);
      closeQuietly(client);
      return;
    }
    Wire wire = new Wire(client, node);
    wires.add(wire);
    wire.there.start("relay-there-" + client.getPort());
    wire.back.start("relay-back-" + client.getPort());
    if (closed) {
      wire.cut();
    }
  }

  static void start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // The socket is gone either way.
    }
  }

  /** A connection: two sockets and a direction each way. */
  private final class Wire {

    private final Socket client;
    private final Socket node;
    private final Direction there;
    private final Direction back;

    Wire(Socket client, Socket node) {
      this.client = client;
      this.node = node;
      this.there = new Direction(this, client, node);
      this.back = new Direction(this, node, client);
    }

    /** Ends when both directions have ended, since a half-closed connection goes on. */
    void ended() {
      if (there.isOver() && back.isOver()) {
        cut();
      }
    }

    void cut() {
      wires.remove(this);
      closeQuietly(client);
      closeQuietly(node);
      there.abandon();
      back.abandon();
    }
  }

  /** One way of a connection: a thread that reads and one that writes what is due. */
  private final class Direction {

    private final Wire wire;
    private final Socket from;
    private final Socket to;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DelayLine line = new DelayLine(delay, bytesPerSecond);
    // The rest is guarded by the lock.
    private boolean ended;
    private boolean over;
    private long endDue;

    Direction(Wire wire, Socket from, Socket to) {
      this.wire = wire;
      this.from = from;
      this.to = to;
    }

    void start(String name) {
      TcpRelay.start(this::read, name + "-in");
      TcpRelay.start(this::write, name + "-out");
    }

    boolean isOver() {
      lock.lock();
      try {
        return over;
      } finally {
        lock.unlock();
      }
    }

    void abandon() {
      lock.lock();
      try {
        over = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void read() {
      byte[] buffer = new byte[DelayLine.MAX_CHUNK];
      try {
        // Not closed here: that would close the socket, which the other direction may still need.
        InputStream in = from.getInputStream();
        int count = in.read(buffer, 0, awaitRoom());
        while (count > 0) {
          put(Arrays.copyOf(buffer, count));
          count = in.read(buffer, 0, awaitRoom());
        }
      } catch (IOException e) {
        // Reset: the bytes under way still arrive, then the end.
      } catch (InterruptedException e) {
        wire.cut();
      } finally {
        end();
      }
    }

    private void write() {
      try {
        OutputStream out = to.getOutputStream();
        byte[] bytes = awaitDue();
        while (bytes.length > 0) {
          out.write(bytes);
          bytes = awaitDue();
        }
        to.shutdownOutput();
        abandon();
        wire.ended();
      } catch (IOException | InterruptedException e) {
        // The receiver is gone.
        wire.cut();
      }
    }

    /** Waits until there is something to read and returns how much; 0 at the end. */
    private int awaitRoom() throws InterruptedException {
      lock.lock();
      try {
        while (line.room() == 0 && !over) {
          changed.await();
        }
        return over ? 0 : line.room();
      } finally {
        lock.unlock();
      }
    }

    private void put(byte[] bytes) {
      lock.lock();
      try {
        line.put(bytes, System.nanoTime());
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void end() {
      lock.lock();
      try {
        ended = true;
        endDue = System.nanoTime() + delay;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Waits until the next bytes are due; none at the end. */
    private byte[] awaitDue() throws InterruptedException {
      lock.lock();
      try {
        while (!over) {
          long now = System.nanoTime();
          boolean last = ended && line.isEmpty();
          long due = last ? endDue : line.due();
          if (due <= now) {
            changed.signalAll();
            return last ? new byte[0] : line.take();
          }
          if (due == Long.MAX_VALUE) {
            changed.await();
          } else {
            changed.awaitNanos(due - now);
          }
        }
        return new byte[0];
      } finally {
        lock.unlock();
      }
    }
  }

  /** Addresses and delay. */
  @Override
  public String toString() {
    return "Relay[" + address() + " to " + target + ", " + Duration.ofNanos(2 * delay) + "]";
  }
}
