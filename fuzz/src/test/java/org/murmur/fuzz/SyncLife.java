package org.murmur.fuzz;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.SyncMachine;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;
import org.murmur.regtest.node.NodeSession;

/**
 * The machine among one to three peers whose messages are dropped, doubled, put in another order,
 * replaced and damaged, as choices say. Any exception out of a step is a finding.
 */
final class SyncLife {

  private static final SyncChain CHAIN = new SyncChain();
  private static final int ACTIONS = 22;
  private static final int MAX_STEPS = 4_000;
  private static final int MAX_MACHINES = 4;
  private static final int WINDOW = 16;
  private static final long[] PAUSES = {1, 100, 1_000, 5_000, 11_000, 31_000, 61_000, 700_000};

  private record Due(int link, Input input) {}

  private static final class Line {
    final Link link;
    final NodeSession session;
    // Nonces of pings that came this way.
    final ArrayDeque<Long> pings = new ArrayDeque<>();
    Message.@Nullable GetData asked;

    Line(Link link, NodeSession session) {
      this.link = link;
      this.session = session;
    }
  }

  private final Choices choices;
  private final SyncSettings settings;
  private final SyncDisk disk;
  private final Chain chain = CHAIN.chain.copy();
  private final Mempool mempool = new Mempool(chain);
  private final Map<Integer, Line> lines = new HashMap<>();
  private final List<Due> due = new ArrayList<>();
  // What was heard before, to be heard again elsewhere.
  private final ArrayDeque<Message> heard = new ArrayDeque<>();
  private final List<Input> last = new ArrayList<>();
  private SyncMachine machine;
  private Instant now = Instant.ofEpochSecond(SyncChain.NOW);
  private @Nullable Instant wakeAt;
  private boolean reorganised;
  private int machines = 1;
  private int steps;

  private SyncLife(Choices choices) {
    this.choices = choices;
    int kind = choices.below(64);
    List<NodeAddress> peers = new ArrayList<>();
    for (int i = 0; i <= (kind >> 1) % 3; i++) {
      peers.add(new NodeAddress("10.0.0." + (i + 1), 18444));
    }
    SyncSettings usual = SyncSettings.of(peers, 7).follow((kind & 8) != 0);
    if ((kind & 1) != 0) {
      this.settings =
          usual
              .keyedBy(Bytes.ofHex("c0ffee"))
              .preset(Preset.Private.USUAL.onePeer(peers.size() == 1));
    } else {
      this.settings =
          usual.preset(
              new Preset.Fast(
                  (kind & 48) == 48 ? 0.01 : Preset.Fast.RATE,
                  0,
                  (kind & 16) != 0 ? peers.size() : 1,
                  (kind & 32) != 0 ? 3 : 0,
                  0));
    }
    this.disk = new SyncDisk((kind & 1) != 0 ? 1 : SyncChain.EMPTY - 4);
    CHAIN.pending.forEach(mempool::accept);
    this.machine = new SyncMachine(disk.start(), settings);
  }

  /** Lives one life; returns how many steps it had. */
  static int live(Choices choices) {
    SyncLife life = new SyncLife(choices);
    life.give(new Input.Tick());
    while (life.steps < MAX_STEPS && life.goesOn()) {
      life.act(choices.action(ACTIONS));
    }
    return life.steps;
  }

  /** Whether there is a machine to be stepped; one that stopped is followed by another. */
  private boolean goesOn() {
    if (machine.isStopped()) {
      if (choices.isOver() || machines >= MAX_MACHINES) {
        return false;
      }
      restart();
    }
    return true;
  }

  private void restart() {
    machines++;
    lines.clear();
    due.clear();
    last.clear();
    wakeAt = null;
    machine = new SyncMachine(disk.start(), settings);
    give(new Input.Tick());
  }

  // ---- the machine's wires ----

  private void give(Input input) {
    steps++;
    for (Output output : machine.step(input, now)) {
      if (output instanceof Output.Connect connect) {
        due.add(new Due(-1, new Input.Connected(connect.link())));
      } else if (output instanceof Output.Send send) {
        Line line = lines.get(send.link().id());
        if (line != null) {
          said(line, send.message());
        }
      } else if (output instanceof Output.Disconnect gone) {
        close(gone.link().id());
      } else if (output instanceof Output.WakeAt wake) {
        wakeAt = wake.at();
      } else if (output instanceof Output.Commit commit) {
        disk.commit(commit.batch()).forEach(answer -> due.add(new Due(-1, answer)));
      }
    }
  }

  private void said(Line line, Message message) {
    if (message instanceof Message.Ping ping) {
      line.pings.add(ping.nonce());
    } else if (message instanceof Message.GetData ask) {
      line.asked = ask;
    }
    line.session.receive(message, nanos());
    pump(line);
  }

