package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.LongChain;

/**
 * The cost of the private preset: the same two real nodes, the same wallet, every block scanned
 * again. Both guards already know their filters, so no new one is opened. The first sync of a
 * restored wallet, where outpoints wait for the scripts, is noted in addition.
 */
final class PrivateCost implements Measurement.Work {

  private static final int BLOCKS = 3_000;

  private static final double MAX_TIME = 2.3;

  private static final double MAX_BYTES = 3;

  /** Megabytes a month for the size classes of rate 1e-3. */
  private static final String GENEROUS = "120";

  @Override
  public void run(Bench bench) throws IOException {
    LongChain chain = LongChain.cached(BusyChain.plan(BLOCKS));
    long paid = BusyChain.paid(chain);
    try (Bitcoind a = chain.setup().start();
        Bitcoind b = chain.setup().start();
        MurmurCommand fast = MurmurCommand.restored();
        MurmurCommand thrifty = MurmurCommand.restored();
        MurmurCommand generous = MurmurCommand.restored()) {
      String[] fastly = arguments(a, b);
      String[] privately = arguments(a, b, "--privacy", "private");
      String[] generously = arguments(a, b, "--privacy", "private", "--budget", GENEROUS);
      ObjectNode first = holds(fast.sync(fastly), paid);
      ObjectNode firstPrivate = holds(thrifty.sync(privately), paid);
      holds(generous.sync(generously), paid);
      Turns turns =
          new Turns(bench)
              .with("fast", () -> holds(fast.rescan(fastly), paid))
              .with("private-1e-4", () -> holds(thrifty.rescan(privately), paid))
              .with("private-1e-3", () -> holds(generous.rescan(generously), paid))
              .run(bench.rounds());
      ObjectNode raw = turns.raw();
      raw.set("first_fast", first);
      raw.set("first_private", firstPrivate);
      report(bench, turns, "private-1e-4", true, raw);
      report(bench, turns, "private-1e-3", false, raw);
      bench
          .row("private", raw)
          .noted(
              "first sync of a restored wallet at 1e-4, once: elapsed",
              Median.ofRatios(List.of(firstPrivate), List.of(first), "elapsed_ms"),
              "×",
              "");
    }
  }

  private static String[] arguments(Bitcoind a, Bitcoind b, String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(
        List.of(
            "--mempool-wait",
            "0",
            "--connect",
            "127.0.0.1:" + a.p2pPort(),
            "--connect",
            "127.0.0.1:" + b.p2pPort()));
    return arguments.toArray(String[]::new);
  }

  private static void report(
      Bench bench, Turns turns, String name, boolean target, ObjectNode raw) {
    Bench.Row row = bench.row("private", raw);
    List<ObjectNode> base = turns.of("fast");
    double time = Median.ofRatios(turns.of(name), base, "elapsed_ms");
    double bytes = Median.ofRatios(turns.of(name), base, "bytes_received");
    String what = Bench.text("%,d blocks, %s, fast = 1: ", BLOCKS, name);
    if (target) {
      row.atMost(what + "elapsed", time, "×", MAX_TIME, "");
      row.atMost(what + "bytes received", bytes, "×", MAX_BYTES, "");
    } else {
      row.noted(what + "elapsed", time, "×", "");
      row.noted(what + "bytes received", bytes, "×", "");
    }
  }

  private static ObjectNode holds(ObjectNode report, long paid) throws IOException {
    long confirmed = report.path("balance").path("confirmed_sat").asLong();
    if (confirmed != paid) {
      throw new IOException("wrong result, expected " + paid + " satoshi: " + report);
    }
    return report;
  }
}
