package org.murmur.lab.fp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Watcher;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.testbed.bitcoind.Bitcoind;

/** A real node's own answers, 30 tweaks, on blocks in which nothing is ours. */
@Tag("real-node")
class FalsePositivesRealNodeTest {

  private static final int BLOCKS = 25;

  /** The same blocks and tweaks each time, so that it holds always or never. */
  private static final long SEED = 4;

  @Test
  void matchesAsOftenAsTheBitsOfEachFilterPromise() throws Exception {
    Chain chain =
        ChainBuilder.ofSeed(SEED).blocks(105 + BLOCKS).transactionsPerBlock(250).build().chain();
    try (Bitcoind node = Bitcoind.start()) {
      for (int height = 1; height <= chain.height(); height++) {
        String refusal =
            node.rpc().call("submitblock", chain.blockAt(height).raw().toHex()).asText("");
        assertThat(refusal).as("block %d", height).isIn("", "null");
      }
      Section served =
          ask(
              node,
              new FalsePositives()
                  .defaults(StudyKind.Size.SMALL)
                  .with("seed", SEED)
                  .with("served-blocks", BLOCKS));
      System.out.println("FalsePositivesRealNodeTest: " + served.verdicts());
      assertThat(served.tables().get(0).rows()).hasSize(30);
      assertThat(served.verdicts()).hasSize(2).allMatch(ClaimVerdict::holds);
    }
  }

  /** What {@code bitcoin-cli -generate} makes: one false match of the script is in all blocks. */
  @Test
  void anHonestNodeDoesNotFailWhereAllBlocksPayOneAddress() throws Exception {
    try (RegtestNode miner = RegtestNode.start();
        Bitcoind node = Bitcoind.start()) {
      List<Block> blocks = miner.mineTo(Bytes.ofHex("0014" + "5a".repeat(20)), 111);
      for (Block block : blocks) {
        assertThat(node.rpc().call("submitblock", block.raw().toHex()).asText("")).isIn("", "null");
      }
      for (int seed = 1; seed <= 20; seed++) {
        Section usual =
            ask(node, new FalsePositives().defaults(StudyKind.Size.USUAL).with("seed", seed));
        assertThat(usual.verdicts()).as("seed %d", seed).noneMatch(ClaimVerdict::failed);
        assertThat(usual.verdicts().get(0).holds()).as("seed %d, all tweaks", seed).isTrue();
        Section small =
            ask(node, new FalsePositives().defaults(StudyKind.Size.SMALL).with("seed", seed));
        assertThat(small.verdicts()).as("seed %d, small", seed).noneMatch(ClaimVerdict::failed);
      }
    }
  }

  private static Section ask(Bitcoind node, Parameters chosen) throws Exception {
    Parameters parameters = chosen.with(FalsePositives.CONNECT, "127.0.0.1:" + node.p2pPort());
    Study study = new FalsePositives().with(parameters);
    Study asking = new Study("fp", "", List.of(), parameters, List.of(study.experiments().get(2)));
    return new StudyRun(asking, Shard.WHOLE, 2, Watcher.NONE).run().conclude(asking).get(0);
  }
}
