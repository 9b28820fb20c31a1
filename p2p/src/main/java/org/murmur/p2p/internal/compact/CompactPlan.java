package org.murmur.p2p.internal.compact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Scans with block filters (BIP-0157): no peer gets a script. The filters come from all peers that
 * serve them. Enough peers must agree on their headers.
 */
public final class CompactPlan extends Part<CompactPeer> implements ScanPlan {

  private final HeaderSync headers;
  private final Birthdays birthdays;
  private final HeaderAgreement agreement;
  private final BlockFetch fetch;
  private final MatchedBlocks blocks;
  // Null if no other scan is checked.
  private final @Nullable BlockWitness witness;
  private final FilterScan scan;
  private final Disputes disputes;
  // The height to which another scan is checked.
  private int checkedTo = -1;

  /**
   * Makes a plan.
   *
   * @param witnessOf settles what peers omitted, if filters check another scan; null if they are
   *     the only one
   * @param scripts the whole scripts of the log, by ascending index
   */
  public CompactPlan(
      Part<? extends CompactPeer> machine,
      HeaderSync headers,
      Scanned scanned,
      WholeBlocks whole,
      Budget budget,
      @Nullable Settlement witnessOf,
      List<WholeScript> scripts) {
    super(machine);
    FilterChain filters = new FilterChain(scanned.filterHeaders());
    this.headers = headers;
    this.birthdays = scanned.birthdays();
    this.agreement = new HeaderAgreement(this, filters);
    this.fetch = new BlockFetch(this, whole, budget);
    this.witness =
        witnessOf == null ? null : new BlockWitness(this, whole, fetch, scanned.log(), witnessOf);
    this.blocks = witness == null ? new MatchedBlocks(this, whole, fetch, scanned.log()) : witness;
    this.scan =
        new FilterScan(
            this, budget, scanned, filters, agreement, blocks, this::top, witness != null);
    this.disputes = new Disputes(this, scanned, filters, agreement, scan, whole, fetch, blocks);
    scan.watch(scripts);
  }

  /** The peers whose filters count. */
  private List<? extends CompactPeer> trusted() {
    return roster.peers(peer -> servesFilters(peer) && !peer.tip().isOnOtherChain());
  }

  /** A peer for headers may be a witness: no other peer is found for that. */
  private boolean servesFilters(CompactPeer peer) {
    return witness == null ? service.isFrom(peer) : ViewService.COMPACT.isAt(peer);
  }

  @Override
  public void plan() {
    birthdays.resolve();
    planUpTo(chain.height());
  }

  private int top() {
    return witness == null ? chain.height() : checkedTo;
  }

  /** Requests filter headers, and the filters up to a height. */
  void planUpTo(int height) {
    checkedTo = height;
    if (headers.areDone()) {
      List<? extends CompactPeer> peers = trusted();
      fetch.advance();
      agreement.plan(peers);
      agreement.outdated(peers).ifPresent(agreed -> denyAbove(agreed, peers));
      scan.plan(peers);
      disputes.plan(peers);
      if (witness != null) {
        witness.falseAt().ifPresent(at -> disputes.convict(agreement.agreeing(peers), at));
      }
    }
  }

  private void denyAbove(int height, List<? extends CompactPeer> peers) {
    List<NodeAddress> by = new ArrayList<>();
    agreement.denying(peers).forEach(peer -> by.add(peer.link().address()));
    effects.emit(new SyncWarning.FiltersDenied(height, by));
    scan.denyAbove(height);
  }

  /** Takes the filter headers at every 1,000th height. */
  public Refusal received(CompactPeer peer, Message.CFCheckpt message) {
    return agreement.received(peer, message);
  }

  /** Takes hashes of filters. */
  public Refusal received(CompactPeer peer, Message.CFHeaders message) {
    return agreement.received(peer, message);
  }

  /** Takes a filter. */
  public Refusal received(CompactPeer peer, Message.CFilter message) {
    return scan.received(peer, message);
  }

  @Override
  public void hear(Change change) {
    if (change instanceof Change.Reorganised reorganised) {
      disputes.cutAbove(reorganised.fork());
      scan.cutAbove(reorganised.fork());
    } else if (change instanceof Change.Rescan rescan) {
      scan.forgetFrom(rescan.from().orElse(Integer.MAX_VALUE - 1));
    } else if (change instanceof Change.Watched watched) {
      scan.watch(watched.by().scripts());
      scan.refresh();
    }
  }

  /** Not while a peer denies the filters that were read, whoever is right, or may still do so. */
  @Override
  public boolean isCovered() {
    List<? extends CompactPeer> peers = trusted();
    return scan.isCovered() && !agreement.isContradicted(peers) && !agreement.awaits(peers);
  }

  @Override
  public int height() {
    return chain.height();
  }

  /** Nobody owes anything, and nobody who may still answer has to be asked. */
  @Override
  public boolean isExhausted() {
    return !blocks.hasHope()
        && !disputes.waits()
        && trusted().stream().map(CompactPeer::compact).noneMatch(this::mayAnswer);
  }

  private boolean mayAnswer(CompactLink link) {
    return link.hasHope() && (link.owes() || !link.isAwake(effects.now()));
  }

  @Override
  public boolean isHeldUp() {
    return blocks.isHeldUp() || scan.isHeldUp(trusted());
  }

  /** A node that keeps no old blocks may serve their filters. */
  @Override
  public OptionalInt beyond(ScanPeer peer) {
    return OptionalInt.empty();
  }

  @Override
  public int seenBy() {
    return agreement.agreeing(trusted()).size();
  }

  @Override
  public long left() {
    return scan.left() + blocks.left();
  }

  @Override
  public Map<ScanPeer, Refusal> withholders() {
    Map<ScanPeer, Refusal> all = fetch.takeDone();
    all.putAll(disputes.takeLeaving());
    return all;
  }

  @Override
  public Obstacle hangUp(ScanPeer peer) {
    return Obstacle.LOST;
  }

  @Override
  public OptionalInt refusedFrom(ScanPeer peer) {
    return OptionalInt.empty();
  }

  @Override
  public boolean wasUseful(ScanPeer peer) {
    return peer instanceof CompactPeer one && one.compact().served + one.headers().served() > 0;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    trusted().forEach(peer -> alarm.at(peer.compact().askAgainAt()));
    fetch.setAlarm(alarm);
  }
}
