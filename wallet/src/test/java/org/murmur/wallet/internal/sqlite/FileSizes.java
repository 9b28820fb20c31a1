package org.murmur.wallet.internal.sqlite;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.internal.books.Derivation;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoreChange;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.ledger.Confirmation;

/**
 * Prints what the file of a big wallet weighs, by table: payments to 2,000 addresses, so many in
 * each block of 400 transactions.
 *
 * <pre>{@code
 * mvn -o -q -pl wallet -am test-compile
 * java -cp ... org.murmur.wallet.internal.sqlite.FileSizes [PAYMENTS_A_BLOCK]
 * }</pre>
 */
final class FileSizes {

  private static final int[] SIZES = {1_000, 10_000, 50_000};
  private static final int TRANSACTIONS = 400;
  private static final int ADDRESSES = 2_000;
  private static final int LOOK_AHEAD = 1_000;
  private static final int ELEMENTS_A_FILTER = 6_700;
  private static final NodeAddress PEER = new NodeAddress("127.0.0.1", 18444);

  private final Random random = new Random(7);
  private final int payments;
  private final int perBlock;
  private final List<ScriptRun> scripts = new ArrayList<>();
  private int paid;

  FileSizes(int payments, int perBlock) {
    this.payments = payments;
    this.perBlock = perBlock;
  }

  public static void main(String[] arguments) throws Exception {
    int perBlock = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 40;
    for (int payments : SIZES) {
      Path folder = Files.createTempDirectory("murmur-size");
      Path file = folder.resolve("w");
      try {
        write(file, payments, perBlock);
        print(file, payments);
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder.resolve("w.lock"));
        Files.delete(folder);
      }
    }
  }

  /** Makes a wallet's file, with so many payments in each block. */
  static void write(Path file, int payments, int perBlock) {
    new FileSizes(payments, perBlock).write(file);
  }

  private static void print(Path file, int payments) throws Exception {
    long size = Files.size(file);
    System.out.printf(
        Locale.ROOT, "%,d payments: %,d bytes, %d a payment%n", payments, size, size / payments);
    for (Map.Entry<String, Long> table : tables(file).entrySet()) {
      System.out.printf(
          Locale.ROOT,
          "  %-28s %,12d bytes %6d a payment%n",
          table.getKey(),
          table.getValue(),
          table.getValue() / payments);
    }
  }

  private static Map<String, Long> tables(Path file) throws SQLException {
    Map<String, Long> tables = new TreeMap<>();
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")) {
      while (r.next()) {
        tables.put(r.getString(1), r.getLong(2));
      }
    }
    return tables;
  }

  private static List<StoredWallet.Chain> chains() {
    String words = "abandon ".repeat(11) + "about";
    List<StoredWallet.Chain> chains = new ArrayList<>();
    WalletRecipe.ofMnemonic(
            ChainParams.REGTEST, Mnemonic.parse(words), "", List.of(OutputType.P2WPKH), 0)
        .descriptors()
        .forEach(d -> chains.add(new StoredWallet.Chain(d.canonical(), d.change(), true, 0)));
    return chains;
  }

  void write(Path file) {
    List<StoredWallet.Chain> chains = chains();
    StoredWallet wallet =
        new StoredWallet(
            "regtest",
            1_700_000_000L,
            new Birthday.AtHeight(1),
            OptionalInt.empty(),
            20,
            LOOK_AHEAD,
            chains,
            new StoredWallet.Secret(Bytes.of("w".getBytes(StandardCharsets.UTF_8)), false, true));
    scripts.addAll(new Derivation(KeyNetwork.REGTEST).begin(chains, 20, ADDRESSES + LOOK_AHEAD));
    try (SqliteStore store = SqliteStore.create(file, wallet, scripts)) {
      store.lock();
      for (int height = 1; paid < payments; height++) {
        store.write(block(height, Math.min(perBlock, payments - paid)));
      }
      store.write(filters(paid / perBlock));
    }
  }

  private StoreChange filters(int height) {
    List<Load> loads = new ArrayList<>();
    List<ScanRow> rows = new ArrayList<>();
    int elements = 2 * (ADDRESSES + LOOK_AHEAD) + payments;
    for (int from = 0; from < elements; from += ELEMENTS_A_FILTER) {
      int count = Math.min(ELEMENTS_A_FILTER, elements - from);
      long id = loads.size() + 1L;
      BloomFilter filter =
          BloomFilter.builder(
                  FilterParameters.of(count, 1e-9, (int) id, UpdateFlag.ALL, Rounding.CORE))
              .build();
      loads.add(new Load(id, PEER, from + count, filter, 1_700_000_000L));
      rows.add(new ScanRow(id, id, from + count, 1, height, 1_700_000_000L));
    }
    return StoreChanges.above(height).loads(loads).rows(rows).build();
  }

  private Hash256 hash() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Hash256.ofInternal(bytes);
  }

  private Bytes script(int number) {
    ScriptRun run = scripts.get(0);
    return run.scripts().get(number % ADDRESSES);
  }

  private Tx payment(int number) {
    byte[] foreign = new byte[22];
    random.nextBytes(foreign);
    return new TxBuilder()
        .spend(new OutPoint(hash(), random.nextInt(3)))
        .pay(100_000 + random.nextInt(1_000_000_000), script(number))
        .pay(100_000 + random.nextInt(1_000_000_000), Bytes.wrap(foreign))
        .build();
  }

  /** The next block, with so many payments. */
  StoreChange block(int height, int count) {
    List<Hash256> txids = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      txids.add(hash());
    }
    Map<Integer, Tx> mine = new HashMap<>();
    Map<Integer, Integer> numbers = new HashMap<>();
    while (mine.size() < count) {
      int position = 1 + random.nextInt(TRANSACTIONS - 1);
      if (!mine.containsKey(position)) {
        int number = paid + mine.size();
        Tx tx = payment(number);
        numbers.put(position, number % ADDRESSES);
        mine.put(position, tx);
        txids.set(position, tx.txid());
      }
    }
    BitSet matches = new BitSet();
    mine.keySet().forEach(matches::set);
    MerkleTree tree = MerkleTree.of(txids);
    byte[] header = new byte[80];
    random.nextBytes(header);
    tree.root().write(header, 36);
    MerkleBlock proof = MerkleBlock.of(Bytes.wrap(header), tree.prove(matches));
    Hash256 block = DoubleSha256.of(Bytes.wrap(header));
    List<Fact> facts = new ArrayList<>();
    List<StoredProof> proofs = new ArrayList<>();
    List<LoggedOutPoint> outPoints = new ArrayList<>();
    matches.stream()
        .forEach(
            position -> {
              Tx tx = Objects.requireNonNull(mine.get(position));
              facts.add(
                  new Fact(
                      tx,
                      paid,
                      1_700_000_000L,
                      Fact.NEVER_PENDING,
                      Repute.HEARD,
                      new Confirmation(height, block, position, 1_600_000_000L),
                      Fact.Voucher.NOBODY));
              proofs.add(new StoredProof(tx.txid(), height, proof));
              outPoints.add(
                  new LoggedOutPoint(
                      2 * (ADDRESSES + LOOK_AHEAD) + paid,
                      tx.outPoint(0),
                      Objects.requireNonNull(numbers.get(position)),
                      height,
                      Integer.MAX_VALUE,
                      true));
              paid++;
            });
    return StoreChanges.above(height - 1)
        .connected(Headers.ofStored(Bytes.wrap(header)))
        .facts(facts)
        .proofs(proofs)
        .outPoints(outPoints)
        .build();
  }
}
