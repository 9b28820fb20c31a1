package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.LongChain;

/** A long chain of empty blocks, headers only, each run in a new process. */
final class ColdHeaders implements Measurement.Work {

  private static final int HEADERS = 100_000;

  @Override
  public void run(Bench bench) throws IOException {
    LongChain chain = LongChain.cached(LongChain.Plan.empty(HEADERS));
    try (Bitcoind node = chain.setup().start()) {
      int port = node.p2pPort();
      Turns turns =
          new Turns(bench)
              .with("null", () -> Contender.NULL.launch(port, HEADERS, true))
              .with("murmur", () -> murmur(port))
              .with("bitcoinj", () -> Contender.BITCOINJ.launch(port, HEADERS, true))
              .run(bench.rounds());
      report(bench, turns);
    }
  }

  private static ObjectNode murmur(int port) throws IOException {
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      ObjectNode result = murmur.sync("--headers-only", "--connect", "127.0.0.1:" + port);
      if (result.path("height").asInt() != HEADERS) {
        throw new IOException("wrong height: " + result);
      }
      return result;
    }
  }

  private static void report(Bench bench, Turns turns) {
    List<ObjectNode> base = turns.of("null");
    List<ObjectNode> murmur = turns.of("murmur");
    List<ObjectNode> bitcoinj = turns.of("bitcoinj");
    Bench.Row row = bench.row("headers", turns.raw());
    row.atMost(
        "100,000 headers cold: elapsed, null client's = 1",
        Median.ofRatios(murmur, base, "elapsed_ms"),
        "×",
        2,
        "bitcoinj 7.5" + BusyChain.beside(bitcoinj, base));
    row.atMost(
        "100,000 headers cold: peak memory of the process",
        Median.of(murmur, "peak_kib") / 1024,
        "MiB",
        140,
        Bench.text("bitcoinj 437, here %.0f", Median.of(bitcoinj, "peak_kib") / 1024));
  }
}
