package org.murmur.wallet.internal.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.ledger.Repute;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.SentFilter;
import org.murmur.wallet.internal.store.StoreChanges;
import org.murmur.wallet.internal.store.StoredProof;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.ledger.Confirmation;

/**
 * One bit is flipped where no row stands, among the free pages, or in the table that serves as the
 * index of transactions, or in that of the seals. A row that is not found through its index must
 * not count as absent: a change of it would become a second one.
 */
final class FlippedIndexTest {

  private static final long SEED = 23;
  private static final int PAGE = 4_096;
  private static final int FLIPS = 20;
  private static final int TRANSACTIONS = 60;

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static Tx tx(int salt) {
    byte[] txid = new byte[32];
    txid[5] = (byte) salt;
    return new TxBuilder()
        .spend(new OutPoint(Hash256.ofInternal(txid), 1))
        .pay(salt, Bytes.ofHex("51"))
        .build();
  }

  /** Of all transactions, behind a coinbase. */
  private static MerkleBlock proof() {
    List<Hash256> txids = new ArrayList<>(List.of(tx(1_000).txid()));
    for (int i = 1; i <= TRANSACTIONS; i++) {
      txids.add(tx(i).txid());
    }
    BitSet matches = new BitSet();
    matches.set(1, TRANSACTIONS + 1);
    return MerkleBlock.of(
        SqliteStoreTest.headers(4, 4, 0).header(0), PartialMerkleTree.build(txids, matches));
  }

  /** Every transaction, in a block or not. */
  private static List<Fact> facts(boolean mined) {
    List<Fact> facts = new ArrayList<>();
    for (int i = 1; i <= TRANSACTIONS; i++) {
      Confirmation where = mined ? new Confirmation(4, proof().blockHash(), i, 1234) : null;
      facts.add(new Fact(tx(i), i, 99, 3, Repute.HEARD, where, Fact.Voucher.OWNER));
    }
    return facts;
  }

  private static List<StoredProof> proofs() {
    List<StoredProof> proofs = new ArrayList<>();
    for (int i = 1; i <= TRANSACTIONS; i++) {
      proofs.add(new StoredProof(tx(i).txid(), 4, proof()));
    }
    return proofs;
  }

