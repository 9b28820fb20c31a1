package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;
import org.murmur.cli.words.ExitCode;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.testbed.proxy.TcpRelay;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.HistoryEntry;

/**
 * Kills the command (signal 9) at random moments while it makes a wallet, syncs and follows a real
 * node. After each kill the wallet opens and has lost nothing that was reported; at the end it
 * equals an undisturbed one and the node's own wallet. The parameter is the seed.
 */
@Tag("real-node")
class KilledTest {

  /** Makes a sync long enough for a kill in the middle: this many empty blocks below the life. */
  private static final int EMPTY_BLOCKS = 900;

  /** The speed of the line: a whole sync takes some two seconds. */
  private static final long BYTES_PER_SECOND = 200_000;

  private static final Duration ROUND_TRIP = Duration.ofMillis(20);

  /** From the first output of a process, or from the first blocks: about as long as each part. */
  private static final int LATEST_SYNC_KILL_MILLIS = 800;

  /** From the first output of a process; some ten blocks of the life later. */
  private static final int LATEST_FOLLOW_KILL_MILLIS = 1_500;

  /** From the start of a process; a creation is over by then. */
  private static final int LATEST_CREATION_KILL_MILLIS = 1_200;

  /** One wallet is killed this often while it syncs; after that too little is left to do. */
  private static final int KILLS_A_SYNC = 4;

  /** Now and then a process writes nothing any more, and is killed anyway. */
  private static final int LONGEST_QUIET_MILLIS = 500;

  private static final int BLOCKS_A_FOLLOW = 60;

  @TempDir Path folder = Path.of("");

  private final Map<Moment, Integer> hits = new EnumMap<>(Moment.class);
  private int wallets;
  private int torn;

  /** The state of a killed process. */
  private enum Moment {
    /** The wallet was not there yet. */
    CREATION,
    /** No block was scanned yet. */
    HEADERS,
    /** Blocks were in flight. */
    SCAN,
    /** All blocks were done; waiting for unconfirmed transactions, or ending. */
    MEMPOOL,
    /** Complete once, and notified of new transactions or blocks since. */
    FOLLOWING
  }

  @ParameterizedTest
  @CsvSource({"41, fast, 8, 6", "42, compact, 4, 2", "43, fast --verify filters, 4, 2"})
  void standsWhereAnUndisturbedWalletStands(long seed, String privacy, int syncs, int follows)
      throws Exception {
    kill(seed, privacy, 1, syncs, follows);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {101, 102, 103, 104, 105, 106, 107, 108})
  void standsThereAfterTwoHundredKills(long seed) throws Exception {
    kill(seed, "fast", 2, 12, 11);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {201, 202, 203, 204, 205, 206, 207, 208})
  void standsThereAfterTwoHundredKillsWithBlockFilters(long seed) throws Exception {
    kill(seed, "compact", 2, 12, 11);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {301, 302, 303, 304, 305, 306, 307, 308})
  void standsThereAfterTwoHundredKillsWithAWitness(long seed) throws Exception {
    kill(seed, "fast --verify filters", 2, 12, 11);
  }

