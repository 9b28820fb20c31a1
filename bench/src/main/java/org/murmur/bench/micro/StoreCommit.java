package org.murmur.bench.micro;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.core.Block;
import org.bitcoinj.core.Context;
import org.bitcoinj.core.NetworkParameters;
import org.bitcoinj.core.StoredBlock;
import org.bitcoinj.store.SPVBlockStore;
import org.bitcoinj.wallet.DeterministicSeed;
import org.bitcoinj.wallet.KeyChainGroupStructure;
import org.bitcoinj.wallet.Wallet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.ChainBuilder;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.internal.ledger.LedgerChange;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.StoreChange;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Stores new headers after the existing ones. Murmur: one SQLite transaction, which also holds the
 * scan progress and is atomic in a crash. bitcoinj: as many puts into its ring of 5,000 headers, a
 * mapped file without a forced write. The third case also saves its wallet, which holds its scan
 * progress.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreCommit {

  private static final String WORDS =
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
          + " about";

  /** New headers per commit: one new block while following, or one message while catching up. */
  @Param({"1", "2000"})
  public int headers;

  private @Nullable Path folder;
  private @Nullable SqliteStore store;
  private @Nullable SPVBlockStore spv;
  private @Nullable Wallet wallet;
  private Headers batch = Headers.NONE;
  private final List<Block> blocks = new ArrayList<>();
  private int height;

  /** Makes an empty wallet and an empty block store. */
  @Setup(Level.Iteration)
  public void open() throws Exception {
    Context.propagate(new Context());
    Path made = Files.createTempDirectory("murmur-bench");
    folder = made;
    Path file = made.resolve("wallet.sqlite");
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(
                ChainParams.REGTEST, Mnemonic.parse(WORDS), "", List.of(OutputType.P2WPKH), 0)
            .withBirthday(new Birthday.AtHeight(0));
    SpvWallet.create(file, recipe).close();
    store = SqliteStore.open(file);
    store.lock();
    height = 0;
    NetworkParameters params = NetworkParameters.of(BitcoinNetwork.REGTEST);
    wallet =
        Wallet.fromSeed(
            BitcoinNetwork.REGTEST,
            DeterministicSeed.ofMnemonic(List.of(WORDS.split(" ")), "", Instant.ofEpochSecond(1)),
            org.bitcoinj.base.ScriptType.P2WPKH,
            KeyChainGroupStructure.BIP43);
    spv = new SPVBlockStore(params, made.resolve("headers.spv").toFile());
    var chain = ChainBuilder.ofSeed(1).blocks(headers).transactionsPerBlock(0).build().chain();
    byte[] raw = new byte[headers * Headers.HEADER_LENGTH];
    blocks.clear();
    for (int i = 0; i < headers; i++) {
      var header = chain.blockAt(i + 1).header().bytes();
      header.write(raw, i * Headers.HEADER_LENGTH);
      byte[] withCount = new byte[Headers.HEADER_LENGTH + 1];
      header.write(withCount, 0);
      blocks.add(Block.read(ByteBuffer.wrap(withCount)).cloneAsHeader());
    }
    batch = Headers.view(raw, 0, Headers.HEADER_LENGTH, headers);
    commit(0, Headers.NONE, OptionalInt.of(1), List.of(load()), List.of());
  }

  private static Load load() {
    FilterParameters parameters =
        FilterParameters.of(1_250, 1e-9, 1, UpdateFlag.ALL, Rounding.CORE);
    BloomFilter filter = BloomFilter.builder(parameters).build();
    return new Load(1, new NodeAddress("127.0.0.1", 18_444), 2_000, filter, 1);
  }

  @TearDown(Level.Iteration)
  public void close() throws Exception {
    if (store != null) {
      store.close();
    }
    if (spv != null) {
      spv.close();
    }
    if (folder != null) {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A commit of headers and the scan row that grows with them. */
  @Benchmark
  public int murmur() throws Exception {
    ScanRow grown = new ScanRow(1, 1, 2_000, 1, height + headers, 1);
    commit(height, batch, OptionalInt.empty(), List.of(), List.of(grown));
    height += headers;
    return height;
  }

  private void commit(
      int fork, Headers connected, OptionalInt birthday, List<Load> loads, List<ScanRow> rows)
      throws Exception {
    SqliteStore open = store;
    if (open == null) {
      throw new AssertionError("not open");
    }
    CommitBatch change =
        new CommitBatch(
            1,
            fork,
            connected,
            birthday,
            loads,
            rows,
            Integer.MAX_VALUE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    open.write(
        new StoreChange(change, LedgerChange.NONE, List.of(), List.of(), List.of(), List.of()));
  }

  /** As many puts, and an update of the chain head. */
  @Benchmark
  public int bitcoinj() throws Exception {
    return put();
  }

  /** The same, and a save of its wallet with the same mnemonic. */
  @Benchmark
  public int bitcoinjAndWallet() throws Exception {
    Wallet saved = wallet;
    Path where = folder;
    if (saved == null || where == null) {
      throw new AssertionError("not open");
    }
    int last = put();
    saved.saveToFile(where.resolve("bitcoinj.wallet").toFile());
    return last;
  }

  private int put() throws Exception {
    SPVBlockStore open = spv;
    if (open == null) {
      throw new AssertionError("not open");
    }
    StoredBlock last = null;
    for (Block block : blocks) {
      height++;
      last = new StoredBlock(block, BigInteger.valueOf(height), height);
      open.put(last);
    }
    open.setChainHead(last);
    return height;
  }
}
