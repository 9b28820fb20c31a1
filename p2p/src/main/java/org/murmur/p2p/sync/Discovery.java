package org.murmur.p2p.sync;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;

/**
 * How to find peers that the user did not name. Begin with {@link #USUAL} and derive.
 *
 * @param dnsSeeds names of DNS seeds; empty for those of the network
 * @param seedNodes nodes to ask for addresses before all others; may be empty
 * @param scope which addresses can be reached; empty for what network and proxy allow
 * @param port the port of nodes behind the names of DNS seeds; {@link NodeAddress#USUAL_PORT} for
 *     that of the network
 */
public record Discovery(
    Optional<List<String>> dnsSeeds, List<NodeAddress> seedNodes, Optional<Scope> scope, int port) {

  /** By the network's DNS seeds. */
  public static final Discovery USUAL =
      new Discovery(Optional.empty(), List.of(), Optional.empty(), NodeAddress.USUAL_PORT);

  /** Copies the collections. */
  public Discovery {
    dnsSeeds = dnsSeeds.map(List::copyOf);
    seedNodes = List.copyOf(seedNodes);
  }

  /** {@return the DNS seeds to ask, none if they are the network's, before {@link #at}} */
  public List<String> seeds() {
    return dnsSeeds.orElse(List.of());
  }

  /**
   * {@return a search that asks other DNS seeds than the network's, for a custom network}
   *
   * @param names none to ask no DNS
   */
  public Discovery dnsSeeds(List<String> names) {
    return new Discovery(Optional.of(names), seedNodes, scope, port);
  }

  /**
   * {@return a search that asks these nodes for addresses before all others} Nodes given by an IP
   * address may become peers like any other.
   *
   * @param nodes {@code HOST} or {@code HOST:PORT}
   * @throws IllegalArgumentException if one is neither
   */
  public Discovery seedNodes(String... nodes) {
    return new Discovery(dnsSeeds, NodeAddress.parseAll(List.of(nodes)), scope, port);
  }

  /**
   * Fills in the facts of a network that are not set.
   *
   * @param network where peers are searched
   * @param proxied whether a proxy can reach onion services
   * @return a new search
   */
  public Discovery at(ChainParams network, boolean proxied) {
    Scope reach = network.equals(ChainParams.REGTEST) ? Scope.LOCAL : Scope.INTERNET;
    int usual = network.defaultPort();
    return new Discovery(
        Optional.of(dnsSeeds.orElseGet(network::dnsSeeds)),
        seedNodes.stream().map(node -> node.at(usual)).collect(Collectors.toList()),
        Optional.of(scope.orElse(reach.withOnion(proxied))),
        port == NodeAddress.USUAL_PORT ? usual : port);
  }
}
