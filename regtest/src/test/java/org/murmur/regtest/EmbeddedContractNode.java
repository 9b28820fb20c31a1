package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;

/** The embedded node in contract tests. */
record EmbeddedContractNode(RegtestNode node) implements ContractNode {

  static EmbeddedContractNode start(Chain chain, Kind kind) {
    return new EmbeddedContractNode(RegtestNode.start(chain, behaviour(kind)));
  }

  private static Behaviour behaviour(Kind kind) {
    Duration often = Duration.ofMillis(STRANGERS_MILLIS);
    Behaviour untrusting = Behaviour.honest().spreadingAnnouncements(often);
    return switch (kind) {
      case TRUSTING -> Behaviour.honest();
      case UNTRUSTING, MEMPOOL_ONLY -> untrusting;
      case WITHOUT_BLOOM -> untrusting.withoutBloom();
      case WITHOUT_ENCRYPTION -> untrusting.withoutEncryption();
      case UPLOADED_ENOUGH -> untrusting.withUploadLimitReached();
      case PRUNED -> untrusting.pruned();
      case COMPACT_FILTERS -> untrusting.withUploadLimitReached().pruned().withCompactFilters();
    };
  }

  @Override
  public int port() {
    return node.port();
  }

  @Override
  public boolean holds(Tx tx) {
    Tx held = node.mempool().transaction(tx.txid());
    return held != null && held.raw().equals(tx.raw());
  }

  @Override
  public void broadcast(Tx tx) {
    assertThat(node.broadcast(tx)).isInstanceOf(Mempool.Accepted.class);
  }

  @Override
  public void catchUp() {
    // The chain is the node's own.
  }

  @Override
  public Set<Hash256> mempool() {
    Set<Hash256> txids = new HashSet<>();
    node.mempool().transactions().forEach(tx -> txids.add(tx.txid()));
    return txids;
  }

  @Override
  public void close() {
    node.close();
  }
}
