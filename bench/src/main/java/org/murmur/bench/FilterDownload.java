package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.sync.Preset;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;
import org.murmur.testbed.proxy.TcpRelay;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * The compact preset beside a client that downloads the same block filters and ignores them. The
 * filters are as large as those of full blocks; the blocks are small.
 */
final class FilterDownload implements Measurement.Work {

  private static final int BLOCKS = 3_000;
  private static final int MAX_NODES = 4;
  private static final long SEED = 21;

  /** Elements of a full block's filter, which has 22 kB then. */
  private static final int ELEMENTS = 8_500;

  private static final int SCRIPT_BYTES = 22;

  /** A line of 100 Mbit/s. */
  private static final int LINE = 12_500_000;

  /** A slow line, so that one core can serve and test the filters of four. */
  private static final int SLOW_LINE = 4_000_000;

  private static final Duration ROUND_TRIP = Duration.ofMillis(100);
  private static final String NOBODY = "nobody was measured";

  @Override
  public void run(Bench bench) throws IOException {
    Chain chain = ChainBuilder.ofSeed(SEED).blocks(BLOCKS).transactionsPerBlock(1).build().chain();
    bench.say("  making %,d filters", BLOCKS);
    FilterIndex large = new FilterIndex(chain, FilterDownload::filter);
    large.entry(chain.blockAt(chain.height()).hash());
    Lie padded =
        (of, seed) ->
            new Mask() {
              @Override
              public FilterIndex filters(FilterIndex index) {
                return large;
              }
            };
    Behaviour behaviour = Behaviour.honest().withCompactFilters().with(padded);
    List<RegtestNode> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < MAX_NODES; i++) {
        nodes.add(RegtestNode.start(chain, behaviour));
      }
      beside(bench, nodes.get(0));
      several(bench, nodes);
    } finally {
      nodes.forEach(RegtestNode::close);
    }
  }

  /** A filter without the block's scripts: nobody else says another. */
  private static Bytes filter(int height, Block block, List<Bytes> spent) {
    SplittableRandom random = new SplittableRandom(SEED + height);
    List<Bytes> elements = new ArrayList<>();
    for (int i = 0; i < ELEMENTS; i++) {
      byte[] script = new byte[SCRIPT_BYTES];
      random.nextBytes(script);
      elements.add(Bytes.of(script));
    }
    return GolombCodedSet.of(GolombCodedSet.Parameters.basic(block.hash()), elements).toPayload();
  }

  private static void beside(Bench bench, RegtestNode node) throws IOException {
    try (TcpRelay line = TcpRelay.start(node.port(), Duration.ZERO, LINE)) {
      for (boolean limited : new boolean[] {true, false}) {
        String address = limited ? line.address() : node.address();
        Turns turns =
            new Turns(bench)
                .with("null", () -> launch(0, address))
                .with("2000", () -> launch(2_000, address))
                .with("20000", () -> launch(20_000, address))
                .run(bench.rounds());
        report(bench, turns, limited);
      }
    }
  }

  private static void report(Bench bench, Turns turns, boolean limited) {
    Bench.Row row = bench.row("compact", turns.raw().put("seed", SEED).put("blocks", BLOCKS));
    for (int scripts : new int[] {2_000, 20_000}) {
      double ratio = Median.ofRatios(turns.of("" + scripts), turns.of("null"), "elapsed_ms");
      String what =
          Bench.text(
              "%,d filters, %,d scripts, %s, null = 1",
              BLOCKS, scripts, limited ? "100 Mbit/s" : "loopback");
      if (limited) {
        row.atMost(what, ratio, "×", scripts == 2_000 ? 1.15 : 1.6, NOBODY);
      } else {
        row.noted(what, ratio, "×", NOBODY);
      }
    }
  }

  private static void several(Bench bench, List<RegtestNode> nodes) throws IOException {
    List<TcpRelay> lines = new ArrayList<>();
    try {
      nodes.forEach(node -> lines.add(TcpRelay.start(node.port(), ROUND_TRIP, SLOW_LINE)));
      Turns turns = new Turns(bench);
      for (int count : new int[] {1, 2, 4}) {
        String[] addresses =
            lines.subList(0, count).stream().map(TcpRelay::address).toArray(String[]::new);
        turns.with("nodes-" + count, () -> launch(2_000, addresses));
      }
      turns.run(bench.rounds());
      Bench.Row row = bench.row("compact", turns.raw().put("seed", SEED).put("blocks", BLOCKS));
      for (int count : new int[] {2, 4}) {
        row.atLeast(
            Bench.text("%,d filters from %d nodes, one node's speed = 1", BLOCKS, count),
            Median.ofRatios(turns.of("nodes-1"), turns.of("nodes-" + count), "elapsed_ms"),
            "×",
            count == 2 ? 1.9 : 3.6,
            NOBODY);
      }
    } finally {
      lines.forEach(TcpRelay::close);
    }
  }

  /** Uses the flags of {@code ./murmur}, with a heap of 64 MiB. */
  private static ObjectNode launch(int scripts, String... addresses) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("" + scripts));
    arguments.addAll(List.of(addresses));
    List<String> options = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m");
    return Launch.java(options, FilterDownload.class, arguments).report();
  }

  /**
   * Downloads all filters once and prints the time.
   *
   * @param arguments the number of scripts, 0 for the null client, and the peers
   */
  public static void main(String[] arguments) throws Exception {
    int scripts = Integer.parseInt(arguments[0]);
    String[] peers = List.of(arguments).subList(1, arguments.length).toArray(String[]::new);
    ObjectNode result = Bench.JSON.createObjectNode();
    if (scripts == 0) {
      long start = System.nanoTime();
      int port = Integer.parseInt(peers[0].substring(peers[0].lastIndexOf(':') + 1));
      int filters = new NullClient().filters("127.0.0.1", port);
      result.put("elapsed_ms", (System.nanoTime() - start) / 1_000_000).put("filters", filters);
    } else {
      SyncReport report = sync(scripts, SyncOptions.connect(peers));
      result.put("elapsed_ms", report.elapsed().toMillis()).put("height", report.height());
    }
    System.out.println(result);
  }

  private static SyncReport sync(int scripts, SyncOptions options) throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(
                ChainParams.REGTEST,
                Mnemonic.parse(Contender.WORDS),
                "",
                List.of(OutputType.P2WPKH),
                0)
            .withBirthday(new Birthday.AtHeight(0))
            .withLookAhead(scripts / 2);
    try (Folder folder = Folder.made();
        SpvWallet wallet = SpvWallet.create(folder.file("wallet.sqlite"), recipe)) {
      SyncReport report =
          wallet.sync(
              options
                  .preset(Preset.Kind.COMPACT)
                  .limits(limits -> limits.mempoolWait(Duration.ZERO)),
              event -> {});
      if (!report.complete() || report.height() != BLOCKS) {
        throw new IllegalStateException("not complete: " + report);
      }
      return report;
    }
  }
}
