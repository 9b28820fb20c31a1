package org.murmur.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.LongChain;

/**
 * The first sync of a restored wallet with 300 payments from the same two real nodes: each preset,
 * and block filters as a witness beside one of them. Both nodes serve everything (BIP-0157).
 */
final class PresetCosts implements Measurement.Work {

  private static final int BLOCKS = 3_000;

  /** A way of seeing blocks, as it follows {@code --privacy}. */
  private enum Way {
    FAST("fast"),
    PRIVATE("private"),
    COMPACT("compact"),
    WITNESSED("fast --verify filters");

    private final String words;

    Way(String words) {
      this.words = words;
    }
  }

  @Override
  public void run(Bench bench) throws IOException {
    LongChain chain = LongChain.cached(BusyChain.plan(BLOCKS));
    try (Bitcoind a = node(chain);
        Bitcoind b = node(chain)) {
      Turns turns = new Turns(bench);
      for (Way way : Way.values()) {
        turns.with(way.words, () -> sync(way, chain, a, b));
      }
      report(bench, turns.run(bench.rounds()));
    }
  }

  private static Bitcoind node(LongChain chain) throws IOException {
    Bitcoind node = chain.setup().arguments("-blockfilterindex=1", "-peerblockfilters=1").start();
    JsonNode index;
    do {
      index = node.rpc().call("getindexinfo").path("basic block filter index");
    } while (!index.path("synced").asBoolean());
    return node;
  }

  private static ObjectNode sync(Way way, LongChain chain, Bitcoind a, Bitcoind b)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--privacy"));
    arguments.addAll(List.of(way.words.split(" ")));
    arguments.addAll(List.of("--mempool-wait", "0"));
    arguments.addAll(List.of("--connect", "127.0.0.1:" + a.p2pPort()));
    arguments.addAll(List.of("--connect", "127.0.0.1:" + b.p2pPort()));
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      return BusyChain.holds(
          murmur.sync(arguments.toArray(String[]::new)),
          chain.plan().height(),
          BusyChain.paid(chain),
          "balance");
    }
  }

  private static void report(Bench bench, Turns turns) {
    Bench.Row row = bench.row("presets", turns.raw().put("blocks", BLOCKS));
    List<ObjectNode> base = turns.of(Way.FAST.words);
    for (Way way : Way.values()) {
      List<ObjectNode> runs = turns.of(way.words);
      row.noted(way.words + ": received", Median.of(runs, "bytes_received") / 1e6, "MB", "");
      row.noted(
          way.words + ": elapsed, fast = 1", Median.ofRatios(runs, base, "elapsed_ms"), "×", "");
      row.noted(
          way.words + ": processor time, fast = 1", Median.ofRatios(runs, base, "cpu_ms"), "×", "");
      row.noted(way.words + ": peak memory", Median.of(runs, "peak_kib") / 1024, "MiB", "");
    }
  }
}
