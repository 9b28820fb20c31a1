package org.murmur.regtest;

import org.murmur.regtest.chain.Chain;

class EmbeddedConversationTest extends ConversationContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
