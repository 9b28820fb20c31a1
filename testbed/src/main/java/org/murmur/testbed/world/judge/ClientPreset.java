package org.murmur.testbed.world.judge;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.plan.WorldPlan;

/**
 * The differences between worlds by the preset of their client: its settings, and the rules it must
 * keep.
 */
public interface ClientPreset {

  /**
   * The elements that a wallet must have searched for.
   *
   * @param beyond scripts after the last one that was paid
   * @param spentToo whether coins count that the client's own chain spends
   */
  record Duty(int first, int beyond, boolean spentToo) {}

  /** The elements that a wallet of this world must have searched for. */
  default Duty duty(WorldPlan plan) {
    return new Duty(
        Math.max(plan.gap(), plan.lookAhead()), Math.max(plan.gap(), plan.lookAhead() / 2), true);
  }

  /** The rules for every message. */
  default MessageRules rules() {
    return MessageRules.NONE;
  }

  /**
   * Changes the settings that all presets have in common, given the peers that the user gives up.
   */
  SyncSettings settings(SyncSettings common, Set<NodeAddress> dismissed);

  /** Whether a process may stay when it is complete after the calm began. */
  default boolean mayStayInCalm() {
    return true;
  }

  /** How many scripts of each chain a complete process must cover. */
  default int mustCover(boolean follows) {
    return CoverageClaims.EVERYTHING;
  }

  /** Whether a client may call itself complete to a block when a tip is on its disk. */
  default boolean mayClaim(SyncFact.Complete complete, Hash256 tip, ClientChain chain) {
    return tip.equals(complete.tip());
  }

  /** A wallet calls a chain complete up to a height: checks that it holds all that it must. */
  default void whenComplete(Holdings holdings, List<Block> chain, int from, int to) {}

  /** At the end: the wallet's books are as they must be, given the peers. */
  void atEnd(
      ProcessEvents heard, Holdings holdings, Function<NodeAddress, WorldPlan.Neighbour> who);
}
