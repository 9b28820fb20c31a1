package org.murmur.wallet.session;

import java.util.function.Consumer;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.net.CommitSink;
import org.murmur.p2p.net.PeerLoop;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Makes the loops that connect to peers: through a proxy, if the options name one, and never
 * without it.
 */
final class LoopFactory {

  private final SyncOptions options;
  private final Environment around;

  LoopFactory(SyncOptions options, Environment around) {
    this.options = options;
    this.around = around;
  }

  /** An idle loop for a network. */
  PeerLoop loop(Machine machine, CommitSink sink, Consumer<SyncEvent> events, ChainParams network) {
    int magic = network.magic();
    return options
        .proxy()
        .map(
            proxy ->
                new PeerLoop(machine, sink, events, around.clock(), magic, proxy, around.dice()))
        .orElseGet(
            () -> new PeerLoop(machine, sink, events, around.clock(), magic, options.hostNames()));
  }

  /** The nonce by which a peer would recognise a connection to itself. */
  long nonce() {
    return around.dice().nextLong();
  }
}