  private void kill(long seed, String privacy, int creations, int syncs, int follows)
      throws Exception {
    System.out.println("kills with seed " + seed);
    Random random = new Random(seed);
    try (Bitcoind node =
            Bitcoind.setup().arguments("-blockfilterindex=1", "-peerblockfilters=1").start();
        TcpRelay slow = TcpRelay.start(node.p2pPort(), ROUND_TRIP, BYTES_PER_SECOND)) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      life.live(25);
      node.mine(EMPTY_BLOCKS);
      life.live(10);
      ExpectedWallet expected = life.settle();
      Path words = folder.resolve("words.txt");
      Files.writeString(words, String.join(" ", life.words()));
      int left = syncs;
      Path datadir = folder;
      while (left > 0) {
        datadir = folder.resolve("wallet-" + wallets++);
        for (int i = 0; i < creations; i++) {
          killCreation(datadir, words, random);
        }
        left -= killSyncs(datadir, privacy, slow, random, Math.min(left, KILLS_A_SYNC));
        agrees("seed " + seed, datadir, privacy, node, expected);
        creations = 0;
      }
      // The last of these goes on living.
      killFollowing(datadir, privacy, life, node, random, follows);
      agrees("followed, seed " + seed, datadir, privacy, node, life.settle());
      Path calm = folder.resolve("calm");
      restore(calm, words).murmur().exits(ExitCode.DONE);
      agrees("undisturbed, seed " + seed, calm, privacy, node, life.expected());
      assertThat(answers(datadir)).isEqualTo(answers(calm));
    }
    int all = hits.values().stream().mapToInt(Integer::intValue).sum();
    System.out.println(
        all + " processes were killed at work: " + hits + ", " + torn + " in the midst of a write");
    assertThat(hits).containsKeys(Moment.SCAN, Moment.FOLLOWING);
  }

  /** A command with its arguments. */
  private record Line(Path datadir, List<String> arguments) {
    Spawned start() {
      return Spawned.on(datadir).start(arguments.toArray(String[]::new));
    }

    Ran murmur() {
      return Ran.with()
          .datadir(datadir)
          .environment("MURMUR_NETWORK", "regtest")
          .murmur(arguments.toArray(String[]::new));
    }
  }

  private static Line line(Path datadir, String... arguments) {
    return new Line(datadir, List.of(arguments));
  }

  private static Line restore(Path datadir, Path words) {
    return line(
        datadir,
        "restore",
        "--scripts",
        "bip84,bip44,bip49,bip86",
        "--mnemonic-file",
        words.toString());
  }

  /** Syncs with a preset and its options. */
  private static Line sync(Path datadir, int port, String privacy, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("sync", "--jsonl", "--connect", "127.0.0.1:" + port, "--privacy"));
    arguments.addAll(List.of(privacy.split(" ")));
    arguments.addAll(List.of(more));
    return new Line(datadir, arguments);
  }

  private static Path file(Path datadir) {
    return datadir.resolve("regtest/default.sqlite");
  }

  private void hit(Moment moment) {
    hits.merge(moment, 1, Integer::sum);
  }

  // Creation

  private void killCreation(Path datadir, Path words, Random random) {
    int killed = 0;
    while (killed == 0) {
      try (Spawned creating = restore(datadir, words).start()) {
        if (creating.runs(random.nextInt(LATEST_CREATION_KILL_MILLIS))) {
          creating.kill();
          hit(Moment.CREATION);
          killed++;
        }
      }
      if (Files.exists(file(datadir))) {
        // It came just too late: the wallet is complete.
        try (SpvWallet wallet = SpvWallet.open(file(datadir))) {
          assertThat(wallet.info().hasWords()).isTrue();
        }
        return;
      }
    }
  }

  // Sync

  private int killSyncs(Path datadir, String privacy, TcpRelay slow, Random random, int most)
      throws Exception {
    if (!Files.exists(file(datadir))) {
      restore(datadir, folder.resolve("words.txt")).murmur().exits(ExitCode.DONE);
    }
    Standing before = Standing.NOTHING;
    for (int killed = 0; killed < most; ) {
      List<String> said;
      boolean running;
      try (Spawned syncing = sync(datadir, slow.port(), privacy).start()) {
        boolean fromScan = killed % 2 == 1;
        running = syncing.awaitLine(line -> !fromScan || hasScanned(line));
        running &= syncing.runs(random.nextInt(LATEST_SYNC_KILL_MILLIS));
        if (random.nextBoolean()) {
          awaitWrite(datadir, syncing);
        }
        said = syncing.kill();
      }
      if (!running) {
        return killed;
      }
      killed++;
      countTorn(datadir);
      Standing standing = standing(datadir, random.nextBoolean());
      hit(moment(said, standing));
      before = standing.assertKept(said, before);
    }
    return most;
  }

  private static Moment moment(List<String> said, Standing standing) {
    if (said.stream().anyMatch(line -> line.contains("\"complete\""))) {
      return Moment.MEMPOOL;
    }
    return standing.scanned() || said.stream().anyMatch(KilledTest::hasScanned)
        ? Moment.SCAN
        : Moment.HEADERS;
  }

  private static boolean hasScanned(String line) {
    return event(line).path("scanned").asInt() > 0;
  }

  /** Waits until something is being written, so that a kill falls into a write; not for ever. */
  private static void awaitWrite(Path datadir, Spawned writer) {
    File log = file(datadir).resolveSibling("default.sqlite-wal").toFile();
    long before = log.lastModified();
    long length = log.length();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_QUIET_MILLIS);
    while (log.lastModified() == before
        && log.length() == length
        && writer.isRunning()
        && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  /**
   * Counts a kill in the middle of a transaction: there are pages in the log after its last commit
   * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
   */
  private void countTorn(Path datadir) throws IOException {
    Path log = file(datadir).resolveSibling("default.sqlite-wal");
    ByteBuffer bytes = ByteBuffer.wrap(Files.exists(log) ? Files.readAllBytes(log) : new byte[0]);
    if (bytes.limit() < 32) {
      return;
    }
    int frame = 24 + bytes.getInt(8);
    long salts = bytes.getLong(16);
    boolean committed = true;
    for (int at = 32; at + frame <= bytes.limit() && bytes.getLong(at + 8) == salts; at += frame) {
      committed = bytes.getInt(at + 4) != 0;
    }
    torn += committed ? 0 : 1;
  }

  private static JsonNode event(String line) {
    return new Ran(0, line, "").json();
  }

  // Follow

  private void killFollowing(
      Path datadir, String privacy, WalletLife life, Bitcoind node, Random random, int kills)
      throws Exception {
    ScheduledExecutorService executioner = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int killed = 0; killed < kills; killed++) {
        List<String> said;
        try (Spawned following = sync(datadir, node.p2pPort(), privacy, "--follow").start()) {
          assertThat(following.awaitLine(line -> line.contains("\"complete\""))).isTrue();
          boolean inWrite = random.nextBoolean();
          Future<?> blow =
              executioner.schedule(
                  () -> {
                    if (inWrite) {
                      awaitWrite(datadir, following);
                    }
                    following.strike();
                  },
                  random.nextInt(LATEST_FOLLOW_KILL_MILLIS),
                  TimeUnit.MILLISECONDS);
          for (int i = 0; i < BLOCKS_A_FOLLOW && following.isRunning(); i++) {
            life.live(1);
          }
          blow.get();
          said = following.kill();
        }
        hit(Moment.FOLLOWING);
        countTorn(datadir);
        standing(datadir, random.nextBoolean()).assertTransactionsKept(said);
      }
    } finally {
      executioner.shutdownNow();
    }
  }

  // The conditions

  /** A wallet's place in the chain and its knowledge. */
  private record Standing(int height, boolean scanned, Map<String, Integer> transactions) {

    static final Standing NOTHING = new Standing(0, false, Map.of());

    /** Reported data was written before, and written data stays. */
    Standing assertKept(List<String> said, Standing before) {
      assertThat(height).isGreaterThanOrEqualTo(before.height);
      assertThat(transactions).containsAllEntriesOf(before.transactions);
      for (String line : said) {
        JsonNode event = event(line);
        if (event.path("event").asText().equals("payment_confirmed")) {
          assertThat(transactions)
              .containsEntry(event.get("txid").asText(), event.get("height").asInt());
        }
      }
      return this;
    }

    /** While blocks come and go only this stays true: seen transactions are known. */
    void assertTransactionsKept(List<String> said) {
      Set<String> told = new HashSet<>();
      for (String line : said) {
        JsonNode event = event(line);
        if (event.path("event").asText().startsWith("payment_")) {
          told.add(event.get("txid").asText());
        }
      }
      assertThat(transactions.keySet()).containsAll(told);
    }
  }

  /**
   * Opens the file after a kill: in its place, or a copy, so that the next process finds it
   * untouched.
   */
  private Standing standing(Path datadir, boolean copy) throws Exception {
    Path file = file(datadir);
    if (copy) {
      Path there = Files.createTempDirectory(folder, "copy").resolve("default.sqlite");
      Files.copy(file, there);
      Path log = file.resolveSibling("default.sqlite-wal");
      if (Files.exists(log)) {
        Files.copy(log, there.resolveSibling("default.sqlite-wal"));
      }
      file = there;
    }
    try (SpvWallet wallet = SpvWallet.open(file)) {
      Map<String, Integer> transactions = new HashMap<>();
      for (HistoryEntry entry : wallet.history().full().list()) {
        transactions.put(entry.txid().toDisplay(), entry.height().orElse(-1));
      }
      wallet.balance();
      wallet.coins().list();
      return new Standing(
          wallet.chain().height(),
          wallet.chain().scannedTo().isPresent(),
          Map.copyOf(transactions));
    }
  }

  /** What the preset finds in blocks; then what waits for one, which fast adds. */
  private static void agrees(
      String what, Path datadir, String privacy, Bitcoind node, ExpectedWallet expected)
      throws IOException {
    sync(datadir, node.p2pPort(), privacy).murmur().exits(ExitCode.DONE);
    Ran ran = sync(datadir, node.p2pPort(), "fast").murmur().exits(ExitCode.DONE);
    List<JsonNode> lines = ran.lines();
    JsonNode report = lines.get(lines.size() - 1);
    assertThat(report.get("complete").asBoolean()).as(what).isTrue();
    assertThat(report.get("tip").asText()).as(what).isEqualTo(expected.tip());
    JsonNode balance = line(datadir, "balance", "--json").murmur().exits(ExitCode.DONE).json();
    assertThat(
            List.of(
                balance.get("confirmed_sat").asLong(),
                balance.get("unconfirmed_sat").asLong(),
                balance.get("immature_sat").asLong()))
        .as(what)
        .isEqualTo(List.of(expected.confirmed(), expected.unconfirmed(), expected.immature()));
    List<String> ours = new ArrayList<>();
    JsonNode history = line(datadir, "history", "--json").murmur().exits(ExitCode.DONE).json();
    for (JsonNode tx : history.get("transactions")) {
      ours.add(tx.get("txid").asText() + " " + tx.get("height") + " " + tx.get("net_sat"));
    }
    List<String> theirs =
        expected.transactions().stream()
            .map(tx -> tx.txid() + " " + tx.height() + " " + tx.net())
            .toList();
    assertThat(ours).as(what).containsExactlyInAnyOrderElementsOf(theirs);
  }

  private static List<Object> answers(Path datadir) {
    List<Object> answers = new ArrayList<>();
    for (String question : List.of("balance", "coins")) {
      answers.add(line(datadir, question, "--json").murmur().exits(ExitCode.DONE).json());
    }
    return answers;
  }
}
