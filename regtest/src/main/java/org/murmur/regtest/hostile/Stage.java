package org.murmur.regtest.hostile;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.Behaviour;
import org.murmur.regtest.Block;
import org.murmur.regtest.BlockAssembly;
import org.murmur.regtest.Chain;
import org.murmur.regtest.Mempool;
import org.murmur.regtest.NodeSession;
import org.murmur.regtest.Scripts;
import org.murmur.regtest.TxBuilder;
import org.murmur.regtest.world.Client;
import org.murmur.regtest.world.Holdings;

/** One sync of a real client among a hostile peer and honest ones, in virtual time. */
public final class Stage {

  private static final int EMPTY = 114;
  private static final int PAID = 24;
  private static final long GENESIS_TIME = 1_700_000_000L;
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final Duration MOST = Duration.ofHours(1);

  /** Who follows is sent away after so long. */
  private static final Duration STAYS = Duration.ofMinutes(15);

  /**
   * What became of a sync.
   *
   * @param complete whether it was complete when it ended
   * @param hostileLost what the hostile peer was let go for, each time
   * @param honestLost what honest peers were let go for
   * @param missed payments of the chain that the client does not hold as confirmed
   * @param took how long it took
   */
  public record Outcome(
      boolean complete,
      Set<DisconnectReason> hostileLost,
      Set<DisconnectReason> honestLost,
      Set<Hash256> missed,
      Duration took) {}

  private record Event(Instant at, long order, Runnable action) {}