  private void pump(Line line) {
    while (true) {
      NodeSession.Step step = line.session.next(nanos());
      if (!(step instanceof NodeSession.Send send)) {
        return;
      }
      due.add(new Due(line.link.id(), new Input.Received(line.link, send.message(), 100)));
    }
  }

  private long nanos() {
    return Duration.between(Instant.EPOCH, now).toNanos();
  }

  private void close(int link) {
    if (lines.remove(link) != null) {
      due.removeIf(waiting -> waiting.link() == link);
    }
  }

  private void deliver(Input input) {
    if (input instanceof Input.Connected connected) {
      Link link = connected.link();
      lines.put(
          link.id(),
          new Line(link, new NodeSession(chain, mempool, Behaviour.honest(), "/f/", link.id())));
    } else if (input instanceof Input.Received received) {
      heard.add(received.message());
      if (heard.size() > 4 * WINDOW) {
        heard.remove();
      }
      last.clear();
      last.add(input);
    }
    give(input);
  }

  // ---- what happens ----

  private void act(int action) {
    switch (action) {
      case 1 -> drop();
      case 2 -> repeat();
      case 3 -> {
        int i = someDue();
        // What the disk answers keeps its order, as the shell sees to.
        if (i >= 0 && due.get(i).link() >= 0) {
          due.add(0, due.remove(i));
        }
      }
      case 4 -> replace();
      case 5, 20, 21 -> damage();
      case 6 -> fromAnother();
      case 7 -> pongEarly();
      case 8 -> postpone(Message.Pong.class);
      case 9 -> {
        Line line = someLine();
        if (line != null) {
          close(line.link.id());
          give(new Input.Disconnected(line.link, "lost"));
        }
      }
      case 10 -> {
        now = now.plusMillis(PAUSES[choices.below(PAUSES.length)]);
        give(new Input.Tick());
      }
      case 11 -> postponeCommits();
      case 12 -> makeUp();
      case 13 -> {
        Duration by = Duration.ofSeconds(choices.below(2) == 0 ? 3_600 : -3_600);
        now = now.plus(by);
        give(new Input.TimeJumped(by));
      }
      case 14 -> rarely();
      case 15 -> reorganise();
      case 16 -> {
        Line line = someLine();
        if (line != null && line.asked != null) {
          hear(line, new Message.NotFound(line.asked.items()));
        }
      }
      case 17 -> postpone(Message.TxMessage.class);
      case 18 -> postpone(Message.MerkleBlockMessage.class);
      case 19 -> {
        Line line = someLine();
        if (line != null) {
          give(
              choices.below(2) == 0
                  ? new Input.Garbled(line.link, "garbage")
                  : new Input.Oversized(line.link, "too much"));
        }
      }
      default -> goOn();
    }
  }

  private void goOn() {
    if (!due.isEmpty()) {
      deliver(due.remove(0).input());
      return;
    }
    Instant wake = wakeAt;
    now = wake != null && wake.isAfter(now) ? wake : now.plusSeconds(1);
    if (settings.follow() && choices.isOver()) {
      give(new Input.Stop());
    } else {
      give(new Input.Tick());
    }
  }

  private int someDue() {
    return due.isEmpty() ? -1 : choices.below(Math.min(WINDOW, due.size()));
  }

  private @Nullable Line someLine() {
    if (lines.isEmpty()) {
      return null;
    }
    List<Line> all = new ArrayList<>(lines.values());
    return all.get(choices.below(all.size()));
  }

  private void hear(Line line, Message message) {
    deliver(new Input.Received(line.link, message, 100));
  }

  private void drop() {
    int i = someDue();
    // A batch that is never answered would be a broken shell.
    if (i >= 0 && due.get(i).link() >= 0) {
      due.remove(i);
    } else if (i >= 0 && due.get(i).input() instanceof Input.Connected connected) {
      due.remove(i);
      give(new Input.ConnectFailed(connected.link(), Obstacle.NO_CONNECTION, "refused"));
    }
  }

  private void repeat() {
    if (!last.isEmpty() && last.get(0) instanceof Input.Received received) {
      for (int i = choices.below(5); i >= 0; i--) {
        if (lines.containsKey(received.link().id())) {
          give(received);
        }
      }
    }
  }

  private void replace() {
    int i = someDue();
    if (i >= 0 && due.get(i).input() instanceof Input.Received received && !heard.isEmpty()) {
      due.set(i, new Due(due.get(i).link(), new Input.Received(received.link(), someHeard(), 100)));
    }
  }

  private Message someHeard() {
    Message[] all = heard.toArray(new Message[0]);
    return all[choices.below(all.length)];
  }

  private void fromAnother() {
    int i = someDue();
    Line line = someLine();
    if (i >= 0 && line != null && due.get(i).input() instanceof Input.Received received) {
      due.remove(i);
      hear(line, received.message());
    }
  }

