package org.murmur.regtest;

class EmbeddedLimitsTest extends LimitsContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
