package org.murmur.wallet.sync;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The peers named in the options, as addresses.
 *
 * @param peers to connect to; empty if peers are discovered
 * @param seedNodes asked for addresses first
 * @param avoided never connected to
 * @param dismissed guards to be replaced; empty unless the preset is private
 */
public record NamedPeers(
    List<NodeAddress> peers,
    List<NodeAddress> seedNodes,
    List<NodeAddress> avoided,
    List<NodeAddress> dismissed) {

  /** Copies the lists. */
  public NamedPeers {
    peers = List.copyOf(peers);
    seedNodes = List.copyOf(seedNodes);
    avoided = List.copyOf(avoided);
    dismissed = List.copyOf(dismissed);
  }

  /**
   * Reads the names.
   *
   * @param options with the peers' names
   * @param network whose default port a name without one gets
   * @return the addresses
   * @throws IllegalArgumentException if a name is malformed or needs a proxy that is not set, or if
   *     peers are neither named nor discovered
   */
  public static NamedPeers of(SyncOptions options, ChainParams network) {
    List<NodeAddress> peers = addresses(options.peers(), network);
    if (peers.isEmpty() && !options.discovers()) {
      throw new IllegalArgumentException("no peer to connect to: name at least one");
    }
    checkHidden(peers, options);
    List<NodeAddress> seedNodes = addresses(options.seedNodes(), network);
    checkHidden(seedNodes, options);
    return new NamedPeers(
        peers,
        seedNodes,
        addresses(options.avoided(), network),
        addresses(options.isPrivate() ? options.guards().dismissed() : List.of(), network));
  }

  /**
   * Excludes peers, even if peers are discovered.
   *
   * @param others peers, in any spelling of their addresses
   * @return the rest
   */
  public NamedPeers without(Collection<NodeAddress> others) {
    // A host name is not resolved here. The session drops it if it leads to one of the others.
    Set<NodeAddress> out = new HashSet<>();
    others.forEach(peer -> out.add(peer.canonical()));
    List<NodeAddress> never = new ArrayList<>(avoided);
    never.addAll(others);
    return new NamedPeers(
        peers.stream().filter(peer -> !out.contains(peer.canonical())).collect(Collectors.toList()),
        seedNodes,
        never,
        dismissed);
  }

  private static List<NodeAddress> addresses(List<String> names, ChainParams network) {
    List<NodeAddress> addresses = new ArrayList<>();
    for (String name : names) {
      addresses.add(NodeAddress.parse(name, network.defaultPort()));
    }
    return addresses;
  }

  private static void checkHidden(List<NodeAddress> addresses, SyncOptions options) {
    for (NodeAddress address : addresses) {
      if (address.isHidden() && !options.proxy().isPresent()) {
        throw new IllegalArgumentException(
            address + " can only be reached through a proxy, and none is set");
      }
    }
  }
}
