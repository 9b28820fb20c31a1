package org.murmur.regtest;

import org.junit.jupiter.api.Tag;
import org.murmur.regtest.chain.Chain;

@Tag("real-node")
class BitcoindLimitsTest extends LimitsContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
