package org.murmur.regtest;

class EmbeddedConversationTest extends ConversationContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
