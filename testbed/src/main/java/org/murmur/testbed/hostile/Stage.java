package org.murmur.testbed.hostile;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.PeerReaction.Kind;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;
import org.murmur.regtest.node.NodeSession;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.plan.Timeline;

/** One sync of a real client among a hostile peer and honest ones, in virtual time. */
public final class Stage {

  private static final int EMPTY = 114;
  private static final int PAID = 24;

  /** Blocks without payments above these: a pruned peer lacks what is below. */
  private static final int QUIET = 300;

  /** The height of the honest tip when the sync begins. */
  public static final int HEIGHT = EMPTY + PAID / 2 + QUIET + 2;

  private static final long GENESIS_TIME = 1_700_000_000L;
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final Duration MOST = Duration.ofHours(1);

  private static final int MAGIC = ChainParams.REGTEST.magic();

  /** A client that follows is stopped after this time. */
  private static final Duration STAYS = Duration.ofMinutes(15);

  /** While a client follows, the honest chain grows by two blocks after this time. */
  private static final Duration GROWS = Duration.ofMinutes(5);

  private static final SyncEvent ALL_PENDING =
      new SyncEvent.MempoolAnswered(SyncEvent.MempoolAnswered.Answer.COMPLETE);

  /** How long the user waits for announcements of a payment. */
  private static final Duration SENDS = Duration.ofMinutes(2);

  /**
   * The end of a sync.
   *
   * @param early heights below the honest tip at which it was complete for a while
   * @param hostileLost why the hostile peer was dropped, each time
   * @param honestLost why honest peers were dropped
   * @param missed how many payments of the honest chain the client does not hold as confirmed
   * @param made satoshi that the client holds as confirmed and the honest chain did not pay
   * @param hoped satoshi that are confirmed or expected
   * @param pending what the wallet counts that no block holds, in satoshi
   * @param batchBytes bytes of transactions in the largest batch for the disk
   * @param clockBehind whether the client believed that its clock was wrong
   * @param fetched whether the hostile peer fetched the payment that the user sent
   * @param accepted whether the client believes that the hostile peer has it
   * @param hidden whether the client calls the unconfirmed payments complete, and lacks one that
   *     the honest peers hold
   */
  public record Outcome(
      End end,
      List<Integer> early,
      Set<DisconnectReason> hostileLost,
      Set<DisconnectReason> honestLost,
      int missed,
      long made,
      long hoped,
      long pending,
      int batchBytes,
      boolean clockBehind,
      boolean fetched,
      boolean accepted,
      boolean hidden,
      Duration took) {}

  private record Line(Link link, NodeSession session) {}

  private final TestedClient client;
  private final Chain chain = Chain.ofGenesis();
  private final Mempool mempool = new Mempool(chain);
  private final Mempool hostilePool = new Mempool(chain);
  private final Set<Hash256> payments = new HashSet<>();
  private final List<Bytes> scripts;
  private final List<OutPoint> rewards = new ArrayList<>();
  private final Hostile hostile;
  private final List<NodeAddress> peers = new ArrayList<>();
  private final Map<Integer, Line> lines = new HashMap<>();
  private final Timeline time = new Timeline(GENESIS_TIME + 600L * (HEIGHT + 2));
  private @Nullable Machine machine;
  private final Set<SyncEvent> said = new HashSet<>();
  private final List<Integer> early = new ArrayList<>();
  private Instant wakeAt = Instant.MAX;
  private long paid;
  private int batchBytes;
  private int completeAt = -1;

  private Stage(Hostile hostile, int honest, TestedClient.Maker maker) throws IOException {
    this.hostile = hostile;
    this.scripts = maker.scripts(0, PAID + 4);
    build();
    this.client =
        maker.make(new TestedClient.Wallet(new Birthday.AtHeight(EMPTY - 3), 20, 20, false, 0));
    for (int i = 0; i <= honest; i++) {
      peers.add(new NodeAddress("203.0.113." + (i + 1), 18444));
    }
  }

  /** Runs one sync. */
  public static Outcome play(Hostile hostile, Situation situation, TestedClient.Maker maker)
      throws IOException {
    Stage stage = new Stage(hostile, situation.honest(), maker);
    try {
      return stage.run(situation.settings(SyncSettings.of(stage.peers, 7)));
    } finally {
      stage.client.close();
    }
  }

