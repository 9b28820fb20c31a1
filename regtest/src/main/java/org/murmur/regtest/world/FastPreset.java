package org.murmur.regtest.world;

import java.util.Set;
import java.util.function.Function;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;

/** Everybody is asked, and several can be compared. */
final class FastPreset implements Preset {

  private final WorldPlan plan;
  private final Economy economy;

  FastPreset(WorldPlan plan, Economy economy) {
    this.plan = plan;
    this.economy = economy;
  }

  @Override
  public Duty duty() {
    return new Duty(
        Math.max(plan.gap(), plan.lookAhead()), Math.max(plan.gap(), plan.lookAhead() / 2), true);
  }

  @Override
  public Rules rules() {
    return Rules.NONE;
  }

  @Override
  public SyncSettings settings(SyncSettings common, Set<PeerAddress> dismissed) {
    return common.verifiedBy(plan.verify()).rate(plan.rate()).spotChecks(plan.spotChecks());
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
  public boolean mayClaim(SyncEvent.Complete complete, Hash256 tip, ClientChain chain) {
    return tip.equals(complete.tip());
  }

  @Override
  public void atEnd(
      Heard heard, Holdings holdings, Function<PeerAddress, WorldPlan.Neighbour> who) {
    boolean pendingToo = plan.oneMempool() && heard.isMempoolTold();
    BooksCheck.equalsTruth(holdings, economy.truth(), economy.chain.tip().hash(), pendingToo);
  }
}
