package org.murmur.lab.network;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.wire.NetworkAddress;

/**
 * The addresses that are called, each once. Those that the user named come first, in their order;
 * the others are drawn at random from all that are known then. For one thread.
 */
final class Candidates {

  private final Scope scope;
  private final int limit;
  private final Random random;
  private final Set<NodeAddress> seen = new HashSet<>();
  private final List<NodeAddress> first = new ArrayList<>();
  private final List<NodeAddress> waiting = new ArrayList<>();
  private int called;

  /** At most {@code limit} addresses are called; those of others only within the scope. */
  Candidates(Scope scope, int limit, Random random) {
    this.scope = scope;
    this.limit = limit;
    this.random = random;
  }

  /** Adds nodes that the user named. */
  void name(List<NodeAddress> named) {
    for (NodeAddress one : named) {
      if (seen.add(one.canonical())) {
        first.add(one);
      }
    }
  }

  /** Adds an address that a DNS seed or a node gave. */
  void add(Endpoint endpoint) {
    if (scope.accepts(endpoint)) {
      NodeAddress address = NodeAddress.of(endpoint);
      if (seen.add(address.canonical())) {
        waiting.add(address);
      }
    }
  }

  /** Adds the addresses of a message. Some have no port, as unfinished nodes announce. */
  void addAll(List<NetworkAddress> told) {
    for (NetworkAddress one : told) {
      if (one.port() != 0) {
        add(new Endpoint(one.network(), one.address(), one.port()));
      }
    }
  }

  /** Removes the next address to call; empty if none is known, or enough were called. */
  Optional<NodeAddress> next() {
    if (called == limit || (first.isEmpty() && waiting.isEmpty())) {
      return Optional.empty();
    }
    called++;
    if (!first.isEmpty()) {
      return Optional.of(first.remove(0));
    }
    int last = waiting.size() - 1;
    NodeAddress drawn = waiting.set(random.nextInt(last + 1), waiting.get(last));
    waiting.remove(last);
    return Optional.of(drawn);
  }

  int called() {
    return called;
  }

  /** Returns how many addresses of the scope are known, called or not. */
  int known() {
    return seen.size();
  }
}
