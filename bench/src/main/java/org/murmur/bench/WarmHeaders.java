package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.ChainBuilder;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ImportedChain;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * A million headers of a real node: the rate of checks and storage in a warm process, compared with
 * the null client in the same process. Also measures the whole command with little memory.
 */
final class WarmHeaders implements Measurement.Work {

  private static final int HEADERS = 1_000_000;
  private static final int QUICK_HEADERS = 200_000;
  private static final long SEED = 6;

  /** So short that a million blocks from 2024 on are not in the future. */
  private static final Duration SPACING = Duration.ofSeconds(30);

  private static final int WARM_UP = 2;

  @Override
  public void run(Bench bench) throws IOException {
    int count = bench.quick() ? QUICK_HEADERS : HEADERS;
    ImportedChain chain =
        ImportedChain.cached(
            "headers-" + count + "-seed" + SEED + "-" + SPACING.toSeconds() + "s",
            () -> {
              bench.say("  building %,d empty blocks, once", count);
              return ChainBuilder.ofSeed(SEED)
                  .blocks(count)
                  .transactionsPerBlock(0)
                  .spacing(SPACING)
                  .build()
                  .chain();
            });
    try (Bitcoind node = chain.setup().start()) {
      warm(bench, node.p2pPort(), count);
      small(bench, node.p2pPort(), count);
    }
  }

  private static void warm(Bench bench, int port, int count) throws IOException {
    List<String> arguments = List.of("" + port, "" + count, "" + bench.rounds());
    Launch.Ran ran = Launch.java(List.of(), WarmHeaders.class, arguments);
    ObjectNode raw = (ObjectNode) Bench.JSON.readTree(ran.output());
    raw.put("seed", SEED).put("headers", count);
    bench
        .row("million", raw)
        .atLeast(
            Bench.text("%,d headers warm: rate, null client's = 1", count),
            Median.ofRatios(runs(raw, "null"), runs(raw, "murmur"), "elapsed_ms"),
            "×",
            0.9,
            "–");
  }

  private static List<ObjectNode> runs(ObjectNode raw, String name) {
    List<ObjectNode> runs = new ArrayList<>();
    raw.path(name).forEach(run -> runs.add((ObjectNode) run));
    return runs;
  }

  private static void small(Bench bench, int port, int count) throws IOException {
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      ObjectNode result =
          murmur
              .withJavaOptions("-Xmx48m")
              .sync("--headers-only", "--connect", "127.0.0.1:" + port);
      if (result.path("height").asInt() != count) {
        throw new IOException("wrong height: " + result);
      }
      bench
          .row("million", result)
          .atMost(
              Bench.text("%,d headers with -Xmx48m: peak memory", count),
              result.path("peak_kib").asDouble() / 1024,
              "MiB",
              140,
              "–");
    }
  }

  /**
   * Runs the null client and Murmur in turn in this process and prints the results.
   *
   * @param arguments the node's port, its height, the number of counted rounds
   */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    int height = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    ObjectNode json = Bench.JSON.createObjectNode();
    ArrayNode base = json.putArray("null");
    ArrayNode murmur = json.putArray("murmur");
    for (int round = -WARM_UP; round < rounds; round++) {
      long start = System.nanoTime();
      int counted = new NullClient().run("127.0.0.1", port, List.of()).headers();
      long baseMillis = (System.nanoTime() - start) / 1_000_000;
      SyncReport synced = sync(SyncOptions.connect("127.0.0.1:" + port), height);
      if (counted != height) {
        throw new IllegalStateException("the null client counted " + counted);
      }
      if (round >= 0) {
        base.addObject().put("elapsed_ms", baseMillis);
        murmur.addObject().put("elapsed_ms", synced.elapsed().toMillis());
      }
    }
    System.out.println(json);
  }

  /** Syncs headers into a fresh wallet, up to this height. */
  static SyncReport sync(SyncOptions options, int height) throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(
                ChainParams.REGTEST,
                Mnemonic.parse(Contender.WORDS),
                "",
                List.of(OutputType.P2WPKH),
                0)
            .withBirthday(new Birthday.AtHeight(0));
    try (Folder folder = Folder.made();
        SpvWallet wallet = SpvWallet.create(folder.file("wallet.sqlite"), recipe)) {
      SyncReport report = wallet.sync(options.headersOnly(true), event -> {});
      if (report.ending() != SyncReport.Ending.DONE || report.height() != height) {
        throw new IllegalStateException("not complete: " + report);
      }
      return report;
    }
  }
}
