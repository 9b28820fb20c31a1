package org.murmur.p2p.internal.compact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * Asks every filter peer for its filter headers, and takes those that enough peers agree on
 * (BIP-0157). One peer that differs is enough that nothing from there on is taken: a majority may
 * lie.
 */
final class HeaderAgreement extends Part<CompactPeer> {

  private final FilterChain filters;
  private final int voices;
  // Both are null after a change: to compare all claims for each filter takes longer than its test.
  private @Nullable List<CompactPeer> taken;
  private @Nullable Compared compared;
  // Whether peers of this session agree with the headers of earlier ones.
  private boolean confirmed;

  /** How the claims of some peers compare. */
  private record Compared(
      List<CompactPeer> peers,
      int disputed,
      List<CompactPeer> agreeing,
      List<CompactPeer> denying,
      OptionalInt outdated) {}

  HeaderAgreement(Part<? extends CompactPeer> machine, FilterChain filters) {
    super(machine);
    this.filters = filters;
    this.voices = settings.preset().filterPeers();
    this.confirmed = filters.top() < 0;
  }

  /** Asks these peers for what they did not say yet, and takes what they agree on. */
  void plan(List<? extends CompactPeer> peers) {
    for (CompactPeer peer : peers) {
      CompactLink link = peer.compact();
      if (link.asked == null && link.isAwake(effects.now()) && knowsTip(peer)) {
        ask(peer);
      }
    }
    // Every peer that is there speaks before anything is taken.
    if (!peers.equals(taken) && peers.stream().noneMatch(this::mayClaim)) {
      agree(peers);
    }
  }

  /** Claims or agreed headers are not the same as before. */
  void changed() {
    taken = null;
    compared = null;
  }

  private boolean mayClaim(CompactPeer peer) {
    CompactLink link = peer.compact();
    return knowsTip(peer) && link.hasHope() && !link.claims.containsKey(chain.height());
  }

  /** A peer is asked only about blocks that it announced: Core disconnects for an unknown one. */
  private boolean knowsTip(CompactPeer peer) {
    return peer.tip().height() >= chain.height() && !peer.tip().isOnRivalBranch(chain);
  }

  private void ask(CompactPeer peer) {
    CompactLink link = peer.compact();
    int tip = chain.height();
    int step = tip / FilterChain.STEP * FilterChain.STEP;
    if (step > 0 && !link.claims.containsKey(step)) {
      ask(
          peer,
          CompactLink.Asked.CHECKPOINTS,
          tip,
          new Message.GetCFCheckpt(Message.BASIC_FILTER, chain.hashAt(tip)));
    } else if (isUnsaid(link, filters.top(), step)) {
      askHashes(peer, filters.begin(filters.top()), filters.top());
    } else if (tip > 0 && !link.claims.containsKey(tip)) {
      int known = link.claims.isEmpty() ? 0 : Math.max(step, link.claims.lastKey());
      askHashes(peer, known + 1, tip);
    }
  }

  /** The header that an earlier session ended with lies between the heights of checkpoints. */
  private boolean isUnsaid(CompactLink link, int kept, int step) {
    return !confirmed && kept > 0 && kept < step && !link.claims.containsKey(kept);
  }

  /** Asks one peer for the hashes of consecutive filters. */
  void askHashes(CompactPeer peer, int from, int to) {
    ask(peer, from, to, new Message.GetCFHeaders(Message.BASIC_FILTER, from, chain.hashAt(to)));
  }

  private void ask(CompactPeer peer, int from, int to, Message request) {
    Question question =
        effects.ask(peer, Question.Kind.FILTER_HEADERS, 1, request, asked -> closed(peer, asked));
    peer.compact().asked = new CompactLink.Asked(from, to, chain.hashAt(to), question, true);
  }

  /** The pong after a request: without an answer before it, none will come. */
  private Refusal closed(CompactPeer peer, Question question) {
    if (question.owed() > 0) {
      peer.compact().asked = null;
      peer.compact().isSilent(effects.now());
      effects.changed();
    }
    return Refusal.NONE;
  }

