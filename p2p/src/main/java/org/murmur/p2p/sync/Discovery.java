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
 * @param entryNodes nodes to ask for addresses when nothing else helps, in random order; empty for
 *     the built-in ones of the network, which follow its own DNS seeds only
 */
public record Discovery(
    Optional<List<String>> dnsSeeds,
    List<NodeAddress> seedNodes,
    Optional<Scope> scope,
    int port,
    Optional<List<NodeAddress>> entryNodes) {

  /** By the network's DNS seeds and built-in nodes. */
  public static final Discovery USUAL =
      new Discovery(
          Optional.empty(), List.of(), Optional.empty(), NodeAddress.USUAL_PORT, Optional.empty());

  /** Copies the collections. */
  public Discovery {
    dnsSeeds = dnsSeeds.map(List::copyOf);
    seedNodes = List.copyOf(seedNodes);
    entryNodes = entryNodes.map(List::copyOf);
  }

  /** {@return the DNS seeds to ask, none if they are the network's, before {@link #at}} */
  public List<String> seeds() {
    return dnsSeeds.orElse(List.of());
  }

  /** {@return the nodes to ask when nothing else helps, none if built in, before {@link #at}} */
  public List<NodeAddress> entries() {
    return entryNodes.orElse(List.of());
  }

  /**
   * {@return a search that asks other DNS seeds than the network's, for a custom network} It asks
   * no built-in nodes.
   *
   * @param names none to ask no DNS
   */
  public Discovery dnsSeeds(List<String> names) {
    return new Discovery(Optional.of(names), seedNodes, scope, port, entryNodes);
  }

  /**
   * {@return a search that asks these nodes for addresses before all others} Nodes given by an IP
   * address may become peers like any other.
   *
   * @param nodes {@code HOST} or {@code HOST:PORT}
   * @throws IllegalArgumentException if one is neither
   */
  public Discovery seedNodes(String... nodes) {
    return new Discovery(dnsSeeds, NodeAddress.parseAll(List.of(nodes)), scope, port, entryNodes);
  }

  /**
   * {@return a search that asks these nodes when nothing else helps, instead of the built-in ones}
   *
   * @param nodes IP or onion addresses, {@code HOST} or {@code HOST:PORT}; none to ask no node
   * @throws IllegalArgumentException if one is neither
   */
  public Discovery entryNodes(String... nodes) {
    return new Discovery(
        dnsSeeds, seedNodes, scope, port, Optional.of(NodeAddress.parseAll(List.of(nodes))));
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
        at(usual, seedNodes),
        Optional.of(scope.orElse(reach.withOnion(proxied))),
        port == NodeAddress.USUAL_PORT ? usual : port,
        Optional.of(
            at(
                usual,
                entryNodes.orElseGet(
                    () -> dnsSeeds.isPresent() ? List.of() : EntryNodes.of(network)))));
  }

  private static List<NodeAddress> at(int port, List<NodeAddress> nodes) {
    return nodes.stream().map(node -> node.at(port)).collect(Collectors.toList());
  }
}
