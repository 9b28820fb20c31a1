package org.murmur.regtest;

import org.murmur.regtest.chain.Chain;

class EmbeddedFilterSemanticsTest extends FilterSemanticsContract {

  @Override
  protected ContractNode start(Chain served, ContractNode.Kind kind) {
    return EmbeddedContractNode.start(served, kind);
  }
}
