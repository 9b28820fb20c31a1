package org.murmur.p2p.internal.machine;

import java.util.List;
import java.util.Objects;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.pool.GuardMempool;
import org.murmur.p2p.internal.pool.MempoolQuery;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.RecentBlocks;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.scan.Epochs;
import org.murmur.p2p.internal.scan.GuardChoice;
import org.murmur.p2p.internal.scan.GuardPlan;
import org.murmur.p2p.internal.scan.Planner;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.SharedFilters;
import org.murmur.p2p.internal.scan.SharedPlan;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;

/**
 * The parts of the machine that a preset provides: how blocks are scanned and by which peer, and
 * how unconfirmed transactions are requested. Another way to scan blocks is another preset.
 */
record PresetParts(ScanPlan plan, UnconfirmedQuery mempool) {

  /**
   * The parts that are notified of changes, in this order: the log grows before comparisons use it.
   */
  List<ChangeListener> listeners(Parts parts) {
    return List.of(parts.scanned.birthdays(), parts.scanned, parts.settlement, parts.pending, plan);
  }

  /** The preset that the settings request, made of the other parts. */
  static PresetParts of(Parts parts, SyncStart start) {
    Guards guards = parts.guards;
    if (parts.settings.headersOnly()) {
      HeadersOnly nothing = new HeadersOnly(parts.effects, parts.chain);
      boolean looksAtBlocks = parts.settings.recentBlocks() > 0;
      return new PresetParts(nothing, looksAtBlocks ? recentBlocks(parts) : nothing);
    }
    return parts.settings.preset() instanceof Preset.Fast how
        ? fast(parts, how)
        : guarded(parts, Objects.requireNonNull(guards), start);
  }

  private static RecentBlocks recentBlocks(Parts parts) {
    return new RecentBlocks(parts, parts.budget, parts.whole);
  }

  private static PresetParts fast(Parts parts, Preset.Fast how) {
    FilterPolicy policy = new FilterPolicy(how.rate(), how.capacity(), parts.settings.key());
    SharedFilters filters = new SharedFilters(parts, parts.scanned, policy);
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
        new MempoolQuery(parts, parts.log, parts.scanners, parts.pending, filters, parts.relay));
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
    return new PresetParts(plan, mempool);
  }
}
