package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.murmur.regtest.FilterSemanticsContract;
import org.murmur.regtest.chain.Chain;

@Tag("real-node")
class BitcoindFilterSemanticsTest extends FilterSemanticsContract {

  private @Nullable Bitcoind node;

  @Override
  protected int serve(Chain chain) {
    // The blocks' times lie in the past; a node that believes it is behind would not serve.
    Bitcoind started = Bitcoind.setup().arguments("-maxtipage=9999999999").start();
    node = started;
    for (int height = 1; height <= chain.height(); height++) {
      String hex = chain.blockAt(height).raw().toHex();
      // A refusal is an answer, not an error.
      assertThat(started.rpc().call("submitblock", hex).isNull()).isTrue();
    }
    assertThat(started.rpc().call("getbestblockhash").asText())
        .isEqualTo(chain.tip().hash().toDisplay());
    return started.p2pPort();
  }

  @AfterAll
  void stop() {
    if (node != null) {
      node.close();
    }
  }
}
