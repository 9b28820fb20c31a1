package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.Obstacle;

/**
 * The sockets of a loop: connects, reads, writes and closes. With a proxy, every connection goes
 * through it and it resolves every name: there is no DNS query and no direct connection.
 *
 * <p>Belongs to the loop's thread; only {@link #wakeUp} and the counters are for other threads.
 */
final class Sockets implements AutoCloseable {

  /** The part of the loop that sockets need. */
  interface Loop {

    /** Adds an input for the machine. */
    void queue(Input input);

    /** Steps the machine until it has taken all inputs. */
    void drain();

    /** Whether the machine takes no more. */
    boolean isStopped();

    /** Handling what a peer sent threw an exception: the machine drops the peer. */
    void failed(Link link, Throwable failure);

    /** Runs something on the loop's thread. Safe from any thread. */
    void later(Runnable errand);
  }

  /** Bytes read from one connection per round. */
  private static final int READ_BUFFER = 256 * 1024;

  /** A peer with a longer send queue does not read at all and is disconnected. */
  static final long MAX_WAITING = 16L << 20;

  /**
   * Together the send queues, and together the incomplete messages, have at most so many bytes. It
   * is room for eight whole blocks. Beyond that the peer with the most is disconnected.
   */
  static final long MAX_IN_ALL = 32L << 20;

  /** Maximum number of closing connections that still send their queue; the oldest is closed. */
  private static final int MAX_LEAVING = 8;

  private final Loop loop;
  private final int magic;
  private final long mostToRead;
  private final Resolver resolver;
  private final @Nullable Proxy proxy;
  // Randomness for proxy logins, keys and garbage.
  private final Random dice;

  private final AtomicLong bytesReceived = new AtomicLong();
  private final AtomicLong bytesSent = new AtomicLong();
  private final TrafficMeter meter = new TrafficMeter();
  private volatile @Nullable Selector selector;

