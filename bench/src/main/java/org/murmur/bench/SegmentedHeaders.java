package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.testbed.proxy.TcpRelay;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Headers from two embedded nodes with high latency, and a checkpoint every 2,016 blocks. Murmur
 * requests the segments in parallel; a sequential client waits for 200 round trips.
 */
final class SegmentedHeaders implements Measurement.Work {

  private static final int HEADERS = 400_000;
  private static final int QUICK_HEADERS = 100_000;
  private static final int NODES = 2;
  private static final long SEED = 7;
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  /** As between the ends of difficulty periods, where the networks' checkpoints are. */
  private static final int STEP = 2016;

  /** So short that the blocks, from 2024 on, are not in the future. */
  private static final Duration SPACING = Duration.ofSeconds(60);

  @Override
  public void run(Bench bench) throws IOException {
    int count = bench.quick() ? QUICK_HEADERS : HEADERS;
    bench.say("  building %,d empty blocks", count);
    Chain chain =
        ChainBuilder.ofSeed(SEED)
            .blocks(count)
            .transactionsPerBlock(0)
            .spacing(SPACING)
            .build()
            .chain();
    Path known = Files.createTempFile("murmur-bench", ".checkpoints");
    List<RegtestNode> nodes = new ArrayList<>();
    List<TcpRelay> relays = new ArrayList<>();
    try {
      Files.write(known, lines(chain), StandardCharsets.US_ASCII);
      for (int i = 0; i < NODES; i++) {
        nodes.add(RegtestNode.start(chain));
        relays.add(TcpRelay.start(nodes.get(i).port(), ROUND_TRIP));
      }
      measure(bench, count, known, relays);
    } finally {
      relays.forEach(TcpRelay::close);
      nodes.forEach(RegtestNode::close);
      Files.delete(known);
    }
  }

  private static List<String> lines(Chain chain) {
    List<String> lines = new ArrayList<>();
    for (int height = STEP - 1; height <= chain.height(); height += STEP) {
      lines.add(height + " " + chain.blockAt(height).hash().toDisplay());
    }
    return lines;
  }

  private static void measure(Bench bench, int count, Path known, List<TcpRelay> relays)
      throws IOException {
    ObjectNode one = Contender.NULL.launch(relays.get(0).port(), count, true);
    Turns turns =
        new Turns(bench).with("murmur", () -> launch(count, known, relays)).run(bench.rounds());
    double seconds = Median.of(turns.of("murmur"), "elapsed_ms") / 1e3;
    ObjectNode raw = turns.raw().put("seed", SEED).put("headers", count);
    raw.set("null", one);
    Bench.Row row = bench.row("segments", raw);
    row.atMost(
        Bench.text("%,d headers, %d nodes 100 ms away: elapsed", count, NODES),
        seconds,
        "s",
        3,
        Bench.text(
            "nobody; message after message, here %.1f s", one.path("elapsed_ms").asDouble() / 1e3));
  }

  /** Uses the flags of {@code ./murmur}; its command line has no option for checkpoints. */
  private static ObjectNode launch(int count, Path known, List<TcpRelay> relays)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("" + count, known.toString()));
    relays.forEach(relay -> arguments.add(relay.address()));
    List<String> options = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m");
    return Launch.java(options, SegmentedHeaders.class, arguments).report();
  }

  /**
   * Syncs headers into a fresh wallet and prints the time.
   *
   * @param arguments the height to reach, the file of checkpoints, the peers
   */
  public static void main(String[] arguments) throws Exception {
    int height = Integer.parseInt(arguments[0]);
    List<Checkpoint> known = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[1]), StandardCharsets.US_ASCII)) {
      int space = line.indexOf(' ');
      known.add(
          new Checkpoint(
              Integer.parseInt(line.substring(0, space)),
              Hash256.ofDisplay(line.substring(space + 1))));
    }
    String[] peers = List.of(arguments).subList(2, arguments.length).toArray(String[]::new);
    Checkpoints checkpoints = Checkpoints.of(known, ChainWork.ZERO);
    SyncReport report =
        WarmHeaders.sync(SyncOptions.connect(peers).checkpoints(checkpoints), height);
    System.out.println(
        Bench.JSON
            .createObjectNode()
            .put("elapsed_ms", report.elapsed().toMillis())
            .put("height", report.height()));
  }
}
