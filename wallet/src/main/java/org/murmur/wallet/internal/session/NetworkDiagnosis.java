package org.murmur.wallet.internal.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.NetworkProbe;
import org.murmur.p2p.internal.net.CommitSink;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.net.Route;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.internal.session.Participants.Participation;

/**
 * Finds out which network a peer speaks that disconnects at our version message. A node answers
 * only version messages of its own network, so we try each other network until it answers.
 */
final class NetworkDiagnosis {

  /** Maximum number of peers to diagnose after a session failed. */
  private static final int MAX_DIAGNOSED = 3;

  private static final CommitSink NOTHING =
      batch -> {
        throw new AssertionError("a probe writes nothing");
      };

  private final ChainParams asked;
  private final Route route;
  private final Environment around;

  NetworkDiagnosis(ChainParams asked, Route route, Environment around) {
    this.asked = asked;
    this.route = route;
    this.around = around;
  }

  /**
   * Returns the obstacles, and a detail for people. Peers that disconnected at our version message
   * are asked which network they speak.
   */
  SyncFact.NoUsablePeer explain(
      SyncFact.NoUsablePeer none, List<NodeAddress> named, Participants peers) {
    List<NodeAddress> suspects = new ArrayList<>(named);
    suspects.removeIf(address -> !hungUp(none.obstacles().get(address), peers.find(address)));
    StringBuilder detail =
        new StringBuilder(none.missing().map(Object::toString).orElse(none.detail()));
    Map<NodeAddress, Obstacle> obstacles = new LinkedHashMap<>(none.obstacles());
    for (NodeAddress suspect : suspects.subList(0, Math.min(MAX_DIAGNOSED, suspects.size()))) {
      of(suspect)
          .ifPresent(
              other -> {
                detail.append("; ").append(suspect).append(" speaks ").append(other);
                obstacles.put(suspect, Obstacle.OTHER_NETWORK);
              });
    }
    return new SyncFact.NoUsablePeer(none.kind(), obstacles, none.missing(), detail.toString());
  }

  private static boolean hungUp(@Nullable Obstacle obstacle, @Nullable Participation peer) {
    boolean atVersion = obstacle == Obstacle.HANGS_UP || obstacle == Obstacle.HANGS_UP_BEHIND_PROXY;
    return atVersion && peer != null && peer.height < 0;
  }

  /** The other network that it speaks; empty if it speaks no known one, or is gone. */
  private Optional<ChainParams> of(NodeAddress address) {
    for (ChainParams other : ChainParams.all()) {
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

  private boolean run(NetworkProbe probe, ChainParams other) {
    PeerLoop loop = around.loop(route, probe, NOTHING, other);
    try {
      loop.run();
      return true;
    } catch (InterruptedIOException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException e) {
      // There is no way to wait for sockets; the failure of the sync is reported anyway.
      return false;
    }
  }
}
