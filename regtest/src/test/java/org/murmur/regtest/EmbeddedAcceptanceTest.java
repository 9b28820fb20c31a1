package org.murmur.regtest;

class EmbeddedAcceptanceTest extends AcceptanceContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
