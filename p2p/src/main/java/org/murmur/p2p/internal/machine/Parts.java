package org.murmur.p2p.internal.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.dial.Outage;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.StaleTip;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Roster;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.pool.Pending;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.Rebroadcast;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.scan.Depths;
import org.murmur.p2p.internal.scan.FilterCopy;
import org.murmur.p2p.internal.scan.FilterSession;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.scan.Scanners;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;
import org.murmur.p2p.sync.Preset;

/** Builds the parts of a machine that all presets share: each gets the parts that it uses. */
final class Parts extends Part<PoolPeer> {

  final WatchedLog log;
  final Budget budget;
  final @Nullable Guards guards;
  final Dialer dialer;
  final HeaderSync headers;
  final TipWatch tips;
  final StaleTip stale;
  final Outage outage;
  final Scanned scanned;
  final WholeBlocks whole;
  final Settlement settlement;
  final Depths depths;
  final BlockScan scan;
  final Scanners<PoolPeer> scanners;
  final Pending pending = new Pending();
  final Relay relay;
  final Rebroadcast rebroadcast;

  Parts(SyncStart start, SyncSettings settings) {
    super(settings, ViewService.of(settings.preset()), start.chain(), new Roster<>(PoolPeer::new));
    this.log = new WatchedLog(start.log());
    this.budget = new Budget(this);
    this.guards =
        settings
            .preset()
            .guarded()
            .map(preset -> new Guards(preset, start.epochs(), start.exposed()))
            .orElse(null);
    this.dialer = new Dialer(this, guards, start.peers(), start.addresses());

    this.headers = new HeaderSync(this, budget, start.known());
    this.tips = new TipWatch(this);
    this.stale = new StaleTip(this, start.network());
    this.outage = new Outage(this, dialer);

    Birthdays birthdays = new Birthdays(this, start);
    ScanBook book =
        new ScanBook(start.views(), start.rows(), start.nextLoadId(), start.nextRowId());
    this.scanned =
        new Scanned(this, birthdays, log, book, !(settings.preset() instanceof Preset.Fast));
    this.whole = new WholeBlocks(this);
    this.settlement = new Settlement(this, scanned, whole, start);
    this.depths = new Depths(this, budget, whole);
    this.scan = new BlockScan(this, scanned, settlement, depths);
    this.scanners = new Scanners<>(this, budget, settlement, scanning());
    this.relay = new Relay(this, log, pending, guards);
    this.rebroadcast = new Rebroadcast(this, pending, relay);
  }

  /** If one peer alone gets a filter, no other is asked under filters. */
  private Predicate<Peer> scanning() {
    return settings
        .preset()
        .poolNode()
        .<Predicate<Peer>>map(
            node -> peer -> peer.link().address().equals(node) && ViewService.FILTERS.isAt(peer))
        .orElse(service::isFrom);
  }

  /** The server-side filters that have grown since the last call. */
  List<ServerCopy> grownCopies() {
    List<ServerCopy> grown = new ArrayList<>();
    for (PoolPeer peer : roster.peers()) {
      FilterSession filter = peer.filter();
      Load load = filter.load();
      FilterCopy copy = filter.copy();
      if (load != null && copy != null && copy.hasGrown()) {
        grown.add(copy.asOf(load.id()));
      }
    }
    return grown;
  }
}
