package org.murmur.regtest.world;

import static org.murmur.regtest.world.Timeline.SECOND;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.PrivatePreset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.Block;
import org.murmur.regtest.Dice;
import org.murmur.regtest.NodeSession;

/**
 * One life of a client among its peers, in virtual time.
 *
 * <p>A time of unrest comes first: blocks, payments, reorganisations, lines that break, nodes that
 * vanish, a slow disk, crashes between any two steps and in the middle of a commit, and process
 * after process that goes on from what is on disk. Then it calms down: what goes wrong by chance
 * stops, what peers do on purpose does not, and one honest peer stays within reach. The client has
 * to find out everything then.
 *
 * <p>{@link Invariants} are checked after every step. Everything is drawn from the seed: the same
 * seed, options and client give the same world to the last message, and {@link
 * WorldReport#fingerprint} shows it.
 */
public final class World {

  /** What is kept of a failed world's end. */
  private static final int TAIL = 60;

  /** Messages a node hands out at a time before others have their turn. */
  private static final int BURST = 16;

  /** Of each chain, more than any world uses. */
  private static final int SCRIPTS = 400;

  /** A client that has not come to rest by then never will. */
  private static final long PATIENCE = 4 * 3600 * SECOND;

  private static final long MOST_STEPS = 400_000;

  /** What guards do not announce is doubted when it is older than ten minutes. */
  private static final long DOUBT = 660 * SECOND;

  /** How long a client that stays is left alone at the end, to hear of what is unconfirmed. */
  private static final long SETTLE = 100 * SECOND;

  /** Processes that may begin after it calmed down before one has to get everything right. */
  private static final int MOST_TRIES = 12;

  /** As long as what it stands for: the wallet's words are the same in all worlds. */
  private static final Bytes FILTER_KEY = Bytes.ofHex("6d75726d7572");

  private final WorldPlan plan;
  // Under the private preset, what its user does; null under the other.
  private final @Nullable Guarding guarding;
  private final @Nullable GuardRules rules;
  private final Dice dice;
  private final Economy economy;
  private final Served served = new Served();
  private final Invariants invariants;
  private final Client client;
  private final Timeline time;
  private final Trace trace;
  private final Shouts shouts;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Integer, Line> lines = new HashMap<>();

  // The process that runs, if one does.
  private @Nullable Machine machine;
  private int process;
  private boolean follows;
  private boolean writing;
  private long wakeAt = -1;
  private boolean completeInProcess;
  private boolean mempoolToldInProcess;
  private boolean mempoolAskedInProcess;
  private boolean stopPosted;
  private boolean begunInCalm;
  private boolean lostInProcess;

  // Under the private preset: whom the user gives up until a process is complete, who was found
  // missing in this process, and how many processes began after it calmed down.
  private final Set<PeerAddress> dismissed = new LinkedHashSet<>();
  private boolean guardMissing;
  // The peer that is named by a user who names one only.
  private int named;
  private int tries;

  // What went on.
  private int crashes;
  private int commits;
  private int calls;
  private long steps;
  private long blocks;
  private int claims;

  private World(
      WorldPlan plan, WorldOptions options, Client.Maker maker, @Nullable Consumer<String> listener)
      throws IOException {
    this.plan = plan;
    this.guarding = options.guarded() ? Guarding.draw(plan, options) : null;
    this.dice = new Dice(plan.seed() ^ 0x776f726c64L);
    int handedOut = guarding == null ? 0 : guarding.handedOut();
    this.economy = new Economy(plan, scripts(maker, 0, handedOut), scripts(maker, 1, handedOut));
    this.rules = guarding == null ? null : new GuardRules(economy, guarding.onePeer());
    this.named = guarding == null ? 0 : guarding.first();
    this.invariants = new Invariants(plan, economy, served, rules);
    this.time = new Timeline(economy.chain.tip().time() + 60);
    this.trace = new Trace(time, listener);
    this.shouts = new Shouts(dice, economy);
    Birthday birthday =
        plan.bornByTime()
            ? new Birthday.AtTime(
                Instant.ofEpochSecond(
                    economy.chain.blockAt(Economy.BASE_HEIGHT + plan.birthday()).time()))
            : new Birthday.AtHeight(Economy.BASE_HEIGHT + plan.birthday());
    this.client =
        maker.make(
            new Client.Wallet(birthday, plan.gap(), plan.lookAhead(), plan.file(), handedOut));
    for (int i = 0; i < plan.peers().size(); i++) {
      nodes.add(new Node(i, plan.peers().get(i), economy));
    }
  }

