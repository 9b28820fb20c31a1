package org.murmur.testbed.world.judge;

import java.util.Set;
import java.util.function.Function;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.plan.WorldPlan;

/** Every peer is asked, and several can be compared. */
public final class FastPreset implements ClientPreset {

  private final WorldPlan plan;
  private final Economy economy;
  private final boolean sending;

  /**
   * Makes the preset's rules. A wallet that sends has pending payments that need not be in any
   * node's pool.
   */
  public FastPreset(WorldPlan plan, Economy economy, boolean sending) {
    this.sending = sending;
    this.plan = plan;
    this.economy = economy;
  }

  @Override
  public Duty duty() {
    return new Duty(
        Math.max(plan.gap(), plan.lookAhead()), Math.max(plan.gap(), plan.lookAhead() / 2), true);
  }

  @Override
  public MessageRules rules() {
    return MessageRules.NONE;
  }

  @Override
  public SyncSettings settings(SyncSettings common, Set<NodeAddress> dismissed) {
    return common.preset(
        new Preset.Fast(plan.rate(), plan.filterElements(), plan.verify(), plan.spotChecks()));
  }

  @Override
  public boolean mayStayInCalm() {
    return true;
  }

  @Override
  public int mustCover(boolean follows) {
    return CoverageClaims.EVERYTHING;
  }

  @Override
  public boolean mayClaim(SyncFact.Complete complete, Hash256 tip, ClientChain chain) {
    return tip.equals(complete.tip());
  }

  @Override
  public void atEnd(
      ProcessEvents heard, Holdings holdings, Function<NodeAddress, WorldPlan.Neighbour> who) {
    boolean pendingToo =
        !sending && plan.oneMempool() && heard.isMempoolTold() && !heard.isDamaged();
    BooksCheck.equalsTruth(holdings, economy.truth(), economy.chain.tip().hash(), pendingToo);
  }
}
