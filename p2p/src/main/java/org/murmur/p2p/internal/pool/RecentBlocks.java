package org.murmur.p2p.internal.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.SyncFact;

/**
 * Downloads the last blocks whole, with their witness data: what a client without a memory pool can
 * see of what others pay. It takes the place of the query for unconfirmed transactions in a session
 * that asks for headers only.
 *
 * <p>The newest block comes first. All peers that serve witness data share the work, one block at a
 * time each. A block that no peer sends is left out.
 */
public final class RecentBlocks extends Part<PoolPeer>
    implements UnconfirmedQuery, WholeBlocks.Reader {

  private final Budget budget;
  private final WholeBlocks whole;
  private final int count;
  private final Set<Hash256> done = new HashSet<>();
  // The peers that did not send a block.
  private final Map<Hash256, Set<NodeAddress>> refusedBy = new HashMap<>();

  public RecentBlocks(Part<PoolPeer> machine, Budget budget, WholeBlocks whole) {
    super(machine);
    this.budget = budget;
    this.whole = whole;
    this.count = settings.recentBlocks();
    whole.add(this);
  }

  @Override
  public boolean advance() {
    for (Hash256 block : missing()) {
      for (PoolPeer peer : roster.peers()) {
        if (!whole.isAsked(block) && mayBeAsked(peer, block) && budget.allowsWitnessBlock()) {
          whole.askWithWitness(peer, block);
        }
      }
    }
    return false;
  }

  /** Of the blocks that are the last ones now: a reorganisation changes them. */
  private List<Hash256> missing() {
    List<Hash256> missing = new ArrayList<>();
    int least = Math.max(chain.base().height() + 1, chain.height() - count + 1);
    for (int height = chain.height(); height >= least; height--) {
      Hash256 block = chain.hashAt(height);
      if (!done.contains(block)) {
        missing.add(block);
      }
    }
    return missing;
  }

  private boolean mayBeAsked(PoolPeer peer, Hash256 block) {
    Message.Version version = peer.version();
    return version != null
        && Services.has(version.services(), Services.WITNESS)
        && whole.mayServe(peer)
        && !refusedBy.getOrDefault(block, Set.of()).contains(peer.link().address());
  }

  /** Over when none is on its way: {@link #advance} has asked for what may be asked for. */
  @Override
  public boolean isOver() {
    return whole.isIdle();
  }

  @Override
  public void read(FullBlock block) {
    int height = chain.recentHeightOf(block.hash());
    if (done.add(block.hash()) && height >= 0) {
      effects.emit(new SyncFact.RecentBlock(height, block));
    }
  }

  /** No fault: it may be pruned, or on another branch. */
  @Override
  public Refusal notSent(ScanPeer peer, Hash256 block) {
    refusedBy.computeIfAbsent(block, unused -> new HashSet<>()).add(peer.link().address());
    return Refusal.NONE;
  }
}