  /** The scripts that will be paid: those behind the ones that were handed out before. */
  private static List<Bytes> scripts(Client.Maker maker, int chain, int handedOut) {
    return maker.scripts(chain, handedOut + SCRIPTS).subList(handedOut, handedOut + SCRIPTS);
  }

  /**
   * Runs a world.
   *
   * @param seed which one
   * @param options which worlds may be drawn
   * @param maker makes the client to be tried
   * @return what went on
   * @throws WorldFailure if the client did what it must not
   * @throws IOException if the client's disk failed of its own accord
   */
  public static WorldReport run(long seed, WorldOptions options, Client.Maker maker)
      throws IOException {
    WorldPlan plan = WorldPlan.draw(seed, options);
    try {
      return live(plan, options, maker, null);
    } catch (AssertionError | RuntimeException e) {
      // Once more, and listen this time: it will go the same way.
      ArrayDeque<String> tail = new ArrayDeque<>();
      Throwable seen = e;
      try {
        live(
            plan,
            options,
            maker,
            line -> {
              if (tail.size() == TAIL) {
                tail.remove();
              }
              tail.add(line);
            });
        seen = new AssertionError("it went another way the second time; the first: " + e, e);
      } catch (AssertionError | RuntimeException again) {
        seen = again;
      }
      throw new WorldFailure(seed, options, plan.toString(), seen, List.copyOf(tail));
    }
  }

  /**
   * Runs a world and tells what happens.
   *
   * @param seed which one
   * @param options which worlds may be drawn
   * @param maker makes the client to be tried
   * @param listener hears a line of each thing that happens, with the seconds since the beginning
   * @return what went on
   * @throws AssertionError if the client did what it must not
   * @throws IOException if the client's disk failed of its own accord
   */
  public static WorldReport trace(
      long seed, WorldOptions options, Client.Maker maker, Consumer<String> listener)
      throws IOException {
    WorldPlan plan = WorldPlan.draw(seed, options);
    listener.accept(plan.toString());
    return live(plan, options, maker, listener);
  }

  private static WorldReport live(
      WorldPlan plan, WorldOptions options, Client.Maker maker, @Nullable Consumer<String> listener)
      throws IOException {
    World world = new World(plan, options, maker, listener);
    try {
      world.listenToChains();
      world.schedule();
      world.begin();
      world.play();
      return world.report();
    } finally {
      world.client.close();
    }
  }

  private WorldReport report() throws IOException {
    return new WorldReport(
        plan.seed(),
        guarding == null ? plan.toString() : plan + " " + guarding,
        nodes.size(),
        process,
        crashes,
        commits,
        steps,
        blocks,
        claims,
        economy.chain.height(),
        client.holdings().transactions().size(),
        rules == null ? 0 : rules.guardsReplaced(),
        rules == null ? 0 : rules.epochs(FilterRole.SCRIPTS),
        Duration.ofNanos(time.now()),
        trace.fingerprint());
  }

  private void play() {
    while (!time.isOver()) {
      Runnable next = time.next();
      Invariants.require(
          time.now() < PATIENCE && steps < MOST_STEPS,
          "the client hangs: after %d s and %d steps it is still not done",
          time.now() / SECOND,
          steps);
      next.run();
    }
  }

  // ---------------------------------------------------------------- what is to happen

