package org.murmur.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.DerivedScript;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.LongChain;
import org.murmur.testbed.proxy.TcpRelay;

/**
 * A restored wallet with 300 payments on a busy chain: Murmur, the null client, and bitcoinj
 * against one real node.
 */
final class BusyChain implements Measurement.Work {

  private static final int TRANSACTIONS = 400;

  /** Payments to the wallet, spread over the chain, each to a different address. */
  private static final int PAYMENTS = 300;

  private static final long SEED = 1;

  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  private final String name;
  private final int blocks;
  private final boolean far;
  private final double target;
  private final String others;

  private BusyChain(String name, int blocks, boolean far, double target, String others) {
    this.name = name;
    this.blocks = blocks;
    this.far = far;
    this.target = target;
    this.others = others;
  }

  static BusyChain long10000() {
    return new BusyChain("busy", 10_000, false, 1.05, "bcoin about 1.1");
  }

  static BusyChain short3000() {
    return new BusyChain("busy3000", 3_000, false, 1.15, "bcoin about 1.1");
  }

  static BusyChain far() {
    return new BusyChain("far", 10_000, true, 1.15, "bcoin 2");
  }

  static LongChain.Plan plan(int blocks) {
    return new LongChain.Plan(
        SEED, blocks, TRANSACTIONS, scripts(Contender.receiving(PAYMENTS)), PAYMENTS);
  }

  static List<Bytes> scripts(List<DerivedScript> derived) {
    return derived.stream().map(DerivedScript::scriptPubKey).toList();
  }

  /** The satoshi that a chain pays to the wallet. */
  static long paid(LongChain chain) {
    return chain.payments().stream().mapToLong(LongChain.Payment::value).sum();
  }

  @Override
  public void run(Bench bench) throws IOException {
    int length = bench.quick() ? Math.min(blocks, 3_000) : blocks;
    LongChain chain = LongChain.cached(plan(length));
    long paid = paid(chain);
    int height = chain.plan().height();
    try (Bitcoind node = chain.setup().start();
        TcpRelay relay = TcpRelay.start(node.p2pPort(), ROUND_TRIP)) {
      int port = far ? relay.port() : node.p2pPort();
      Turns turns =
          new Turns(bench)
              .with("null", () -> Contender.NULL.launch(port, height, false))
              .with("murmur", () -> holds(murmur(port, "only"), height, paid, "balance"))
              .with("murmur_clear", () -> holds(murmur(port, "off"), height, paid, "balance"))
              .with(
                  "bitcoinj",
                  () ->
                      holds(
                          Contender.BITCOINJ.launch(port, height, false),
                          height,
                          paid,
                          "balance_sat"))
              .run(bench.rounds());
      report(bench, turns, length);
    }
  }

  private static ObjectNode murmur(int port, String encryption) throws IOException {
    try (MurmurCommand murmur = MurmurCommand.restored()) {
      return murmur.sync(
          "--mempool-wait", "0", "--v2", encryption, "--connect", "127.0.0.1:" + port);
    }
  }

  private void report(Bench bench, Turns turns, int length) {
    List<ObjectNode> base = turns.of("null");
    List<ObjectNode> murmur = turns.of("murmur");
    List<ObjectNode> bitcoinj = turns.of("bitcoinj");
    ObjectNode raw = turns.raw().put("seed", SEED).put("blocks", length);
    Bench.Row row = bench.row(name, raw);
    String where = Bench.text("%,d blocks%s", length, far ? ", 100 ms away" : "");
    row.atMost(
        where + ": elapsed, null client's = 1",
        Median.ofRatios(murmur, base, "elapsed_ms"),
        "×",
        target,
        others + beside(bitcoinj, base));
    row.atMost(
        where + ": elapsed, encrypted, in the clear = 1",
        Median.ofRatios(murmur, turns.of("murmur_clear"), "elapsed_ms"),
        "×",
        1.05,
        "");
    if (far) {
      return;
    }
    row.atLeast(
        where + ": whole process of sync, faster than bitcoinj",
        Median.ofRatios(bitcoinj, murmur, "wall_ms"),
        "×",
        2,
        "bitcoinj 1");
    row.noted(
        where + ": the same with the process of restore added",
        Median.ofRatios(bitcoinj, murmur, "whole_ms"),
        "×",
        "bitcoinj 1");
    if (length == 3_000) {
      row.atMost(
          where + ": peak memory of the process",
          Median.of(murmur, "peak_kib") / 1024,
          "MiB",
          140,
          Bench.text("bitcoinj 323, here %.0f", Median.of(bitcoinj, "peak_kib") / 1024));
    }
  }

  static String beside(List<ObjectNode> bitcoinj, List<ObjectNode> base) {
    return Bench.text("; bitcoinj here %.2f", Median.ofRatios(bitcoinj, base, "elapsed_ms"));
  }

  /** Checks the result: a fast client with a wrong result does not count. */
  static ObjectNode holds(ObjectNode result, int height, long paid, String field)
      throws IOException {
    JsonNode balance = result.path(field);
    long sum =
        balance.isObject()
            ? balance.path("confirmed_sat").asLong() + balance.path("immature_sat").asLong()
            : balance.asLong();
    if (sum != paid || result.path("height").asInt() != height) {
      throw new IOException(
          "wrong result, expected " + paid + " satoshi at height " + height + ": " + result);
    }
    return result;
  }
}
