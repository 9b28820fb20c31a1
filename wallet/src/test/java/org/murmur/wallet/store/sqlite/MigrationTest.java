package org.murmur.wallet.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.sync.HistoryEntry;

/** Files of older formats, which the next transaction makes one of the present format. */
final class MigrationTest {

  /** Real files, written by the programs of their time. */
  private static final Path REAL = Path.of("../fuzz/src/test/resources");

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private void sql(String... statements) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  private int number(String sql) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      return r.getInt(1);
    }
  }

  /** Everything that can be asked, save addresses that are given out. */
  private List<Object> answers() throws Exception {
    List<Object> answers = new ArrayList<>();
    try (SpvWallet wallet = SpvWallet.open(file())) {
      answers.add(wallet.status());
      answers.add(wallet.coins());
      answers.add(wallet.exportMnemonic(null));
      answers.add(wallet.exportDescriptors());
      answers.add(wallet.peers());
      answers.add(wallet.privacy(Universe.of(ChainParams.REGTEST)));
      for (HistoryEntry entry : wallet.fullHistory()) {
        answers.add(entry);
        answers.add(wallet.why(entry.txid().toDisplay()));
        MerkleBlock proof = wallet.transaction(entry.txid()).orElseThrow().proof().orElse(null);
        answers.add(proof == null ? "no proof" : proof.header());
      }
    }
    return answers;
  }

  private static List<Object> stored(WalletStore store) throws StoreException {
    List<Object> all = new ArrayList<>();
    all.add(store.height());
    all.add(store.headers().read(1, store.height() + 1));
    all.add(store.scripts(true));
    all.add(store.outPoints());
    all.add(store.showings());
    all.add(store.views());
    all.add(store.epochs());
    all.add(store.rows());
    List<Fact> facts = new ArrayList<>(store.facts());
    facts.sort(Comparator.comparing(fact -> fact.tx().txid()));
    all.add(facts);
    for (Fact fact : facts) {
      Confirmation where = fact.confirmation();
      if (where != null) {
        MerkleBlock proof = Objects.requireNonNull(store.proof(fact.tx().txid()));
        Match match = new Match(fact.tx().txid(), where.position());
        assertThat(((Verdict.Proven) proof.verify()).matches()).contains(match);
        all.add(proof.header());
      }
    }
    return all;
  }

  private List<Object> stored() throws StoreException {
    try (SqliteStore store = SqliteStore.open(file())) {
      return stored(store);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "wallet.murmur, 1",
    "wallet.murmur, 2",
    "wallet.murmur, 3",
    "wallet-4.murmur, 4",
    "wallet-5.murmur, 5"
  })
  void losesNothingOfAnOldFile(String name, int format) throws Exception {
    Files.copy(REAL.resolve(name), file());
    // The second and third can have more than the first, and need not.
    sql("PRAGMA user_version = " + format);
    List<Object> told = answers();
    List<Object> stored = stored();
    assertThat(told).hasSizeGreaterThan(60);
    assertThat(number("PRAGMA user_version")).as("read only").isEqualTo(format);
    try (SpvWallet wallet = SpvWallet.open(file())) {
      wallet.freshAddress();
    }
    assertThat(number("PRAGMA user_version")).isEqualTo(Schema.FORMAT);
    assertThat(number("SELECT count(*) FROM sqlite_master WHERE name IN ('tx', 'proof')")).isZero();
    assertThat(answers()).isEqualTo(told);
    assertThat(stored()).isEqualTo(stored);
    assertThat(number("SELECT count(*) FROM row_sum WHERE name IN ('tx', 'proof', 'scripts')"))
        .isZero();
  }

  /** From then on new checksums would vouch for it. */
  @ParameterizedTest
  @CsvSource({
    "UPDATE tx SET first_seen = first_seen + 1",
    "DELETE FROM proof WHERE rowid = 3",
    "UPDATE outpoint SET birth = birth + 1",
    "UPDATE scripts SET child = child + 1"
  })
  void leavesADamagedFileAsItIs(String damage) throws Exception {
    Files.copy(REAL.resolve("wallet-5.murmur"), file());
    sql(damage);
    try (SqliteStore store = SqliteStore.open(file())) {
      store.lock();
      assertThatThrownBy(() -> store.handOut(0, 1, OptionalInt.empty()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is not as it was written");
    }
    assertThat(number("PRAGMA user_version")).isEqualTo(5);
    assertThat(number("SELECT count(*) FROM tx")).isPositive();
  }

  /** Room that old tables took is given back. */
  @Test
  void shrinksAFileWithManyPayments() throws Exception {
    FileSizes.write(file(), 1_000, 40);
    List<Object> truth = stored();
    long small = Files.size(file());
    OldFile.become(file());
    assertThat(Files.size(file())).isGreaterThan(5 * small);
    assertThat(stored()).isEqualTo(truth);
    try (SqliteStore store = SqliteStore.open(file())) {
      store.lock();
      store.handOut(0, 1, OptionalInt.empty());
    }
    assertThat(stored()).isEqualTo(truth);
    assertThat(Files.size(file())).isLessThan(2 * small);
  }

  /** Opens a wallet for another process to kill, and writes. */
  static final class Writer {

    private Writer() {}

    public static void main(String[] arguments) throws Exception {
      try (SqliteStore store = SqliteStore.open(Path.of(arguments[0]))) {
        store.lock();
        System.out.println("begins");
        store.handOut(0, 1, OptionalInt.empty());
        System.out.println("done");
      }
    }
  }

  private Process writer() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            file().toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void restore(Path kept) throws IOException {
    for (String suffix : List.of("-wal", "-shm", "")) {
      Files.deleteIfExists(folder.resolve("w" + suffix));
    }
    Files.copy(kept, file(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The old file stands until the new one is there, and what is in it is the same. */
  @Test
  void survivesAKillInTheMiddle() throws Exception {
    FileSizes.write(file(), 2_000, 40);
    List<Object> truth = stored();
    OldFile.become(file());
    Path kept = Files.copy(file(), folder.resolve("kept"));
    // How long it takes undisturbed.
    long millis = 0;
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int before = 0;
    int kills = 0;
    while (before < 3 && kills < 30) {
      restore(kept);
      Process process = writer();
      try (BufferedReader output = process.inputReader()) {
        assertThat(output.readLine()).isEqualTo("begins");
        long start = System.nanoTime();
        if (millis == 0) {
          assertThat(output.readLine()).isEqualTo("done");
          millis = 1 + (System.nanoTime() - start) / 1_000_000;
        } else {
          process.waitFor(random.nextInt((int) millis), TimeUnit.MILLISECONDS);
        }
        process.destroyForcibly().waitFor();
      }
      kills++;
      int format = number("PRAGMA user_version");
      assertThat(format).isIn(3, Schema.FORMAT);
      before += format == 3 ? 1 : 0;
      assertThat(stored()).as("seed %d, kill %d, format %d", seed, kills, format).isEqualTo(truth);
      assertThat(number("SELECT count(*) FROM sqlite_master WHERE name IN ('tx', 'block')"))
          .isEqualTo(1);
    }
    System.out.println(before + " of " + kills + " kills came before the commit, seed " + seed);
    assertThat(before).isPositive();
    try (SqliteStore store = SqliteStore.open(file())) {
      store.lock();
      store.handOut(0, 1, OptionalInt.empty());
      assertThat(stored(store)).isEqualTo(truth);
    }
    assertThat(number("PRAGMA user_version")).isEqualTo(Schema.FORMAT);
  }
}
