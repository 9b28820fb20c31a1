package org.murmur.testbed.bitcoind;

import org.junit.jupiter.api.Tag;
import org.murmur.regtest.ContractNode;
import org.murmur.regtest.EncryptionContract;
import org.murmur.regtest.chain.Chain;

@Tag("real-node")
class BitcoindEncryptionTest extends EncryptionContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