  private void build() {
    for (int i = 0; i < EMPTY; i++) {
      rewards.add(mine(List.of()).tx(0).outPoint(0));
    }
    for (int i = 0; i < PAID; i += 2) {
      mine(List.of(pay(i), pay(i + 1)));
    }
    for (int i = 0; i < QUIET; i++) {
      mine(List.of());
    }
    mine(List.of(pay(PAID), pay(PAID + 1)));
    mine(List.of());
  }

  private Tx pay(int number) {
    long value = 1_000L + number;
    paid += value;
    Tx tx = new TxBuilder().spend(rewards.get(number)).pay(value, scripts.get(number)).build();
    payments.add(tx.txid());
    return tx;
  }

  private void grow() {
    List<Block> blocks = List.of(mine(List.of(pay(PAID + 2), pay(PAID + 3))), mine(List.of()));
    for (Line line : List.copyOf(lines.values())) {
      line.session().chainChanged(blocks, time.now());
      pump(line);
    }
  }

  private Block mine(List<Tx> transactions) {
    long at = GENESIS_TIME + 600L * (chain.height() + 1);
    Block block =
        BlockAssembly.next(chain, at, OutputScripts.anyoneCanSpend(1), 0, 0, transactions);
    chain.append(block);
    return block;
  }

  private Outcome run(SyncSettings usual) throws IOException {
    Hostile.Payment payment = hostile.payment();
    if (payment == Hostile.Payment.HIDDEN) {
      mempool.accept(
          new TxBuilder().spend(rewards.get(PAID + 4)).pay(1_000, scripts.get(0)).build());
    }
    SyncSettings settings = payment.isSent() ? usual.follow(true) : usual;
    Machine running = client.start(settings);
    machine = running;
    give(new Input.Tick());
    if (payment.isSent()) {
      give(new Input.BroadcastTx(spend(), OptionalLong.empty()));
    }
    if (usual.follow()) {
      later(GROWS, this::grow);
      later(STAYS, () -> give(new Input.Stop()));
    } else if (settings.follow()) {
      later(SENDS, () -> give(new Input.Stop()));
    }
    while (!running.isStopped()) {
      Runnable next = time.next();
      if (time.now() > MOST.toNanos()) {
        throw new AssertionError("the client hangs among " + peers);
      }
      next.run();
    }
    return outcome(Duration.ofNanos(time.now()));
  }

  /** A payment that the user sends. */
  private Tx spend() {
    OutPoint coin = chain.blockAt(EMPTY + 1).tx(1).outPoint(0);
    return new TxBuilder().spend(coin).pay(500, OutputScripts.anyoneCanSpend(3)).build();
  }

  private Outcome outcome(Duration took) throws IOException {
    Holdings holdings = client.holdings();
    Set<Hash256> missed = new HashSet<>(payments);
    for (Holdings.Entry entry : holdings.transactions()) {
      if (entry.height() > 0) {
        missed.remove(entry.txid());
      }
    }
    End end = End.INCOMPLETE;
    if (completeAt >= 0) {
      end = completeAt < chain.height() ? End.LOWER_TIP : End.TRUTH;
    }
    Set<DisconnectReason> hostileLost = EnumSet.noneOf(DisconnectReason.class);
    Set<DisconnectReason> honestLost = EnumSet.noneOf(DisconnectReason.class);
    for (SyncEvent event : said) {
      if (event instanceof SyncEvent.PeerLost lost) {
        (isHostile(lost.address()) ? hostileLost : honestLost).add(lost.reason());
      }
    }
    return new Outcome(
        end,
        early,
        hostileLost,
        honestLost,
        missed.size(),
        holdings.confirmedSat() - paid,
        holdings.confirmedSat() + holdings.unconfirmedSat(),
        holdings.unconfirmedSat(),
        batchBytes,
        said.stream().anyMatch(SyncWarning.ClockBehind.class::isInstance),
        hostileDid(EnumSet.of(Kind.FETCHED)),
        hostileDid(EnumSet.of(Kind.ACCEPTED, Kind.ANNOUNCED)),
        said.contains(ALL_PENDING) && isHidden(holdings),
        took);
  }

