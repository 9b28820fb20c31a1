package org.murmur.p2p.internal.pool;

import java.util.HashSet;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.FilterSession;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.sync.Noise;

/**
 * Finds out whether a peer answers {@code mempool} at once. A node does not answer if nothing
 * matches, so its silence under the wallet's filter says nothing. Before that filter is sent, the
 * probe requests the memory pool twice under a filter of random bits. A peer that answers at once
 * announces the same transactions before both pongs. Core answers others once, some seconds later,
 * under the filter that it holds by then.
 *
 * <p>Random bits reveal nothing about the wallet. Nothing that they match is requested.
 */
final class MempoolProbe {

  private final ScanPeer peer;
  private final Set<Hash256> first = new HashSet<>();
  private final Set<Hash256> second = new HashSet<>();
  private int pongs;

  private MempoolProbe(ScanPeer peer) {
    this.peer = peer;
  }

  /** Sends the requests to a peer that holds no filter yet. */
  static MempoolProbe begin(ScanPeer peer, Effects effects) {
    MempoolProbe probe = new MempoolProbe(peer);
    FilterSession filter = peer.filter();
    // A node nearby costs no bandwidth, and its memory pool may be small.
    boolean near = peer.link().address().isLocal();
    filter.sendNoise(near ? Noise.most(effects.dice()) : Noise.some(effects.dice()), effects);
    probe.ask(effects);
    probe.ask(effects);
    // Until the wallet's filter comes, the peer has nothing to announce.
    filter.sendNoise(Noise.nothing(effects.dice()), effects);
    return probe;
  }

  private void ask(Effects effects) {
    peer.filter().askMempool(effects);
    effects.pingBehind(peer, Question.Kind.MEMPOOL, 0, question -> pong());
  }

  /** Whether announcements may still be those of the probe. */
  boolean isOpen() {
    return pongs < 2;
  }

  /** The peer announced a transaction while the probe is open. */
  void announced(Hash256 txid) {
    Set<Hash256> answer = pongs == 0 ? first : second;
    if (answer.size() < peer.share(PeerPool.MAX_ANNOUNCED)) {
      answer.add(txid);
    }
  }

  private Refusal pong() {
    pongs++;
    if (!isOpen() && !first.isEmpty() && second.containsAll(first)) {
      peer.answersMempoolAtOnce(true);
    }
    return Refusal.NONE;
  }
}