  /** Takes the headers at every 1,000th height. */
  Refusal received(CompactPeer peer, Message.CFCheckpt message) {
    CompactLink.Asked asked = answered(peer, true, message.filterType(), message.stop());
    if (asked == null) {
      return unasked("filter headers");
    }
    if (message.headers().size() != asked.to() / FilterChain.STEP) {
      return wrong(message.headers().size() + " filter headers for " + asked.to() + " blocks");
    }
    if (asked.counts()) {
      changed();
      int height = 0;
      for (Hash256 header : message.headers()) {
        height += FilterChain.STEP;
        peer.compact().claims.put(height, header);
      }
      filters.thin(peer.compact().claims, asked.to());
    }
    return Refusal.NONE;
  }

  /** Takes the hashes of consecutive filters. */
  Refusal received(CompactPeer peer, Message.CFHeaders message) {
    CompactLink.Asked asked = answered(peer, false, message.filterType(), message.stop());
    if (asked == null) {
      return unasked("filter hashes");
    }
    List<Hash256> hashes = message.hashes();
    if (hashes.size() != asked.to() - asked.from() + 1) {
      return wrong(
          hashes.size() + " filter hashes for blocks " + asked.from() + " to " + asked.to());
    }
    if (!asked.counts()) {
      return Refusal.NONE;
    }
    changed();
    CompactLink link = peer.compact();
    Hash256 before = asked.from() == 0 ? Hash256.ZERO : link.claims.get(asked.from() - 1);
    Hash256 last = FilterHeaders.last(message.previousHeader(), hashes);
    Hash256 claimed = link.claims.get(asked.to());
    if ((before != null && !before.equals(message.previousHeader()))
        || (claimed != null && !claimed.equals(last))) {
      return wrong("filter hashes that contradict the filter headers that it sent before");
    }
    if (asked.from() > 1) {
      // A lie below shows here, even if no hash above differs.
      link.claims.put(asked.from() - 1, message.previousHeader());
    }
    link.claims.put(asked.to(), last);
    filters.addClaims(link.claims, asked.from(), message.previousHeader(), hashes);
    filters.thin(link.claims, asked.to());
    link.tail = new CompactLink.Tail(asked.from(), message.previousHeader(), hashes);
    takeTail(link);
    return Refusal.NONE;
  }

  /** The request that a message answers, now closed; null if nothing of this kind was asked. */
  private CompactLink.@Nullable Asked answered(
      CompactPeer peer, boolean checkpoints, int type, Hash256 stop) {
    CompactLink link = peer.compact();
    CompactLink.Asked asked = link.asked;
    if (asked == null
        || checkpoints != (asked.from() == CompactLink.Asked.CHECKPOINTS)
        || type != Message.BASIC_FILTER
        || !asked.stop().equals(stop)) {
      return null;
    }
    link.asked = null;
    link.answers();
    peer.questions().answered(asked.question(), 1, effects.now());
    effects.changed();
    return asked;
  }

  private static Refusal unasked(String what) {
    return new Refusal(DisconnectReason.UNASKED, what + " that were not requested");
  }

  private static Refusal wrong(String what) {
    return new Refusal(DisconnectReason.FALSE_FILTER, what);
  }

  /**
   * Takes the headers that enough of these peers claim, up to the first one that is disputed. The
   * last one commits to all below: only who claims it is believed about those.
   */
  private void agree(List<? extends CompactPeer> peers) {
    taken = List.copyOf(peers);
    Set<Integer> heights = new TreeSet<>();
    peers.forEach(peer -> heights.addAll(peer.compact().claims.keySet()));
    TreeMap<Integer, Hash256> undisputed = new TreeMap<>();
    for (int height : heights) {
      Set<Hash256> claimed = new HashSet<>();
      Hash256 known = filters.header(height);
      if (known != null) {
        claimed.add(known);
      }
      int claiming = 0;
      for (CompactPeer peer : peers) {
        Hash256 claim = peer.compact().claims.get(height);
        if (claim != null) {
          claimed.add(claim);
          claiming++;
        }
      }
      if (claimed.size() > 1) {
        break;
      }
      if (claiming >= voices) {
        undisputed.put(height, claimed.iterator().next());
      }
    }
    Set<Integer> believed = new HashSet<>();
    for (CompactPeer peer : peers) {
      Set<Integer> claimed = peer.compact().claims.keySet();
      if (!undisputed.isEmpty() && claimed.contains(undisputed.lastKey())) {
        believed.addAll(claimed);
      }
    }
    undisputed.keySet().retainAll(believed);
    undisputed.forEach(this::agree);
    peers.forEach(peer -> takeTail(peer.compact()));
  }

