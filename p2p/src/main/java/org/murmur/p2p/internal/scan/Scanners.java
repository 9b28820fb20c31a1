package org.murmur.p2p.internal.scan;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.Link;

/**
 * The peers that may serve blocks, and the one check whether a peer may be asked for blocks. A plan
 * decides what to request.
 */
public final class Scanners<P extends ScanPeer> extends Part<P> {

  /** The help that a peer can give with the missing blocks. */
  enum Prospect {
    /** It keeps none of them and owes none. */
    NOTHING,
    /** It owes some, or may be asked later. */
    LATER,
    /** Only the byte limit prevents a request. */
    HELD_UP,
    /** It may be asked now. */
    NOW
  }

  private final Budget budget;
  private final Settlement settlement;
  private final Predicate<Peer> fit;

  /** The fit peers serve blocks under the session's kind of view, or memory pools. */
  public Scanners(
      Part<? extends P> machine, Budget budget, Settlement settlement, Predicate<Peer> fit) {
    super(machine);
    this.budget = budget;
    this.settlement = settlement;
    this.fit = fit;
  }

  boolean mayScan(ScanPeer peer) {
    return fit.test(peer);
  }

  /** Whether a scanner's blocks count: it is on our chain, and not accused. */
  boolean isTrusted(ScanPeer peer) {
    return mayScan(peer) && !peer.tip().isOnOtherChain() && !settlement.isAccused(peer);
  }

  /** The peers whose blocks count. */
  public List<? extends P> trusted() {
    return roster.peers(this::isTrusted);
  }

  /** Whether a scanner may be asked for blocks now. */
  boolean mayAsk(ScanPeer peer) {
    return isTrusted(peer) && !peer.filter().isRecording() && !peer.scan().isOverdue();
  }

  /** The prospect of a scanner that has missing blocks and may be asked: the byte limit decides. */
  Prospect prospect(ScanPeer peer) {
    return budget.blocks(peer, 1) > 0 ? Prospect.NOW : Prospect.HELD_UP;
  }

  /** Whether the byte limit prevents every request that could be made. */
  static boolean isHeldUp(Stream<Prospect> prospects) {
    Set<Prospect> all = prospects.collect(Collectors.toSet());
    return all.contains(Prospect.HELD_UP) && !all.contains(Prospect.NOW);
  }

  /** How many of some blocks a scanner may be asked for now. */
  int allowed(ScanPeer peer, int wanted) {
    return journal.isFull() ? 0 : budget.blocks(peer, wanted);
  }

  /**
   * Drops pruned peers if needed blocks are kept by no peer, and returns whether there is something
   * to plan again. The user's own node gets the request first: it disconnects if it does not serve
   * them.
   */
  public boolean dropPruned(
      ScanPlan plan, BooleanSupplier hope, Predicate<Peer> isOwn, BiConsumer<Peer, Refusal> drop) {
    boolean changed = false;
    for (P peer : roster.peers(Peer::isPruned)) {
      OptionalInt beyond = plan.beyond(peer);
      if (!beyond.isPresent() || hope.getAsBoolean()) {
        continue;
      }
      changed = true;
      if (isOwn.test(peer)) {
        peer.scan().mayKeepMore();
        effects.changed();
      } else {
        drop.accept(peer, BlockScan.keepsTooLittle(beyond.getAsInt()));
      }
    }
    return changed;
  }

  /** Whether the peer of a connection is still there. */
  boolean isThere(Link link) {
    return roster.contains(link.id());
  }

  /** All of them, in the order in which they were called. */
  List<? extends P> all() {
    return roster.peers(this::mayScan);
  }

  /** The scanners that match a predicate. */
  public List<? extends P> all(Predicate<? super P> which) {
    return roster.peers(peer -> mayScan(peer) && which.test(peer));
  }

  /** The scanners that are not overdue. */
  List<? extends P> atWork() {
    return roster.peers(peer -> mayScan(peer) && !peer.scan().isOverdue());
  }

  /** The best scanner, for requests to a single peer. */
  @Nullable P first() {
    P best = null;
    for (P peer : roster.peers()) {
      if (mayScan(peer) && (best == null || isFitter(peer, best))) {
        best = peer;
      }
    }
    return best;
  }

  private static boolean isFitter(ScanPeer peer, ScanPeer than) {
    if (peer.tip().isOnOtherChain() != than.tip().isOnOtherChain()) {
      return than.tip().isOnOtherChain();
    }
    if (peer.isPruned() != than.isPruned()) {
      return than.isPruned();
    }
    if (peer.scan().isOverdue() != than.scan().isOverdue()) {
      return than.scan().isOverdue();
    }
    return peer.scan().refusals() < than.scan().refusals();
  }
}
