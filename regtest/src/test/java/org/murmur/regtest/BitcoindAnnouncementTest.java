package org.murmur.regtest;

import org.junit.jupiter.api.Tag;

@Tag("real-node")
class BitcoindAnnouncementTest extends AnnouncementContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return BitcoindContractNode.start(served, kind);
  }
}
