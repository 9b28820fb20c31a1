package org.murmur.p2p.internal.compact;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.peers.ViewService;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * Chooses who serves a whole block, and asks once it is on disk that this peer learns of the block.
 */
final class BlockFetch extends Part<CompactPeer> implements WholeBlocks.Reader {

  /**
   * Blocks that a found peer serves in one session: each is a hint at the wallet, and hints are
   * spread.
   */
  private static final int MAX_SERVED = 16;

  /** A peer that did not send a block may be asked again: it may have been on another branch. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

  private final WholeBlocks whole;
  private final Budget budget;
  // Requests that wait for the disk, by block.
  private final Map<Hash256, Recorded> recorded = new HashMap<>();
  // Until when a peer is not asked for a block that it did not send.
  private final Map<Hash256, Map<NodeAddress, Instant>> refusedUntil = new HashMap<>();
  // How many blocks each peer was asked for, and those that were released for it.
  private final Map<NodeAddress, Integer> asked = new HashMap<>();
  private final Set<NodeAddress> released = new HashSet<>();

  /** A peer that will be asked once a batch is on disk. */
  private record Recorded(CompactPeer peer, long batch) {}

  BlockFetch(Part<? extends CompactPeer> machine, WholeBlocks whole, Budget budget) {
    super(machine);
    this.whole = whole;
    this.budget = budget;
    whole.add(this);
  }

  /** Whether a block is on its way, or is about to be requested. */
  boolean isPending(Hash256 block) {
    return recorded.containsKey(block) || whole.isAsked(block);
  }

  /** Whether the byte limit forbids to request another block. */
  boolean isHeldUp() {
    return !budget.allowsWholeBlock();
  }

  /** Whether a peer can be expected to send the block at a height, now or later. */
  boolean hasHope(int height) {
    return roster.peers().stream().anyMatch(peer -> maySend(peer, height));
  }

  private boolean maySend(CompactPeer peer, int height) {
    return peer.isReady()
        && !isGuardUnderWitness(peer)
        && !hasServedItsShare(peer)
        && whole.serves(peer)
        && !peer.tip().isOnOtherChain()
        && height >= peer.scan().lowestKept(chain.height())
        && height <= peer.tip().height()
        && !refusedUntil
            .getOrDefault(chain.hashAt(height), Map.of())
            .getOrDefault(peer.link().address(), Instant.EPOCH)
            .isAfter(effects.now());
  }

  /** Peers that serve views are asked without end, but last. */
  private boolean hasServedItsShare(CompactPeer peer) {
    return asked.getOrDefault(peer.link().address(), 0) >= MAX_SERVED
        && !service.isFrom(peer)
        && !settings.peers().named().contains(peer.link().address());
  }

  /** The peers that have served their share since the last call: others take their places. */
  Map<ScanPeer, Refusal> takeDone() {
    Map<ScanPeer, Refusal> done = new HashMap<>();
    for (CompactPeer peer : roster.peers(whole::mayServe)) {
      if (hasServedItsShare(peer) && released.add(peer.link().address())) {
        done.put(
            peer,
            new Refusal(
                DisconnectReason.SERVED,
                "served " + MAX_SERVED + " blocks, as many as a found peer may"));
      }
    }
    return done;
  }

  /** Such a guard would learn which of its omissions is in question. */
  private boolean isGuardUnderWitness(CompactPeer peer) {
    return settings.preset().guarded().isPresent()
        && service.isFrom(peer)
        && !roster
            .peers(other -> ViewService.COMPACT.isAt(other) && !service.isFrom(other))
            .isEmpty();
  }

  /** Asks for the blocks whose records are on disk, also for those that are no longer urgent. */
  void advance() {
    recorded
        .entrySet()
        .removeIf(
            one -> {
              CompactPeer peer = one.getValue().peer();
              if (!roster.contains(peer.link().id()) || whole.isAsked(one.getKey())) {
                return true;
              }
              // Another part may have asked it for a block meanwhile.
              boolean due = journal.isWritten(one.getValue().batch()) && whole.mayServe(peer);
              if (due) {
                whole.ask(peer, one.getKey());
                asked.merge(peer.link().address(), 1, Integer::sum);
              }
              return due;
            });
  }

  /**
   * Chooses a peer for a block that is not on its way, the least asked one, and records that it
   * will be asked.
   *
   * @param last peers that are asked only if no other has the block; one that is busy has it
   */
  void fetch(int height, Collection<? extends CompactPeer> last) {
    Hash256 block = chain.hashAt(height);
    CompactPeer peer = isPending(block) || isHeldUp() ? null : choose(height, last);
    if (peer != null) {
      CommitBatch.Fetch fetch =
          new CommitBatch.Fetch(
              peer.link().address().canonical(), height, effects.clock().getEpochSecond());
      recorded.put(block, new Recorded(peer, journal.fetch(fetch, effects.now())));
    }
  }

  private @Nullable CompactPeer choose(int height, Collection<? extends CompactPeer> last) {
    List<? extends CompactPeer> able = roster.peers(peer -> maySend(peer, height));
    boolean isLast = last.containsAll(able);
    return able.stream()
        .filter(peer -> isLast || !last.contains(peer))
        .filter(whole::mayServe)
        .filter(peer -> recorded.values().stream().noneMatch(waiting -> waiting.peer() == peer))
        .min(Comparator.comparing(peer -> asked.getOrDefault(peer.link().address(), 0)))
        .orElse(null);
  }

  /** Readers take what they wait for. */
  @Override
  public void read(FullBlock block) {
    refusedUntil.remove(block.hash());
  }

  /** No fault: it may be pruned, or on another branch. */
  @Override
  public Refusal notSent(ScanPeer peer, Hash256 block) {
    refusedUntil
        .computeIfAbsent(block, unused -> new HashMap<>())
        .put(peer.link().address(), effects.now().plus(ASK_AGAIN));
    return Refusal.NONE;
  }

  /** A sync that follows waits for the time to ask again. */
  void setAlarm(Alarm alarm) {
    if (settings.follow()) {
      refusedUntil.values().forEach(peers -> peers.values().forEach(alarm::at));
    }
  }

  /** Forgets requests for blocks that left the chain. */
  void cutAbove() {
    recorded.clear();
    refusedUntil.clear();
  }
}
