package org.murmur.p2p.net;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
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
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Frame;
import org.murmur.p2p.wire.FrameEncoder;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.WireException;

/**
 * Runs a machine with real sockets, the clock and the commit thread.
 *
 * <p>It makes no decisions: occurrences become inputs, and outputs are executed in order. It keeps
 * the time of the next {@link Output.WakeAt}, and reports when the clock jumped or this computer
 * slept. The first input is a tick. It reads at most {@link Machine#mostToRead} bytes.
 *
 * <p>With a proxy, every connection goes through it and it resolves every name. There is no DNS
 * query and no direct connection.
 *
 * <p>{@link #run} does everything on the calling thread, including the event consumer, which must
 * not block. Only {@link #post}, {@link #betweenCommits} and the counters are for other threads.
 * See CONCURRENCY.md at the root of the repository.
 */
public final class PeerLoop {

  private static final Logger LOG = Logger.getLogger(PeerLoop.class.getName());

  /** Bytes read from one connection per round. */
  private static final int READ_BUFFER = 256 * 1024;

  /** A peer with a longer send queue does not read at all and is disconnected. */
  static final long MAX_WAITING = 16L << 20;

  /** Maximum number of closing connections that still send their queue; the oldest is closed. */
  private static final int MAX_LEAVING = 8;

  private final Machine machine;
  private final CommitSink sink;
  private final Consumer<SyncEvent> events;
  private final Timepiece time;
  private final int magic;
  private final long mostToRead;

  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicLong bytesReceived = new AtomicLong();
  private final AtomicLong bytesSent = new AtomicLong();

  /** Tasks posted by other threads. */
  private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();

  private final Resolver resolver;
  private final @Nullable Proxy proxy;
  // Randomness for proxy logins; belongs to the loop's thread.
  private final Random dice;
  private final ExecutorService committer;
  private volatile @Nullable Throwable commitFailure;
  private volatile @Nullable Selector selector;
  private volatile boolean over;

