package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.sqlite.Vouched;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.overview.Damage;
import org.murmur.wallet.overview.Recoverable;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * One bit of a wallet's file is flipped, anywhere. Every answer is right, or an error that names
 * the file, or comes with a warning that names the dropped recoverable data. No answer is silently
 * wrong, not even for data that only a later sync would use.
 */
class FlippedBitTest {

  private static final long SEED = 18;

  private static final int PAGE = 4_096;

  /** Half of the wallet's payments are above. */
  private static final int FROM = 120;

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(20);

  @TempDir static Path folder = Path.of("");

  /** The recoverable data of this file, the warning of its loss, and what a file without it has. */
  private static final Map<Recoverable, String> REGAINABLE =
      Map.of(
          Recoverable.PEERS, "DELETE FROM peer",
          Recoverable.ADDRESSES, "DELETE FROM address",
          Recoverable.SESSIONS, "DELETE FROM session",
          Recoverable.PRESET, "UPDATE preset SET data = CAST(char(7) || 'PRIVATE' AS BLOB)",
          Recoverable.CREATED, "DELETE FROM created",
          Recoverable.BIRTHDAY_HEIGHT, "DELETE FROM birthday_height");

  private static byte[] whole = {};
  private static List<String> truth = List.of();
  // By the removed recoverable data: the right answers of a wallet without it.
  private static final Map<Set<String>, List<String>> TRUTH_WITHOUT = new HashMap<>();

  /** A question to a wallet. */
  private interface Question {
    Object ask(SpvWallet wallet) throws Exception;
  }

  private static final List<Question> QUESTIONS =
      List.of(
          wallet -> wallet.asOf(SpvWallet::balance),
          open -> open.history().full().list(),
          open -> open.coins().list(),
          open -> open.receive().list(),
          SpvWallet::info,
          open -> open.privacy().peerBook().met(),
          wallet -> wallet.keys().mnemonic(Credentials.NONE),
          wallet -> wallet.privacy().report(Universe.of(ChainParams.REGTEST)),
          FlippedBitTest::details,
          wallet -> whatTheUserNoted(),
          wallet -> whatASyncBeginsWith(),
          wallet -> whatCanBeLearntAgain());

  private static Object details(SpvWallet wallet) {
    List<String> details = new ArrayList<>();
    for (HistoryEntry entry : wallet.history().list()) {
      details.add(wallet.history().transaction(entry.txid()).orElseThrow().toString());
    }
    return details;
  }

