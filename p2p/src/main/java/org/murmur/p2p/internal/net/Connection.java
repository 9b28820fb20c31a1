package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.sync.Encryption;

/** The socket of a link, its transport and its send queue. Belongs to the loop's thread. */
final class Connection {

  /**
   * Nothing is read from a peer while its send queue is longer than this. More than two of the
   * largest {@code getdata}, so an honest exchange never reaches it.
   */
  static final long PAUSE_READING = 4L << 20;

  /** Buffers handed to the kernel in one write (Linux takes up to 1,024). */
  private static final int GATHERED = 64;

  /** Maximum reads that drain a socket before it is closed; only a flood has more. */
  private static final int MAX_DISCARDED = 16;

  final Link link;
  final Transport transport;

  /** The choice of the machine. */
  final Encryption encryption;

  /** Whether the machine knows that messages can be sent. */
  boolean open;

  /** Addresses of the host or the proxy that were not tried yet. */
  Iterator<InetAddress> candidates = Collections.emptyIterator();

  // The current one of them.
  @Nullable InetAddress number;

  // The proxy handshake; null without a proxy.
  final @Nullable Socks5 socks;

  private final ArrayDeque<ByteBuffer> outgoing = new ArrayDeque<>();
  private long waiting;
  private @Nullable SocketChannel channel;
  private @Nullable SelectionKey key;
  private boolean connected;
  private boolean deaf;
  private boolean leaving;

  Connection(Link link, Transport transport, @Nullable Socks5 socks, Encryption encryption) {
    this.link = link;
    this.encryption = encryption;
    this.socks = socks;
    this.transport = transport;
  }

  /** Whether a proxy is still connecting it. */
  boolean isBeingProxied() {
    return socks != null && !socks.isDone();
  }

  /** Whether the peer was reached, and seems not to know the encrypted transport. */
  boolean isPlainPeer(boolean ended) {
    return connected
        && !open
        && !isBeingProxied()
        && transport instanceof EncryptedTransport encrypted
        && encrypted.isPlainPeer(ended);
  }

  /** Sets the connecting socket. */
  void use(SocketChannel socket, SelectionKey itsKey) {
    channel = socket;
    key = itsKey;
  }

  boolean finishConnect() throws IOException {
    return channel != null && channel.finishConnect();
  }

  /** The socket is connected: start to send and receive. */
  void begin() {
    connected = true;
    listen();
  }

  /** Stops reading after invalid data. */
  void stopReading() {
    deaf = true;
    listen();
  }

  /** Sends the rest of the queue before closing. */
  void leave() {
    leaving = true;
    stopReading();
  }

  boolean isLeaving() {
    return leaving;
  }

  /** Whether the socket is connected and data waits to be sent. */
  boolean hasToWrite() {
    return connected && !outgoing.isEmpty();
  }

  /** Bytes in the send queue. */
  long waiting() {
    return waiting;
  }

  void queue(byte[] frame) {
    outgoing.add(ByteBuffer.wrap(frame));
    waiting += frame.length;
  }

  /** Returns the bytes read, or -1 at the end of the stream. */
  int read(ByteBuffer into) throws IOException {
    return channel == null ? -1 : channel.read(into);
  }

  /** Writes as much as the kernel accepts and returns the number of bytes. */
  long write() throws IOException {
    long written = 0;
    while (channel != null && !outgoing.isEmpty()) {
      ByteBuffer[] buffers = new ByteBuffer[Math.min(GATHERED, outgoing.size())];
      Iterator<ByteBuffer> first = outgoing.iterator();
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = first.next();
      }
      long count = channel.write(buffers);
      if (count == 0) {
        break;
      }
      written += count;
      while (!outgoing.isEmpty() && !outgoing.peek().hasRemaining()) {
        outgoing.remove();
      }
    }
    waiting -= written;
    listen();
    return written;
  }

  /**
   * Updates the selector's interests. While the send queue is too long, nothing is read: a peer
   * that requests but does not receive gets no further answers.
   */
  private void listen() {
    if (key == null || !key.isValid() || !connected) {
      return;
    }
    int write = outgoing.isEmpty() ? 0 : SelectionKey.OP_WRITE;
    int read = deaf || waiting > PAUSE_READING ? 0 : SelectionKey.OP_READ;
    if (key.interestOps() != (read | write)) {
      key.interestOps(read | write);
    }
  }

  /**
   * Closes the socket so that written data arrives. Closing with unread bytes would reset the
   * connection and drop data that the kernel has not sent yet. Any buffer is overwritten.
   */
  void closeGently(ByteBuffer scratch) {
    try {
      if (channel != null && connected) {
        channel.shutdownOutput();
        int count = 1;
        for (int i = 0; i < MAX_DISCARDED && count > 0; i++) {
          clear(scratch);
          count = channel.read(scratch);
        }
      }
    } catch (IOException e) {
      // The other side closed first; a graceful close is not needed.
    }
    close();
  }

  /** Closes the socket, if there is one. Idempotent. */
  void close() {
    connected = false;
    if (key != null) {
      key.cancel();
      key = null;
    }
    closeQuietly(channel);
    channel = null;
  }

  /** An error while closing has no consequences. */
  static void closeQuietly(@Nullable SocketChannel socket) {
    if (socket == null) {
      return;
    }
    try {
      socket.close();
    } catch (IOException e) {
      // The descriptor is released either way.
    }
  }

  /** Makes a buffer ready to be filled; ByteBuffer.clear does not exist on Android 8. */
  static void clear(Buffer buffer) {
    buffer.clear();
  }

  /** Makes a filled buffer ready to be read; ByteBuffer.flip does not exist on Android 8. */
  static void flip(Buffer buffer) {
    buffer.flip();
  }
}