  private void pongEarly() {
    Line line = someLine();
    Long nonce = line == null ? null : line.pings.poll();
    if (line != null && nonce != null) {
      hear(line, new Message.Pong(nonce));
    }
  }

  /** The first of a kind comes behind all that is on its way. */
  private void postpone(Class<? extends Message> kind) {
    for (int i = 0; i < due.size(); i++) {
      if (due.get(i).input() instanceof Input.Received received
          && kind.isInstance(received.message())) {
        int behind = choices.below(WINDOW);
        due.add(Math.min(due.size() - 1, i + behind), due.remove(i));
        return;
      }
    }
  }

  /** All that is on its way comes before the answer of the disk; answers keep their order. */
  private void postponeCommits() {
    List<Due> answers = new ArrayList<>();
    for (Due waiting : due) {
      if (waiting.input() instanceof Input.Committed
          || waiting.input() instanceof Input.WatchSetChanged) {
        answers.add(waiting);
      }
    }
    due.removeAll(answers);
    due.addAll(answers);
  }

  /** Some bytes of a message are others, or it ends early; the frame is whole. */
  private void damage() {
    for (int i = 0; i < due.size(); i++) {
      if (due.get(i).input() instanceof Input.Received received) {
        due.remove(i);
        Input damaged = damaged(received);
        deliver(damaged);
        return;
      }
    }
  }

  private Input damaged(Input.Received received) {
    byte[] frame = FrameEncoder.encode(Frames.MAGIC, received.message());
    String command = new String(frame, 4, 12, java.nio.charset.StandardCharsets.US_ASCII);
    byte[] payload = Arrays.copyOfRange(frame, Frame.HEADER_LENGTH, frame.length);
    if (payload.length > 0) {
      for (int n = choices.below(4); n >= 0; n--) {
        int at = choices.below(256) * 251 + choices.below(256);
        payload[at % payload.length] = (byte) choices.below(256);
      }
      if (choices.below(8) == 7) {
        payload = Arrays.copyOf(payload, choices.below(256) % (payload.length + 1));
      }
    }
    byte[] again = Frames.frame(command.replace("\0", ""), payload);
    FrameDecoder decoder = new FrameDecoder(Frames.MAGIC);
    decoder.feed(again, 0, again.length);
    try {
      Frame next = decoder.next();
      return next == null
          ? new Input.Garbled(received.link(), "cut")
          : new Input.Received(received.link(), next.message(), again.length);
    } catch (WireException e) {
      return new Input.Garbled(received.link(), String.valueOf(e.getMessage()));
    }
  }

  /** A peer says something of its own accord. */
  private void makeUp() {
    Line line = someLine();
    if (line == null) {
      return;
    }
    int height = choices.below(chain.height() + 1);
    Block block = chain.blockAt(height);
    Tx tx = block.tx(choices.below(block.size()));
    Tx pending = CHAIN.pending.get(choices.below(CHAIN.pending.size()));
    hear(
        line,
        switch (choices.below(12)) {
          case 0 -> new Message.TxMessage(tx);
          case 1 -> new Message.TxMessage(pending);
          case 2 -> announcement(InventoryItem.BLOCK, block.hash());
          case 3 -> announcement(InventoryItem.TX, pending.txid());
          case 4 -> announcement(InventoryItem.TX, tx.txid());
          case 5 -> new Message.HeadersMessage(chain.headers(height, chain.height() + 1));
          case 6 -> new Message.BlockMessage(block.raw());
          case 7 -> new Message.Ping(7);
          case 8 -> new Message.FeeFilter(choices.below(256) * 1_000L);
          case 9 -> new Message.Addr(List.of());
          case 10 -> announcement(choices.below(256), tx.txid());
          default -> new Message.GetHeaders(List.of(block.hash()), Hash256.ZERO);
        });
  }

  private static Message announcement(int type, Hash256 hash) {
    return new Message.Inv(List.of(new InventoryItem(type, hash)));
  }

  private void rarely() {
    switch (choices.below(8)) {
      case 0 -> give(new Input.Stop());
      case 1 -> restart();
      case 2, 3 ->
          give(new Input.RescanFrom(new Birthday.AtHeight(choices.below(chain.height() + 3))));
      case 4 -> give(new Input.BroadcastTx(CHAIN.pending.get(2)));
      default -> {
        for (Line line : lines.values()) {
          line.session.transactionAccepted(CHAIN.pending.get(1), nanos());
          pump(line);
        }
      }
    }
  }

  private void reorganise() {
    if (reorganised) {
      return;
    }
    reorganised = true;
    chain.replace(SyncChain.fork(), CHAIN.otherEnd);
    for (Line line : List.copyOf(lines.values())) {
      line.session.chainChanged(CHAIN.otherEnd, nanos());
      pump(line);
    }
  }
}
