package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;

/** A sync that finds no new block, from the start of the process to its end. */
final class StartUp implements Measurement.Work {

  private static final int BLOCKS = 300;
  private static final long SEED = 5;

  @Override
  public void run(Bench bench) throws IOException {
    try (Folder folder = Folder.made();
        RegtestNode node =
            RegtestNode.start(ChainBuilder.ofSeed(SEED).blocks(BLOCKS).build().chain());
        MurmurCommand murmur = MurmurCommand.restored()) {
      murmur.sync("--connect", node.address());
      Turns turns =
          new Turns(bench)
              .with("murmur", () -> murmur.withJavaOptions("").sync("--connect", node.address()))
              .with(
                  "murmur-without-cds",
                  () -> murmur.withJavaOptions("-Xshare:off").sync("--connect", node.address()))
              .with(
                  "bitcoinj",
                  () -> Contender.BITCOINJ.launch(node.port(), BLOCKS, false, folder.path()))
              .run(bench.rounds() * 2 + 1);
      List<ObjectNode> fast = turns.of("murmur");
      Bench.Row row = bench.row("start", turns.raw().put("seed", SEED));
      String others =
          Bench.text(
              "bitcoinj about 1, here %.2f", Median.of(turns.of("bitcoinj"), "wall_ms") / 1e3);
      row.atMost("nothing new: whole process", Median.of(fast, "wall_ms") / 1e3, "s", 0.5, others);
      row.noted(
          "nothing new: whole process, without class data sharing",
          Median.of(turns.of("murmur-without-cds"), "wall_ms") / 1e3,
          "s",
          others);
    }
  }
}