  // The rest belongs to the loop's thread.
  private final ArrayDeque<Input> inbox = new ArrayDeque<>();
  private final Map<Integer, Connection> connections = new HashMap<>();
  private final Set<Connection> toFlush = new LinkedHashSet<>();
  private final ArrayDeque<Connection> leaving = new ArrayDeque<>();
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER);
  // Measured by the counter, so that setting the clock does not delay it.
  private @Nullable Long wakeAt;

  /**
   * Makes an idle loop.
   *
   * @param machine the machine; the caller must not step it while the loop runs
   * @param sink receives commit batches on its own thread
   * @param events receives events on the loop's thread
   * @param clock the time given to the machine
   * @param magic the network's four bytes, read as a little-endian integer
   */
  public PeerLoop(
      Machine machine, CommitSink sink, Consumer<SyncEvent> events, Clock clock, int magic) {
    this(machine, sink, events, clock, magic, HostNames.SYSTEM);
  }

  /**
   * Makes an idle loop whose connections all go through a proxy. The machine's settings have to be
   * {@code proxied}.
   *
   * @param machine the machine; the caller must not step it while the loop runs
   * @param sink receives commit batches on its own thread
   * @param events receives events on the loop's thread
   * @param clock the time given to the machine
   * @param magic the network's four bytes, read as a little-endian integer
   * @param proxy the proxy's address
   * @param dice source of the random user names that separate connections, so it must be
   *     unpredictable; used on the loop's thread
   */
  public PeerLoop(
      Machine machine,
      CommitSink sink,
      Consumer<SyncEvent> events,
      Clock clock,
      int magic,
      Proxy proxy,
      Random dice) {
    this(machine, sink, events, clock, magic, Resolver.REFUSING, proxy, dice);
  }

  /**
   * Makes an idle loop with its own name resolver.
   *
   * @param machine the machine; the caller must not step it while the loop runs
   * @param sink receives commit batches on its own thread
   * @param events receives events on the loop's thread
   * @param clock the time given to the machine
   * @param magic the network's four bytes, read as a little-endian integer
   * @param names resolves names, on threads of the loop
   */
  public PeerLoop(
      Machine machine,
      CommitSink sink,
      Consumer<SyncEvent> events,
      Clock clock,
      int magic,
      HostNames names) {
    this(machine, sink, events, clock, magic, names, null, new Random(0));
  }

  PeerLoop(
      Machine machine,
      CommitSink sink,
      Consumer<SyncEvent> events,
      Clock clock,
      int magic,
      HostNames names,
      @Nullable Proxy proxy,
      Random dice) {
    this.machine = machine;
    this.sink = sink;
    this.events = events;
    this.time = new Timepiece(clock, System::nanoTime);
    this.magic = magic;
    this.mostToRead = machine.mostToRead();
    this.resolver = new Resolver(names);
    this.proxy = proxy;
    this.dice = dice;
    this.committer =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "murmur-commit");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs until the machine is stopped, then closes every connection. When it returns or throws, no
   * commit is running. Can be called once.
   *
   * @throws IOException if a batch could not be committed, or there is no way to wait for sockets
   * @throws InterruptedIOException if the thread was interrupted; uncommitted data is lost, as if
   *     the process had been killed
   */
  public void run() throws IOException {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("a loop runs once");
    }
    try (Selector opened = Selector.open()) {
      selector = opened;
      inbox.add(new Input.Tick());
      settle(opened);
      while (!machine.isStopped()) {
        await(opened);
        runErrands();
        serve(opened);
        tickIfDue();
        settle(opened);
      }
    } finally {
      close();
    }
    rethrowCommitFailure();
  }

  /**
   * Queues an input for the machine. Safe from any thread; does nothing after the loop has ended.
   *
   * @param input an occurrence or an order
   */
  public void post(Input input) {
    later(() -> inbox.add(input));
  }

  /**
   * Runs a task on the commit thread, between two batches, and gives its inputs to the machine in
   * the order of those of batches. Safe from any thread.
   *
   * @param task writes something that no peer sent; must not throw
   * @return whether it runs; false after the loop has ended. {@link #run} waits for those that it
   *     took
   */
  public boolean betweenCommits(Supplier<List<Input>> task) {
    try {
      committer.execute(
          () -> {
            List<Input> inputs = List.copyOf(task.get());
            later(() -> inbox.addAll(inputs));
          });
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /**
   * Returns how much was read from all sockets so far. Safe from any thread.
   *
   * @return bytes
   */
  public long bytesReceived() {
    return bytesReceived.get();
  }

  /**
   * Returns how much was written to all sockets so far. Safe from any thread.
   *
   * @return bytes
   */
  public long bytesSent() {
    return bytesSent.get();
  }

  private void later(Runnable errand) {
    if (over) {
      return;
    }
    errands.add(errand);
    Selector waiting = selector;
    if (waiting != null) {
      waiting.wakeup();
    }
  }

  private void runErrands() throws IOException {
    for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
      errand.run();
    }
    rethrowCommitFailure();
  }

  /** Waits for a socket, another thread, or the deadline. */
  private void await(Selector opened) throws IOException {
    Long due = wakeAt;
    if (!errands.isEmpty()) {
      opened.selectNow();
    } else if (due == null) {
      opened.select();
    } else {
      long millis = Duration.ofNanos(due - time.nanos()).toMillis();
      if (millis < 0) {
        opened.selectNow();
      } else {
        // toMillis rounds down: add one, or the loop would spin for the last millisecond.
        opened.select(millis + 1);
        time.waited(due);
      }
    }
    if (Thread.interrupted()) {
      throw new InterruptedIOException("interrupted while waiting for peers");
    }
  }

  private void tickIfDue() {
    Long due = wakeAt;
    if (due != null && time.nanos() - due >= 0) {
      wakeAt = null;
      inbox.add(new Input.Tick());
    }
  }

  /** Steps until the input queue is empty, then sends. */
  private void settle(Selector opened) {
    do {
      drain(opened);
      flush();
    } while (!inbox.isEmpty() && !machine.isStopped());
  }

  private void drain(Selector opened) {
    while (!machine.isStopped()) {
      Input input = inbox.poll();
      if (input == null) {
        return;
      }
      Duration jump = time.jump();
      if (!jump.isZero()) {
        step(new Input.TimeJumped(jump), opened);
      }
      if (!machine.isStopped()) {
        step(input, opened);
      }
    }
  }

  private void step(Input input, Selector opened) {
    List<Output> outputs;
    try {
      outputs = machine.step(input, time.now());
    } catch (UncheckedIOException e) {
      // The disk failed; no peer's message is the cause.
      throw e;
    } catch (RuntimeException | AssertionError e) {
      Link speaker = speaker(input);
      if (speaker == null) {
        throw e;
      }
      failed(speaker, e, opened);
      return;
    }
    for (Output output : outputs) {
      execute(output, opened);
    }
  }

  /** The sender of the message, or null if the input is none. */
  private static @Nullable Link speaker(Input input) {
    if (input instanceof Input.Received received) {
      return received.link();
    }
    return input instanceof Input.HeadersComing coming ? coming.link() : null;
  }

  /** A peer's message caused an exception: disconnect the peer and continue the sync. */
  private void failed(Link link, Throwable failure, Selector opened) {
    LOG.log(Level.SEVERE, "internal error in handling what " + link.address() + " sent", failure);
    step(new Input.Failed(link, failure.toString()), opened);
    Connection connection = connections.get(link.id());
    if (connection != null) {
      // The machine removed the peer, but failed before it could output Disconnect.
      drop(connection);
    }
  }

  private void execute(Output output, Selector opened) {
    if (output instanceof Output.Send send) {
      send(send);
    } else if (output instanceof Output.Connect connect) {
      connect(connect.link(), opened);
    } else if (output instanceof Output.LookUp lookUp) {
      lookUp(lookUp);
    } else if (output instanceof Output.Disconnect disconnect) {
      disconnect(disconnect.link());
    } else if (output instanceof Output.WakeAt wake) {
      wakeAt = time.nanosAt(wake.at());
    } else if (output instanceof Output.Commit commit) {
      committer.execute(() -> commit(commit.batch()));
    } else if (output instanceof Output.Emit emit) {
      events.accept(emit.event());
    } else {
      throw new AssertionError("unknown output " + output);
    }
  }

  // ---- commits, on their own thread ----

  private void commit(CommitBatch batch) {
    if (commitFailure != null) {
      // The previous batch was not written, so this one must not be either.
      return;
    }
    List<Input> answer;
    try {
      answer = List.copyOf(sink.commit(batch));
    } catch (IOException | RuntimeException | Error e) {
      commitFailure = e;
      later(() -> {});
      return;
    }
    later(() -> inbox.addAll(answer));
  }

  private void rethrowCommitFailure() throws IOException {
    Throwable failure = commitFailure;
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  // ---- names ----

  private void lookUp(Output.LookUp asked) {
    String name = asked.name();
    if (proxy != null) {
      inbox.add(new Input.LookUpFailed(name, "with a proxy no name is looked up here"));
      return;
    }
    resolver.resolve(
        name,
        numbers -> later(() -> inbox.add(new Input.LookedUp(name, at(numbers, asked.port())))),
        why -> later(() -> inbox.add(new Input.LookUpFailed(name, why))));
  }

  private static List<PeerAddress> at(List<InetAddress> numbers, int port) {
    List<PeerAddress> addresses = new ArrayList<>(numbers.size());
    numbers.forEach(number -> addresses.add(new PeerAddress(number.getHostAddress(), port)));
    return addresses;
  }

  // ---- connecting ----

  private void connect(Link link, Selector opened) {
    if (proxy != null) {
      connectThrough(proxy, link, opened);
      return;
    }
    Connection connection = new Connection(link, magic);
    connections.put(link.id(), connection);
    Thread loop = Thread.currentThread();
    resolver.resolve(
        link.address().host(),
        addresses -> {
          if (Thread.currentThread() == loop) {
            connectTo(connection, addresses, opened);
          } else {
            later(() -> connectTo(connection, addresses, opened));
          }
        },
        why -> later(() -> notConnected(connection, Obstacle.UNKNOWN_NAME, why)));
  }

  private void connectThrough(Proxy through, Link link, Selector opened) {
    Connection connection = new Connection(link, magic, new Socks5(link.address(), dice));
    connections.put(link.id(), connection);
    String objection = Socks5.objection(link.address());
    if (objection == null) {
      connectTo(connection, through.addresses(), opened);
    } else {
      notConnected(connection, Obstacle.BEYOND_PROXY, objection);
    }
  }

  private void connectTo(Connection connection, List<InetAddress> addresses, Selector opened) {
    connection.candidates = addresses.iterator();
    connectToNext(connection, "the host name has no address", opened);
  }

  /** Tries the host's addresses in turn until one does not fail at once. */
  private void connectToNext(Connection connection, String lastWords, Selector opened) {
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
        connection.use(channel, channel.register(opened, SelectionKey.OP_CONNECT, connection));
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
      inbox.add(new Input.Connected(connection.link, at(connection)));
    } else {
      connection.queue(Socks5.greeting());
    }
    toFlush.add(connection);
  }

  private static PeerAddress at(Connection connection) {
    InetAddress number = connection.number;
    PeerAddress named = connection.link.address();
    // Behind a proxy the address of a name is unknown.
    return number == null || connection.socks != null
        ? named
        : new PeerAddress(number.getHostAddress(), named.port());
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
      inbox.add(new Input.ConnectFailed(connection.link, obstacle, why));
    }
  }

  private void withoutProxy(Connection connection, Obstacle obstacle, String why) {
    if (isOpen(connection)) {
      drop(connection);
      inbox.add(new Input.ProxyFailed(connection.link, obstacle, "the proxy " + proxy + " " + why));
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
      inbox.add(new Input.Connected(connection.link, at(connection)));
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
  private void serve(Selector opened) {
    List<SelectionKey> ready = new ArrayList<>(opened.selectedKeys());
    opened.selectedKeys().clear();
    for (SelectionKey key : ready) {
      if (key.attachment() instanceof Connection connection && key.isValid()) {
        serve(connection, key.readyOps(), opened);
        drain(opened);
      }
    }
  }

  private void serve(Connection connection, int readyOps, Selector opened) {
    if ((readyOps & SelectionKey.OP_CONNECT) != 0) {
      finishConnect(connection, opened);
    }
    if ((readyOps & SelectionKey.OP_WRITE) != 0) {
      toFlush.add(connection);
    }
    if ((readyOps & SelectionKey.OP_READ) != 0) {
      read(connection, opened);
    }
  }

  private void finishConnect(Connection connection, Selector opened) {
    try {
      if (connection.finishConnect()) {
        connected(connection);
      }
    } catch (IOException e) {
      connection.close();
      connectToNext(connection, words(e), opened);
    }
  }

  private void read(Connection connection, Selector opened) {
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
          connection.decoder.isMidFrame()
              ? "closed by the other side in the middle of a message"
              : "closed by the other side");
      return;
    }
    long all = bytesReceived.addAndGet(count);
    Connection.flip(readBuffer);
    take(connection, opened);
    if (count > 0 && all >= mostToRead) {
      inbox.add(new Input.LimitReached());
    }
  }

  /** Handles received bytes: the proxy's, then the peer's. */
  private void take(Connection connection, Selector opened) {
    Socks5 socks = connection.socks;
    if (socks != null && !socks.isDone()) {
      negotiate(connection, socks);
      if (!isOpen(connection)) {
        return;
      }
    }
    connection.decoder.feed(readBuffer);
    hear(connection, opened);
  }

  /** Passes received messages to the machine one by one, until it disconnects the peer. */
  private void hear(Connection connection, Selector opened) {
    try {
      for (Frame frame = decoded(connection, opened);
          frame != null && isOpen(connection) && !machine.isStopped();
          frame = decoded(connection, opened)) {
        announce(connection, frame.message(), opened);
        inbox.add(new Input.Received(connection.link, frame.message(), frame.wireBytes()));
        drain(opened);
      }
    } catch (WireException e) {
      if (isOpen(connection)) {
        connection.stopReading();
        inbox.add(garbage(connection.link, e));
      }
    }
  }

  /** The next complete message. A decoder that fails by itself returns no more. */
  private @Nullable Frame decoded(Connection connection, Selector opened) {
    try {
      return connection.decoder.next();
    } catch (WireException e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      if (isOpen(connection)) {
        failed(connection.link, e, opened);
      }
      return null;
    }
  }

  /** The decoder's error, or the network that the peer speaks. */
  private static Input garbage(Link link, WireException e) {
    for (Network other : Network.all()) {
      if (e.foreignMagic().filter(found -> found == other.magic()).isPresent()) {
        String why = "speaks " + other + ", which is not the network that was asked for";
        return new Input.Garbled(link, Obstacle.OTHER_NETWORK, why);
      }
    }
    String why = String.valueOf(e.getMessage());
    return e.isOversized() ? new Input.Oversized(link, why) : new Input.Garbled(link, why);
  }

  /**
   * Announces a full batch of headers before it is processed, so that the next request is sent
   * first.
   */
  private void announce(Connection connection, Message message, Selector opened) {
    if (message instanceof Message.HeadersMessage batch
        && batch.headers().count() == Headers.MAX_PER_MESSAGE) {
      inbox.add(new Input.HeadersComing(connection.link, batch.headers()));
      drain(opened);
      flush();
    }
  }

  private void send(Output.Send send) {
    Connection connection = connections.get(send.link().id());
    if (connection == null) {
      // The connection is closed, and the machine's input is queued.
      return;
    }
    connection.queue(FrameEncoder.encode(magic, send.message()));
    toFlush.add(connection);
    if (connection.waiting() > MAX_WAITING) {
      write(connection);
      if (connection.waiting() > MAX_WAITING) {
        lost(connection, "does not read: " + connection.waiting() + " bytes wait to be sent");
      }
    }
  }

  private void flush() {
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

  private void disconnect(Link link) {
    inbox.removeIf(input -> tellsOf(link, input));
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
    if (socks != null && !socks.isDone() && isOpen(connection)) {
      socks.closed(why);
      refused(connection, socks);
      return;
    }
    boolean tell = isOpen(connection);
    drop(connection);
    if (tell) {
      inbox.add(new Input.Disconnected(connection.link, why));
    }
  }

  private void drop(Connection connection) {
    connections.remove(connection.link.id(), connection);
    leaving.remove(connection);
    toFlush.remove(connection);
    connection.closeGently(readBuffer);
  }

  private void close() {
    over = true;
    leaving.forEach(connection -> connection.closeGently(readBuffer));
    connections.values().forEach(Connection::close);
    resolver.close();
    committer.shutdown();
    boolean interrupted = false;
    boolean done = false;
    while (!done) {
      try {
        done = committer.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        // Waits for a running commit, because the caller is about to close the database.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOpen(Connection connection) {
    return connections.get(connection.link.id()) == connection;
  }

  private static boolean tellsOf(Link link, Input input) {
    int id = link.id();
    if (input instanceof Input.Received received) {
      return received.link().id() == id;
    }
    if (input instanceof Input.Connected connected) {
      return connected.link().id() == id;
    }
    if (input instanceof Input.ConnectFailed failed) {
      return failed.link().id() == id;
    }
    if (input instanceof Input.ProxyFailed failed) {
      return failed.link().id() == id;
    }
    if (input instanceof Input.Disconnected disconnected) {
      return disconnected.link().id() == id;
    }
    if (input instanceof Input.Oversized oversized) {
      return oversized.link().id() == id;
    }
    if (input instanceof Input.HeadersComing coming) {
      return coming.link().id() == id;
    }
    return input instanceof Input.Garbled garbled && garbled.link().id() == id;
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
