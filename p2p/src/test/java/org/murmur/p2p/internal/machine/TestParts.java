package org.murmur.p2p.internal.machine;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Roster;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.scan.Depths;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.sync.SyncStart;

/** Parts of a machine, for tests of one of them. Its wallet is new, and nothing is on disk. */
public final class TestParts extends Part<PoolPeer> {

  public static final SyncSettings SETTINGS =
      SyncSettings.of(List.of(new NodeAddress("10.0.0.1", 1)), 1);

  final SyncStart start;
  final Budget budget;

  public TestParts() {
    this(HeaderChain.ofGenesis(ChainParams.REGTEST), SETTINGS);
  }

  public TestParts(HeaderChain chain, SyncSettings settings) {
    this(chain, settings, new Birthday.AtHeight(0), OptionalInt.empty());
  }

  public TestParts(
      HeaderChain chain, SyncSettings settings, Birthday birthday, OptionalInt height) {
    super(settings, ViewService.FILTERS, chain, new Roster<>(PoolPeer::new));
    this.start = SyncStart.ofNewWallet(ChainParams.REGTEST, chain, birthday, height);
    this.budget = new Budget(this);
  }

  public TestParts at(Instant now) {
    effects.setTime(now);
    return this;
  }

  public Birthdays birthdays() {
    return new Birthdays(this, start);
  }

  public HeaderSync headers() {
    return new HeaderSync(this, budget, HeaderSource.NONE);
  }

  public TipWatch tips() {
    return new TipWatch(this);
  }

  public BlockScan scan() {
    WatchedLog log = new WatchedLog(List.of());
    ScanBook book = new ScanBook(List.of(), List.of(), 1, 1);
    Scanned scanned = new Scanned(this, birthdays(), log, book, false);
    WholeBlocks whole = new WholeBlocks(this);
    Settlement settlement = new Settlement(this, scanned, whole, start);
    Depths depths = new Depths(this, budget, whole);
    return new BlockScan(this, scanned, settlement, depths);
  }
}