  private void agree(int height, Hash256 header) {
    if (filters.header(height) == null) {
      filters.agree(height, header);
      compared = null;
      effects.changed();
    }
  }

  private void takeTail(CompactLink link) {
    CompactLink.Tail tail = link.tail;
    if (tail != null
        && (filters.hash(tail.from()) == null
            || filters.hash(tail.from() + tail.hashes().size() - 1) == null)) {
      filters.take(tail.from(), tail.previous(), tail.hashes());
    }
  }

  /**
   * The height up to which the agreed headers still count, if enough of these peers deny a higher
   * one, and none supports it or may still do so: those who agreed on it are gone.
   */
  OptionalInt outdated(List<? extends CompactPeer> peers) {
    OptionalInt outdated = compare(peers).outdated();
    return peers.stream().anyMatch(this::mayClaim) ? OptionalInt.empty() : outdated;
  }

  /** The lowest height where these peers contradict each other; -1 if they agree. */
  int disputed(List<? extends CompactPeer> peers) {
    return compare(peers).disputed();
  }

  /** Whether one of these peers has yet to say if it agrees with what earlier sessions read. */
  boolean awaits(List<? extends CompactPeer> peers) {
    return !confirmed && peers.stream().anyMatch(this::mayClaim);
  }

  /** Whether one of these peers contradicts another, or the agreed headers. */
  boolean isContradicted(List<? extends CompactPeer> peers) {
    return !denying(peers).isEmpty() || disputed(peers) >= 0;
  }

  /** Those of some peers that contradict the agreed headers. */
  List<CompactPeer> denying(List<? extends CompactPeer> peers) {
    return compare(peers).denying();
  }

  /** Those of some peers whose filter headers lead to the agreed ones. */
  List<CompactPeer> agreeing(List<? extends CompactPeer> peers) {
    return compare(peers).agreeing();
  }

  private Compared compare(List<? extends CompactPeer> peers) {
    Compared known = compared;
    if (known == null || !known.peers().equals(peers)) {
      List<CompactPeer> agreeing = new ArrayList<>();
      List<CompactPeer> denying = new ArrayList<>();
      int top = filters.top();
      for (CompactPeer peer : peers) {
        Map<Integer, Hash256> claims = peer.compact().claims;
        if (!filters.agrees(claims)) {
          denying.add(peer);
        } else if (top >= 0 && Objects.equals(claims.get(top), filters.header(top))) {
          agreeing.add(peer);
        }
      }
      int disputed = lowestDisputed(peers);
      OptionalInt outdated =
          denying.size() < voices || !agreeing.isEmpty() || disputed >= 0
              ? OptionalInt.empty()
              : OptionalInt.of(filters.lastAgreed(denying.get(0).compact().claims));
      known = new Compared(List.copyOf(peers), disputed, agreeing, denying, outdated);
      compared = known;
      confirmed |= agreeing.size() >= voices;
    }
    return known;
  }

  private static int lowestDisputed(List<? extends CompactPeer> peers) {
    TreeMap<Integer, Hash256> said = new TreeMap<>();
    int lowest = -1;
    for (CompactPeer peer : peers) {
      for (Map.Entry<Integer, Hash256> claim : peer.compact().claims.entrySet()) {
        Hash256 other = said.putIfAbsent(claim.getKey(), claim.getValue());
        if (other != null
            && !other.equals(claim.getValue())
            && (lowest < 0 || claim.getKey() < lowest)) {
          lowest = claim.getKey();
        }
      }
    }
    return lowest;
  }
}
