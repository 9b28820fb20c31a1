package org.murmur.regtest;

class EmbeddedAnnouncementTest extends AnnouncementContract {

  @Override
  ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
