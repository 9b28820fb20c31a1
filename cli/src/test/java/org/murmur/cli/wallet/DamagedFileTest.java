package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.cli.Ran;
import org.murmur.cli.demo.DemoWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.RegtestNode;

/**
 * Damaged and foreign files. Every command reports them, none guesses, none crashes; harmless
 * oddities do no harm.
 */
class DamagedFileTest {

  private static final long SEED = 15;

  private static final BuiltChain BUILT = DemoWallet.chain(15, 220, 4);

  private static final int PAGE = 4_096;

  private static final List<String> READING =
      List.of("balance", "history", "coins", "status", "address", "peers");

  /** Fields that a sync changes without new blocks: sizes, times, latencies. */
  private static final List<String> SYNC_CHANGES = List.of("status", "peers");

  @TempDir static Path folder = Path.of("");

  private static RegtestNode node = RegtestNode.start();
  private static byte[] whole = {};
  private static List<String> truth = List.of();

  @BeforeAll
  static void sync() throws IOException {
    node.close();
    node = RegtestNode.start(BUILT.chain().copy());
    Path words = Files.writeString(folder.resolve("words.txt"), DemoWallet.WORDS);
    here().murmur("restore", "--mnemonic-file", words.toString()).exits(ExitCode.DONE);
    here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    whole = Files.readAllBytes(file());
    truth = answers();
    System.out.println("damage with seed " + SEED + " in " + whole.length / PAGE + " pages");
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Ran.With here() {
    return Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
  }

  private static Path file() {
    return folder.resolve("regtest/default.sqlite");
  }

  private static Path beside(String suffix) {
    return file().resolveSibling("default.sqlite" + suffix);
  }

  private static void put(byte[] content) throws IOException {
    for (String suffix : List.of("-wal", "-shm", "-journal")) {
      Files.deleteIfExists(beside(suffix));
    }
    Files.write(file(), content);
  }

  private static List<String> answers() {
    return READING.stream()
        .map(question -> here().murmur(question, "--json").exits(ExitCode.DONE).out())
        .toList();
  }

  private static String kind(Ran ran) {
    if (ran.code() == 0) {
      return "done";
    }
    JsonNode error = ran.json().get("error");
    assertThat(error.get("message").asText()).as(ran.err()).contains("default.sqlite");
    return error.get("kind").asText();
  }

  /** Runs all queries and a sync; returns the results. */
  private static List<String> outcomes() {
    List<String> outcomes = new ArrayList<>();
    for (String question : READING) {
      outcomes.add(kind(here().murmur(question, "--json", "-v", "-v")));
    }
    outcomes.add(
        kind(
            here()
                .murmur(
                    "sync", "--connect", node.address(), "--json", "--timeout", "60", "-v", "-v")));
    return outcomes;
  }

  @Test
  void saysThatAFileThatWasCutOffIsDamaged() throws IOException {
    Random random = new Random(SEED);
    List<Integer> lengths = new ArrayList<>(List.of(0, 1, 15, 16, 99, 100, 512, PAGE - 1, PAGE));
    for (int pages = 2; pages < whole.length / PAGE; pages += 7) {
      lengths.add(pages * PAGE);
      lengths.add(pages * PAGE + random.nextInt(PAGE));
    }
    lengths.add(whole.length - 1);
    for (int length : lengths) {
      put(Arrays.copyOf(whole, length));
      String expected = whole.length - length < PAGE ? "corrupt or done" : "corrupt";
      assertThat(outcomes()).as("cut to %d bytes", length).allMatch(expected::contains);
      assertThat(here().murmur("restore", "--json", "--mnemonic-file", "-").json().toString())
          .contains("wallet_exists");
    }
  }

  @Test
  void isNotConfusedByOtherFiles() throws IOException {
    Random random = new Random(SEED);
    for (String suffix : List.of("-wal", "-shm", "-journal", ".lock", ".new", ".new-journal")) {
      for (int length : new int[] {0, 1, 32, 512, 5_000, 40_000}) {
        put(whole);
        byte[] rubbish = new byte[length];
        random.nextBytes(rubbish);
        Files.write(beside(suffix), rubbish);
        assertThat(answers()).as("%d bytes of rubbish in %s", length, suffix).isEqualTo(truth);
        here().murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      }
    }
  }

  @Test
  void neverBreaksDownOverABadPage() throws IOException {
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    for (int page = 0; page < whole.length / PAGE; page++) {
      byte[] bad = whole.clone();
      byte[] noise = new byte[PAGE];
      if (page % 2 == 0) {
        random.nextBytes(noise);
      }
      System.arraycopy(noise, 0, bad, page * PAGE, PAGE);
      put(bad);
      List<String> outcomes = outcomes();
      assertThat(outcomes).as("page %d", page).isSubsetOf("done", "corrupt");
      outcomes.forEach(outcome -> seen.merge(outcome, 1, Integer::sum));
    }
    System.out.println("with one bad page: " + seen);
    assertThat(seen).containsKey("corrupt");
  }

  @Test
  void neverBreaksDownOverABadByte() throws IOException {
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    int wrong = 0;
    for (int i = 0; i < 40; i++) {
      byte[] bad = whole.clone();
      int at = random.nextInt(bad.length);
      bad[at] ^= (byte) (1 << random.nextInt(8));
      put(bad);
      List<String> outcomes = outcomes();
      assertThat(outcomes).as("byte %d", at).isSubsetOf("done", "corrupt");
      for (int q = 0; q < READING.size() && !outcomes.contains("corrupt"); q++) {
        Ran again = here().murmur(READING.get(q), "--json");
        if (!SYNC_CHANGES.contains(READING.get(q)) && !again.out().equals(truth.get(q))) {
          wrong++;
        }
      }
      outcomes.forEach(outcome -> seen.merge(outcome, 1, Integer::sum));
    }
    System.out.println("with one bad bit: " + seen);
    assertThat(wrong).as("answers that differ").isZero();
  }

  private static void sql(String statement) throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      assertThat(s.executeUpdate(statement)).as(statement).isPositive();
    }
  }

  private static String longer(String table) {
    return "UPDATE " + table + " SET data = CAST(data || x'00' AS BLOB)";
  }

  /** Its row is dropped, with a warning, and the next commands know nothing of it any more. */
  @Test
  void worksWithoutRecoverableData() throws Exception {
    Map<String, String> damages =
        Map.of(
            "UPDATE peer SET sum = sum + 1",
            "table peer",
            "UPDATE peer SET id = id + 1",
            "table peer",
            "DELETE FROM peer",
            "table peer",
            // Its seal.
            "UPDATE seal SET sum = sum + 1 WHERE id = 18",
            "table peer",
            longer("session"),
            "table session",
            longer("created"),
            "table created",
            "UPDATE created SET id = 7",
            "table created",
            longer("birthday_height"),
            "table birthday_height");
    try (RegtestNode growing = RegtestNode.start(BUILT.chain().copy())) {
      for (Map.Entry<String, String> damage : damages.entrySet()) {
        worksWithout(damage.getKey(), damage.getValue(), growing);
      }
    }
  }

  private static void worksWithout(String damage, String named, RegtestNode growing)
      throws Exception {
    put(whole);
    sql(damage);
    for (String question : List.of("balance", "history", "coins", "address")) {
      here().murmur(question, "--json").exits(ExitCode.DONE);
    }
    growing.mine(1);
    StringBuilder heard = new StringBuilder();
    for (String[] command :
        new String[][] {
          {"peers"},
          {"sync", "--dry-run", "--connect", growing.address()},
          {"sync", "--connect", growing.address()}
        }) {
      String err = here().murmur(command).exits(ExitCode.DONE).err();
      assertThat(err.split("warning: .*default.sqlite", -1)).as("once").hasSizeLessThan(3);
      heard.append(err);
    }
    assertThat(heard).as(damage).contains("warning: ").contains(named);
    for (String question : List.of("status", "peers", "balance")) {
      Ran after = here().murmur(question).exits(ExitCode.DONE);
      assertThat(after.err()).as(damage).doesNotContain("warning");
    }
    here().murmur("rescan", "--from", "1", "--connect", growing.address()).exits(ExitCode.DONE);
    assertThat(here().murmur("balance", "--json").json().get("confirmed_sat"))
        .isEqualTo(new ObjectMapper().readTree(truth.get(0)).get("confirmed_sat"));
  }

  @Test
  void refusesDamageToIrrecoverableData() throws Exception {
    for (String damage :
        List.of(
            longer("meta"),
            "UPDATE meta SET id = 7",
            "INSERT INTO meta VALUES (9, 1, x'00')",
            "UPDATE chain SET sum = sum + 4",
            "DELETE FROM chain WHERE id = 1",
            "DELETE FROM seal")) {
      put(whole);
      sql(damage);
      for (String[] command : new String[][] {{"balance"}, {"sync", "--connect", node.address()}}) {
        Ran ran = here().murmur(command);
        assertThat(ran.exits(ExitCode.FAILED).err())
            .as(damage)
            .contains("default.sqlite")
            .contains("restore it from its words");
      }
    }
  }

  /** SQLite opens it without an error, and statements fail: that is no fault of the disk. */
  @Test
  void aColumnUnderAnotherNameIsDamage() throws IOException {
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    for (String column : List.of("id INTEGER", "sum INTEGER", "data BLOB")) {
      assertThat(text).contains(column);
      put(text.replace(column, "x" + column.substring(1)).getBytes(StandardCharsets.ISO_8859_1));
      assertThat(outcomes()).as(column).isSubsetOf("done", "corrupt").contains("corrupt");
    }
  }
}
