package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.wire.Headers;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.keys.KeyNetwork;
import org.murmur.wallet.keys.ScriptType;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.store.ScriptRun;
import org.murmur.wallet.store.SqliteStore;
import org.murmur.wallet.sync.Books;

/**
 * One bit of a wallet's file is flipped, anywhere: every answer is the right one, or an error that
 * names the file. None is wrong in silence, also of what only a later sync would use.
 */
class FlippedBitTest {

  private static final long SEED = 18;

  private static final int PAGE = 4_096;

  private static final WalletRecipe RECIPE = Lives.recipe(ScriptType.P2WPKH).withLookAhead(20);

  @TempDir static Path folder = Path.of("");

  private static byte[] whole = {};
  private static List<String> truth = List.of();

  /** Something that is read of a wallet. */
  private interface Question {
    Object ask(Path file) throws Exception;
  }

  private static final List<Question> QUESTIONS =
      List.of(
          ofWallet(SpvWallet::standing),
          ofWallet(SpvWallet::fullHistory),
          ofWallet(SpvWallet::coins),
          ofWallet(SpvWallet::addresses),
          ofWallet(SpvWallet::info),
          ofWallet(SpvWallet::peers),
          ofWallet(wallet -> wallet.exportMnemonic(null)),
          ofWallet(wallet -> wallet.privacy(Universe.of(Network.REGTEST))),
          ofWallet(FlippedBitTest::details),
          FlippedBitTest::whatASyncBeginsWith);

  private interface Reading {
    Object read(SpvWallet wallet) throws Exception;
  }

  private static Question ofWallet(Reading reading) {
    return file -> {
      try (SpvWallet wallet = SpvWallet.open(file)) {
        return reading.read(wallet);
      }
    };
  }

  private static Object details(SpvWallet wallet) throws WalletException {
    List<String> details = new ArrayList<>();
    for (HistoryEntry entry : wallet.history()) {
      details.add(wallet.transaction(entry.txid()).orElseThrow().toString());
    }
    return details;
  }

  /** The element log, the rows and loads, the scripts: what filters and coverage are made of. */
  private static Object whatASyncBeginsWith(Path file) throws Exception {
    try (SqliteStore store = SqliteStore.open(file)) {
      List<String> all = new ArrayList<>();
      for (ScriptRun run : store.scripts(true)) {
        all.add(run.toString());
      }
      Headers headers = store.headers().read(1, store.height() + 1);
      all.add(headers.toStored().toHex());
      Books books = new Books(store, Network.REGTEST, KeyNetwork.REGTEST);
      all.add(books.elements().toString());
      all.add(books.start(true, true).rows().toString());
      all.add(store.loads().toString());
      all.add(store.showings().toString());
      all.add(store.sessions().toString());
      all.add(store.addresses().toString());
      return all;
    }
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
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      try (SpvWallet wallet = SpvWallet.create(file, RECIPE)) {
        SyncOptions options =
            SyncOptions.connect(node.address()).mempoolWait(Duration.ofMillis(100));
        assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
      }
    }
    whole = Files.readAllBytes(file);
    truth = answers(put(whole));
    assertThat(truth).noneMatch(answer -> answer.startsWith("error "));
    System.out.println("flips with seed " + SEED + " in " + whole.length / PAGE + " pages");
  }

  /** Always under one name, because answers have it. */
  private static Path put(byte[] bytes) throws Exception {
    Path file = folder.resolve("w");
    for (String suffix : List.of("-wal", "-shm", "-journal", "")) {
      Files.deleteIfExists(folder.resolve("w" + suffix));
    }
    return Files.write(file, bytes);
  }

  private static List<String> answers(Path file) throws Exception {
    List<String> answers = new ArrayList<>();
    for (Question question : QUESTIONS) {
      String answer;
      try {
        answer = String.valueOf(question.ask(file));
      } catch (IOException | WalletException | UncheckedIOException e) {
        answer = "error " + e.getMessage();
      }
      answers.add(answer);
    }
    return answers;
  }

  private static void flip(int at, int bit, Map<String, Integer> seen) throws Exception {
    byte[] bad = whole.clone();
    bad[at] ^= (byte) (1 << bit);
    Path file = put(bad);
    List<String> answers = answers(file);
    for (int i = 0; i < answers.size(); i++) {
      String answer = answers.get(i);
      boolean refused = answer.startsWith("error ");
      seen.merge(refused ? "refused" : "right", 1, Integer::sum);
      if (refused) {
        assertThat(answer).as("bit %d of byte %d", bit, at).contains(file.toString());
      } else {
        assertThat(answer).as("bit %d of byte %d, question %d", bit, at, i).isEqualTo(truth.get(i));
      }
    }
  }

  /** Some bits of every page: headers and cells of trees, which are few, and what is in them. */
  @Test
  void isNeverBelieved() throws Exception {
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    for (int page = 0; page < whole.length / PAGE; page++) {
      for (int i = 0; i < 8; i++) {
        // Pages are filled from their end.
        int at = i == 0 ? random.nextInt(100) : PAGE - 1 - random.nextInt(PAGE - 100);
        flip(page * PAGE + at, random.nextInt(8), seen);
      }
    }
    System.out.println("with one bit flipped: " + seen);
    assertThat(seen).containsKeys("refused", "right");
  }

  @Test
  @Tag("long")
  void isNeverBelievedInAnyByte() throws Exception {
    Random random = new Random(SEED);
    TreeMap<String, Integer> seen = new TreeMap<>();
    for (int at = 0; at < whole.length; at++) {
      flip(at, random.nextInt(8), seen);
    }
    System.out.println("with a bit flipped in each byte: " + seen);
  }
}
