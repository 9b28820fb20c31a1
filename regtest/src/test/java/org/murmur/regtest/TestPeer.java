package org.murmur.regtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;

/** A blocking client of one connection: sends what a test asks for and keeps what comes. */
public final class TestPeer implements AutoCloseable {

  /**
   * A real node answers {@code mempool} after a random time with a mean of 5 seconds (Core's
   * INBOUND_INVENTORY_BROADCAST_INTERVAL): one answer in 50 takes longer than 20 seconds.
   */
  private static final int PATIENCE_MILLIS = 90_000;

  private final Socket socket = new Socket();
  private final Transport transport;
  private final byte[] buffer = new byte[1 << 16];
  private final List<Message> greetings = new ArrayList<>();
  private Message.@Nullable Version version;

  /**
   * A peer's version handshake.
   *
   * @param protocol its protocol version
   * @param services its service bits
   * @param relay whether it wants transactions announced before it loads a filter
   * @param wtxid whether it announces transactions by wtxid (BIP-0339)
   */
  record Hello(int protocol, long services, boolean relay, boolean wtxid) {
    /** A light client: no services, nothing announced before a filter is loaded. */
    static final Hello LIGHT = new Hello(70016, 0, false, false);

    /** A light client that wants all announcements. */
    static final Hello LISTENER = new Hello(70016, 0, true, false);
  }

  private TestPeer(Transport transport) {
    this.transport = transport;
  }

  Transport transport() {
    return transport;
  }

  public static TestPeer connect(RegtestNode node) {
    return connect(node.host(), node.port());
  }

  /**
   * Connects and completes the version handshake, with no announcements before a filter is loaded.
   */
  public static TestPeer connect(String host, int port) {
    return connect(host, port, Hello.LIGHT);
  }

  public static TestPeer connect(String host, int port, Hello hello) {
    return open(host, port).greet(hello);
  }

  /** Completes the version handshake. */
  TestPeer greet(Hello hello) {
    send(
        new Message.Version(
            hello.protocol(), hello.services(), 0, 7, "/test:1/", 0, hello.relay()));
    if (hello.wtxid()) {
      send(new Message.WtxidRelay());
    }
    version = (Message.Version) await(m -> m instanceof Message.Version);
    await(m -> m instanceof Message.Verack);
    send(new Message.Verack());
    return this;
  }

  static TestPeer open(String host, int port) {
    return open(host, port, new PlainTransport(ChainParams.REGTEST.magic()));
  }

  /** Connects and encrypts, as the caller of BIP-0324, but sends no message. */
  static TestPeer encrypted(String host, int port) {
    TestPeer peer =
        open(
            host,
            port,
            new EncryptedTransport(
                ChainParams.REGTEST.magic(), true, new SecureRandom()::nextBytes));
    peer.sendRaw(peer.transport.handshake());
    while (!peer.transport.isReady()) {
      if (!peer.receive()) {
        throw new AssertionError("the node has closed the connection");
      }
      peer.sendRaw(peer.transport.handshake());
    }
    return peer;
  }

  private static TestPeer open(String host, int port, Transport transport) {
    TestPeer peer = new TestPeer(transport);
    try {
      peer.socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      peer.socket.setSoTimeout(PATIENCE_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return peer;
  }

  Message.Version version() {
    return Objects.requireNonNull(version);
  }

  /** Messages that every peer gets: settings, and the node's own pings. */
  List<Message> greetings() {
    return greetings;
  }

  public static boolean isGreeting(Message message) {
    return message instanceof Message.Ping
        || message instanceof Message.SendCmpct
        || message instanceof Message.FeeFilter
        || message instanceof Message.WtxidRelay
        || message instanceof Message.SendAddrV2;
  }

  public void send(Message... messages) {
    for (Message message : messages) {
      sendRaw(transport.encode(message));
    }
  }

  void sendRaw(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (SocketException e) {
      // The node has disconnected meanwhile, which reading will show.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next message that a test cares about; a node's own pings and settings are not. */
  Message next() {
    Message message = read();
    if (message == null) {
      throw new AssertionError("the node has closed the connection");
    }
    return message;
  }

  private @Nullable Message read() {
    Message message = readAny();
    while (message != null && isGreeting(message)) {
      greetings.add(message);
      message = readAny();
    }
    return message;
  }

  private @Nullable Message readAny() {
    Frame frame = transport.next();
    while (frame == null) {
      if (!receive()) {
        return null;
      }
      frame = transport.next();
    }
    return frame.message();
  }

  /** Waits for bytes; returns false if the node has disconnected. */
  boolean receive() {
    try {
      int length = socket.getInputStream().read(buffer);
      transport.feed(ByteBuffer.wrap(buffer, 0, Math.max(0, length)));
      return length >= 0;
    } catch (IOException e) {
      if (e.getMessage() != null && e.getMessage().contains("reset")) {
        return false;
      }
      throw new UncheckedIOException(e);
    }
  }

  Message await(Predicate<Message> wanted) {
    Message message = next();
    while (!wanted.test(message)) {
      message = next();
    }
    return message;
  }

  public <M extends Message> M await(Class<M> type) {
    return type.cast(await(type::isInstance));
  }

  /** Reads until the node disconnects; fails by time-out if it does not. */
  public List<Message> untilClosed() {
    List<Message> messages = new ArrayList<>();
    Message message = read();
    while (message != null) {
      messages.add(message);
      message = read();
    }
    return messages;
  }

  /** Sends a ping and returns the messages before its pong: all answers to earlier messages. */
  List<Message> barrier() {
    long nonce = System.nanoTime();
    send(new Message.Ping(nonce));
    List<Message> before = new ArrayList<>();
    Message message = next();
    while (!message.equals(new Message.Pong(nonce))) {
      before.add(message);
      message = next();
    }
    return before;
  }

  void ask(int type, Hash256... hashes) {
    List<InventoryItem> items = new ArrayList<>();
    for (Hash256 hash : hashes) {
      items.add(new InventoryItem(type, hash));
    }
    send(new Message.GetData(items));
  }

  /** Asks for filtered blocks and returns the transactions that came, in order. */
  List<Tx> filtered(Hash256... hashes) {
    ask(InventoryItem.FILTERED_BLOCK, hashes);
    return transactions(barrier());
  }

  public static List<Tx> transactions(List<Message> messages) {
    return messages.stream()
        .filter(Message.TxMessage.class::isInstance)
        .map(m -> ((Message.TxMessage) m).tx())
        .toList();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