  private final Map<Integer, Connection> connections = new HashMap<>();
  private final Set<Connection> toFlush = new LinkedHashSet<>();
  private final ArrayDeque<Connection> leaving = new ArrayDeque<>();
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER);

  /**
   * @param magic the network's four bytes, read as a little-endian integer
   * @param mostToRead the most bytes to read from all sockets
   */
  Sockets(Loop loop, int magic, long mostToRead, Route route, Random dice) {
    this.loop = loop;
    this.magic = magic;
    this.mostToRead = mostToRead;
    this.proxy = route.proxy().orElse(null);
    this.resolver = new Resolver(proxy == null ? route.names() : Resolver.REFUSING);
    this.dice = dice;
  }

  void open() throws IOException {
    selector = Selector.open();
  }

  private Selector opened() {
    return Objects.requireNonNull(selector, "not open");
  }

  /** Bytes read so far. */
  long bytesReceived() {
    return bytesReceived.get();
  }

  /** Bytes written so far. */
  long bytesSent() {
    return bytesSent.get();
  }

  /** Bytes of messages so far, by cause. */
  BytesByCause traffic() {
    return meter.traffic();
  }

  /** Ends the wait for sockets, or the next one. */
  void wakeUp() {
    Selector waiting = selector;
    if (waiting != null) {
      waiting.wakeup();
    }
  }

  /** Finds out which sockets are ready, without waiting. */
  void look() throws IOException {
    opened().selectNow();
  }

  /** Waits for a socket or {@link #wakeUp}, at most some milliseconds; 0 for any time. */
  void await(long millis) throws IOException {
    opened().select(millis);
  }

  // ---- names ----

  /** Looks up a name; an input has its addresses. */
  void lookUp(Output.LookUp asked) {
    String name = asked.name();
    if (proxy != null) {
      loop.queue(new Input.LookUpFailed(name, "with a proxy no name is looked up here"));
      return;
    }
    resolver.resolve(
        name,
        numbers ->
            loop.later(() -> loop.queue(new Input.LookedUp(name, at(numbers, asked.port())))),
        why -> loop.later(() -> loop.queue(new Input.LookUpFailed(name, why))));
  }

  private static List<NodeAddress> at(List<InetAddress> numbers, int port) {
    List<NodeAddress> addresses = new ArrayList<>(numbers.size());
    numbers.forEach(number -> addresses.add(new NodeAddress(number.getHostAddress(), port)));
    return addresses;
  }

  // ---- connecting ----

  /** Begins a connection; an input tells how it went. */
  void connect(Output.Connect requested) {
    Link link = requested.link();
    Connection connection = connection(link, requested.encryption());
    if (proxy != null) {
      connectThrough(proxy, connection);
      return;
    }
    Thread own = Thread.currentThread();
    resolver.resolve(
        link.address().host(),
        addresses -> {
          if (Thread.currentThread() == own) {
            connectTo(connection, addresses);
          } else {
            loop.later(() -> connectTo(connection, addresses));
          }
        },
        why -> loop.later(() -> notConnected(connection, Obstacle.UNKNOWN_NAME, why)));
  }

  private Connection connection(Link link, Encryption encryption) {
    Transport transport =
        encryption == Encryption.OFF
            ? new PlainTransport(magic)
            : new EncryptedTransport(magic, true, dice::nextBytes);
    Socks5 socks = proxy == null ? null : new Socks5(link.address(), dice);
    Connection connection = new Connection(link, transport, socks, encryption);
    connections.put(link.id(), connection);
    return connection;
  }

  /**
   * A peer that does not know the encrypted transport closes a connection that begins with a key,
   * or answers in the clear. It is called once more, in the clear, unless that is forbidden
   * (BIP-0324, "Signaling v2 support"). Returns whether that was the case; the machine need not
   * know of it.
   */
  private boolean calledAgain(Connection connection, boolean ended) {
    InetAddress number = connection.number;
    if (!connection.isPlainPeer(ended) || !isOpen(connection) || number == null) {
      return false;
    }
    if (connection.encryption == Encryption.ONLY) {
      notConnected(connection, Obstacle.NOT_ENCRYPTED, "does not encrypt (BIP-0324)");
      return true;
    }
    drop(connection);
    connectTo(connection(connection.link, Encryption.OFF), List.of(number));
    return true;
  }

  private void connectThrough(Proxy through, Connection connection) {
    Link link = connection.link;
    String objection = Socks5.objection(link.address());
    if (objection == null) {
      connectTo(connection, through.addresses());
    } else {
      notConnected(connection, Obstacle.BEYOND_PROXY, objection);
    }
  }

  private void connectTo(Connection connection, List<InetAddress> addresses) {
    connection.candidates = addresses.iterator();
    connectToNext(connection, "the host name has no address");
  }

  /** Tries the host's addresses in turn until one does not fail at once. */
  private void connectToNext(Connection connection, String lastWords) {
    if (!isOpen(connection)) {
      return;
    }
    String why = lastWords;
    while (connection.candidates.hasNext()) {
      InetAddress number = connection.candidates.next();
      InetSocketAddress address = new InetSocketAddress(number, port(connection));
      connection.number = number;
      SocketChannel channel = null;
      try {
        channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(address);
        connection.use(channel, channel.register(opened(), SelectionKey.OP_CONNECT, connection));
        if (connected) {
          connected(connection);
        }
        return;
      } catch (IOException | UnresolvedAddressException | UnsupportedAddressTypeException e) {
        Connection.closeQuietly(channel);
        why = words(e);
      }
    }
    notCalled(connection, why);
  }

  private int port(Connection connection) {
    Proxy through = proxy;
    return through == null ? connection.link.address().port() : through.port();
  }

  private void connected(Connection connection) {
    connection.begin();
    if (connection.socks == null) {
      greet(connection);
    } else {
      connection.queue(Socks5.greeting());
      toFlush.add(connection);
    }
  }

  /** The peer is reached: its transport begins. */
  private void greet(Connection connection) {
    if (!connection.transport.isReady()) {
      loop.queue(new Input.Accepted(connection.link));
    }
    goOn(connection);
  }

  /** Sends what the transport's handshake needs, and tells when it is done. */
  private void goOn(Connection connection) {
    byte[] next = connection.transport.handshake();
    if (next.length > 0) {
      connection.queue(next);
      toFlush.add(connection);
    }
    if (connection.transport.isReady() && !connection.open) {
      connection.open = true;
      boolean encrypted = connection.transport.isEncrypted();
      loop.queue(new Input.Connected(connection.link, at(connection), encrypted));
    }
  }

  private static NodeAddress at(Connection connection) {
    InetAddress number = connection.number;
    NodeAddress named = connection.link.address();
    // Behind a proxy the address of a name is unknown.
    return number == null || connection.socks != null
        ? named
        : new NodeAddress(number.getHostAddress(), named.port());
  }

  /** The connection failed: to the peer, or to the proxy. */
  private void notCalled(Connection connection, String why) {
    if (connection.socks == null) {
      notConnected(connection, Obstacle.NO_CONNECTION, why);
    } else {
      withoutProxy(connection, Obstacle.PROXY_DOWN, "cannot be reached: " + why);
    }
  }

  private void notConnected(Connection connection, Obstacle obstacle, String why) {
    if (isOpen(connection)) {
      drop(connection);
      loop.queue(new Input.ConnectFailed(connection.link, obstacle, why));
    }
  }

  private void withoutProxy(Connection connection, Obstacle obstacle, String why) {
    if (isOpen(connection)) {
      drop(connection);
      loop.queue(
          new Input.ProxyFailed(connection.link, obstacle, "the proxy " + proxy + " " + why));
    }
  }

  /** The proxy handshake; the peer's bytes follow it. */
  private void negotiate(Connection connection, Socks5 socks) {
    while (readBuffer.hasRemaining() && !socks.isDone() && !socks.isFailed()) {
      byte[] next = socks.take(readBuffer);
      if (next.length > 0) {
        connection.queue(next);
        toFlush.add(connection);
      }
    }
    if (socks.isFailed()) {
      refused(connection, socks);
    } else if (socks.isDone()) {
      greet(connection);
    }
  }

  private void refused(Connection connection, Socks5 socks) {
    if (socks.isProxysFault()) {
      withoutProxy(connection, Obstacle.PROXY_UNFIT, socks.failure());
    } else {
      notConnected(connection, Obstacle.BEYOND_PROXY, socks.failure());
    }
  }

  // ---- reading and writing ----

  /** Serves every ready socket once. */
  void serve() {
    List<SelectionKey> ready = new ArrayList<>(opened().selectedKeys());
    opened().selectedKeys().clear();
    for (SelectionKey key : ready) {
      if (key.attachment() instanceof Connection connection && key.isValid()) {
        serve(connection, key.readyOps());
        loop.drain();
      }
    }
  }

  private void serve(Connection connection, int readyOps) {
    if ((readyOps & SelectionKey.OP_CONNECT) != 0) {
      finishConnect(connection);
    }
    if ((readyOps & SelectionKey.OP_WRITE) != 0) {
      toFlush.add(connection);
    }
    if ((readyOps & SelectionKey.OP_READ) != 0) {
      read(connection);
    }
  }

  private void finishConnect(Connection connection) {
    try {
      if (connection.finishConnect()) {
        connected(connection);
      }
    } catch (IOException e) {
      connection.close();
      connectToNext(connection, words(e));
    }
  }

  private void read(Connection connection) {
    long room = mostToRead - bytesReceived.get();
    if (room <= 0) {
      connection.stopReading();
      return;
    }
    Connection.clear(readBuffer);
    if (room < readBuffer.capacity()) {
      // Android has no covariant limit().
      ((Buffer) readBuffer).limit((int) room);
    }
    int count;
    try {
      count = connection.read(readBuffer);
    } catch (IOException e) {
      lost(connection, words(e));
      return;
    }
    if (count < 0) {
      lost(
          connection,
          connection.transport.isMidFrame()
              ? "closed by the other side in the middle of a message"
              : "closed by the other side");
      return;
    }
    long all = bytesReceived.addAndGet(count);
    Connection.flip(readBuffer);
    take(connection);
    if (count > 0 && all >= mostToRead) {
      loop.queue(new Input.LimitReached());
    }
  }

  /** Handles received bytes: the proxy's, then the peer's. */
  private void take(Connection connection) {
    Socks5 socks = connection.socks;
    if (socks != null && !socks.isDone()) {
      negotiate(connection, socks);
      if (!socks.isDone()) {
        return;
      }
    }
    connection.transport.feed(readBuffer);
    if (calledAgain(connection, false)) {
      return;
    }
    goOn(connection);
    hear(connection);
    Connection largest = most(other -> other.transport.buffered());
    if (largest != null) {
      lost(largest, "is in the middle of a large message, and others are, too");
    }
  }

  /** Passes received messages to the machine one by one, until it disconnects the peer. */
  private void hear(Connection connection) {
    try {
      for (Frame frame = decoded(connection);
          frame != null && isOpen(connection) && !loop.isStopped();
          frame = decoded(connection)) {
        meter.received(frame.message(), frame.wireBytes());
        announce(connection, frame.message());
        loop.queue(new Input.Received(connection.link, frame.message(), frame.wireBytes()));
        loop.drain();
      }
    } catch (WireException e) {
      if (isOpen(connection)) {
        connection.stopReading();
        loop.queue(garbage(connection.link, e));
      }
    }
  }

  /** The next complete message. A decoder that fails by itself returns no more. */
  private @Nullable Frame decoded(Connection connection) {
    try {
      return connection.transport.next();
    } catch (WireException e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      if (isOpen(connection)) {
        loop.failed(connection.link, e);
      }
      return null;
    }
  }

  /** The decoder's error, or the network that the peer speaks. */
  private static Input garbage(Link link, WireException e) {
    for (ChainParams other : ChainParams.all()) {
      if (e.foreignMagic().filter(found -> found == other.magic()).isPresent()) {
        String why = "speaks " + other + ", which is not the network that was asked for";
        return new Input.Garbled(link, Obstacle.OTHER_NETWORK, why);
      }
    }
    String why = String.valueOf(e.getMessage());
    if (e.isMalformed()) {
      return new Input.Malformed(link, why);
    }
    return e.isOversized() ? new Input.Oversized(link, why) : new Input.Garbled(link, why);
  }

  /**
   * Announces a full batch of headers before it is processed, so that the next request is sent
   * first.
   */
  private void announce(Connection connection, Message message) {
    if (message instanceof Message.HeadersMessage batch
        && batch.headers().count() == Headers.MAX_PER_MESSAGE) {
      loop.queue(new Input.HeadersComing(connection.link, batch.headers()));
      loop.drain();
      flush();
    }
  }

  /** Queues a message for {@link #flush}. */
  void send(Output.Send send) {
    Connection connection = connections.get(send.link().id());
    if (connection == null) {
      // The connection is closed, and the machine's input is queued.
      return;
    }
    byte[] frame = connection.transport.encode(send.message());
    meter.sent(send.message(), frame.length);
    connection.queue(frame);
    toFlush.add(connection);
    if (connection.waiting() > MAX_WAITING) {
      write(connection);
      if (connection.waiting() > MAX_WAITING) {
        notReading(connection);
      }
    }
    Connection longest = most(Connection::waiting);
    if (longest != null) {
      notReading(longest);
    }
  }

  private void notReading(Connection connection) {
    lost(connection, "does not read: " + connection.waiting() + " bytes wait to be sent");
  }

  /** The connection with the most of something, if all together have too much; null otherwise. */
  private @Nullable Connection most(ToLongFunction<Connection> size) {
    long sum = 0;
    Connection most = null;
    for (Connection connection : connections.values()) {
      long bytes = size.applyAsLong(connection);
      sum += bytes;
      most = most == null || bytes > size.applyAsLong(most) ? connection : most;
    }
    return sum > MAX_IN_ALL ? most : null;
  }

  /** Sends what is queued, as far as the kernel takes it. */
  void flush() {
    List<Connection> dirty = new ArrayList<>(toFlush);
    toFlush.clear();
    for (Connection connection : dirty) {
      write(connection);
    }
  }

  private void write(Connection connection) {
    if (!connection.hasToWrite()) {
      return;
    }
    try {
      bytesSent.addAndGet(connection.write());
    } catch (IOException e) {
      lost(connection, words(e));
      return;
    }
    if (connection.isLeaving() && !connection.hasToWrite()) {
      drop(connection);
    }
  }

  // ---- ending ----

  /** Closes a link as soon as what is queued is sent. */
  void disconnect(Link link) {
    Connection connection = connections.remove(link.id());
    if (connection == null) {
      return;
    }
    if (!connection.hasToWrite()) {
      drop(connection);
      return;
    }
    connection.leave();
    leaving.add(connection);
    toFlush.add(connection);
    if (leaving.size() > MAX_LEAVING) {
      drop(leaving.remove());
    }
  }

  /** A connection ended that the machine did not close. */
  private void lost(Connection connection, String why) {
    Socks5 socks = connection.socks;
    if (socks != null && connection.isBeingProxied() && isOpen(connection)) {
      socks.closed(why);
      refused(connection, socks);
      return;
    }
    if (calledAgain(connection, true)) {
      return;
    }
    boolean tell = isOpen(connection);
    drop(connection);
    if (tell) {
      loop.queue(new Input.Disconnected(connection.link, why));
    }
  }

  /** Closes a link at once, if it is open. */
  void drop(Link link) {
    Connection connection = connections.get(link.id());
    if (connection != null) {
      drop(connection);
    }
  }

  private void drop(Connection connection) {
    connections.remove(connection.link.id(), connection);
    leaving.remove(connection);
    toFlush.remove(connection);
    connection.closeGently(readBuffer);
  }

  /** Closes everything. A connection that the machine closed still sends what is queued. */
  @Override
  public void close() {
    Selector opened = selector;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        // The descriptor is released either way.
      }
    }
    leaving.forEach(connection -> connection.closeGently(readBuffer));
    connections.values().forEach(Connection::close);
    resolver.close();
  }

  private boolean isOpen(Connection connection) {
    return connections.get(connection.link.id()) == connection;
  }

  /** The system's error message, in lower case. */
  private static String words(Exception e) {
    String message = e.getMessage();
    if (message == null || message.isEmpty()) {
      return e.getClass().getSimpleName();
    }
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }
}
