package org.murmur.testbed.bitcoind;

import org.junit.jupiter.api.Tag;
import org.murmur.regtest.CompactFilterContract;
import org.murmur.regtest.ContractNode;
import org.murmur.regtest.chain.Chain;

@Tag("real-node")
class BitcoindCompactFilterTest extends CompactFilterContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
