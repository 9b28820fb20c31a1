package org.murmur.wallet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.net.CommitSink;
import org.murmur.p2p.net.PeerLoop;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.NetworkProbe;
import org.murmur.p2p.sync.PeerAddress;

/**
 * Finds out which network a peer speaks that hung up on our hello. A node answers nobody who greets
 * it in another network's name, so it is greeted in each of the others until it answers.
 */
final class NetworkDiagnosis {

  private static final CommitSink NOTHING =
      batch -> {
        throw new AssertionError("a probe writes nothing");
      };

  private final Network asked;
  private final Optional<Proxy> proxy;
  private final Surroundings around;

  NetworkDiagnosis(Network asked, Optional<Proxy> proxy, Surroundings around) {
    this.asked = asked;
    this.proxy = proxy;
    this.around = around;
  }

  /** The other network that it speaks; empty if it speaks none that is known, or is gone. */
  Optional<Network> of(PeerAddress address) {
    for (Network other : Network.all()) {
      if (other.magic() == asked.magic()) {
        continue;
      }
      NetworkProbe probe = new NetworkProbe(address, around.dice().nextLong());
      if (!run(probe, other) || !probe.isReached()) {
        return Optional.empty();
      }
      if (probe.isAnswered()) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private boolean run(NetworkProbe probe, Network other) {
    PeerLoop loop =
        proxy
            .map(
                through ->
                    new PeerLoop(
                        probe,
                        NOTHING,
                        event -> {},
                        around.clock(),
                        other.magic(),
                        through,
                        around.dice()))
            .orElseGet(
                () -> new PeerLoop(probe, NOTHING, event -> {}, around.clock(), other.magic()));
    try {
      loop.run();
      return true;
    } catch (InterruptedIOException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException e) {
      // There is no way to wait for sockets; that the sync failed is said anyway.
      return false;
    }
  }
}
