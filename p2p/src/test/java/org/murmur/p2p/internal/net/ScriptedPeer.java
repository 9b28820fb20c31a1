package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hex;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;

/** A scripted peer on 127.0.0.1, on the test's thread. */
final class ScriptedPeer implements AutoCloseable {

  static final int MAGIC = 0xdab5bffa;

  /** A test that waits this long has failed; nothing is ever measured with it. */
  static final int PATIENCE_MILLIS = 30_000;

  private final ServerSocket server;
  private Transport transport = new PlainTransport(MAGIC);
  private @Nullable Socket socket;

  ScriptedPeer() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
  }

  int port() {
    return server.getLocalPort();
  }

  Link link(int id) {
    return new Link(id, new NodeAddress("127.0.0.1", port()));
  }

  ScriptedPeer accept() throws IOException {
    socket = server.accept();
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    return this;
  }

  /** From now on it speaks as a node that encrypts, if its caller does so. */
  ScriptedPeer encrypts() {
    transport = new EncryptedTransport(MAGIC, false, new Random(2)::nextBytes);
    return this;
  }

  void sends(Message message) throws IOException {
    sends(transport.encode(message));
  }

  void sends(byte[] bytes) throws IOException {
    socket().getOutputStream().write(bytes);
  }

  /** The next message, or null if the connection was closed in good order. */
  @Nullable Message reads() throws IOException {
    byte[] buffer = new byte[65_536];
    InputStream in = socket().getInputStream();
    while (true) {
      byte[] handshake = transport.handshake();
      if (handshake.length > 0) {
        sends(handshake);
      }
      Frame frame = transport.next();
      if (frame != null) {
        return frame.message();
      }
      int count = in.read(buffer);
      if (count < 0) {
        return null;
      }
      transport.feed(ByteBuffer.wrap(buffer, 0, count));
    }
  }

  /** Exactly this many bytes in hex. */
  String reads(int count) throws IOException {
    byte[] bytes = socket().getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new AssertionError("closed after " + Hex.format(bytes));
    }
    return Hex.format(bytes);
  }

  /** Whether a connection waits to be accepted. */
  boolean wasCalled() throws IOException {
    server.setSoTimeout(1);
    try (Socket caller = server.accept()) {
      return caller.isConnected();
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      server.setSoTimeout(PATIENCE_MILLIS);
    }
  }

  void hangsUp() throws IOException {
    socket().close();
  }

  private Socket socket() {
    if (socket == null) {
      throw new IllegalStateException("nobody was accepted yet");
    }
    return socket;
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (socket != null) {
      socket.close();
    }
  }
}
