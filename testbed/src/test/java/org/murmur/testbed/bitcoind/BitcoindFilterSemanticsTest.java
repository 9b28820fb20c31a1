package org.murmur.testbed.bitcoind;

import org.junit.jupiter.api.Tag;
import org.murmur.regtest.ContractNode;
import org.murmur.regtest.FilterSemanticsContract;
import org.murmur.regtest.chain.Chain;

@Tag("real-node")
class BitcoindFilterSemanticsTest extends FilterSemanticsContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
