package org.murmur.testbed.world.network;

import java.util.ArrayList;
import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.plan.WorldPlan;

/** A simulated peer. */
public final class SimNode {

  public final NodeAddress address;
  public final WorldPlan.Neighbour plan;
  public final Chain chain;
  final Mempool mempool;
  final Behaviour behaviour;
  private final List<SimConnection> lines = new ArrayList<>();
  // Unreachable until then; and whether calls are refused or get no answer.
  private long awayUntil = Long.MIN_VALUE;
  private boolean refuses;
  private boolean gone;

  /** Makes one; it has a separate chain if it is not on the common one. */
  SimNode(int number, WorldPlan.Neighbour plan, Economy economy) {
    this.address = address(number);
    this.plan = plan;
    boolean apart =
        switch (plan.kind()) {
          case LAGGING, FORKED, RACING -> true;
          default -> false;
        };
    this.chain = apart ? economy.chain.copy() : economy.chain;
    this.behaviour = plan.behaviour(economy.scripts());
    this.mempool = apart ? new Mempool(chain) : economy.mempool;
  }

  /** The address of the node with a number, from 0. */
  public static NodeAddress address(int number) {
    return new NodeAddress("10.0.0." + (number + 1), 18444);
  }

  /** Whether it is honest and has not left for good. */
  public boolean isReliable() {
    return plan.isHonest() && !gone;
  }

  boolean isAway(long now) {
    return now < awayUntil;
  }

  /** Whether calls are refused while it is away, rather than unanswered. */
  boolean refuses() {
    return refuses;
  }

  /** It cannot be reached until a time, or for good if it has left for good already. */
  public void vanish(long until, boolean refusing) {
    awayUntil = gone ? Long.MAX_VALUE : until;
    refuses = refusing;
  }

  /** It will not come back. */
  public void goForGood(boolean refusing) {
    gone = true;
    vanish(Long.MAX_VALUE, refusing);
  }

  /** It can be reached from now on, unless it has left for good. */
  public void calmDown() {
    awayUntil = gone ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** A copy of the lines on which it still sends. */
  public List<SimConnection> lines() {
    return List.copyOf(lines);
  }

  void add(SimConnection line) {
    lines.add(line);
  }

  void remove(SimConnection line) {
    lines.remove(line);
  }

  /** Takes over the common chain. */
  public void catchUp(Chain best) {
    int fork = Math.min(chain.height(), best.height());
    while (!chain.blockAt(fork).hash().equals(best.blockAt(fork).hash())) {
      fork--;
    }
    List<Block> blocks = new ArrayList<>();
    for (int i = fork + 1; i <= best.height(); i++) {
      blocks.add(best.blockAt(i));
    }
    chain.replace(fork, blocks);
  }

  @Override
  public String toString() {
    return address.host();
  }
}