  private boolean isHidden(Holdings holdings) {
    return mempool.transactions().stream()
        .anyMatch(
            tx ->
                holdings.transactions().stream()
                    .noneMatch(entry -> entry.txid().equals(tx.txid())));
  }

  private boolean hostileDid(Set<Kind> kinds) {
    return said.stream()
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerReaction reaction
                    && kinds.contains(reaction.kind())
                    && isHostile(reaction.peer()));
  }

  private boolean isHostile(NodeAddress address) {
    return address.equals(peers.get(0));
  }

  private void later(Duration wait, Runnable action) {
    time.later(wait.toNanos(), action);
  }

  private void give(Input input) {
    Machine running = machine;
    if (running == null || running.isStopped()) {
      return;
    }
    for (Output output : running.step(input, time.instant())) {
      execute(output);
    }
  }

  private void execute(Output output) {
    if (output instanceof Output.Connect connect) {
      later(LATENCY, () -> connected(connect.link()));
    } else if (output instanceof Output.Send send) {
      later(LATENCY, () -> said(send.link(), send.message()));
    } else if (output instanceof Output.Disconnect gone) {
      lines.remove(gone.link().id());
    } else if (output instanceof Output.WakeAt wake) {
      wakeAt = wake.at();
      time.at(time.at(wake.at()), () -> wake(wake.at()));
    } else if (output instanceof Output.Commit commit) {
      weigh(commit.batch());
      List<Input> answers;
      try {
        answers = client.commit(commit.batch(), time.instant());
      } catch (IOException e) {
        throw new AssertionError("the disk failed", e);
      }
      later(Duration.ofMillis(5), () -> answers.forEach(this::give));
    } else if (output instanceof Output.Emit emit) {
      heard(emit.event());
    }
  }

  private void wake(Instant at) {
    if (at.equals(wakeAt)) {
      give(new Input.Tick());
    }
  }

  private void weigh(CommitBatch batch) {
    int bytes = batch.unconfirmed().stream().mapToInt(tx -> tx.raw().length()).sum();
    for (CommitBatch.MatchedBlock block : batch.blocks()) {
      bytes += block.transactions().stream().mapToInt(tx -> tx.raw().length()).sum();
    }
    batchBytes = Math.max(batchBytes, bytes);
  }

  private void heard(SyncEvent event) {
    said.add(event);
    if (event instanceof SyncFact.Complete complete) {
      completeAt = complete.height();
      if (completeAt < chain.height()) {
        early.add(completeAt);
      }
    }
  }

  private void connected(Link link) {
    boolean means = isHostile(link.address());
    Behaviour behaviour = means ? hostile.behaviour().apply(scripts.get(0)) : hostile.others();
    NodeSession session =
        new NodeSession(chain, means ? hostilePool : mempool, behaviour, "/stage/", link.id());
    lines.put(link.id(), new Line(link, session));
    give(new Input.Connected(link));
  }

  private void said(Link link, Message message) {
    Line line = lines.get(link.id());
    if (line != null) {
      line.session().receive(message, time.now());
      pump(line);
    }
  }

  private boolean isOpen(Line line) {
    Line open = lines.get(line.link().id());
    return open != null && open.session() == line.session();
  }

  private void pump(Line line) {
    if (!isOpen(line)) {
      return;
    }
    NodeSession.Step step = line.session().next(time.now());
    while (step instanceof NodeSession.Send send) {
      send(line, send.message());
      step = line.session().next(time.now());
    }
    if (step instanceof NodeSession.WaitUntil wait) {
      later(Duration.ofNanos(wait.nanos() - time.now()), () -> pump(line));
    } else if (step instanceof NodeSession.Close) {
      lines.remove(line.link().id());
      later(LATENCY, () -> give(new Input.Disconnected(line.link(), "closed by the other side")));
    }
  }

  private void send(Line line, Message message) {
    later(
        LATENCY,
        () -> {
          if (isOpen(line)) {
            give(new Input.Received(line.link(), message, wireBytes(message)));
          }
        });
  }

  /** As a socket counts them: what a peer makes us send is rationed by what it sends. */
  private static int wireBytes(Message message) {
    return message instanceof Message.TxMessage tx
        ? Frame.HEADER_LENGTH + tx.tx().raw().length()
        : FrameEncoder.encode(MAGIC, message).length;
  }
}
