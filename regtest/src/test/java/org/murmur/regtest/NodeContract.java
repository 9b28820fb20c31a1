package org.murmur.regtest;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.murmur.regtest.chain.Chain;

/** Test cases that the embedded node and a real one must pass; a subclass starts the nodes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class NodeContract {

  private final Map<ContractNode.Kind, ContractNode> nodes = new EnumMap<>(ContractNode.Kind.class);

  protected abstract ContractNode start(Chain served, ContractNode.Kind kind);

  /** Starts a node of each kind, which serves the chain. */
  final void serve(Chain chain, ContractNode.Kind... kinds) {
    for (ContractNode.Kind kind : kinds) {
      nodes.put(kind, start(chain, kind));
    }
  }

  final ContractNode node(ContractNode.Kind kind) {
    ContractNode node = nodes.get(kind);
    if (node == null) {
      throw new IllegalArgumentException(kind + " was not started");
    }
    return node;
  }

  @AfterAll
  void stop() {
    nodes.values().forEach(ContractNode::close);
  }
}
