package org.murmur.regtest;

import org.murmur.regtest.chain.Chain;

class EmbeddedEncryptionTest extends EncryptionContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