  private void schedule() {
    long unrest = plan.unrest().toNanos();
    long pause = plan.blockPause().toNanos();
    for (long at = dice.below(pause); at < unrest; at += pause / 2 + dice.below(pause)) {
      time.later(at, this::mine);
    }
    for (int i = 0; i < plan.storm(); i++) {
      time.later(plan.stormAt().toNanos() + i * 20_000_000L, this::mine);
    }
    for (int depth : plan.reorgs()) {
      time.later(dice.below(unrest), () -> reorganise(depth));
    }
    for (int i = dice.between(0, (int) (plan.payments() * 15)); i > 0; i--) {
      time.later(dice.below(unrest), economy::stir);
    }
    for (int i = 0; i < plan.outages(); i++) {
      time.later(dice.below(unrest), () -> vanish(nodes.get(dice.below(nodes.size()))));
    }
    for (int i = 0; i < plan.rescans(); i++) {
      time.later(dice.below(unrest), this::rescan);
    }
    for (Node node : nodes) {
      switch (node.plan.kind()) {
        case LAGGING -> time.later(node.plan.lag().toNanos(), () -> catchUp(node));
        case FORKED -> time.later(dice.below(unrest), () -> fork(node));
        case NOISY -> time.later(dice.below(unrest), () -> shout(node));
        default -> {
          // It does what its behaviour says.
        }
      }
    }
    if (guarding != null) {
      schedule(guarding, unrest);
    }
    time.later(unrest, this::calmDown);
  }

  private void schedule(Guarding more, long unrest) {
    if (!more.goneAt().isZero()) {
      time.later(more.goneAt().toNanos(), this::loseForGood);
    }
    for (int i = 0; i < more.broadcasts(); i++) {
      time.later(dice.below(unrest), this::broadcast);
    }
  }

  /** A peer goes and never comes back: an honest one, and a guard if there is one. */
  private void loseForGood() {
    Node lost = null;
    for (Node node : nodes) {
      boolean guard = rules != null && rules.wasShownAnything(node.address);
      if (node.plan.kind() == WorldPlan.Kind.HONEST && (lost == null || guard)) {
        lost = node;
      }
    }
    if (lost != null) {
      Node gone = lost;
      trace.line(() -> gone + " is gone for good");
      gone.gone = true;
      gone.refuses = dice.chance(0.5);
      gone.awayUntil = Long.MAX_VALUE;
      for (Line line : List.copyOf(gone.lines)) {
        hangUp(line, "the node is gone");
      }
    }
  }

  private void broadcast() {
    if (machine != null && !stopPosted) {
      Tx tx = economy.noise();
      trace.line(() -> "the user sends " + Words.brief(tx.txid()));
      give(new Input.BroadcastTx(tx));
    }
  }

  private void mine() {
    economy.mine(time.seconds(), true);
    trace.line(
        () -> "mined " + economy.chain.height() + " " + Words.brief(economy.chain.tip().hash()));
  }

  private void reorganise(int depth) {
    int gone = economy.reorganise(depth, time.seconds());
    trace.line(() -> "reorganised " + gone + " blocks away, now at " + economy.chain.height());
  }

  private void catchUp(Node node) {
    node.catchUp(economy.chain);
    if (time.isUnrest()) {
      time.later(node.plan.lag().toNanos(), () -> catchUp(node));
    }
  }

  private void fork(Node node) {
    // Always with less work than everybody else, or it would be the truth.
    if (node.chain.height() + 1 < economy.chain.height()) {
      economy.mineElsewhere(node.chain, time.seconds());
    }
    if (time.isUnrest()) {
      time.later(plan.blockPause().toNanos() + 1, () -> fork(node));
    }
  }

  private void vanish(Node node) {
    long away = dice.below(40) * SECOND;
    node.awayUntil = time.now() + away;
    node.refuses = dice.chance(0.5);
    trace.line(() -> node + " is out of reach for " + away / SECOND + " s");
    for (Line line : List.copyOf(node.lines)) {
      hangUp(line, "the node vanished");
    }
  }

