package org.murmur.wallet.internal.session;

import java.util.function.Consumer;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.net.CommitSink;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.Machine;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Makes the loops that connect to peers: through a proxy, if the options name one, and never
 * without it.
 */
final class LoopFactory {

  private final Route route;
  private final Environment around;

  LoopFactory(Route route, Environment around) {
    this.route = route;
    this.around = around;
  }

  /** An idle loop for a network. */
  PeerLoop loop(Machine machine, CommitSink sink, Consumer<SyncEvent> events, ChainParams network) {
    return new PeerLoop(
        machine, sink, events, around.clock(), network.magic(), route, around.dice());
  }

  /** The nonce by which a peer would recognise a connection to itself. */
  long nonce() {
    return around.dice().nextLong();
  }
}
