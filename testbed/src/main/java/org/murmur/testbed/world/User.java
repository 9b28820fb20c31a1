package org.murmur.testbed.world;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.testbed.world.judge.MessageRules;
import org.murmur.testbed.world.judge.Require;
import org.murmur.testbed.world.network.Setting;
import org.murmur.testbed.world.network.SimNode;
import org.murmur.testbed.world.network.Trace;
import org.murmur.testbed.world.plan.Guarding;

/** The client's user, who names peers, and gives guards up when asked to. */
final class User {

  private final Guarding guarding;
  private final Trace trace;
  private final List<SimNode> nodes;
  private final MessageRules rules;
  // Given up until a process is complete.
  private final Set<NodeAddress> dismissed = new LinkedHashSet<>();
  // If only one peer is named.
  private int named;

  User(Setting setting, List<SimNode> nodes, MessageRules rules) {
    this.guarding = setting.guarding();
    this.trace = setting.trace();
    this.nodes = nodes;
    this.rules = rules;
    this.named = guarding.first();
  }

  /** The peers that are named to the client. */
  List<NodeAddress> names() {
    return guarding.onePeer()
        ? List.of(nodes.get(named).address)
        : nodes.stream().map(node -> node.address).toList();
  }

  /** The guards that the client must do without. */
  Set<NodeAddress> dismissed() {
    return dismissed;
  }

  /** A process is complete: no guard has to be given up any more. */
  void hearsComplete() {
    dismissed.clear();
  }

  /**
   * A process has no peer left: an absent guard is given up, unless it may come back. Returns
   * whether a guard is missing. After the calm no honest one may be.
   */
  boolean hears(SyncFact.NoUsablePeer none, boolean calm) {
    boolean missing = false;
    if (none.missing().orElse(null) instanceof SyncWarning.GuardAbsent absent) {
      for (SimNode node : nodes) {
        if (node.address.equals(absent.guard())) {
          missing = true;
          Require.require(
              !calm || !node.isReliable(),
              "the guard %s is honest and can be reached, and the session ends without it",
              node);
          giveUp(node);
        }
      }
    }
    if (guarding.onePeer() && !nodes.get(named).isReliable()) {
      missing = true;
      nameAnother();
    }
    return missing;
  }

  private void giveUp(SimNode node) {
    if (!node.isReliable()) {
      trace.line(() -> "the user gives " + node + " up");
      dismissed.add(node.address);
      rules.dismissed(node.address);
    }
  }

  /** The user names another honest peer that is there, instead of the present one. */
  private void nameAnother() {
    do {
      named = (named + 1) % nodes.size();
    } while (!nodes.get(named).isReliable());
    trace.line(() -> "the user names " + nodes.get(named));
  }
}