  /** Each with a filter of its own. */
  private static List<Load> loads() {
    List<Load> loads = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      BloomFilter filter =
          BloomFilter.builder(new FilterParameters(10, 3, i, UpdateFlag.ALL)).build();
      loads.add(new Load(i, new NodeAddress("127.0.0.1", 1), 1, filter, 77));
    }
    return loads;
  }

  private static StoredWallet wallet() {
    return new StoredWallet(
        "regtest",
        1_700_000_000L,
        new Birthday.AtHeight(1),
        OptionalInt.empty(),
        20,
        20,
        List.of(new StoredWallet.Chain("wpkh(a/0/*)", false, true, 0)),
        null);
  }

  private byte[] written() throws Exception {
    List<Bytes> element = List.of(Bytes.ofHex("01"));
    ScriptRun run = new ScriptRun(0, 0, 0, element, element, List.of("a"));
    try (SqliteStore store = SqliteStore.create(file(), wallet(), List.of(run))) {
      store.lock();
      store.write(
          StoreChanges.above(0)
              .connected(SqliteStoreTest.headers(1, 600, 0))
              .facts(facts(true))
              .proofs(proofs())
              .loads(loads())
              .build());
      // What is cut off leaves free pages.
      store.write(StoreChanges.above(10).build());
    }
    return Files.readAllBytes(file());
  }

  /** Pages of these tables, and free ones; from 0. */
  private Set<Integer> pages(byte[] bytes) throws SQLException {
    Set<Integer> free = new HashSet<>();
    for (int page = 0; page < bytes.length / PAGE; page++) {
      free.add(page);
    }
    Set<Integer> pages = new HashSet<>();
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("SELECT pageno, name FROM dbstat")) {
      while (r.next()) {
        free.remove(r.getInt(1) - 1);
        if (r.getString(2).equals("txid") || r.getString(2).equals("seal")) {
          pages.add(r.getInt(1) - 1);
        }
      }
    }
    assertThat(pages).as("pages of tables").isNotEmpty();
    assertThat(free).as("free pages").isNotEmpty();
    pages.addAll(free);
    return pages;
  }

  private void put(byte[] bytes) throws Exception {
    for (String suffix : List.of("-wal", "-shm", "-journal", "")) {
      Files.deleteIfExists(folder.resolve("w" + suffix));
    }
    Files.write(file(), bytes);
  }

  /** Reads the proofs, writes that nothing is mined any more, and reads it back. */
  private String outcome() throws Exception {
    try {
      try (SqliteStore store = SqliteStore.open(file())) {
        for (int i = 1; i <= TRANSACTIONS; i++) {
          MerkleBlock found = store.proof(tx(i).txid());
          if (found == null || !found.equals(proof())) {
            return "wrong proof";
          }
        }
      }
      try (SqliteStore store = SqliteStore.open(file())) {
        store.lock();
        store.write(
            StoreChanges.above(10)
                .connected(SqliteStoreTest.headers(11, 300, 0))
                .facts(facts(false))
                .loads(loads())
                .build());
      }
      try (SqliteStore store = SqliteStore.open(file())) {
        List<Fact> facts = store.facts();
        boolean right = facts.size() == TRANSACTIONS && facts(false).containsAll(facts);
        return right
                && store.showings().equals(loads().stream().map(SentFilter::of).toList())
                && store.height() == 300
            ? "right"
            : "wrong transactions";
      }
    } catch (WalletException e) {
      assertThat(e.text()).contains(file().toString());
      return "refused";
    }
  }

  @Test
  void isNeverBelieved() throws Exception {
    byte[] whole = written();
    Set<Integer> pages = pages(whole);
    put(whole);
    assertThat(outcome()).isEqualTo("right");
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    for (int page : pages) {
      for (int i = 0; i < FLIPS; i++) {
        byte[] bad = whole.clone();
        // Pages are filled from their end, and begin with where their cells are.
        int at = i % 4 == 0 ? random.nextInt(100) : PAGE - 1 - random.nextInt(PAGE - 100);
        bad[page * PAGE + at] ^= (byte) (1 << random.nextInt(8));
        put(bad);
        seen.merge(outcome(), 1, Integer::sum);
      }
    }
    System.out.println(
        "with a bit flipped in " + pages.size() + " pages, seed " + SEED + ": " + seen);
    assertThat(seen).containsOnlyKeys("refused", "right");
  }

  private static Hash256 block(int height) {
    byte[] hash = new byte[32];
    hash[7] = (byte) height;
    return Hash256.ofInternal(hash);
  }

  /** One in each block, which are so many that pages lead to their pages. */
  private static List<Fact> spread(int blocks) {
    List<Fact> facts = new ArrayList<>();
    for (int height = 1; height <= blocks; height++) {
      Confirmation where = new Confirmation(height, block(height), 1, 1234);
      facts.add(new Fact(tx(height), height, 99, 3, Repute.HEARD, where, Fact.Voucher.OWNER));
    }
    return facts;
  }

  /** Reads each block by its height, the last page, and drops all but the first blocks' facts. */
  private String outcomeOfBlocks(List<Fact> facts) throws Exception {
    try {
      try (SqliteStore store = SqliteStore.open(file())) {
        for (Fact fact : facts) {
          if (!store.minedAt(fact.height()).equals(List.of(fact))) {
            return "wrong block";
          }
        }
      }
      try (SqliteStore store = SqliteStore.open(file())) {
        List<Fact> page = store.confirmedBefore(facts.size() / 2, 0, 10);
        for (int i = 0; i < 10; i++) {
          if (page.size() != 10 || !page.get(i).equals(facts.get(facts.size() / 2 - 2 - i))) {
            return "wrong page";
          }
        }
      }
      try (SqliteStore store = SqliteStore.open(file())) {
        store.lock();
        List<Hash256> gone = new ArrayList<>();
        facts.subList(10, facts.size()).forEach(fact -> gone.add(fact.tx().txid()));
        store.write(StoreChanges.above(facts.size()).forgotten(gone).build());
      }
      try (SqliteStore store = SqliteStore.open(file())) {
        return store.facts().equals(facts.subList(0, 10)) ? "right" : "wrong facts";
      }
    } catch (WalletException e) {
      return "refused";
    }
  }

  /** A bit is flipped in a page that says where rows are. */
  @Test
  void noPageHidesARow() throws Exception {
    List<Fact> facts = spread(200);
    try (SqliteStore store = SqliteStore.create(file(), wallet(), List.of())) {
      store.lock();
      store.write(
          StoreChanges.above(0)
              .connected(SqliteStoreTest.headers(1, facts.size(), 0))
              .facts(facts)
              .build());
    }
    byte[] whole = Files.readAllBytes(file());
    List<Integer> inner = new ArrayList<>();
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = c.createStatement();
        ResultSet r =
            s.executeQuery(
                "SELECT pageno, ncell FROM dbstat WHERE name = 'block' AND pagetype ="
                    + " 'internal'")) {
      while (r.next()) {
        inner.add(r.getInt(1) - 1);
        assertThat(r.getInt(2)).as("cells").isGreaterThan(4);
      }
    }
    assertThat(inner).hasSize(1);
    put(whole);
    assertThat(outcomeOfBlocks(facts)).isEqualTo("right");
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    for (int i = 0; i < 8 * FLIPS; i++) {
      byte[] bad = whole.clone();
      // The last cells, and the head of the page.
      int at = i % 4 == 0 ? random.nextInt(30) : PAGE - 1 - random.nextInt(45);
      bad[inner.get(0) * PAGE + at] ^= (byte) (1 << random.nextInt(8));
      put(bad);
      seen.merge(outcomeOfBlocks(facts), 1, Integer::sum);
    }
    System.out.println("with a bit flipped in an inner page, seed " + SEED + ": " + seen);
    assertThat(seen).containsOnlyKeys("refused", "right");
  }

  /** Whether a store refuses to write that nothing is mined. */
  private static boolean refusesToWrite(SqliteStore store) {
    try {
      store.write(
          StoreChanges.above(10)
              .connected(SqliteStoreTest.headers(11, 300, 0))
              .facts(facts(false))
              .loads(loads())
              .build());
      return false;
    } catch (WalletException e) {
      return true;
    }
  }

  /** Whoever was refused may try again without opening the file anew. */
  @Test
  void refusesAsOftenAsItIsAsked() throws Exception {
    byte[] whole = written();
    Set<Integer> pages = pages(whole);
    Random random = new Random(SEED);
    int refused = 0;
    for (int page : pages) {
      for (int i = 0; i < FLIPS; i++) {
        byte[] bad = whole.clone();
        int at = page * PAGE + PAGE - 1 - random.nextInt(PAGE - 100);
        bad[at] ^= (byte) (1 << random.nextInt(8));
        put(bad);
        try (SqliteStore store = SqliteStore.open(file())) {
          store.lock();
          if (refusesToWrite(store)) {
            refused++;
            assertThat(refusesToWrite(store)).as("again, byte %d, seed %d", at, SEED).isTrue();
          }
        }
      }
    }
    assertThat(refused).isPositive();
  }
}
