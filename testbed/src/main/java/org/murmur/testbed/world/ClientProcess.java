package org.murmur.testbed.world;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.judge.ProcessEvents;
import org.murmur.testbed.world.judge.Require;
import org.murmur.testbed.world.network.Setting;
import org.murmur.testbed.world.network.SimConnection;
import org.murmur.testbed.world.network.SimNetwork;
import org.murmur.testbed.world.network.Trace;
import org.murmur.testbed.world.network.TraceText;
import org.murmur.testbed.world.plan.Timeline;

/** One process of the client, from its start to its end or its crash. */
final class ClientProcess implements SimNetwork.Caller {

  /** Crashes of one world. */
  private static final int MAX_CRASHES = 25;

  /** The disk threw an {@link IOException} that the world did not inject. */
  interface DiskWork {
    void run() throws IOException;
  }

  private final int number;
  private final Machine machine;
  private final boolean follows;
  private final boolean begunInCalm;
  private final Processes all;
  private final Setting setting;
  private final Timeline time;
  private final Dice dice;
  private final Trace trace;
  private final ProcessEvents heard = new ProcessEvents();
  private boolean alive = true;
  private boolean writing;
  private boolean stopPosted;
  private long wakeAt = -1;

  ClientProcess(int number, Machine machine, boolean follows, Processes all, Setting setting) {
    this.number = number;
    this.machine = machine;
    this.follows = follows;
    this.all = all;
    this.setting = setting;
    this.time = setting.time();
    this.dice = setting.dice();
    this.trace = setting.trace();
    this.begunInCalm = time.isCalm();
  }

  boolean isBegunInCalm() {
    return begunInCalm;
  }

  ProcessEvents heard() {
    return heard;
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  /** Whether it runs and was not asked to stop. */
  boolean isListening() {
    return alive && !stopPosted;
  }

  /** Gives the machine an input and carries out its effects. */
  @Override
  public void give(Input input) {
    if (!alive) {
      return;
    }
    long step = all.tally.step();
    List<Output> outputs = machine.step(input, time.instant());
    outputs.forEach(this::execute);
    if ((step & 15) == 0 || outputs.size() > 4) {
      all.judge.bounded(all.client.footprint());
    }
    if (machine.isStopped()) {
      trace.line(() -> "process " + number + " has ended");
      alive = false;
      all.ended(this);
    } else if (time.isUnrest()
        && dice.chance(setting.plan().crash())
        && all.tally.crashes() < MAX_CRASHES) {
      crash("between two steps");
    } else if (time.isUnrest() && !stopPosted && dice.chance(setting.plan().stop())) {
      stop("the user has enough");
    }
  }

  /** The user stops it, unless it has ended or was asked to stop. */
  void stop(String why) {
    if (isListening()) {
      stopPosted = true;
      trace.line(() -> "stop: " + why);
      time.later(0, () -> give(new Input.Stop()));
    }
  }

  private void crash(String when) {
    trace.line(() -> "crash " + when);
    alive = false;
    all.crashed();
  }

  // ---------------------------------------------------------------- what the machine wants

  private void execute(Output output) {
    if (output instanceof Output.Connect connect) {
      trace.mix(5);
      all.network.connect(connect.link(), this);
    } else if (output instanceof Output.Send send) {
      send(send.link(), send.message());
    } else if (output instanceof Output.Disconnect disconnect) {
      disconnect(disconnect);
    } else if (output instanceof Output.WakeAt at) {
      long nanos = time.at(at.at());
      wakeAt = nanos;
      time.at(nanos, () -> wake(nanos));
    } else if (output instanceof Output.Commit commit) {
      commit(commit.batch());
    } else if (output instanceof Output.Emit emit) {
      hear(emit.event());
    }
  }

  private void wake(long nanos) {
    if (nanos == wakeAt) {
      wakeAt = -1;
      give(new Input.Tick());
    }
  }

  private void send(Link link, Message message) {
    SimConnection line = all.network.line(link);
    if (line != null) {
      trace.mix(message.getClass().getSimpleName().hashCode());
      all.judge.sent(line.talk, message);
      trace.line(() -> "client > " + line.node + " " + brief(message));
      all.network.send(line, message);
    }
  }

  private void disconnect(Output.Disconnect disconnect) {
    trace.mix(3);
    trace.line(
        () ->
            "client drops "
                + disconnect.link().address().host()
                + ": "
                + disconnect.reason()
                + " "
                + disconnect.detail());
    SimConnection line = all.network.line(disconnect.link());
    if (line != null) {
      all.judge.dropped(line.talk, disconnect);
      all.network.close(line);
    }
  }

  private String brief(Message message) {
    return TraceText.brief(message, setting.economy().chain);
  }

  @Override
  public void damaged() {
    heard.damaged();
  }

  @Override
  public void received(SimConnection line, SimConnection.Parcel parcel) {
    Message message = parcel.message();
    trace.mix(message.getClass().getSimpleName().hashCode() + line.link.id());
    trace.line(() -> "client < " + line.node + " " + brief(message));
    if (message instanceof Message.MerkleBlockMessage) {
      all.tally.block();
    }
    all.judge.received(line.talk, message, parcel.filter(), time.instant());
    give(new Input.Received(line.link, message, 100));
    if (isListening() && all.network.line(line.link) == line) {
      all.judge.answered(line.talk);
    }
  }

  // ---------------------------------------------------------------- the disk

  static void disk(DiskWork work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new AssertionError("the disk failed", e);
    }
  }

