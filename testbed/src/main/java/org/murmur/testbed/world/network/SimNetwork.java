package org.murmur.testbed.world.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.NodeSession;
import org.murmur.testbed.world.plan.Timeline;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The nodes, and their connections with the client: how long messages take, and how connections
 * end.
 */
public final class SimNetwork {

  /** A process of the client, as its lines see it. */
  public interface Caller {

    /** Whether it still runs. */
    boolean isAlive();

    /** Takes an input, if it still runs. */
    void give(Input input);

    /** A message that is about to reach it is damaged: it may lack what the message said. */
    void damaged();

    /** A message has reached it. */
    void received(SimConnection line, SimConnection.Parcel parcel);
  }

  /** Messages a node hands out at a time before others have their turn. */
  private static final int BURST = 16;

  private final WorldPlan plan;
  private final Timeline time;
  private final Dice dice;
  private final Trace trace;
  private final Dice damage;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Map<Integer, SimConnection> lines = new HashMap<>();
  private int calls;
  private boolean damages;

  public SimNetwork(Setting setting) {
    this.plan = setting.plan();
    this.time = setting.time();
    this.dice = setting.dice();
    this.trace = setting.trace();
    this.damage = new Dice(plan.seed() ^ 0x666c6970L);
    for (int i = 0; i < plan.peers().size(); i++) {
      nodes.add(new SimNode(i, plan.peers().get(i), setting.economy()));
    }
    nodes.forEach(this::listen);
  }

  /** The nodes announce new blocks and transactions on their lines. */
  private void listen(SimNode node) {
    node.chain.listen((gone, come) -> told(node, come));
    node.mempool.listen(
        tx -> {
          for (SimConnection line : node.lines()) {
            line.session.transactionAccepted(tx, time.now());
            ask(line, time.now());
          }
        });
  }

  private void told(SimNode node, List<Block> come) {
    for (SimConnection line : node.lines()) {
      line.session.chainChanged(come, time.now());
      ask(line, time.now());
    }
  }

  public List<SimNode> nodes() {
    return nodes;
  }

  public SimNode node(NodeAddress address) {
    for (SimNode node : nodes) {
      if (node.address.equals(address)) {
        return node;
      }
    }
    throw new AssertionError("the client calls " + address + ", which it does not know");
  }

  private long latency(SimNode node) {
    long base = node.plan.latency().toNanos();
    return base + dice.below(base / 4 + 1);
  }

  // ---------------------------------------------------------------- the client's side

  public void connect(Link link, Caller caller) {
    SimNode node = node(link.address());
    if (node.isAway(time.now())) {
      if (node.refuses()) {
        time.later(latency(node), () -> caller.give(new Input.ConnectFailed(link, "refused")));
      }
      return;
    }
    time.later(2 * latency(node), () -> connected(link, node, caller));
  }

  private void connected(Link link, SimNode node, Caller caller) {
    if (!caller.isAlive()) {
      return;
    }
    if (node.isAway(time.now())) {
      caller.give(new Input.ConnectFailed(link, "no route"));
      return;
    }
    NodeSession session =
        new NodeSession(node.chain, node.mempool, node.behaviour, "/world/", ++calls);
    SimConnection line = new SimConnection(link, node, session, caller);
    lines.put(link.id(), line);
    node.add(line);
    caller.give(new Input.Connected(link));
  }

  /** The line of a link, or null if it does not stand. */
  public @Nullable SimConnection line(Link link) {
    return lines.get(link.id());
  }

  public void send(SimConnection line, Message message) {
    time.at(
        line.up(time.now() + latency(line.node)),
        () -> {
          if (line.isOpen()) {
            line.session.receive(message, time.now());
            pump(line);
          }
        });
  }

  /** The client's side of a line is gone, and with it all messages under way. */
  public void close(SimConnection line) {
    line.close();
    lines.remove(line.link.id());
  }

  public void closeAll() {
    damages = false;
    List.copyOf(lines.values()).forEach(this::close);
  }

  // ---------------------------------------------------------------- the nodes' side

  /** Asks a node's side of a line for its messages, at a time. */
  private void ask(SimConnection line, long at) {
    if (line.plans(at)) {
      time.at(
          at,
          () -> {
            if (line.isDue(at)) {
              pump(line);
            }
          });
    }
  }

  private void pump(SimConnection line) {
    line.asked();
    List<SimConnection.Parcel> parcels = new ArrayList<>();
    while (parcels.size() < BURST) {
      NodeSession.Step step = line.session.next(time.now());
      if (step instanceof NodeSession.Send send) {
        parcels.add(new SimConnection.Parcel(send.message(), line.filter()));
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

  /** A node sends an unsolicited message. */
  public void say(SimConnection line, List<Message> messages) {
    deliver(
        line,
        messages.stream()
            .map(message -> new SimConnection.Parcel(message, FilterSnapshot.NONE))
            .toList());
  }

  private void deliver(SimConnection line, List<SimConnection.Parcel> parcels) {
    if (!parcels.isEmpty()) {
      time.at(line.down(time.now() + latency(line.node)), () -> arrive(line, parcels));
    }
  }

  private void arrive(SimConnection line, List<SimConnection.Parcel> parcels) {
    for (SimConnection.Parcel parcel : parcels) {
      if (!stands(line)) {
        return;
      }
      if (time.isUnrest() && dice.chance(plan.loss())) {
        close(line);
        trace.line(() -> "the line to " + line.node + " breaks");
        line.caller.give(new Input.Disconnected(line.link, "lost"));
        return;
      }
      boolean hit = damages && line.node.plan.isHonest();
      if (hit) {
        damages = false;
        line.damage();
        trace.line(() -> "a byte from " + line.node + " is damaged");
        line.caller.damaged();
      }
      DamagedLine stream = line.stream();
      if (stream == null) {
        line.caller.received(line, parcel);
      } else {
        arrive(line, parcel, stream, hit);
      }
    }
  }

  /** A message arrives as bytes: it was damaged, or one before it. */
  private void arrive(
      SimConnection line, SimConnection.Parcel parcel, DamagedLine stream, boolean hit) {
    for (Input input : stream.hear(line.link, parcel.message(), hit ? damage : null)) {
      if (!stands(line)) {
        return;
      }
      if (input instanceof Input.Received received) {
        line.caller.received(line, new SimConnection.Parcel(received.message(), parcel.filter()));
      } else {
        line.caller.give(input);
      }
    }
  }

  /** A byte of the next message of an honest node that arrives on these lines is damaged. */
  public void damageNext() {
    damages = !lines.isEmpty();
  }

  private boolean stands(SimConnection line) {
    return lines.get(line.link.id()) == line;
  }

  /** The node ends all its lines. */
  public void hangUp(SimNode node, String why) {
    node.lines().forEach(line -> hangUp(line, why));
  }

  /** The node ends a line; what it sent before still arrives. */
  private void hangUp(SimConnection line, String why) {
    line.close();
    time.at(
        line.down(time.now() + latency(line.node)),
        () -> {
          if (stands(line)) {
            close(line);
            trace.line(() -> line.node + " hung up: " + why);
            line.caller.give(new Input.Disconnected(line.link, why));
          }
        });
  }
}