  private void rescan() {
    if (machine != null && !stopPosted) {
      int from = dice.between(0, economy.chain.height());
      trace.line(() -> "the user asks to look again from " + from);
      give(new Input.RescanFrom(new Birthday.AtHeight(from)));
    }
  }

  /** What a node says of its own accord, to no use at all. */
  private void shout(Node node) {
    int kind = dice.below(Shouts.KINDS);
    int count = dice.chance(0.1) ? 3_000 : dice.between(1, 40);
    trace.line(() -> node + " shouts, kind " + kind + ", " + count + " times");
    for (Line line : List.copyOf(node.lines)) {
      List<Line.Parcel> parcels = new ArrayList<>();
      for (Message message : shouts.of(kind, count)) {
        parcels.add(new Line.Parcel(message, Line.Filter.NONE));
      }
      deliver(line, parcels);
    }
    if (time.isUnrest()) {
      time.later(dice.below(10) * SECOND + SECOND, () -> shout(node));
    }
  }

  private void listenToChains() {
    for (Node node : nodes) {
      node.chain.listen((gone, come) -> told(node, come));
      node.mempool.listen(
          tx -> {
            for (Line line : node.lines) {
              line.session.transactionAccepted(tx, time.now());
              ask(line, time.now());
            }
          });
    }
  }

  private void told(Node node, List<Block> come) {
    for (Line line : node.lines) {
      line.session.chainChanged(come, time.now());
      ask(line, time.now());
    }
  }

  // ---------------------------------------------------------------- the client's processes

  private SyncSettings settings() {
    List<PeerAddress> addresses = new ArrayList<>();
    if (guarding != null && guarding.onePeer()) {
      addresses.add(nodes.get(named).address);
    } else {
      nodes.forEach(node -> addresses.add(node.address));
    }
    SyncSettings usual = SyncSettings.of(addresses, dice.number());
    if (guarding != null) {
      return usual
          .connections(time.isUnrest() ? plan.connections() : usual.connections())
          .follow(follows)
          .mempoolWait(plan.mempool() ? usual.mempoolWait() : Duration.ZERO)
          .guardedBy(new PrivatePreset(FILTER_KEY, guarding.rate(), guarding.onePeer(), dismissed));
    }
    return usual
        .connections(time.isUnrest() ? plan.connections() : usual.connections())
        .verifiedBy(plan.verify())
        .rate(plan.rate())
        .follow(follows)
        .mempoolWait(plan.mempool() ? usual.mempoolWait() : Duration.ZERO)
        .spotChecks(plan.spotChecks());
  }

  private void begin() {
    if (time.isOver() || machine != null) {
      return;
    }
    if (guarding != null
        && guarding.onePeer()
        && time.isCalm()
        && time.now() < time.calmAt() + DOUBT) {
      time.later(time.calmAt() + DOUBT - time.now(), this::begin);
      return;
    }
    process++;
    // Where some are behind, only who stays is sure to hear of the best chain in the end.
    boolean someAreBehind = plan.has(WorldPlan.Kind.LAGGING) || plan.has(WorldPlan.Kind.FORKED);
    follows = dice.chance(plan.follow()) || (time.isCalm() && someAreBehind);
    if (guarding != null && time.isCalm()) {
      // Who follows looks for what spends the newest coins at the next tick, a day away.
      follows = false;
      tries++;
      Invariants.require(tries <= MOST_TRIES, "%d processes in peace, and none is complete", tries);
    }
    guardMissing = false;
    completeInProcess = false;
    mempoolToldInProcess = false;
    mempoolAskedInProcess = false;
    lostInProcess = false;
    stopPosted = false;
    writing = false;
    wakeAt = -1;
    trace.line(() -> "process " + process + " begins" + (follows ? " and is to stay" : ""));
    disk(
        () -> {
          Holdings before = client.holdings();
          invariants.proven(before);
          invariants.claimed(client, before.tip(), -1);
          machine = client.start(settings());
        });
    begunInCalm = time.isCalm();
    give(new Input.Tick());
  }

