package org.murmur.p2p.sync;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The peers of a session: named by the user, found, or both. Begin with {@link #of} or {@link
 * #found} and derive.
 *
 * @param named peers to connect to, in the order of preference; only these, unless others are found
 * @param discovery how to find others; empty to call only the named ones
 * @param avoided peers that are never talked to, whatever the source of their address. One that
 *     turns out to be at the address of another name is dropped before our version message
 * @param connections how many peers to connect to at once; 0 for all named ones, or for as many
 *     found ones as the preset usually has
 * @param encryption whether connections are encrypted
 */
public record Peers(
    List<NodeAddress> named,
    Optional<Discovery> discovery,
    Set<NodeAddress> avoided,
    int connections,
    Encryption encryption) {

  /** Until a sync with encryption starts as fast as one without. */
  private static final Encryption USUAL = Encryption.OFF;

  /**
   * Checks the number and copies the collections.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public Peers {
    if (connections < 0) {
      throw new IllegalArgumentException("connections " + connections + ", expected 0 or more");
    }
    named = List.copyOf(named);
    avoided = Set.copyOf(avoided);
  }

  /**
   * Names the peers.
   *
   * @param peers {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}; without a port, the
   *     network's default port counts
   * @return these peers only
   * @throws IllegalArgumentException if one is none of these
   */
  public static Peers of(String... peers) {
    return new Peers(NodeAddress.parseAll(List.of(peers)), Optional.empty(), Set.of(), 0, USUAL);
  }

  /**
   * Leaves it to the session to find peers.
   *
   * @param how to find them
   * @return found peers only
   */
  public static Peers found(Discovery how) {
    return new Peers(List.of(), Optional.of(how), Set.of(), 0, USUAL);
  }

  /**
   * {@return peers with others to connect to}
   *
   * @param peers in the order of preference
   */
  public Peers named(List<NodeAddress> peers) {
    return new Peers(peers, discovery, avoided, connections, encryption);
  }

  /**
   * {@return peers of which some are found}
   *
   * @param how to find them
   */
  public Peers discovering(Discovery how) {
    return new Peers(named, Optional.of(how), avoided, connections, encryption);
  }

  /**
   * {@return peers without these, too, even if they are found}
   *
   * @param peers {@code HOST} or {@code HOST:PORT}
   * @throws IllegalArgumentException if one is neither
   */
  public Peers avoiding(Iterable<String> peers) {
    Set<NodeAddress> never = new HashSet<>(avoided);
    never.addAll(NodeAddress.parseAll(peers));
    return new Peers(named, discovery, never, connections, encryption);
  }

  /**
   * {@return peers with another number of connections}
   *
   * @param count how many peers at once
   * @throws IllegalArgumentException if it is negative
   */
  public Peers connections(int count) {
    return new Peers(named, discovery, avoided, count, encryption);
  }

  /**
   * {@return peers with other encryption}
   *
   * @param chosen whether connections are encrypted
   */
  public Peers encryption(Encryption chosen) {
    return new Peers(named, discovery, avoided, connections, chosen);
  }

  /**
   * Excludes peers, even if peers are found.
   *
   * @param others peers, in any spelling of their addresses
   * @return the rest
   */
  public Peers without(Collection<NodeAddress> others) {
    // A host name is not resolved here. The session drops it if it leads to one of the others.
    Set<NodeAddress> out = new HashSet<>();
    others.forEach(peer -> out.add(peer.canonical()));
    Set<NodeAddress> never = new HashSet<>(avoided);
    never.addAll(others);
    return new Peers(
        named.stream().filter(peer -> !out.contains(peer.canonical())).collect(Collectors.toList()),
        discovery,
        never,
        connections,
        encryption);
  }

  /**
   * Fills in the facts of a network.
   *
   * @param network whose default port a peer without one gets
   * @param proxied whether connections go through a proxy
   * @return new peers
   * @throws IllegalArgumentException if a peer needs a proxy and there is none, or if peers are
   *     neither named nor found
   */
  public Peers at(ChainParams network, boolean proxied) {
    int port = network.defaultPort();
    if (named.isEmpty() && !discovery.isPresent()) {
      throw new IllegalArgumentException("no peer to connect to: name at least one");
    }
    Peers peers =
        new Peers(
            named.stream().map(peer -> peer.at(port)).collect(Collectors.toList()),
            discovery.map(how -> how.at(network, proxied)),
            avoided.stream().map(peer -> peer.at(port)).collect(Collectors.toSet()),
            connections,
            encryption);
    peers.named.forEach(peer -> requireReachable(peer, proxied));
    peers.discovery.ifPresent(
        how -> how.seedNodes().forEach(node -> requireReachable(node, proxied)));
    return peers;
  }

  private static void requireReachable(NodeAddress peer, boolean proxied) {
    if (peer.isHidden() && !proxied) {
      throw new IllegalArgumentException(
          peer + " can only be reached through a proxy, and none is set");
    }
  }
}
