package org.murmur.wallet.internal.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.Accounts;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Folded;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.internal.disclosure.Disclosures;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;

/**
 * A follower that loses its connections again and again: its file grows with the chain, and not
 * with them. Run {@link #main} with a number for figures: size of the file, milliseconds to the
 * state of the scan, heap of a privacy report.
 */
final class ReconnectsTest {

  private static final NodeAddress[] PEERS = {
    new NodeAddress("10.0.0.1", 8333), new NodeAddress("10.0.0.2", 8333)
  };
  private static final int BLOCKS = 1_000;

  @TempDir Path folder = Path.of("");

  private static final Derivation DERIVATION = new Derivation(KeyNetwork.REGTEST);

  private static StoredWallet wallet() {
    Descriptor descriptor =
        Accounts.descriptors(
                Mnemonic.parse("abandon ".repeat(11) + "about"),
                "",
                KeyNetwork.REGTEST,
                List.of(OutputType.P2WPKH),
                0)
            .get(0);
    return new StoredWallet(
        "regtest",
        0,
        new Birthday.AtHeight(1),
        OptionalInt.of(1),
        20,
        1_000,
        List.of(new StoredWallet.Chain(descriptor.canonical(), false, true, 0)),
        null);
  }

  private static SqliteStore create(Path file) throws Exception {
    return SqliteStore.create(file, wallet(), DERIVATION.begin(wallet().chains(), 20, 1_020));
  }

  private static Headers headers() {
    ByteWriter all = new ByteWriter(BLOCKS * Headers.HEADER_LENGTH);
    Hash256 previous = ChainParams.REGTEST.genesisHash();
    for (int i = 0; i < BLOCKS; i++) {
      Bytes header =
          new ByteWriter(Headers.HEADER_LENGTH)
              .int32(0x20000000)
              .hash(previous)
              .hash(Hash256.ZERO)
              .int32(1_700_000_000 + i)
              .int32(0x207fffff)
              .int32(0)
              .toBytes();
      previous = Headers.ofStored(header).hash(0);
      all.bytes(header.unsafeArray(), 0, header.length());
    }
    return Headers.ofStored(all.toBytes());
  }

  /** The machine and the books of a following session. */
  private static final class Drive {
    private final Books books;
    private final ScanBook scans = new ScanBook(List.of(), List.of(), 1, 1);
    private final WatchedLog log;
    private final FilterPolicy policy =
        new FilterPolicy(
            Preset.Fast.RATE, Preset.Fast.capacity(Preset.Fast.RATE), Bytes.of(new byte[] {1}));
    private long sequence;
    private int connections;

    private Drive(SqliteStore store) throws Exception {
      books = new Books(store, ChainParams.REGTEST, DERIVATION);
      books.lock();
      log = new WatchedLog(books.elements());
      commit(headers(), List.of(), List.of(), Folded.NOTHING, Set.of());
    }

    private void commit(
        Headers connected, List<Load> loads, List<ScanRow> rows, Folded folded, Set<Long> inUse)
        throws Exception {
      books.commit(
          new CommitBatch(
              ++sequence,
              sequence == 1 ? 0 : BLOCKS,
              connected,
              OptionalInt.empty(),
              loads,
              List.of(),
              rows,
              Integer.MAX_VALUE,
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              AddressChanges.NONE,
              List.of(),
              List.of(),
              folded,
              inUse),
          1_700_000_000L);
    }

    /** As the machine does it: a filter, then a block, or none if no news came meanwhile. */
    private void reconnect(int times) throws Exception {
      BitSet members = new BitSet();
      members.set(0, log.size());
      for (int i = 0; i < times; i++) {
        NodeAddress peer = PEERS[connections++ % PEERS.length];
        BloomFilter filter = policy.filter(log, members, 0, peer);
        long time = 1_700_000_000L + connections;
        Load load = new Load(scans.newId(), peer, log.size(), filter, time);
        Folded folded = scans.fold(Set.of(load.id()), log);
        commit(Headers.NONE, List.of(load), List.of(), folded, Set.of(load.id()));
        scans.add(load.view());
        if (connections % 3 == 0) {
          int height = 1 + connections / 3 % BLOCKS;
          ScanRow row =
              scans.scanned(null, load.id(), log.size(), height, Instant.ofEpochSecond(time));
          commit(Headers.NONE, List.of(), List.of(row), Folded.NOTHING, Set.of(load.id()));
        }
      }
    }
  }

  @Test
  void theFileGrowsWithTheChainOnly() throws Exception {
    Path file = folder.resolve("w");
    try (SqliteStore store = create(file)) {
      Drive drive = new Drive(store);
      drive.reconnect(700);
      assertThat(store.showings()).hasSizeLessThan(250);
      assertThat(store.rows()).hasSizeLessThan(250);
      assertThat(store.showings().stream().mapToInt(sent -> sent.times()).sum()).isEqualTo(700);
      PrivacyReport report =
          Disclosures.of(drive.books, Universe.of(ChainParams.REGTEST)).report(Preset.Kind.FAST);
      assertThat(report.peers()).hasSize(2);
      long rows =
          drive.books.scans().rows().stream().mapToLong(row -> row.to() - row.from() + 1).sum();
      assertThat(rows).isEqualTo(700 / 3);
    }
    assertThat(Files.size(file)).isLessThan(1_000_000);
  }

  /** Prints figures for a number of connections, in a folder. */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[1]).resolve("reconnects");
    int times = Integer.parseInt(arguments[0]);
    try (SqliteStore store = create(file)) {
      new Drive(store).reconnect(times);
    }
    System.out.printf(Locale.ROOT, "%,d connections: %.2f MB%n", times, Files.size(file) / 1e6);
    try (SqliteStore store = SqliteStore.open(file)) {
      Books books = new Books(store, ChainParams.REGTEST, DERIVATION);
      long began = System.nanoTime();
      int complete = books.scans().completeTo();
      System.out.printf(
          Locale.ROOT, "scan to %d read in %.0f ms%n", complete, (System.nanoTime() - began) / 1e6);
      began = System.nanoTime();
      PrivacyReport report =
          Disclosures.of(books, Universe.of(ChainParams.REGTEST)).report(Preset.Kind.FAST);
      System.gc();
      Runtime now = Runtime.getRuntime();
      System.out.printf(
          Locale.ROOT,
          "privacy: %d filters in %.0f ms, %.0f MB of heap%n",
          report.filters().size(),
          (System.nanoTime() - began) / 1e6,
          (now.totalMemory() - now.freeMemory()) / 1e6);
    }
  }
}
