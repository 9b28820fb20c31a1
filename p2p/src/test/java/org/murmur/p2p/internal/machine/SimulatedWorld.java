package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Noise;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncEvent;

/** Virtual time: a machine, its wallet and a few nodes, all events in one queue. */
public final class SimulatedWorld {

  // A session that is not over by then is stuck.
  public Duration limit = Duration.ofHours(2);

  private record Event(Instant at, long order, Runnable action) {}

  final Random random;
  final Map<NodeAddress, SimulatedNode> nodes = new HashMap<>();
  public final List<SyncEvent> events = new ArrayList<>();
  public final List<Message> sent = new ArrayList<>();
  final List<Output.Send> sends = new ArrayList<>();
  public final SimulatedWallet wallet;
  // Called with every message before a node sees it; may change the world.
  Consumer<Message> onSend = message -> {};

  /** Damages the bytes of a node's answers on their way; null for none. */
  @Nullable BiConsumer<Message, byte[]> damaged;

  private final Map<Integer, FrameDecoder> decoders = new HashMap<>();

  // Called with every output of the machine.
  Consumer<Output> onOutput = output -> {};
  // Milliseconds that a message needs to or from a node.
  public final Map<NodeAddress, Integer> delays = new HashMap<>();
  // The numbers of nodes that are called by another name too.
  final Map<NodeAddress, NodeAddress> numbers = new HashMap<>();
  // How long a whole block is on its way.
  Duration wholeBlockTakes = Duration.ZERO;
  // These accept no connections.
  final Set<NodeAddress> unreachable = new HashSet<>();
  // There is no network, and calls fail at once, as without a route.
  boolean failsAtOnce;
  // The proxy of all calls is gone.
  boolean proxyIsDown;
  // Something else takes every connection. It answers our version message with this text, or not at
  // all if that is empty.
  @Nullable String captive;
  // Calls to these are not even refused.
  final Set<NodeAddress> silent = new HashSet<>();
  // The DNS's entries; other names do not exist.
  final Map<String, List<NodeAddress>> names = new HashMap<>();
  final List<String> lookedUp = new ArrayList<>();
  // How long an answer takes, in milliseconds, if not 30.
  final Map<String, Integer> lookUpTakes = new HashMap<>();
  private final Set<String> lookingUp = new HashSet<>();
  int mostLookUps;
  final List<NodeAddress> called = new ArrayList<>();
  // Filtered blocks a second that a node serves on a link; zero for no limit.
  double blocksPerSecond;
  // How long a commit takes; negative for anything up to 30 ms.
  long commitMillis = -1;
  // A link is cut when this returns true.
  double lossPerMessage;
  // A link goes silent for good when this returns true, without being cut.
  double stallsPerMessage;
  // Actions planned before a session begins happen in it.
  boolean keepsQueue;
  // The process dies at this many commits; negative for never.
  int dieAtCommit = -1;

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::order));
  private final Map<Hash256, Set<NodeAddress>> served = new HashMap<>();
  private final Map<Integer, Instant> busyUntil = new HashMap<>();
  private final Set<Integer> stalled = new HashSet<>();
  private final Map<Integer, Link> links = new HashMap<>();
  // Which peer learned of which transaction, by what is on disk; and which one announced which on a
  // link.
  // Which peer may learn of which block, by what is on disk.
  final Set<List<Object>> fetches = new HashSet<>();
  final Map<NodeAddress, Set<Hash256>> mentioned = new HashMap<>();
  // Those of them that are recorded as payments of the user.
  private final Map<NodeAddress, Set<Hash256>> paid = new HashMap<>();
  private final Map<Integer, Set<Hash256>> announced = new HashMap<>();
  private Instant now = Instant.ofEpochSecond(1_700_000_000L);
  private Instant begin = now;
  // When the machine let somebody go last, anybody and each.
  Instant partedAt = now;
  final Map<NodeAddress, Instant> parted = new HashMap<>();
  private long order;
  private int commits;
  // How often each peer was called.
  int calls;
  // Calls at one moment: how many in a row, with nothing between.
  int mostAtOnce;
  private final Map<Instant, Integer> callsAt = new HashMap<>();
  private @Nullable Instant wake;
  private @Nullable SyncMachine machine;
  private boolean dead;

  public SimulatedWorld(long seed, SimulatedWallet wallet) {
    this.random = new Random(seed);
    this.wallet = wallet;
  }

  public NodeAddress add(SimulatedNode node) {
    return add(node, new NodeAddress("10.0.0." + (nodes.size() + 1), 18444));
  }

  public NodeAddress add(SimulatedNode node, NodeAddress address) {
    nodes.put(address, node);
    return address;
  }

  /** Acts once, when a message of a kind is sent; those before the wallet's filter do not count. */
  static Consumer<Message> atFirst(Class<? extends Message> kind, Runnable what) {
    boolean[] done = {false};
    boolean[] filtered = {false};
    return message -> {
      filtered[0] |= message instanceof Message.FilterLoad load && !Noise.isNoise(load.filter());
      boolean probing =
          !filtered[0]
              && (message instanceof Message.FilterLoad || message instanceof Message.Mempool);
      if (kind.isInstance(message) && !probing && !done[0]) {
        done[0] = true;
        what.run();
      }
    };
  }

  /** Runs a session to its end; returns whether the machine came to rest, false if it died. */
  public boolean run(SyncSettings settings) {
    SyncMachine running = new SyncMachine(wallet.start(), settings);
    machine = running;
    if (!keepsQueue) {
      queue.clear();
    }
    links.clear();
    announced.clear();
    stalled.clear();
    busyUntil.clear();
    dead = false;
    commits = 0;
    wake = null;
    if (!wallet.pending().isEmpty()) {
      give(new Input.PendingChanged(wallet.pending()));
    }
    give(new Input.Tick());
    while (!running.isStopped() && !dead) {
      Event next = queue.poll();
      if (next == null) {
        throw new AssertionError(
            "nothing left to happen and not stopped; last events " + lastEvents());
      }
      now = next.at();
      if (now.isAfter(begin.plus(limit))) {
        throw new AssertionError("still not done after " + limit + "; last events " + lastEvents());
      }
      next.action().run();
    }
    return !dead;
  }

  Instant now() {
    return now;
  }

  /** How many batches this session made. */
  int commitsSoFar() {
    return commits;
  }

  /** Another start time than usual. */
  void beginAt(Instant time) {
    now = time;
    begin = time;
  }

  SyncMachine machine() {
    return Objects.requireNonNull(machine, "no session runs");
  }

  private List<SyncEvent> lastEvents() {
    return events.subList(Math.max(0, events.size() - 8), events.size());
  }

  void give(Input input) {
    SyncMachine running = Objects.requireNonNull(machine, "no session runs");
    if (input instanceof Input.Received received && received.message() instanceof Message.Inv inv) {
      txids(announced, received.link().id(), inv.items());
    }
    for (Output output : running.step(input, now)) {
      onOutput.accept(output);
      if (output instanceof Output.Connect connect) {
        calls++;
        call(connect.link());
      } else if (output instanceof Output.LookUp lookUp) {
        lookUp(lookUp);
      } else if (output instanceof Output.Send send) {
        requireMentioned(send);
        sent.add(send.message());
        sends.add(send);
        later(delayOf(send.link()), () -> deliver(send.link(), send.message()));
      } else if (output instanceof Output.Disconnect disconnect) {
        partedAt = now;
        parted.put(disconnect.link().address(), now);
        cut(disconnect.link());
      } else if (output instanceof Output.WakeAt at) {
        wake = at.at();
        queue.add(new Event(at.at(), order++, () -> wakeUp(at.at())));
      } else if (output instanceof Output.Commit commit) {
        commits++;
        boolean dies = commits == dieAtCommit;
        if (dies && random.nextBoolean()) {
          dead = true;
          return;
        }
        List<Input> answers = wallet.commit(commit.batch());
        if (dies) {
          dead = true;
          return;
        }
        later(
            commitMillis < 0 ? random.nextInt(30) : commitMillis,
            () -> {
              for (CommitBatch.Fetch fetch : commit.batch().fetches()) {
                fetches.add(List.of(fetch.peer(), fetch.height()));
              }
              for (CommitBatch.Mention mention : commit.batch().mentions()) {
                mentioned
                    .computeIfAbsent(mention.peer(), peer -> new HashSet<>())
                    .add(mention.txid());
                if (mention.sent() != null) {
                  paid.computeIfAbsent(mention.peer(), peer -> new HashSet<>()).add(mention.txid());
                }
              }
              answers.forEach(this::give);
            });
      } else if (output instanceof Output.Emit emit) {
        events.add(emit.event());
      }
    }
  }

  private static void txids(Map<Integer, Set<Hash256>> all, int link, List<InventoryItem> items) {
    Set<Hash256> txids = all.computeIfAbsent(link, id -> new HashSet<>());
    items.forEach(item -> txids.add(item.hash()));
  }

  /** No peer learns of a transaction by txid before its record is on disk. */
  private void requireMentioned(Output.Send send) {
    Set<Hash256> named = new HashSet<>();
    Map<NodeAddress, Set<Hash256>> record = paid;
    if (send.message() instanceof Message.TxMessage handedOver) {
      named.add(handedOver.tx().txid());
    } else if (send.message() instanceof Message.Inv inv) {
      inv.items().forEach(item -> named.add(item.hash()));
    } else if (send.message() instanceof Message.GetData asked) {
      record = mentioned;
      for (InventoryItem item : asked.items()) {
        if (item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX) {
          named.add(item.hash());
        }
      }
      named.removeAll(announced.getOrDefault(send.link().id(), Set.of()));
    }
    named.removeAll(record.getOrDefault(send.link().address().canonical(), Set.of()));
    if (!named.isEmpty()) {
      throw new AssertionError(
          send.link().address() + " is told before that is on disk: " + send.message());
    }
  }

  private void lookUp(Output.LookUp lookUp) {
    lookedUp.add(lookUp.name());
    List<NodeAddress> found = names.get(lookUp.name());
    Input answer =
        found == null
            ? new Input.LookUpFailed(lookUp.name(), "no such name")
            : new Input.LookedUp(lookUp.name(), found);
    lookingUp.add(lookUp.name());
    mostLookUps = Math.max(mostLookUps, lookingUp.size());
    later(
        lookUpTakes.getOrDefault(lookUp.name(), 30),
        () -> {
          lookingUp.remove(lookUp.name());
          give(answer);
        });
  }

  private void call(Link link) {
    called.add(link.address());
    mostAtOnce = Math.max(mostAtOnce, callsAt.merge(now, 1, Integer::sum));
    if (failsAtOnce) {
      later(0, () -> give(new Input.ConnectFailed(link, "network is unreachable")));
      return;
    }
    if (proxyIsDown) {
      later(10, () -> give(new Input.ProxyFailed(link, Obstacle.PROXY_DOWN, "the proxy is down")));
      return;
    }
    String page = captive;
    if (page != null) {
      later(10, () -> give(new Input.Connected(link)));
      if (!page.isEmpty()) {
        later(20, () -> give(new Input.Garbled(link, page)));
      }
      return;
    }
    if (silent.contains(link.address())) {
      return;
    }
    if (unreachable.contains(link.address()) || !nodes.containsKey(link.address())) {
      later(10, () -> give(new Input.ConnectFailed(link, "refused")));
      return;
    }
    links.put(link.id(), link);
    NodeAddress number = numbers.getOrDefault(link.address(), link.address());
    later(10, () -> give(new Input.Connected(link, number, false)));
  }

  private void wakeUp(Instant at) {
    if (at.equals(wake)) {
      give(new Input.Tick());
    }
  }

  private void deliver(Link link, Message message) {
    if (!links.containsKey(link.id())) {
      return;
    }
    onSend.accept(message);
    SimulatedNode node = node(link);
    if (stalled.contains(link.id())) {
      return;
    }
    for (Message answer : node.receive(link, message)) {
      if (random.nextDouble() < stallsPerMessage) {
        stalled.add(link.id());
        return;
      }
      if (random.nextDouble() < lossPerMessage) {
        later(
            5,
            () -> {
              if (links.containsKey(link.id())) {
                cut(link);
                give(new Input.Disconnected(link, "lost"));
              }
            });
        return;
      }
      laterMicros(
          1000L * delayOf(link) + wait(link, answer),
          () -> {
            if (links.containsKey(link.id())) {
              if (answer instanceof Message.MerkleBlockMessage block) {
                servers(block.merkleBlock().blockHash()).add(link.address());
              }
              BiConsumer<Message, byte[]> damage = damaged;
              Input heard = damage == null ? received(link, answer) : heard(link, answer, damage);
              if (heard != null) {
                give(heard);
              }
            }
          });
    }
  }

  private static Input received(Link link, Message message) {
    return new Input.Received(link, message, wireBytes(message));
  }

  /** What the client's decoder makes of an answer whose bytes are damaged; null while it waits. */
  private @Nullable Input heard(Link link, Message answer, BiConsumer<Message, byte[]> damage) {
    byte[] frame = FrameEncoder.encode(ChainParams.REGTEST.magic(), answer);
    damage.accept(answer, frame);
    FrameDecoder decoder =
        decoders.computeIfAbsent(link.id(), id -> new FrameDecoder(ChainParams.REGTEST.magic()));
    decoder.feed(frame, 0, frame.length);
    try {
      Frame next = decoder.next();
      return next == null ? null : received(link, next.message());
    } catch (WireException e) {
      return new Input.Garbled(link, String.valueOf(e.getMessage()));
    }
  }

  /** The peers that served a block so far. */
  Set<NodeAddress> servers(Hash256 block) {
    return served.computeIfAbsent(block, hash -> new HashSet<>());
  }

  /** A node sends an unsolicited message. */
  void announce(SimulatedNode node, Message message) {
    for (Link link : List.copyOf(links.values())) {
      if (nodes.get(link.address()) == node && !stalled.contains(link.id())) {
        later(5, () -> give(new Input.Received(link, message, wireBytes(message))));
      }
    }
  }

  /**
   * The clock jumps, and no time passes in this world; the machine gets the input that its shell
   * would send. Events planned in a number of seconds still happen then.
   */
  void jump(Duration by) {
    List<Event> all = new ArrayList<>(queue);
    queue.clear();
    all.forEach(event -> queue.add(new Event(event.at().plus(by), event.order(), event.action())));
    busyUntil.replaceAll((link, at) -> at.plus(by));
    now = now.plus(by);
    begin = begin.plus(by);
    give(new Input.TimeJumped(by));
  }

  /** Every link dies silently: neither side notices. */
  void killLines() {
    stalled.addAll(links.keySet());
  }

  /** The network fails: every link is cut, and the machine notices. */
  void cutAll() {
    for (Link link : List.copyOf(links.values())) {
      cut(link);
      give(new Input.Disconnected(link, "lost"));
    }
  }

  /** The connection to a peer; there must be one. */
  Link linkOf(NodeAddress peer) {
    return links.values().stream()
        .filter(link -> link.address().equals(peer))
        .findFirst()
        .orElseThrow();
  }

  /** A byte on the way from a node is damaged: the frame's checksum is wrong. */
  void damage(NodeAddress peer) {
    for (Link link : List.copyOf(links.values())) {
      if (link.address().equals(peer)) {
        give(new Input.Garbled(link, "headers, checksum"));
      }
    }
  }

  /** A node accepts a transaction, and announces it to peers whose filters it matches. */
  void relay(SimulatedNode node, Tx tx) {
    node.mempool.put(tx.txid(), tx);
    for (Link link : List.copyOf(links.values())) {
      if (nodes.get(link.address()) == node
          && !stalled.contains(link.id())
          && node.matches(link, tx)) {
        Message inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid())));
        later(5, () -> give(new Input.Received(link, inv, 100)));
      }
    }
  }

  /** A node disconnects all its peers. */
  void hangUp(SimulatedNode node) {
    for (Link link : List.copyOf(links.values())) {
      if (nodes.get(link.address()) == node) {
        cut(link);
        give(new Input.Disconnected(link, "hung up"));
      }
    }
  }

  /** An input from outside the network. */
  void post(Input input) {
    give(input);
  }

  void later(long millis, Runnable action) {
    laterMicros(1000 * millis, action);
  }

  private void laterMicros(long micros, Runnable action) {
    queue.add(new Event(now.plusNanos(1000 * micros), order++, action));
  }

  /** How many microseconds pass until a slow node sends something. */
  private long wait(Link link, Message answer) {
    Instant free = busyUntil.getOrDefault(link.id(), now);
    Instant begins = free.isAfter(now) ? free : now;
    boolean takesTime = blocksPerSecond > 0 && answer instanceof Message.MerkleBlockMessage;
    Instant ends = takesTime ? begins.plusNanos((long) (1e9 / blocksPerSecond)) : begins;
    if (answer instanceof Message.BlockMessage) {
      ends = begins.plus(wholeBlockTakes);
    }
    busyUntil.put(link.id(), ends);
    return Duration.between(now, ends).toNanos() / 1000;
  }

  /** How long the session took so far. */
  Duration elapsed() {
    return Duration.between(begin, now);
  }

  /** The size of a message on the wire: a transaction its own, others little. */
  private static int wireBytes(Message message) {
    return message instanceof Message.TxMessage tx ? 24 + tx.tx().raw().length() : 100;
  }

  private int delayOf(Link link) {
    return delays.getOrDefault(link.address(), 5);
  }

  private SimulatedNode node(Link link) {
    return Objects.requireNonNull(nodes.get(link.address()), "no such node");
  }

  private void cut(Link link) {
    if (links.remove(link.id()) != null) {
      node(link).forget(link);
    }
  }
}
