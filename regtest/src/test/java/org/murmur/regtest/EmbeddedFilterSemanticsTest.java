package org.murmur.regtest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.murmur.regtest.chain.Chain;

class EmbeddedFilterSemanticsTest extends FilterSemanticsContract {

  private @Nullable RegtestNode node;

  @Override
  protected int serve(Chain chain) {
    RegtestNode started = RegtestNode.start(chain);
    node = started;
    return started.port();
  }

  @AfterAll
  void stop() {
    if (node != null) {
      node.close();
    }
  }
}
