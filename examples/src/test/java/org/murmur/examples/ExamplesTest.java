package org.murmur.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;

/** Runs the examples as a person would, and holds them to their length and the README to them. */
@Timeout(60)
final class ExamplesTest {

  private static final int MAX_LINES = 40;
  private static final String WORDS =
      "abandon abandon abandon abandon abandon abandon"
          + " abandon abandon abandon abandon abandon about\n";

  /** The first receive address of these words on regtest, m/84h/1h/0h/0/0. */
  private static final String ADDRESS = "bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk";

  /** The tests run in the module's folder. */
  private static final Path ROOT = Path.of("..");

  @TempDir Path folder = Path.of("");

  private final PrintStream systemOut = System.out;
  private final Lines printed = new Lines();

  /** What a program printed, line by line. */
  private static final class Lines extends PrintStream {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Lines() {
      super(nullOutputStream(), true, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String line) {
      lines.add(line);
    }

    /** Waits for a line, letting others pass. */
    List<String> until(String last) throws InterruptedException {
      List<String> seen = new ArrayList<>();
      while (!seen.contains(last)) {
        String line = lines.poll(30, TimeUnit.SECONDS);
        assertThat(line).as("waiting for '%s' after %s", last, seen).isNotNull();
        seen.add(line);
      }
      return seen;
    }
  }

  @BeforeEach
  void redirect() {
    System.setOut(printed);
  }

  @AfterEach
  void restore() {
    System.setOut(systemOut);
  }

  @Test
  void syncsWithProgress() throws Exception {
    Path words = Files.writeString(folder.resolve("words.txt"), WORDS);
    try (RegtestNode node = RegtestNode.start()) {
      node.mine(101);
      Tx payment = pay(node, 70_000);
      node.mine(9);
      SyncWithProgress.main(
          new String[] {words.toString(), folder.resolve("w").toString(), node.address()});
      assertThat(printed.until(payment.txid() + " 70000"))
          .contains("complete: true, height 110", "satoshi: 70000", "110 blocks read, 0 to go");
    }
  }

  @Test
  void watchesAndFollows() throws Exception {
    try (RegtestNode node = RegtestNode.start()) {
      node.mine(101);
      FutureTask<Void> program =
          new FutureTask<>(
              () -> {
                WatchAndFollow.main(
                    new String[] {ADDRESS, folder.resolve("w").toString(), node.address()});
                return null;
              });
      new Thread(program, "example").start();
      printed.until("height 101: 0 satoshi");
      pay(node, 70_000);
      printed.until("SEEN: 70000");
      node.mine(1);
      printed.until("CONFIRMED: 70000");
      program.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void paysAnAddress() throws Exception {
    String wallet = folder.resolve("w").toString();
    Path words = Files.writeString(folder.resolve("words.txt"), WORDS);
    String payee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"; // of the key 1
    try (RegtestNode node = RegtestNode.start()) {
      node.mine(101);
      pay(node, 70_000);
      node.mine(1);
      SyncWithProgress.main(new String[] {words.toString(), wallet, node.address()});
      PayAnAddress.main(new String[] {wallet, payee, "20000sat", "2", node.address()});
      printed.until("accepted: true");
      Tx mined = node.mine(1).get(0).tx(1);
      Bytes script = Address.parse(payee, KeyNetwork.REGTEST).scriptPubKey();
      assertThat(mined.outputs()).contains(new Tx.Output(20_000, script));
      PayAnAddress.main(new String[] {wallet, payee, "90000sat", "2", node.address()});
      printed.until(
          "refused: not enough can be spent: 49718 sat; 40502 sat more are needed with the fee");
    }
  }

  @Test
  void areShort() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(ROOT.resolve("examples/src"))) {
      files = all.filter(f -> f.toString().endsWith(".java")).toList();
    }
    assertThat(files).hasSizeGreaterThan(4);
    for (Path file : files) {
      if (!file.endsWith("ExamplesTest.java")) {
        assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeBetween(1, MAX_LINES);
      }
    }
  }

  /** Exactly as printed, imports and all. */
  @Test
  void theReadmesExamplesCompileAndRun() throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String fence = "```java\n";
    String from = readme.substring(readme.indexOf(fence) + fence.length());
    assertThat(from).doesNotContain(fence);
    Path source =
        Files.writeString(folder.resolve("FirstSync.java"), from.substring(0, from.indexOf("```")));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(code).isZero();
    Path words = Files.writeString(folder.resolve("words"), WORDS);
    try (RegtestNode node = RegtestNode.start();
        URLClassLoader compiled = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      node.mine(101);
      pay(node, 70_000);
      Method main = compiled.loadClass("FirstSync").getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      String file = folder.resolve("w").toString();
      main.invoke(null, (Object) new String[] {words.toString(), file, node.address()});
      assertThat(printed.until("satoshi: 70000")).contains("complete: true, height 101");
      // Later the wallet is there already.
      node.mine(1);
      main.invoke(null, (Object) new String[] {words.toString(), file, node.address()});
    }
    printed.until("complete: true, height 102");
  }

  /** Pays from a coinbase that is anyone's. */
  private static Tx pay(RegtestNode node, long satoshi) {
    Bytes script = Address.parse(ADDRESS, KeyNetwork.REGTEST).scriptPubKey();
    OutPoint coin = new OutPoint(node.blockAt(1).tx(0).txid(), 0);
    Tx payment = new TxBuilder().spend(coin).pay(satoshi, script).build();
    node.broadcast(payment);
    return payment;
  }
}
