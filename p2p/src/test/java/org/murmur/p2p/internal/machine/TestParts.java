package org.murmur.p2p.internal.machine;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Journal;
import org.murmur.p2p.internal.peers.Roster;
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
public final class TestParts {

  public static final SyncSettings SETTINGS =
      SyncSettings.of(List.of(new NodeAddress("10.0.0.1", 1)), 1);

  final SyncStart start;
  public final SyncSettings settings;
  public final HeaderChain chain;
  public final Effects effects;
  public final Roster<PoolPeer> roster = new Roster<>(PoolPeer::new);
  public final Journal journal;
  final Budget budget;

  public TestParts() {
    this(HeaderChain.ofGenesis(ChainParams.REGTEST), SETTINGS);
  }

  public TestParts(HeaderChain chain, SyncSettings settings) {
    this(chain, settings, new Birthday.AtHeight(0), OptionalInt.empty());
  }

  public TestParts(
      HeaderChain chain, SyncSettings settings, Birthday birthday, OptionalInt height) {
    this.start = SyncStart.ofNewWallet(ChainParams.REGTEST, chain, birthday, height);
    this.settings = settings;
    this.chain = chain;
    this.effects = new Effects(settings.seed());
    this.journal = new Journal(chain);
    this.budget = new Budget(effects, settings, chain, roster);
  }

  public TestParts at(Instant now) {
    effects.setTime(now);
    return this;
  }

  public Birthdays birthdays() {
    return new Birthdays(effects, chain, journal, start);
  }

  public HeaderSync headers() {
    return new HeaderSync(effects, settings, chain, roster, journal, budget, HeaderSource.NONE);
  }

  public TipWatch tips() {
    return new TipWatch(effects, chain, roster);
  }

  public BlockScan scan() {
    WatchedLog log = new WatchedLog(List.of());
    ScanBook book = new ScanBook(List.of(), List.of(), 1, 1);
    Scanned scanned = new Scanned(effects, roster, journal, birthdays(), log, book, false);
    WholeBlocks whole = new WholeBlocks(effects);
    Settlement settlement =
        new Settlement(effects, settings, chain, roster, journal, scanned, whole, start);
    Depths depths = new Depths(chain, roster, budget, whole);
    return new BlockScan(effects, settings, chain, roster, journal, scanned, settlement, depths);
  }
}
