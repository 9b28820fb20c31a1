package org.murmur.p2p.internal.compact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Finds out which of two peers lies when their filter headers differ: the hashes below show the
 * first filter that differs, both peers send it, and the whole block proves one of them false. A
 * majority proves nothing, and silence convicts nobody.
 *
 * <p>One dispute is open at a time. If the block proves neither filter false, other peers take the
 * places of both, as far as they were found. Between peers that the user named it stays unsettled,
 * and so does all above.
 */
final class Disputes extends Part<CompactPeer> implements WholeBlocks.Reader {

  private final Scanned scanned;
  private final FilterChain filters;
  private final HeaderAgreement agreement;
  private final FilterScan scan;
  private final BlockFetch fetch;
  private final MatchedBlocks coins;
  private @Nullable Dispute open;
  private final Map<ScanPeer, Refusal> leaving = new LinkedHashMap<>();
  // Pairs of claims that no block decides.
  private final Set<Set<Hash256>> undecided = new HashSet<>();

  /** Two peers, and the height at which their filter headers differ. */
  private static final class Dispute {

    final List<CompactPeer> sides;
    final int end;
    final Hash256 stop;
    final Map<CompactPeer, Bytes> filters = new LinkedHashMap<>();
    // The first height whose filters differ, once it is known, and their hashes there.
    int at = -1;
    // The header of the height below that one, if both claim the same there.
    @Nullable Hash256 below;
    final Map<CompactPeer, Hash256> claimed = new HashMap<>();
    // Named sides that stopped answering, of which the user knows.
    final Set<CompactPeer> silent = new HashSet<>();

    Dispute(CompactPeer one, CompactPeer other, int end, Hash256 stop) {
      this.sides = List.of(one, other);
      this.end = end;
      this.stop = stop;
    }
  }

  Disputes(
      Part<? extends CompactPeer> machine,
      Scanned scanned,
      FilterChain filters,
      HeaderAgreement agreement,
      FilterScan scan,
      WholeBlocks whole,
      BlockFetch fetch,
      MatchedBlocks coins) {
    super(machine);
    this.scanned = scanned;
    this.filters = filters;
    this.agreement = agreement;
    this.scan = scan;
    this.fetch = fetch;
    this.coins = coins;
    whole.add(this);
  }

  /** Goes on with the dispute, or opens the one at the lowest height. */
  void plan(List<? extends CompactPeer> peers) {
    Dispute dispute = open;
    if (dispute != null && !isThere(dispute, peers)) {
      leave(dispute, peers);
      dispute = null;
    }
    if (dispute == null) {
      dispute = find(peers);
    }
    open = dispute;
    if (dispute == null) {
      return;
    }
    if (dispute.at < 0) {
      findBlock(dispute);
    }
    if (dispute.at >= 0) {
      agreeBelow(dispute, peers);
      askFilters(dispute);
    }
    // No fault: an index may lag. But a claim without proof must not stop everything for ever.
    for (CompactPeer side : dispute.sides) {
      if (!side.compact().hasHope() && !part(side) && dispute.silent.add(side)) {
        tell(dispute, dispute.at < 0 ? dispute.end : dispute.at, Optional.of(side));
      }
    }
    if (isReady(dispute)) {
      // From a third peer if there is one.
      fetch.fetch(dispute.at, dispute.sides);
    }
  }

  /** A side that leaves is not convicted, but a denied word counts no longer without it. */
  private void leave(Dispute dispute, List<? extends CompactPeer> peers) {
    for (CompactPeer side : dispute.sides) {
      if (!peers.contains(side)) {
        scanned.disown(side.link().address());
        scan.refresh();
      }
    }
  }

  private boolean isThere(Dispute dispute, List<? extends CompactPeer> peers) {
    return peers.containsAll(dispute.sides)
        && dispute.end <= chain.height()
        && chain.hashAt(dispute.end).equals(dispute.stop);
  }

  private @Nullable Dispute find(List<? extends CompactPeer> peers) {
    int end = agreement.disputed(peers);
    if (end < 0) {
      return null;
    }
    for (CompactPeer one : peers) {
      for (CompactPeer other : peers) {
        Hash256 claim = one.compact().claims.get(end);
        Hash256 counter = other.compact().claims.get(end);
        if (claim != null && counter != null && !claim.equals(counter)) {
          Dispute dispute = new Dispute(one, other, end, chain.hashAt(end));
          if (!undecided.contains(Set.of(claim, counter))) {
            return dispute;
          }
          part(dispute);
        }
      }
    }
    return null;
  }

  /** Compares the hashes below the height where the headers differ. */
  private void findBlock(Dispute dispute) {
    // From the genesis block on if nothing below is agreed: the header before it is zero.
    int from = filters.begin(dispute.end);
    from = from == 1 ? 0 : from;
    CompactLink.Tail[] tails = new CompactLink.Tail[2];
    for (int i = 0; i < tails.length; i++) {
      CompactPeer side = dispute.sides.get(i);
      CompactLink link = side.compact();
      CompactLink.Tail tail = link.tail;
      if (tail != null && tail.from() == from && tail.hashes().size() > dispute.end - from) {
        tails[i] = tail;
      } else if (link.asked == null && link.isAwake(effects.now())) {
        agreement.askHashes(side, from, dispute.end);
      }
    }
    if (tails[0] == null || tails[1] == null) {
      return;
    }
    for (int i = 0; i <= dispute.end - from && dispute.at < 0; i++) {
      if (!tails[0].hashes().get(i).equals(tails[1].hashes().get(i))) {
        dispute.at = from + i;
        for (int side = 0; side < tails.length; side++) {
          dispute.claimed.put(dispute.sides.get(side), tails[side].hashes().get(i));
        }
        if (dispute.at > 1 && tails[0].previous().equals(tails[1].previous())) {
          List<Hash256> below = tails[0].hashes().subList(0, dispute.at - from);
          dispute.below = FilterHeaders.last(tails[0].previous(), below);
        }
      }
    }
    if (dispute.at < 0) {
      // Their headers below differ, too: that comes first.
      abandon(dispute);
    }
  }

