package org.murmur.p2p.sync;

import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;

/**
 * How to find peers that the user did not name.
 *
 * @param seeds names of DNS seeds; may be empty
 * @param seedNodes nodes to ask for addresses before all others; may be empty
 * @param scope which addresses can be reached
 * @param port the port of nodes behind the names of DNS seeds
 */
public record Discovery(List<String> seeds, List<NodeAddress> seedNodes, Scope scope, int port) {

  /** Copies the collections. */
  public Discovery {
    seeds = List.copyOf(seeds);
    seedNodes = List.copyOf(seedNodes);
  }
}
