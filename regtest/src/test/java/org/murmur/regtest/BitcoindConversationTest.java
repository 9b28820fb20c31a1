package org.murmur.regtest;

import org.junit.jupiter.api.Tag;

@Tag("real-node")
class BitcoindConversationTest extends ConversationContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
