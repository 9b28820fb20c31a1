package org.murmur.lab.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.network.NodeRecord.KnownBlock;
import org.murmur.lab.network.NodeRecord.Outcome;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.p2p.net.HostNames;

/**
 * Calls nodes of a network, each once, and records what they say and serve. The sockets block, each
 * on a thread of a small pool; one thread decides who is called.
 */
public final class Survey {

  private static final int BUFFER = 1 << 16;

  /** An answer in HTTP, or the like, is no other network. */
  private static final List<ChainParams> NETWORKS = ChainParams.all();

  /**
   * How many nodes are called, and how politely.
   *
   * @param nodes how many addresses are called at most
   * @param connections how many at a time
   * @param pause from one new connection to the next
   * @param perNode time for each node
   * @param whole time for the whole survey
   */
  public record Limits(
      int nodes, int connections, Duration pause, Duration perNode, Duration whole) {

    /** A hundred nodes, eight at a time, ten new ones a second, 15 seconds each, ten minutes. */
    public static final Limits USUAL =
        new Limits(100, 8, Duration.ofMillis(100), Duration.ofSeconds(15), Duration.ofMinutes(10));

    public Limits withNodes(int most) {
      return new Limits(most, connections, pause, perNode, whole);
    }

    public Limits withConnections(int most) {
      return new Limits(nodes, most, pause, perNode, whole);
    }

    public Limits withPerNode(Duration time) {
      return new Limits(nodes, connections, pause, time, whole);
    }

    public Limits withWhole(Duration time) {
      return new Limits(nodes, connections, pause, perNode, time);
    }
  }

  /**
   * The entry to the network.
   *
   * @param named called first
   * @param seeds DNS seeds, asked for addresses
   * @param onlyNamed whether nobody else is called, and no node is asked for addresses
   */
  public record Entry(List<NodeAddress> named, List<String> seeds, boolean onlyNamed) {

    public Entry {
      named = List.copyOf(named);
      seeds = List.copyOf(seeds);
    }
  }

  /**
   * The findings.
   *
   * @param known how many addresses were known at the end, called or not
   * @param whole whether all were called that the limits of numbers allow; false if time was up or
   *     the user ended it
   */
  public record Result(List<NodeRecord> records, int known, boolean whole) {

    public Result {
      records = List.copyOf(records);
    }
  }

  /** The result of one connection or one look-up of a DNS seed. */
  private record Finding(
      @Nullable NodeRecord record,
      List<NetworkAddress> addresses,
      List<InetAddress> resolved,
      @Nullable KnownBlock hint) {}

  private final ChainParams network;
  private final Limits limits;
  private final Entry entry;
  private final Candidates candidates;
  private final Random random = new SecureRandom();
  private final BlockingQueue<Finding> findings = new LinkedBlockingQueue<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;
  private Locator locator;

  public Survey(ChainParams network, Entry entry, Limits limits) {
    this.network = network;
    this.limits = limits;
    this.entry = entry;
    this.locator = Locator.of(network);
    Scope scope = network.equals(ChainParams.REGTEST) ? Scope.LOCAL : Scope.INTERNET;
    this.candidates = new Candidates(scope, limits.nodes(), random);
    candidates.name(entry.named());
  }

  /** Ends it soon: the records so far are the result. For any thread. */
  public void end() {
    ended = true;
    findings.add(new Finding(null, List.of(), List.of(), null));
  }

  /** Returns whether {@link #end} was called. */
  public boolean isEnded() {
    return ended;
  }

