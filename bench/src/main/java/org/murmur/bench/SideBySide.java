package org.murmur.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.LongChain;
import org.murmur.wallet.keys.DerivedScript;

/**
 * Syncs side by side against one real node: Murmur, the client that ignores the answers, and
 * bitcoinj, each in a process of its own, in turn, so that a machine that drifts drifts for all.
 * Quotes medians and ratios.
 *
 * <pre>
 * java -cp … org.murmur.bench.SideBySide blocks|headers [ROUNDS] [BLOCKS]
 * </pre>
 */
public final class SideBySide {

  /** Transactions in a block of the busy chain. */
  private static final int TRANSACTIONS = 400;

  /** Payments to the wallet, spread over the chain. */
  private static final int PAYMENTS = 300;

  private static final ObjectMapper JSON = new ObjectMapper();

  private SideBySide() {}

  /**
   * Runs.
   *
   * @param arguments the kind of work, how many rounds, how many blocks
   */
  public static void main(String[] arguments) throws Exception {
    String work = arguments.length > 0 ? arguments[0] : "blocks";
    boolean headersOnly =
        switch (work) {
          case "blocks" -> false;
          case "headers" -> true;
          default ->
              throw new IllegalArgumentException("work '" + work + "', expected blocks or headers");
        };
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
    int blocks =
        arguments.length > 2 ? Integer.parseInt(arguments[2]) : headersOnly ? 100_000 : 3_000;
    LongChain chain = LongChain.cached(plan(headersOnly, blocks));
    try (Bitcoind node = chain.setup().start()) {
      System.err.println("node ready: " + chain.plan().height() + " blocks");
      Map<Contender, List<JsonNode>> runs = new EnumMap<>(Contender.class);
      for (Contender contender : Contender.values()) {
        runs.put(contender, new ArrayList<>());
        // Not counted: fills the node's caches and the page cache for all alike.
        run(contender, node, chain.plan().height(), headersOnly);
      }
      for (int round = 0; round < rounds; round++) {
        for (Contender contender : Contender.values()) {
          JsonNode result = run(contender, node, chain.plan().height(), headersOnly);
          runs.getOrDefault(contender, new ArrayList<>()).add(result);
          System.err.println("round " + (round + 1) + " " + contender + " " + result);
        }
      }
      print(work, blocks, rounds, runs);
    }
  }

  private static LongChain.Plan plan(boolean headersOnly, int blocks) {
    if (headersOnly) {
      return LongChain.Plan.empty(blocks);
    }
    List<Bytes> scripts = new ArrayList<>();
    for (DerivedScript script : Contender.receiving(PAYMENTS)) {
      scripts.add(script.scriptPubKey());
    }
    return new LongChain.Plan(1, blocks, TRANSACTIONS, scripts, PAYMENTS);
  }

  private static JsonNode run(Contender contender, Bitcoind node, int height, boolean headersOnly)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("murmur-bench", ".json");
    try {
      long start = System.nanoTime();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Contender.class.getName(),
                  contender.name(),
                  "" + node.p2pPort(),
                  "" + height,
                  "" + headersOnly)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (!process.waitFor(3, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(contender + " failed: " + Files.readString(out));
      }
      long wall = (System.nanoTime() - start) / 1_000_000;
      ObjectNode result = (ObjectNode) JSON.readTree(Files.readString(out, StandardCharsets.UTF_8));
      return result.put("wall_ms", wall);
    } finally {
      Files.deleteIfExists(out);
    }
  }

  private static void print(
      String work, int blocks, int rounds, Map<Contender, List<JsonNode>> runs) throws IOException {
    ObjectNode json = JSON.createObjectNode().put("work", work).put("blocks", blocks);
    json.put("rounds", rounds);
    ArrayNode rows = json.putArray("contenders");
    List<JsonNode> base = runs.getOrDefault(Contender.NULL, List.of());
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "%-10s %12s %14s %12s %14s%n",
            "client",
            "sync ms",
            "x null client",
            "process ms",
            "x null client"));
    for (Map.Entry<Contender, List<JsonNode>> entry : runs.entrySet()) {
      double sync = median(entry.getValue(), "elapsed_ms");
      double wall = median(entry.getValue(), "wall_ms");
      double syncRatio = medianRatio(entry.getValue(), base, "elapsed_ms");
      double wallRatio = medianRatio(entry.getValue(), base, "wall_ms");
      table.append(
          String.format(
              Locale.ROOT,
              "%-10s %12.0f %14.2f %12.0f %14.2f%n",
              entry.getKey().name().toLowerCase(Locale.ROOT),
              sync,
              syncRatio,
              wall,
              wallRatio));
      ObjectNode row = rows.addObject().put("client", entry.getKey().name());
      row.put("median_elapsed_ms", sync).put("ratio_to_null", syncRatio);
      row.put("median_wall_ms", wall).put("wall_ratio_to_null", wallRatio);
      row.putArray("runs").addAll(entry.getValue());
    }
    System.err.println(table);
    System.out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
  }

  private static double median(List<JsonNode> runs, String field) {
    return median(runs.stream().mapToDouble(run -> run.path(field).asDouble()).toArray());
  }

  /** The median of the ratios pair by pair, which a drifting machine disturbs least. */
  private static double medianRatio(List<JsonNode> runs, List<JsonNode> base, String field) {
    double[] ratios = new double[Math.min(runs.size(), base.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = runs.get(i).path(field).asDouble() / base.get(i).path(field).asDouble();
    }
    return median(ratios);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    if (values.length == 0) {
      return Double.NaN;
    }
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