  /** The element log, the rows and loads, the scripts: the data behind filters and coverage. */
  private static Object whatASyncBeginsWith() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder.resolve("w"))) {
      List<String> all = new ArrayList<>();
      for (ScriptRun run : store.scripts(true)) {
        all.add(run.toString());
      }
      Headers headers = store.headers().read(1, store.height() + 1);
      all.add(headers.toStored().toHex());
      Books books = new Books(store, ChainParams.REGTEST, KeyNetwork.REGTEST);
      all.add(books.elements().toString());
      all.add(books.start(Preset.Fast.USUAL.verify(2), true).rows().toString());
      all.add(store.views() + " " + store.fetches() + " " + store.epochs());
      all.add(store.showings().toString());
      return all;
    }
  }

  private static Object whatTheUserNoted() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder.resolve("w"))) {
      return store.labels();
    }
  }

  /** A frozen coin, and labels enough for more than a page. */
  private static void note(SpvWallet wallet, Path file) throws Exception {
    wallet.coins().freeze(wallet.coins().list().get(0).outPoint());
    List<Label> labels = new ArrayList<>();
    for (HistoryEntry entry : wallet.history().list()) {
      labels.add(Label.about(LabelRef.of(entry.txid())).withText("label of " + entry.time()));
    }
    for (int i = 0; i < 100; i++) {
      labels.add(Label.about(new LabelRef(LabelType.ADDR, "bcrt1q" + i)).withText("shop " + i));
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      store.lock();
      store.putLabels(labels);
    }
  }

  private static Object whatCanBeLearntAgain() throws Exception {
    try (SqliteStore store = SqliteStore.open(folder.resolve("w"))) {
      return whatCanBeLearntAgain(store);
    }
  }

  private static Object whatCanBeLearntAgain(SqliteStore store) throws Exception {
    List<String> all = new ArrayList<>();
    all.add(store.wallet().birthdayHeight().toString());
    all.add(store.peers().toString());
    all.add(store.sessions().toString());
    all.add(store.addresses().toString());
    return all;
  }

  @BeforeAll
  static void sync() throws Exception {
    BuiltChain built =
        ChainBuilder.ofSeed(SEED)
            .blocks(140)
            .transactionsPerBlock(3)
            .wallet(Lives.lively(RECIPE, 8))
            .build();
    Path file = folder.resolve("whole");
    // The lower blocks are seen by their filters (BIP-0157), and the others under filters of peers.
    try (RegtestNode node =
            RegtestNode.start(built.chain(), Behaviour.honest().withCompactFilters());
        SpvWallet wallet = SpvWallet.create(file, RECIPE)) {
      SyncOptions options =
          SyncOptions.connect(node.address())
              .limits(limits -> limits.mempoolWait(Duration.ofMillis(100)));
      wallet.sync(options.preset(Preset.Kind.COMPACT), SyncListener.NONE);
      SyncReport report =
          wallet.rescan(
              new Birthday.AtHeight(FROM), options.preset(Preset.Kind.FAST), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      note(wallet, file);
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      assertThat(store.fetches()).isNotEmpty();
      assertThat(store.views()).hasSizeGreaterThan(1);
    }
    // The damage of one row is the loss of all.
    Vouched.sql(file, "DELETE FROM session WHERE id = 1");
    whole = Files.readAllBytes(file);
    truth = answers(put(whole)).words;
    assertThat(truth).noneMatch(answer -> answer.startsWith("error "));
    System.out.println("flips with seed " + SEED + " in " + whole.length / PAGE + " pages");
  }

  /** The answers of a wallet that never had the lost data. */
  private static List<String> truthWithout(Set<Recoverable> losses) throws Exception {
    Set<String> deletions = new TreeSet<>();
    REGAINABLE.forEach(
        (what, deletion) -> {
          if (losses.contains(what)) {
            deletions.add(deletion);
          }
        });
    assertThat(deletions).as(losses.toString()).isNotEmpty();
    List<String> known = TRUTH_WITHOUT.get(deletions);
    if (known == null) {
      Path file = put(whole);
      Vouched.sql(file, deletions.toArray(String[]::new));
      known = answers(file).words;
      TRUTH_WITHOUT.put(deletions, known);
    }
    return known;
  }

  /** Always under one name, because answers have it. */
  private static Path put(byte[] bytes) throws Exception {
    Path file = folder.resolve("w");
    for (String suffix : List.of("-wal", "-shm", "-journal", "")) {
      Files.deleteIfExists(folder.resolve("w" + suffix));
    }
    return Files.write(file, bytes);
  }

  private interface Asking {
    Object answer() throws Exception;
  }

  private static String words(Asking asking) throws Exception {
    try {
      return String.valueOf(asking.answer());
    } catch (WalletException e) {
      return "error " + e.text();
    } catch (IOException | UncheckedIOException e) {
      return "error " + e.getMessage();
    }
  }

  /** All answers, and the warnings of dropped data. */
  private static final class Answers {
    private final List<String> words = new ArrayList<>();
    private final Set<Recoverable> losses = EnumSet.noneOf(Recoverable.class);

    private void lost(Damage loss) {
      assertThat(loss.store()).isEqualTo(folder.resolve("w").toString());
      losses.add(loss.what());
    }
  }

  /** Asks all questions: damage in one place does not prevent answers about another. */
  private static Answers answers(Path file) throws Exception {
    Answers answers = new Answers();
    String opening =
        words(
            () -> {
              try (SpvWallet wallet = SpvWallet.open(file)) {
                for (Question question : QUESTIONS) {
                  answers.words.add(words(() -> question.ask(wallet)));
                }
                wallet.takeDamage().forEach(answers::lost);
              }
              return "";
            });
    while (answers.words.size() < QUESTIONS.size()) {
      answers.words.add(opening);
    }
    lossesOfAStore().forEach(answers::lost);
    return answers;
  }

  /** The damage found when all recoverable data is read. */
  private static List<Damage> lossesOfAStore() throws Exception {
    List<Damage> losses = new ArrayList<>();
    words(
        () -> {
          try (SqliteStore store = SqliteStore.open(folder.resolve("w"))) {
            whatCanBeLearntAgain(store);
            losses.addAll(store.takeDamage());
          }
          return "";
        });
    return losses;
  }

  /** The result of a flip, over all questions. */
  private static final class Counts {
    private int flips;
    private int refused;
    private int right;
    private int lost;
    private final List<String> wrong = new ArrayList<>();

    @Override
    public String toString() {
      return String.format(
          "%d flips, answers: %d refused, %d right, %d with a warning of loss, %d wrong",
          flips, refused, right, lost, wrong.size());
    }
  }

  private static void flip(int at, int bit, Counts counts) throws Exception {
    byte[] bad = whole.clone();
    bad[at] ^= (byte) (1 << bit);
    Path file = put(bad);
    Answers answers = answers(file);
    List<String> withLess = answers.losses.isEmpty() ? truth : truthWithout(answers.losses);
    counts.flips++;
    for (int i = 0; i < answers.words.size(); i++) {
      String answer = answers.words.get(i);
      if (answer.startsWith("error ") && answer.contains(file.toString())) {
        counts.refused++;
      } else if (answer.equals(truth.get(i))) {
        counts.right++;
      } else if (answer.equals(withLess.get(i))) {
        counts.lost++;
      } else {
        counts.wrong.add("bit " + bit + " of byte " + at + ", question " + i + ": " + answer);
      }
    }
  }

  /** Some bits of every page: headers and cells of trees, which are few, and their content. */
  @Test
  void isNeverBelieved() throws Exception {
    Random random = new Random(SEED);
    Counts counts = new Counts();
    for (int page = 0; page < whole.length / PAGE; page++) {
      for (int i = 0; i < 8; i++) {
        // Pages are filled from their end.
        int at = i == 0 ? random.nextInt(100) : PAGE - 1 - random.nextInt(PAGE - 100);
        flip(page * PAGE + at, random.nextInt(8), counts);
      }
    }
    System.out.println("some bits of each page: " + counts);
    assertThat(counts.wrong).isEmpty();
    assertThat(counts.refused).isPositive();
    assertThat(counts.right).isPositive();
  }

  /**
   * Bytes drawn from everywhere, each once, and a bit of each: 300 of them took 26 seconds. Another
   * draw, or the whole file:
   *
   * <pre>{@code
   * mvn -pl wallet -am test -Dtest=FlippedBitTest#isNeverBelievedAnywhere \
   *   -Dsurefire.failIfNoSpecifiedTests=false -Dexcluded.groups=none -Dmurmur.flips=all \
   *   -Dmurmur.flips.seed=1
   * }</pre>
   */
  @Test
  @Tag("long")
  void isNeverBelievedAnywhere() throws Exception {
    long seed = Long.getLong("murmur.flips.seed", SEED);
    String wanted = System.getProperty("murmur.flips", "3000");
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < whole.length; at++) {
      places.add(at);
    }
    Random random = new Random(seed);
    Collections.shuffle(places, random);
    int flips = wanted.equals("all") ? places.size() : Integer.parseInt(wanted);
    System.out.println("flips with seed " + seed + ": " + flips + " of " + whole.length + " bytes");
    Counts counts = new Counts();
    for (int at : places.subList(0, Math.min(flips, places.size()))) {
      flip(at, random.nextInt(8), counts);
      if (counts.flips % 1_000 == 0) {
        System.out.println(counts);
      }
    }
    System.out.println("with seed " + seed + ": " + counts);
    assertThat(counts.wrong).isEmpty();
  }

  /** Returns how many rows the last statement changed. */
  private static int sql(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      int rows = 0;
      for (String sql : statements) {
        rows = statement.executeUpdate(sql);
      }
      return rows;
    }
  }

  /** Another value in any column: the wallet works on, without the row, and reports it. */
  @Test
  void damageToRecoverableDataNeverRefusesTheFile() throws Exception {
    Set<Recoverable> damaged = EnumSet.noneOf(Recoverable.class);
    for (Recoverable what : REGAINABLE.keySet()) {
      for (String change : changes(what.table())) {
        Path file = put(whole);
        // No more than is there.
        if (sql(file, change) > 0) {
          damaged.add(what);
          Answers answers = answers(file);
          assertThat(answers.words)
              .as(change)
              .isEqualTo(truthWithout(Set.of(what)))
              .noneMatch(answer -> answer.startsWith("error "));
          assertThat(answers.losses).as(change).containsExactly(what);
        }
      }
    }
    assertThat(damaged)
        .contains(
            Recoverable.PEERS,
            Recoverable.SESSIONS,
            Recoverable.CREATED,
            Recoverable.BIRTHDAY_HEIGHT);
  }

  /** The words and the keys are in these: nothing changes, vanishes or appears unnoticed. */
  @Test
  void noRowOfTheIdentityIsBelievedWithoutItsChecksum() throws Exception {
    List<String> damages = new ArrayList<>(List.of("DELETE FROM seal"));
    for (String table : List.of("meta", "chain", "created", "birthday_height")) {
      damages.addAll(changes(table));
      damages.add("DELETE FROM " + table);
      damages.add("DELETE FROM " + table + " WHERE id = 0");
      damages.add("INSERT INTO " + table + " VALUES (9, 1, x'00')");
      damages.add("INSERT INTO " + table + " SELECT id + 9, sum, data FROM " + table);
      damages.add("INSERT OR REPLACE INTO " + table + " SELECT 0, sum, data FROM peer LIMIT 1");
    }
    damages.add("UPDATE chain SET (sum, data) = (SELECT sum, data FROM chain WHERE id = 1)");
    int info = 4;
    Set<String> believed = new TreeSet<>();
    for (String damage : damages) {
      Path file = put(whole);
      assertThat(sql(file, damage)).as(damage).isPositive();
      Answers answers = answers(file);
      boolean refused = answers.words.get(info).startsWith("error ");
      if (!refused && answers.losses.isEmpty()) {
        believed.add(damage);
      }
    }
    assertThat(believed).isEmpty();
  }

  /** Statements that each change one column of a table. */
  private static List<String> changes(String table) {
    String update = "UPDATE " + table + " SET ";
    return List.of(
        update + "id = id + 1000",
        update + "sum = sum + 1000",
        update + "data = CAST(data || 'x' AS BLOB)");
  }

  /** One bit of the format's number does not make other damage credible. */
  @Test
  void anOlderFormatsNumberDisarmsNoChecksum() throws Exception {
    for (int format = 0; format < 10; format++) {
      Path file = put(whole);
      sql(file, "PRAGMA user_version = " + format, "UPDATE block SET sum = sum - 1");
      try (SpvWallet wallet = SpvWallet.open(file)) {
        assertThatThrownBy(wallet.history().full()::list)
            .as("format " + format)
            .isInstanceOf(WalletException.class)
            .hasMessageContaining("the wallet is damaged");
      }
    }
  }

  /** And the number is right again after the next commit. */
  @Test
  void anOlderFormatsNumberIsMendedByTheNextCommit() throws Exception {
    Path file = put(whole);
    sql(file, "PRAGMA user_version = 1");
    try (SpvWallet wallet = SpvWallet.open(file)) {
      wallet.receive().fresh();
      assertThat(wallet.history().full().list().toString()).isEqualTo(truth.get(1));
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet r = statement.executeQuery("PRAGMA user_version")) {
      assertThat(r.getInt(1)).isEqualTo(11);
    }
  }
}