  /**
   * Runs it once. The listener gets each record, on this thread. Nodes that are still being asked
   * at the end are not in the result.
   */
  public Result run(Consumer<NodeRecord> listener) throws InterruptedException {
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            limits.connections(),
            task -> {
              Thread thread = new Thread(task, "lab-probe-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    try {
      return run(threads, listener);
    } finally {
      threads.shutdownNow();
      sockets.forEach(Survey::close);
    }
  }

  private Result run(ExecutorService threads, Consumer<NodeRecord> listener)
      throws InterruptedException {
    long deadline = System.nanoTime() + limits.whole().toNanos();
    long mayCall = System.nanoTime();
    List<NodeRecord> records = new ArrayList<>();
    entry.seeds().forEach(seed -> threads.execute(() -> findings.add(lookUp(seed))));
    int running = entry.seeds().size();
    Optional<NodeAddress> next = Optional.empty();
    while (!ended && System.nanoTime() < deadline) {
      if (!next.isPresent()) {
        next = candidates.next();
      }
      if (!next.isPresent() && running == 0) {
        return new Result(records, candidates.known(), true);
      }
      long until = deadline;
      if (next.isPresent() && running < limits.connections()) {
        if (System.nanoTime() >= mayCall) {
          NodeAddress address = next.get();
          Locator known = locator;
          long nonce = random.nextLong();
          threads.execute(() -> findings.add(call(address, known, nonce)));
          running++;
          mayCall = System.nanoTime() + limits.pause().toNanos();
          next = Optional.empty();
          continue;
        }
        until = Math.min(deadline, mayCall);
      }
      @Nullable Finding finding = findings.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (finding != null && !ended) {
        running--;
        take(finding, records, listener);
      }
    }
    return new Result(records, candidates.known(), false);
  }

  private void take(Finding finding, List<NodeRecord> records, Consumer<NodeRecord> listener) {
    for (InetAddress resolved : finding.resolved()) {
      Bytes raw = Bytes.wrap(resolved.getAddress());
      int kind = raw.length() == 4 ? NetworkAddress.IPV4 : NetworkAddress.IPV6;
      candidates.add(new Endpoint(kind, raw, network.defaultPort()));
    }
    candidates.addAll(finding.addresses());
    if (finding.hint() != null) {
      locator = locator.with(finding.hint());
    }
    if (finding.record() != null) {
      records.add(finding.record());
      listener.accept(finding.record());
    }
  }

  private static Finding lookUp(String seed) {
    try {
      List<InetAddress> found = Arrays.asList(HostNames.SYSTEM.lookUp(seed));
      return new Finding(null, List.of(), found, null);
    } catch (UnknownHostException e) {
      return new Finding(null, List.of(), List.of(), null);
    }
  }

  private Finding call(NodeAddress address, Locator known, long nonce) {
    long began = System.nanoTime();
    Interview interview = new Interview(address, known, !entry.onlyNamed(), nonce, began);
    Outcome outcome;
    try (Socket socket = new Socket()) {
      sockets.add(socket);
      try {
        outcome = converse(socket, address, interview, began + limits.perNode().toNanos());
      } finally {
        sockets.remove(socket);
      }
    } catch (IOException e) {
      outcome = Outcome.CLOSED;
    } catch (RuntimeException e) {
      // No node may end the survey.
      outcome = Outcome.NO_NODE;
    }
    return new Finding(
        interview.record(outcome), interview.addresses(), List.of(), interview.hint().orElse(null));
  }

  private Outcome converse(Socket socket, NodeAddress address, Interview interview, long deadline)
      throws IOException {
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), millisTo(deadline));
    } catch (SocketTimeoutException e) {
      return Outcome.TIMEOUT;
    } catch (UnknownHostException e) {
      return Outcome.UNKNOWN_NAME;
    } catch (ConnectException e) {
      String why = String.valueOf(e.getMessage());
      return why.contains("refused") ? Outcome.REFUSED : Outcome.UNREACHABLE;
    } catch (IOException e) {
      return Outcome.UNREACHABLE;
    }
    try {
      socket.setTcpNoDelay(true);
      talk(socket, interview, deadline);
      return Outcome.CLOSED;
    } catch (SocketTimeoutException e) {
      return Outcome.TIMEOUT;
    } catch (WireException e) {
      boolean other =
          NETWORKS.stream().anyMatch(one -> e.foreignMagic().equals(Optional.of(one.magic())));
      return other ? Outcome.OTHER_NETWORK : Outcome.NO_NODE;
    }
  }

  private void talk(Socket socket, Interview interview, long deadline) throws IOException {
    InputStream in = socket.getInputStream();
    OutputStream out = socket.getOutputStream();
    FrameDecoder decoder = new FrameDecoder(network.magic());
    byte[] buffer = new byte[BUFFER];
    send(List.of(interview.firstMessage(System.currentTimeMillis() / 1000)), out);
    while (!interview.isOver()) {
      socket.setSoTimeout(millisTo(Math.min(deadline, interview.due())));
      int length = in.read(buffer);
      if (length < 0) {
        return;
      }
      decoder.feed(buffer, 0, length);
      for (Frame frame = decoder.next(); frame != null; frame = decoder.next()) {
        send(interview.hear(frame.message(), System.nanoTime()), out);
      }
    }
  }

  private void send(List<Message> messages, OutputStream out) throws IOException {
    for (Message message : messages) {
      out.write(FrameEncoder.encode(network.magic(), message));
    }
  }

  /** Milliseconds until a time, for a socket. Throws if it has passed: 0 would mean for ever. */
  private static int millisTo(long deadline) throws SocketTimeoutException {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (millis < 1) {
      throw new SocketTimeoutException();
    }
    return (int) Math.min(millis, Integer.MAX_VALUE);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }
}