  /**
   * Both claim the same up to there, and so does who claims the same as one of them at the end: a
   * coin that the block spends may be found below.
   */
  private void agreeBelow(Dispute dispute, List<? extends CompactPeer> peers) {
    Hash256 below = dispute.below;
    if (below == null) {
      return;
    }
    Set<Hash256> ends = claimsAtEnd(dispute);
    for (CompactPeer peer : peers) {
      NavigableMap<Integer, Hash256> claims = peer.compact().claims;
      Hash256 end = claims.get(dispute.end);
      if (end != null && ends.contains(end) && claims.putIfAbsent(dispute.at - 1, below) == null) {
        agreement.changed();
        effects.changed();
      }
    }
  }

  private void askFilters(Dispute dispute) {
    for (CompactPeer side : dispute.sides) {
      CompactLink link = side.compact();
      Hash256 claimed = dispute.claimed.get(side);
      boolean asked = link.stripes.stream().anyMatch(stripe -> stripe.taker != null);
      if (claimed != null
          && !dispute.filters.containsKey(side)
          && !asked
          && link.isAwake(effects.now())) {
        scan.ask(side, dispute.at, claimed, filter -> dispute.filters.put(side, filter));
      }
    }
  }

  /** Both filters are here, and so are the wallet's coins below, which the block may spend. */
  private boolean isReady(Dispute dispute) {
    return dispute.filters.size() == dispute.sides.size() && scan.isReadBelow(dispute.at);
  }

  @Override
  public void read(FullBlock block) {
    Dispute dispute = open;
    if (dispute == null
        || dispute.at < 0
        || !isReady(dispute)
        || !chain.hashAt(dispute.at).equals(block.hash())) {
      return;
    }
    List<CompactPeer> liars = new ArrayList<>();
    dispute.filters.forEach(
        (side, filter) -> {
          if (FilterCheck.isFalse(filter, block, coins::scriptOf)) {
            liars.add(side);
          }
        });
    open = null;
    if (liars.isEmpty()) {
      abandon(dispute);
      part(dispute);
    } else {
      // Nothing above counts that was taken from one of them alone.
      convict(liars, dispute.at);
    }
    effects.changed();
  }

  /** The filter of a block that these peers led to is false. */
  void convict(List<CompactPeer> liars, int height) {
    liars.forEach(peer -> convict(peer, height, chain.hashAt(height)));
    scan.cutAbove(height - 1);
  }

  private void convict(CompactPeer peer, int height, Hash256 block) {
    scanned.disown(peer.link().address());
    // Its word counted below, too: all heights are tested for all scripts again.
    scan.forgetFrom(0);
    leaving.put(
        peer,
        new Refusal(
            DisconnectReason.FALSE_FILTER,
            "a false filter of block " + block + " at height " + height));
  }

  /** Nobody is to blame, but one of the two lies: found ones are not used any longer. */
  private void part(Dispute dispute) {
    long parted = dispute.sides.stream().filter(this::part).count();
    if (parted == 0 && dispute.at >= 0) {
      tell(dispute, dispute.at, Optional.empty());
    }
  }

  /** Returns whether the peer is not used any longer: those that the user named stay. */
  private boolean part(CompactPeer side) {
    if (settings.peers().named().contains(side.link().address())) {
      return false;
    }
    leaving.putIfAbsent(
        side,
        new Refusal(
            DisconnectReason.UNDECIDED,
            "its filters differ from those of another peer, and nothing decides"));
    effects.changed();
    return true;
  }

  private void tell(Dispute dispute, int height, Optional<CompactPeer> silent) {
    List<NodeAddress> sides = new ArrayList<>();
    dispute.sides.forEach(side -> sides.add(side.link().address()));
    effects.emit(
        new SyncWarning.FiltersDisagree(
            height, chain.hashAt(height), sides, silent.map(side -> side.link().address())));
  }

  private void abandon(Dispute dispute) {
    undecided.add(claimsAtEnd(dispute));
    open = null;
  }

  private static Set<Hash256> claimsAtEnd(Dispute dispute) {
    Set<Hash256> claims = new HashSet<>();
    dispute.sides.forEach(side -> claims.add(side.compact().claims.get(dispute.end)));
    return claims;
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    if (open != null && open.end > height) {
      open = null;
    }
  }

  /** The peers to be dropped, without those that are gone; each is returned once. */
  Map<ScanPeer, Refusal> takeLeaving() {
    Map<ScanPeer, Refusal> taken = new LinkedHashMap<>(leaving);
    taken.keySet().removeIf(peer -> !roster.contains(peer.link().id()));
    leaving.clear();
    return taken;
  }

  /** Whether a whole block is on its way that decides, or a peer is about to be dropped. */
  boolean waits() {
    Dispute dispute = open;
    return !leaving.isEmpty()
        || (dispute != null && dispute.at >= 0 && fetch.isPending(chain.hashAt(dispute.at)));
  }
}