  private final Client client;
  private final Chain chain = Chain.ofGenesis();
  private final Mempool mempool = new Mempool(chain);
  private final Set<Hash256> payments = new HashSet<>();
  private final List<PeerAddress> peers = new ArrayList<>();
  private final Map<PeerAddress, Behaviour> behaviours = new HashMap<>();
  private final Map<Integer, NodeSession> sessions = new HashMap<>();
  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::order));
  private final Set<DisconnectReason> hostileLost = new HashSet<>();
  private final Set<DisconnectReason> honestLost = new HashSet<>();
  private @Nullable Machine machine;
  private Instant now = Instant.ofEpochSecond(GENESIS_TIME + 200_000);
  private Instant wakeAt = Instant.MAX;
  private long order;
  private boolean complete;

  private Stage(Hostile hostile, int honest, Client.Maker maker) throws IOException {
    build(maker.scripts(0, PAID));
    this.client = maker.make(new Client.Wallet(new Birthday.AtHeight(EMPTY - 3), 20, 20, false, 0));
    for (int i = 0; i <= honest; i++) {
      PeerAddress address = new PeerAddress("10.0.0." + (i + 1), 18444);
      peers.add(address);
      behaviours.put(address, i == 0 ? hostile.behaviour() : Behaviour.honest());
    }
  }

  /**
   * Plays one sync.
   *
   * @param hostile who means no good
   * @param honest how many honest peers stand beside it
   * @param change what the sync is to be besides the usual
   * @param maker makes the client
   * @return what became of it
   * @throws IOException if the client's disk failed
   */
  public static Outcome play(
      Hostile hostile, int honest, UnaryOperator<SyncSettings> change, Client.Maker maker)
      throws IOException {
    Stage stage = new Stage(hostile, honest, maker);
    try {
      return stage.run(change.apply(SyncSettings.of(stage.peers, 7)));
    } finally {
      stage.client.close();
    }
  }

  private void build(List<Bytes> scripts) {
    List<OutPoint> rewards = new ArrayList<>();
    for (int i = 0; i < EMPTY; i++) {
      rewards.add(mine(List.of()).tx(0).outPoint(0));
    }
    for (int i = 0; i < PAID; i += 2) {
      List<Tx> transactions = new ArrayList<>();
      for (int k = i; k < i + 2; k++) {
        transactions.add(
            new TxBuilder().spend(rewards.get(k)).pay(1_000 + k, scripts.get(k)).build());
      }
      transactions.forEach(tx -> payments.add(tx.txid()));
      mine(transactions);
    }
    mine(List.of());
  }

  private Block mine(List<Tx> transactions) {
    int height = chain.height() + 1;
    Block block =
        BlockAssembly.mine(
            chain.tip().hash(),
            height,
            GENESIS_TIME + 600L * height,
            Scripts.anyoneCanSpend(1),
            Chain.subsidy(height),
            0,
            transactions);
    chain.append(block);
    return block;
  }

  private Outcome run(SyncSettings settings) throws IOException {
    Instant begin = now;
    Machine running = client.start(settings);
    machine = running;
    give(new Input.Tick());
    if (settings.follow()) {
      later(STAYS, () -> give(new Input.Stop()));
    }
    while (!running.isStopped()) {
      Event next = queue.poll();
      if (next == null || next.at().isAfter(begin.plus(MOST))) {
        throw new AssertionError("the client hangs among " + peers);
      }
      now = next.at();
      next.action().run();
    }
    Set<Hash256> missed = new HashSet<>(payments);
    for (Holdings.Entry entry : client.holdings().transactions()) {
      if (entry.height() > 0) {
        missed.remove(entry.txid());
      }
    }
    return new Outcome(complete, hostileLost, honestLost, missed, Duration.between(begin, now));
  }

  private void later(Duration time, Runnable action) {
    queue.add(new Event(now.plus(time), order++, action));
  }

  private void give(Input input) {
    Machine running = machine;
    if (running == null || running.isStopped()) {
      return;
    }
    for (Output output : running.step(input, now)) {
      execute(output);
    }
  }

  private void execute(Output output) {
    if (output instanceof Output.Connect connect) {
      later(LATENCY, () -> connected(connect.link()));
    } else if (output instanceof Output.Send send) {
      later(LATENCY, () -> said(send.link(), send.message()));
    } else if (output instanceof Output.Disconnect gone) {
      sessions.remove(gone.link().id());
    } else if (output instanceof Output.WakeAt wake) {
      wakeAt = wake.at();
      queue.add(new Event(wake.at(), order++, () -> wake(wake.at())));
    } else if (output instanceof Output.Commit commit) {
      List<Input> answers;
      try {
        answers = client.commit(commit.batch(), now);
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

  private void heard(SyncEvent event) {
    if (event instanceof SyncEvent.Complete) {
      complete = true;
    } else if (event instanceof SyncEvent.PeerLost lost) {
      (lost.address().equals(peers.get(0)) ? hostileLost : honestLost).add(lost.reason());
    }
  }

  private void connected(Link link) {
    Behaviour behaviour = behaviours.getOrDefault(link.address(), Behaviour.honest());
    sessions.put(link.id(), new NodeSession(chain, mempool, behaviour, "/stage/", link.id()));
    give(new Input.Connected(link));
  }

  private void said(Link link, Message message) {
    NodeSession session = sessions.get(link.id());
    if (session != null) {
      session.receive(message, nanos());
      pump(link, session);
    }
  }

  private void pump(Link link, NodeSession session) {
    if (sessions.get(link.id()) != session) {
      return;
    }
    NodeSession.Step step = session.next(nanos());
    while (step instanceof NodeSession.Send send) {
      later(
          LATENCY,
          () -> {
            if (sessions.get(link.id()) == session) {
              give(new Input.Received(link, send.message(), 100));
            }
          });
      step = session.next(nanos());
    }
    if (step instanceof NodeSession.WaitUntil wait) {
      later(Duration.ofNanos(wait.nanos() - nanos()), () -> pump(link, session));
    } else if (step instanceof NodeSession.Close) {
      sessions.remove(link.id());
      later(LATENCY, () -> give(new Input.Disconnected(link, "closed by the other side")));
    }
  }

  private long nanos() {
    return Duration.between(Instant.ofEpochSecond(GENESIS_TIME), now).toNanos();
  }
}
