package org.murmur.p2p.internal.machine;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.compact.CompactPlan;
import org.murmur.p2p.internal.compact.WitnessedPlan;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.pool.GuardMempool;
import org.murmur.p2p.internal.pool.MempoolQuery;
import org.murmur.p2p.internal.pool.NothingAsked;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.RecentBlocks;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.pool.WholePool;
import org.murmur.p2p.internal.scan.Epochs;
import org.murmur.p2p.internal.scan.GuardChoice;
import org.murmur.p2p.internal.scan.GuardPlan;
import org.murmur.p2p.internal.scan.Planner;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.scan.SharedFilters;
import org.murmur.p2p.internal.scan.SharedPlan;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered.Answer;

/**
 * The parts of the machine that a preset provides: how blocks are scanned and by which peer, and
 * how unconfirmed transactions are requested. Another way to scan blocks is another preset.
 */
record PresetParts(ScanPlan plan, UnconfirmedQuery mempool, @Nullable CompactPlan filters) {

  /**
   * The parts that are notified of changes, in this order: the log grows before comparisons use it.
   */
  List<ChangeListener> listeners(Parts parts) {
    return List.of(
        parts.scanned.birthdays(),
        parts.scanned,
        parts.settlement,
        parts.pending,
        parts.relay,
        plan);
  }

  /** The preset that the settings request, made of the other parts. */
  static PresetParts of(Parts parts, SyncStart start) {
    Guards guards = parts.guards;
    if (parts.settings.headersOnly()) {
      boolean looksAtBlocks = parts.settings.recentBlocks() > 0;
      return new PresetParts(
          new HeadersOnly(parts.scan, parts.chain),
          looksAtBlocks
              ? recentBlocks(parts)
              : new NothingAsked(parts, parts.pending, parts.relay, Answer.SKIPPED),
          null);
    }
    if (parts.settings.preset() instanceof Preset.Compact) {
      CompactPlan filters = filters(parts, start, null);
      return new PresetParts(filters, pool(parts), filters);
    }
    PresetParts alone =
        parts.settings.preset() instanceof Preset.Fast how
            ? fast(parts, how)
            : guarded(parts, Objects.requireNonNull(guards), start);
    return parts.settings.preset().filterPeers() == 0 ? alone : alone.witnessed(parts, start);
  }

  /** Unconfirmed transactions under the compact preset. */
  private static UnconfirmedQuery pool(Parts parts) {
    if (parts.settings.preset().poolNode().isPresent()) {
      return mempool(parts, filters(parts, Preset.Fast.USUAL));
    }
    return parts.relay.hearsAll()
        ? new WholePool(parts, parts.pending, parts.relay)
        : new NothingAsked(parts, parts.pending, parts.relay, Answer.BLOCKS_ONLY);
  }

  private PresetParts witnessed(Parts parts, SyncStart start) {
    CompactPlan witness = filters(parts, start, parts.settlement);
    return new PresetParts(
        new WitnessedPlan(parts, plan, witness, parts.settlement), mempool, witness);
  }

  private static CompactPlan filters(Parts parts, SyncStart start, @Nullable Settlement witnessOf) {
    return new CompactPlan(
        parts, parts.headers, parts.scanned, parts.whole, parts.budget, witnessOf, start.scripts());
  }

  private static RecentBlocks recentBlocks(Parts parts) {
    return new RecentBlocks(parts, parts.budget, parts.whole);
  }

  private static SharedFilters filters(Parts parts, Preset.Fast how) {
    FilterPolicy policy = new FilterPolicy(how.rate(), how.capacity(), parts.settings.key());
    return new SharedFilters(parts, parts.scanned, policy);
  }

  private static UnconfirmedQuery mempool(Parts parts, SharedFilters filters) {
    return new MempoolQuery(parts, parts.log, parts.scanners, parts.pending, filters, parts.relay);
  }

  private static PresetParts fast(Parts parts, Preset.Fast how) {
    SharedFilters filters = filters(parts, how);
    Planner planner = new Planner(parts, parts.scanned, parts.scanners, filters);
    return new PresetParts(
        new SharedPlan(
            parts,
            parts.headers,
            parts.scanned.birthdays(),
            parts.scanners,
            filters,
            planner,
            parts.scan),
        mempool(parts, filters),
        null);
  }

  private static PresetParts guarded(Parts parts, Guards guards, SyncStart start) {
    GuardChoice<PoolPeer> choice = new GuardChoice<>(parts, guards, parts.dialer);
    Epochs epochs = new Epochs(parts, parts.scanned, guards, start.epochs());
    GuardMempool mempool = new GuardMempool(parts, parts.pending, epochs, choice, parts.relay);
    GuardPlan plan =
        new GuardPlan(
            parts.effects,
            parts.headers,
            parts.scanners,
            choice,
            parts.scan,
            epochs,
            mempool::resting);
    return new PresetParts(plan, mempool, null);
  }
}
