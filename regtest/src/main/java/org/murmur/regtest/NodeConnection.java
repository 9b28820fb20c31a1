package org.murmur.regtest;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.node.NodeSession;

/**
 * A peer's socket: one thread reads and decodes, one owns the session and writes. The session
 * decides everything.
 */
final class NodeConnection {

  /** Messages read ahead before the reader stops reading, so that a flood waits in the socket. */
  private static final int READ_AHEAD = 1024;

  private static final int BUFFER = 1 << 16;

  private static final byte[] NOTHING = new byte[0];

  private interface Event {
    void apply(NodeSession session);
  }

  private final Socket socket;
  // Of the thread that reads, but for encode, which needs only what never changes again.
  private final Transport transport;
  private final NodeSession session;
  private final long dripInterval;
  private final Consumer<Message> witness;
  private final Consumer<Message> onlooker;
  private final Consumer<NodeConnection> whenClosed;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  // Only for the thread that writes.
  private boolean drips;
  private byte[] handshake = NOTHING;
  private boolean open;
  private final Semaphore room = new Semaphore(READ_AHEAD);
  // Only for the thread that reads.
  private boolean wasReady;

  /**
   * The {@code witness} sees each message of the peer before the session does, the {@code onlooker}
   * after the session got it; both on the reader's thread.
   */
  NodeConnection(
      Socket socket,
      Transport transport,
      NodeSession session,
      long dripInterval,
      Consumer<Message> witness,
      Consumer<Message> onlooker,
      Consumer<NodeConnection> whenClosed) {
    this.socket = socket;
    this.transport = transport;
    this.session = session;
    this.dripInterval = dripInterval;
    this.witness = witness;
    this.onlooker = onlooker;
    this.whenClosed = whenClosed;
  }

  void start() throws IOException {
    // Flush when no message follows at once; waiting for more would only delay the answers.
    socket.setTcpNoDelay(true);
    start(this::read, "regtest-read-" + socket.getPort());
    start(this::serve, "regtest-serve-" + socket.getPort());
  }

  private static void start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  void chainChanged(List<Block> connected) {
    long now = System.nanoTime();
    events.add(s -> s.chainChanged(connected, now));
  }

  void transactionAccepted(Tx tx) {
    long now = System.nanoTime();
    events.add(s -> s.transactionAccepted(tx, now));
  }

  void ping(long nonce) {
    events.add(s -> s.ping(nonce));
  }

  void close() {
    whenClosed.accept(this);
    try {
      socket.close();
    } catch (IOException e) {
      // The socket is gone either way.
      return;
    }
  }

  private void read() {
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = socket.getInputStream()) {
      int length = in.read(buffer);
      while (length >= 0) {
        transport.feed(ByteBuffer.wrap(buffer, 0, length));
        shakeHands();
        for (Frame frame = transport.next(); frame != null; frame = transport.next()) {
          pass(frame.message());
        }
        length = in.read(buffer);
      }
    } catch (IOException | WireException e) {
      // The peer has gone or speaks another protocol: as Core does, close without a message.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
      events.add(s -> {});
    }
  }

  /** The session begins when the transport is ready. */
  private void shakeHands() {
    byte[] next = transport.handshake();
    boolean ready = transport.isReady();
    if (next.length > 0 || (ready && !wasReady)) {
      wasReady = ready;
      events.add(
          s -> {
            handshake =
                ByteBuffer.allocate(handshake.length + next.length)
                    .put(handshake)
                    .put(next)
                    .array();
            open = ready;
          });
    }
  }

  private void pass(Message message) throws InterruptedException {
    room.acquire();
    witness.accept(message);
    long now = System.nanoTime();
    events.add(
        s -> {
          room.release();
          s.receive(message, now);
        });
    onlooker.accept(message);
  }

  private void serve() {
    try (OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER)) {
      while (!socket.isClosed()) {
        takeEvents();
        write(handshake, out);
        handshake = NOTHING;
        if (!open) {
          out.flush();
          await(Long.MAX_VALUE);
          continue;
        }
        NodeSession.Step step = session.next(System.nanoTime());
        if (step instanceof NodeSession.Send send) {
          drips |= dripInterval > 0 && send.message() instanceof Message.MerkleBlockMessage;
          write(transport.encode(send.message()), out);
          continue;
        }
        out.flush();
        if (step instanceof NodeSession.Close) {
          return;
        }
        await(step instanceof NodeSession.WaitUntil wait ? wait.nanos() : Long.MAX_VALUE);
      }
    } catch (IOException e) {
      // The peer has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
      // Wakes a reader that waits for room; it will find the socket closed.
      room.release(READ_AHEAD);
    }
  }

  private void write(byte[] frame, OutputStream out) throws IOException, InterruptedException {
    if (!drips) {
      out.write(frame);
      return;
    }
    for (byte b : frame) {
      TimeUnit.NANOSECONDS.sleep(dripInterval);
      out.write(b);
      out.flush();
    }
  }

  private void takeEvents() {
    for (Event event = events.poll(); event != null; event = events.poll()) {
      event.apply(session);
    }
  }

  private void await(long nanos) throws InterruptedException {
    @Nullable Event event =
        nanos == Long.MAX_VALUE
            ? events.take()
            : events.poll(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    if (event != null) {
      event.apply(session);
    }
  }
}
