package org.murmur.p2p.sync;

import java.util.List;
import java.util.Set;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.discovery.Scope;

/**
 * Where peers are found that nobody names.
 *
 * @param seeds names of DNS seeds; may be empty
 * @param seedNodes nodes that are asked for addresses before anybody else; may be empty
 * @param scope which addresses can be reached
 * @param port on which nodes behind the names of DNS seeds listen
 * @param avoided who is not called, whoever tells of it
 */
public record Discovery(
    List<String> seeds,
    List<PeerAddress> seedNodes,
    Scope scope,
    int port,
    Set<PeerAddress> avoided) {

  /** Copies the collections. */
  public Discovery {
    seeds = List.copyOf(seeds);
    seedNodes = List.copyOf(seedNodes);
    avoided = Set.copyOf(avoided);
  }

  /**
   * Derives one that avoids some peers.
   *
   * @param peers who is not to be called
   * @return new settings
   */
  public Discovery avoiding(Set<PeerAddress> peers) {
    return new Discovery(seeds, seedNodes, scope, port, peers);
  }
}