  private interface DiskWork {
    void run() throws IOException;
  }

  private static void disk(DiskWork work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new AssertionError("the disk failed", e);
    }
  }

  /** Hands the machine an input and does what it wants done. */
  private void give(Input input) {
    Machine running = machine;
    if (running == null) {
      return;
    }
    steps++;
    List<Output> outputs = running.step(input, time.instant());
    for (Output output : outputs) {
      execute(output);
    }
    if ((steps & 15) == 0 || outputs.size() > 4) {
      invariants.bounded(client.footprint());
    }
    if (running.isStopped()) {
      ended();
    } else if (time.isUnrest() && dice.chance(plan.crash()) && crashes < 25) {
      crash("between two steps");
    } else if (time.isUnrest() && !stopPosted && dice.chance(plan.stop())) {
      stop("the user has enough");
    }
  }

  private void stop(String why) {
    stopPosted = true;
    trace.line(() -> "stop: " + why);
    time.later(0, () -> give(new Input.Stop()));
  }

  private void crash(String when) {
    trace.line(() -> "crash " + when);
    crashes++;
    served.lost();
    leave();
  }

  private void ended() {
    trace.line(() -> "process " + process + " has ended");
    if (time.isCalm() && endCheck()) {
      time.end();
    }
    leave();
  }

  /** The process is gone, and so are its connections. */
  private void leave() {
    machine = null;
    writing = false;
    for (Line line : List.copyOf(lines.values())) {
      close(line);
    }
    long pause = time.isUnrest() ? plan.unrest().toNanos() / 4 : SECOND;
    time.later(SECOND / 10 + dice.below(pause), this::begin);
  }

  private void calmDown() {
    trace.line(() -> "it calms down");
    time.calmDown();
    economy.heal(time.seconds());
    for (Node node : nodes) {
      node.awayUntil = node.gone ? Long.MAX_VALUE : Long.MIN_VALUE;
      if (node.plan.kind() == WorldPlan.Kind.LAGGING) {
        time.later(node.plan.lag().toNanos(), () -> catchUp(node));
      }
    }
    if (machine != null && !stopPosted) {
      // It may have lost peers for good that it needs; the next one begins anew.
      int of = process;
      time.later(
          SETTLE + 240 * SECOND,
          () -> {
            if (of == process && machine != null && !stopPosted) {
              stop("it has been there since before it calmed down");
            }
          });
    }
  }

  private void endOfFollowing() {
    if (machine != null && follows && !stopPosted) {
      stop("it has stayed long enough");
    }
  }

  /** The first process that began after it calmed down has to get everything right. */
  private boolean endCheck() {
    if (!begunInCalm) {
      // Perhaps with fewer connections, and out of patience.
      return false;
    }
    if (guardMissing) {
      // The user was told whom to give up, and begins anew.
      return false;
    }
    Holdings[] holdings = new Holdings[1];
    disk(() -> holdings[0] = client.holdings());
    Invariants.require(completeInProcess, "an honest peer is within reach, and it is not complete");
    boolean pendingToo = guarding == null && plan.oneMempool() && mempoolToldInProcess;
    Invariants.equalsTruth(holdings[0], economy.truth(), economy.chain.tip().hash(), pendingToo);
    if (guarding != null && rules != null && mempoolAskedInProcess && guardsTellAll(rules)) {
      // A guard says nothing when it has nothing, so a single one may not come to its second role.
      Set<FilterRole> told =
          mempoolToldInProcess || !guarding.onePeer()
              ? EnumSet.allOf(FilterRole.class)
              : EnumSet.of(FilterRole.SCRIPTS);
      // Where the user names two, what is gone may be too young to be doubted.
      boolean doubted = mempoolToldInProcess && guarding.onePeer() && !lostInProcess;
      invariants.pending(holdings[0], told, doubted);
    }
    return true;
  }

  /** Whether the guards hold the unconfirmed transactions that everybody has, and tell at once. */
  private boolean guardsTellAll(GuardRules noted) {
    return noted.guards().stream()
        .map(guard -> node(guard).plan)
        .allMatch(
            guard ->
                guard.kind() == WorldPlan.Kind.HONEST
                    && guard.behaviour().announcementPauseNanos() == 0);
  }

  // ---------------------------------------------------------------- what the machine wants

  private void execute(Output output) {
    if (output instanceof Output.Connect connect) {
      connect(connect.link());
    } else if (output instanceof Output.Send send) {
      send(send.link(), send.message());
    } else if (output instanceof Output.Disconnect disconnect) {
      trace.mix(3);
      trace.line(
          () ->
              "client drops "
                  + disconnect.link().address().host()
                  + ": "
                  + disconnect.reason()
                  + " "
                  + disconnect.detail());
      Line line = lines.get(disconnect.link().id());
      if (line != null) {
        close(line);
      }
    } else if (output instanceof Output.WakeAt at) {
      long nanos = time.at(at.at());
      wakeAt = nanos;
      int of = process;
      time.at(nanos, () -> wake(of, nanos));
    } else if (output instanceof Output.Commit commit) {
      commit(commit.batch());
    } else if (output instanceof Output.Emit emit) {
      heard(emit.event());
    }
  }

  private void wake(int of, long nanos) {
    if (of == process && nanos == wakeAt) {
      wakeAt = -1;
      give(new Input.Tick());
    }
  }

  private void connect(Link link) {
    trace.mix(5);
    Node node = node(link.address());
    int of = process;
    if (time.now() < node.awayUntil) {
      if (node.refuses) {
        time.later(latency(node), () -> tell(of, new Input.ConnectFailed(link, "refused")));
      }
      return;
    }
    time.later(
        2 * latency(node),
        () -> {
          if (of != process || machine == null) {
            return;
          }
          if (time.now() < node.awayUntil) {
            give(new Input.ConnectFailed(link, "no route"));
            return;
          }
          NodeSession session =
              new NodeSession(node.chain, node.mempool, node.plan.behaviour(), "/world/", ++calls);
          Line line = new Line(link, node, session);
          lines.put(link.id(), line);
          node.lines.add(line);
          give(new Input.Connected(link));
        });
  }

  private void tell(int of, Input input) {
    if (of == process && machine != null) {
      give(input);
    }
  }

  private Node node(PeerAddress address) {
    for (Node node : nodes) {
      if (node.address.equals(address)) {
        return node;
      }
    }
    throw new AssertionError("the client calls " + address + ", which it was not told of");
  }

  private long latency(Node node) {
    long base = node.plan.latency().toNanos();
    return base + dice.below(base / 4 + 1);
  }

  private void send(Link link, Message message) {
    Line line = lines.get(link.id());
    if (line == null) {
      return;
    }
    trace.mix(message.getClass().getSimpleName().hashCode());
    invariants.sent(line, message);
    trace.line(() -> "client > " + line.node + " " + Words.brief(message, economy.chain));
    line.upFree = Math.max(line.upFree, time.now() + latency(line.node));
    time.at(
        line.upFree,
        () -> {
          if (line.open) {
            line.session.receive(message, time.now());
            pump(line);
          }
        });
  }

  private void commit(CommitBatch batch) {
    Invariants.require(!writing, "a batch is handed out while one is being written");
    writing = true;
    for (PeerAddress disowned : batch.disowned()) {
      Invariants.require(
          node(disowned).plan.kind() == WorldPlan.Kind.OMITTING,
          "what %s said is taken back, and it left nothing out",
          disowned);
    }
    served.batched(batch.disowned());
    trace.mix(7 + 31 * batch.rows().size() + batch.blocks().size());
    int of = process;
    long takes = dice.below(plan.disk().toNanos() + 1);
    time.later(takes, () -> write(of, batch));
  }

  private void write(int of, CommitBatch batch) {
    if (of != process || machine == null) {
      return;
    }
    boolean tears = time.isUnrest() && dice.chance(plan.tear());
    if (tears && dice.chance(0.5)) {
      crash("before batch " + batch.sequence() + " was on disk");
      return;
    }
    commits++;
    trace.line(() -> "disk < " + Words.brief(batch));
    List<Input> answers = new ArrayList<>();
    disk(
        () -> {
          answers.addAll(client.commit(batch, time.instant()));
          invariants.written(batch);
          served.written();
          // Nothing else can change what is reported as confirmed.
          if (!batch.blocks().isEmpty()
              || !batch.connected().isEmpty()
              || !batch.unconfirmed().isEmpty()) {
            invariants.proven(client.holdings());
          }
        });
    writing = false;
    if (tears) {
      crash("after batch " + batch.sequence() + " was on disk, before the machine heard of it");
      return;
    }
    for (Input answer : answers) {
      tell(of, answer);
    }
  }

  private void heard(SyncEvent event) {
    trace.mix(event.getClass().getSimpleName().hashCode());
    if (!(event instanceof SyncEvent.Progress)) {
      trace.line(() -> "event " + event);
    }
    if (event instanceof SyncEvent.Complete complete) {
      completeInProcess = true;
      dismissed.clear();
      claims++;
      disk(
          () -> {
            Client.Claims claims = client.claims();
            Holdings holdings = client.holdings();
            Invariants.require(
                guarding == null
                    ? holdings.tip().equals(complete.tip())
                    : invariants.isBelow(complete, holdings.tip()),
                "complete to %s is claimed, but %s is on disk",
                complete.tip(),
                holdings.tip());
            // A wallet whose birthday lies ahead is complete without having looked.
            if (claims.birthday() >= 0) {
              invariants.covered(
                  complete.tip(),
                  complete.height(),
                  claims.birthday(),
                  plan.verify(),
                  guarding != null && follows ? guarding.inEpoch() : Invariants.EVERYTHING);
            }
            invariants.claimed(client, holdings.tip(), complete.height());
          });
      if (time.isCalm() && follows) {
        time.later(SETTLE, () -> settled(complete.tip()));
      }
    } else if (event instanceof SyncEvent.MempoolAnswered answered) {
      mempoolAskedInProcess = answered.answer() != SyncEvent.MempoolAnswered.Answer.SKIPPED;
      mempoolToldInProcess = answered.answer() == SyncEvent.MempoolAnswered.Answer.COMPLETE;
    } else if (event instanceof SyncEvent.PeerLost lost) {
      lostInProcess |= !mempoolAskedInProcess;
      notForBeingSlow(lost);
    } else if (event instanceof SyncEvent.NoUsablePeer none && rules != null) {
      withoutGuard(none, rules);
    }
  }

  /**
   * Who gets blocks later than others is honest, and is not let go for it: not for minutes by a
   * client that follows. One that waits for the end of its sync waits no longer than one.
   */
  private void notForBeingSlow(SyncEvent.PeerLost lost) {
    for (Node node : nodes) {
      boolean slow =
          node.plan.kind() == WorldPlan.Kind.HONEST
              || (node.plan.kind() == WorldPlan.Kind.LAGGING && follows);
      Invariants.require(
          !slow
              || !node.address.equals(lost.address())
              || lost.reason() != DisconnectReason.LACKS_BLOCKS,
          "%s, which is only slow, is let go: %s",
          lost.address(),
          lost.detail());
    }
  }

  /** The user gives an absent guard up, unless it may come back. */
  private void withoutGuard(SyncEvent.NoUsablePeer none, GuardRules noted) {
    PeerAddress absent =
        none.missing().orElse(null) instanceof SyncWarning.GuardAbsent guard ? guard.guard() : null;
    for (Node node : nodes) {
      if (node.address.equals(absent)) {
        guardMissing = true;
        if (node.gone || node.plan.kind() != WorldPlan.Kind.HONEST) {
          trace.line(() -> "the user gives " + node + " up");
          dismissed.add(node.address);
          noted.dismissed(node.address);
        }
      }
    }
    Node single = nodes.get(named);
    boolean hopeless = single.gone || single.plan.kind() != WorldPlan.Kind.HONEST;
    if (guarding != null && guarding.onePeer() && hopeless) {
      guardMissing = true;
      nameAnother();
    }
  }

  /** The user names an honest peer that is there, instead of the one that was named. */
  private void nameAnother() {
    do {
      named = (named + 1) % nodes.size();
    } while (nodes.get(named).gone || nodes.get(named).plan.kind() != WorldPlan.Kind.HONEST);
    trace.line(() -> "the user names " + nodes.get(named));
  }

  private void settled(Hash256 tip) {
    if (tip.equals(economy.chain.tip().hash())) {
      endOfFollowing();
    }
  }

  // ---------------------------------------------------------------- lines

  /** Asks a node's side of a line for what it has to say, at a time. */
  private void ask(Line line, long at) {
    if (line.open && at < line.askAt) {
      line.askAt = at;
      time.at(
          at,
          () -> {
            if (line.open && line.askAt == at) {
              pump(line);
            }
          });
    }
  }

  private void pump(Line line) {
    line.askAt = Long.MAX_VALUE;
    List<Line.Parcel> parcels = new ArrayList<>();
    while (parcels.size() < BURST) {
      NodeSession.Step step = line.session.next(time.now());
      if (step instanceof NodeSession.Send send) {
        parcels.add(new Line.Parcel(send.message(), line.filter()));
      } else {
        deliver(line, parcels);
        if (step instanceof NodeSession.WaitUntil wait) {
          ask(line, Math.max(wait.nanos(), time.now() + 1));
        } else if (step instanceof NodeSession.Close close) {
          hangUp(line, close.reason());
        }
        return;
      }
    }
    deliver(line, parcels);
    ask(line, time.now() + BURST * line.node.plan.work().toNanos());
  }

  private void deliver(Line line, List<Line.Parcel> parcels) {
    if (parcels.isEmpty()) {
      return;
    }
    line.downFree = Math.max(line.downFree, time.now() + latency(line.node));
    time.at(line.downFree, () -> arrive(line, parcels));
  }

  private void arrive(Line line, List<Line.Parcel> parcels) {
    for (Line.Parcel parcel : parcels) {
      if (lines.get(line.link.id()) != line) {
        return;
      }
      if (time.isUnrest() && dice.chance(plan.loss())) {
        close(line);
        trace.line(() -> "the line to " + line.node + " breaks");
        give(new Input.Disconnected(line.link, "lost"));
        return;
      }
      Message message = parcel.message();
      trace.mix(message.getClass().getSimpleName().hashCode() + line.link.id());
      trace.line(() -> "client < " + line.node + " " + Words.brief(message, economy.chain));
      if (message instanceof Message.MerkleBlockMessage block) {
        blocks++;
        boolean honest =
            line.node.plan.kind() != WorldPlan.Kind.CORRUPT
                || block.merkleBlock().verify() instanceof Verdict.Proven;
        if (honest) {
          served.delivered(block.merkleBlock().blockHash(), line.node.address, parcel.filter());
        }
      }
      if (message instanceof Message.Inv inv) {
        line.announces(inv);
      }
      give(new Input.Received(line.link, message, 100));
    }
  }

  /** The node ends it; what it sent before still arrives. */
  private void hangUp(Line line, String why) {
    line.open = false;
    line.node.lines.remove(line);
    long at = Math.max(line.downFree, time.now() + latency(line.node));
    time.at(
        at,
        () -> {
          if (lines.get(line.link.id()) == line) {
            close(line);
            trace.line(() -> line.node + " hung up: " + why);
            give(new Input.Disconnected(line.link, why));
          }
        });
  }

  private void close(Line line) {
    line.open = false;
    line.node.lines.remove(line);
    lines.remove(line.link.id());
  }
}