  private void commit(CommitBatch batch) {
    Require.require(!writing, "a batch is handed out while one is being written");
    writing = true;
    all.judge.handedOut(batch);
    trace.mix(7 + 31 * batch.rows().size() + batch.blocks().size());
    time.later(dice.below(setting.plan().disk().toNanos() + 1), () -> write(batch));
  }

  private void write(CommitBatch batch) {
    if (!alive) {
      return;
    }
    boolean tears = time.isUnrest() && dice.chance(setting.plan().tear());
    if (tears && dice.chance(0.5)) {
      crash("before batch " + batch.sequence() + " was on disk");
      return;
    }
    all.tally.commit();
    trace.line(() -> "disk < " + TraceText.brief(batch));
    List<Input> answers = new ArrayList<>();
    disk(
        () -> {
          answers.addAll(all.client.commit(batch, time.instant()));
          all.judge.written(batch, all.client);
        });
    writing = false;
    if (tears) {
      crash("after batch " + batch.sequence() + " was on disk, before the machine heard of it");
      return;
    }
    answers.forEach(this::give);
  }

  // ---------------------------------------------------------------- the user's entries

  /** Signs a payment between two commits, and sends it. */
  void pay(Bytes script, long chance) {
    disk(
        () ->
            all.client
                .pay(script, chance, time.instant())
                .ifPresent(
                    paid -> {
                      setting.economy().made(paid.tx());
                      trace.line(() -> "the wallet pays " + TraceText.brief(paid.tx().txid()));
                      enter(paid.inputs());
                    }));
  }

  void abandon(long chance) {
    disk(
        () -> {
          List<Input> inputs = all.client.abandon(chance, time.instant());
          if (!inputs.isEmpty()) {
            trace.line(() -> "the user abandons a payment");
            enter(inputs);
          }
        });
  }

  /** The user's change is on disk: the machine learns of it, unless it crashes first. */
  private void enter(List<Input> inputs) {
    if (time.isUnrest() && dice.chance(setting.plan().tear())) {
      crash("after an entry of the user was on disk, before the machine heard of it");
    } else {
      inputs.forEach(this::give);
    }
  }

  // ---------------------------------------------------------------- what it tells

  private void hear(SyncEvent event) {
    trace.mix(event.getClass().getSimpleName().hashCode());
    if (!(event instanceof SyncEvent.Progress)) {
      trace.line(() -> "event " + event);
    }
    if (event instanceof SyncFact.Complete complete) {
      complete(complete);
    } else if (event instanceof SyncEvent.MempoolAnswered answered) {
      heard.mempool(answered);
    } else if (event instanceof SyncEvent.PeerLost lost) {
      heard.peerLost();
      all.judge.peerLost(lost, follows);
    } else if (event instanceof SyncFact.NoUsablePeer none) {
      heard.guardMissing(all.user.hears(none, begunInCalm));
    }
  }

  private void complete(SyncFact.Complete complete) {
    heard.complete();
    all.user.hearsComplete();
    all.tally.claim();
    disk(() -> all.judge.complete(complete, all.client, follows));
    if (time.isCalm() && follows) {
      // It stays for a while, to get unconfirmed transactions.
      time.later(
          Processes.SETTLE,
          () -> {
            if (complete.tip().equals(setting.economy().chain.tip().hash())) {
              stop("it has stayed long enough");
            }
          });
    }
  }
}
