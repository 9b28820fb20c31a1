package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.chain.Chain;

/** An embedded chain on a real node, by way of a file. */
@Tag("real-node")
@Timeout(120)
final class ImportedChainTest {

  private static final int BLOCKS = 130;

  private static Chain chain() {
    return ChainBuilder.ofSeed(9).blocks(BLOCKS).transactionsPerBlock(3).build().chain();
  }

  @Test
  void realNodeHasSameBlocksAndKeepsThem() {
    ImportedChain chain = ImportedChain.cached("imported-test", ImportedChainTest::chain);
    assertThat(chain.height()).isEqualTo(BLOCKS);
    try (Bitcoind node = chain.setup().start()) {
      assertThat(node.rpc().call("getbestblockhash").asText())
          .isEqualTo(chain().tip().hash().toDisplay());
    }
    ImportedChain again =
        ImportedChain.cached(
            "imported-test",
            () -> {
              throw new AssertionError("it is there");
            });
    assertThat(again.height()).isEqualTo(BLOCKS);
  }
}
