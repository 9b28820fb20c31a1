package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.WalletTruth;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.WorldPlan;

/** The private preset: two guards, or one, get frozen filters, and other peers get none. */
public final class GuardedPreset implements ClientPreset {

  /** As long as the key it stands for: the wallet's words are the same in all worlds. */
  private static final Bytes FILTER_KEY = Bytes.ofHex("6d75726d7572");

  private final Guarding guarding;
  private final Economy economy;
  private final GuardRules rules;
  private final boolean sending;

  /**
   * Makes the preset's rules. A wallet that sends has pending payments that need not be in any
   * node's pool.
   */
  public GuardedPreset(Guarding guarding, Economy economy, boolean sending) {
    this.sending = sending;
    this.guarding = guarding;
    this.economy = economy;
    this.rules = new GuardRules(economy, guarding.onePeer());
  }

  /** A look-ahead that grows by whole epochs need not cover scripts beyond the gap limit. */
  @Override
  public Duty duty(WorldPlan plan) {
    return new Duty(plan.gap(), plan.gap(), false);
  }

  @Override
  public GuardRules rules() {
    return rules;
  }

  @Override
  public SyncSettings settings(SyncSettings common, Set<NodeAddress> dismissed) {
    return common
        .keyedBy(FILTER_KEY)
        .preset(new Preset.Private(guarding.rate(), guarding.onePeer(), dismissed, 0));
  }

  /** A client that follows looks for spends of the newest coins at the next tick, a day away. */
  @Override
  public boolean mayStayInCalm() {
    return false;
  }

  /** For a client that follows, keys of the next epoch and coins wait for its next tick. */
  @Override
  public int mustCover(boolean follows) {
    return follows ? guarding.inEpoch() : CoverageClaims.EVERYTHING;
  }

  @Override
  public boolean mayClaim(SyncFact.Complete complete, Hash256 tip, ClientChain chain) {
    return chain.holds(tip, complete.height(), complete.tip());
  }

  @Override
  public void atEnd(
      ProcessEvents heard, Holdings holdings, Function<NodeAddress, WorldPlan.Neighbour> who) {
    BooksCheck.equalsTruth(holdings, economy.truth(), economy.chain.tip().hash(), false);
    if (heard.isMempoolAsked()
        && !heard.isDamaged()
        && rules.guards().stream().map(who).allMatch(this::tellsAll)) {
      // A guard without transactions does not answer, so a single one may not reach its second
      // role.
      Set<FilterRole> told =
          heard.isMempoolTold() || !guarding.onePeer()
              ? EnumSet.allOf(FilterRole.class)
              : EnumSet.of(FilterRole.SCRIPTS);
      pending(holdings, told);
      // With two guards, a transaction that is gone may be too young to be doubted.
      if (heard.isMempoolTold() && guarding.onePeer() && !heard.isPeerLost() && !sending) {
        doubted(holdings, told);
      }
    }
  }

  /** Whether a guard holds the common unconfirmed transactions and announces them at once. */
  private boolean tellsAll(WorldPlan.Neighbour guard) {
    return guard.kind() == WorldPlan.Kind.HONEST && guard.behaviour().announcementPauseNanos() == 0;
  }

  /**
   * The wallet knows each pending payment that its guards had to announce under the newest filters
   * of some roles.
   */
  void pending(Holdings holdings, Set<FilterRole> roles) {
    Set<Hash256> known = pending(holdings);
    for (Hash256 txid : pending()) {
      require(
          known.contains(txid) || !isTold(txid, roles),
          "the wallet does not know of the pending payment %s",
          txid);
    }
  }

  /** The wallet counts no pending payment that its guards had to announce and lacked. */
  void doubted(Holdings holdings, Set<FilterRole> roles) {
    Set<Hash256> there = pending();
    for (Hash256 txid : pending(holdings)) {
      require(
          there.contains(txid) || !isTold(txid, roles),
          "the wallet counts the pending payment %s, which no guard announced",
          txid);
    }
  }

  private static Set<Hash256> pending(Holdings holdings) {
    return holdings.transactions().stream()
        .filter(entry -> entry.height() == WalletTruth.UNCONFIRMED)
        .map(Holdings.Entry::txid)
        .collect(Collectors.toSet());
  }

  private Set<Hash256> pending() {
    return economy.truth().transactions().stream()
        .filter(entry -> entry.height() == WalletTruth.UNCONFIRMED)
        .map(WalletTruth.Entry::txid)
        .collect(Collectors.toSet());
  }

  private boolean isTold(Hash256 txid, Set<FilterRole> roles) {
    Tx tx = economy.tx(txid);
    return tx != null && rules.isTold(tx, roles);
  }
}
