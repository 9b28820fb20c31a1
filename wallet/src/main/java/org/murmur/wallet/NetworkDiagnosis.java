package org.murmur.wallet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.net.CommitSink;
import org.murmur.p2p.net.PeerLoop;
import org.murmur.p2p.sync.NetworkProbe;

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
  private final Wires wires;

  NetworkDiagnosis(Network asked, Wires wires) {
    this.asked = asked;
    this.wires = wires;
  }

  /** The other network that it speaks; empty if it speaks none that is known, or is gone. */
  Optional<Network> of(PeerAddress address) {
    for (Network other : Network.all()) {
      if (other.magic() == asked.magic()) {
        continue;
      }
      NetworkProbe probe = new NetworkProbe(address, wires.nonce());
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
    PeerLoop loop = wires.loop(probe, NOTHING, event -> {}, other);
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
