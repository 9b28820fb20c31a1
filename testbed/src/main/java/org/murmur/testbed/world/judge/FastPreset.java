package org.murmur.testbed.world.judge;

import java.util.Set;
import java.util.function.Function;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.plan.WorldOptions;
import org.murmur.testbed.world.plan.WorldPlan;

/** Every peer is asked, and several can be compared. */
public final class FastPreset implements ClientPreset {

  private final WorldPlan plan;
  private final Economy economy;
  private final WorldOptions options;

  public FastPreset(WorldPlan plan, Economy economy, WorldOptions options) {
    this.options = options;
    this.plan = plan;
    this.economy = economy;
  }

  @Override
  public SyncSettings settings(SyncSettings common, Set<NodeAddress> dismissed) {
    return common.preset(
        new Preset.Fast(
            plan.rate(),
            plan.filterElements(),
            plan.verify(),
            plan.spotChecks(),
            options.witnessed() ? 1 : 0));
  }

  @Override
  public void atEnd(
      ProcessEvents heard, Holdings holdings, Function<NodeAddress, WorldPlan.Neighbour> who) {
    // A wallet that sends has pending payments that need not be in any node's pool.
    boolean pendingToo =
        !options.sending() && plan.oneMempool() && heard.isMempoolTold() && !heard.isDamaged();
    BooksCheck.equalsTruth(holdings, economy.truth(), economy.chain.tip().hash(), pendingToo);
  }
}
