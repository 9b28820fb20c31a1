package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.chain.Connect;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * Finds peers whose chain ends far below ours, that stopped announcing blocks, or whose best chain
 * is another than ours.
 *
 * <p>A claimed height proves nothing, and neither does silence. So no peer is disconnected on
 * suspicion: it is asked for one header near our tip, by hash. A peer that has it sends it before
 * the pong of the ping after the request. Another chain shows in the headers: they are valid, the
 * peer has no more, and their branch has less work than ours. Such a peer has none of our blocks
 * above the fork, so it gets no filter.
 */
public final class TipWatch extends Part<HeaderPeer> implements Alarm.Timed {

  /**
   * A peer that is this many blocks behind us is asked. A smaller difference is a race or a fork.
   */
  static final int BEHIND = 3;

  /** How long a peer may be a few blocks behind before it is asked. */
  public static final Duration PATIENCE = Duration.ofMinutes(10);

  private final List<Rise> risen = new ArrayList<>();

  /**
   * The peer of a link has more blocks than was known; {@code late} if it had skipped some that it
   * may not have had yet.
   */
  public record Rise(int link, boolean late) {}

  public TipWatch(Part<? extends HeaderPeer> machine) {
    super(machine);
  }

  /** A peer announced the height of its chain. */
  public void claimed(HeaderPeer peer, int height) {
    peer.tip().height = height;
    peer.reach().rises(height);
  }

  /** It announces blocks. It has those that are in our chain. */
  public void heard(HeaderPeer peer, Message.Inv inv) {
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.BLOCK) {
        has(peer, chain.recentHeightOf(item.hash()));
      }
    }
  }

  /** It has a block: the blocks that it lacked are requested at once. */
  private void has(HeaderPeer peer, int height) {
    boolean late = peer.reach().isLate();
    if (peer.reach().rises(height)) {
      effects.changed();
      risen.add(new Rise(peer.link().id(), late));
    }
  }

  /** Returns the peers that showed more blocks since the last call. */
  public List<Rise> takeRisen() {
    if (risen.isEmpty()) {
      return List.of();
    }
    List<Rise> taken = List.copyOf(risen);
    risen.clear();
    return taken;
  }

  /** Whether headers are the one that the peer was asked for. */
  public boolean isShown(HeaderPeer peer, Headers headers) {
    return headers.count() == 1 && Objects.equals(peer.tip().asked, headers.hash(0));
  }

  /** Headers came: the peer's chain has them. */
  public void received(HeaderPeer peer, Headers headers) {
    Tip tip = peer.tip();
    tip.sentHeaders = true;
    tip.lastIsOnBranch = false;
    if (!headers.isEmpty()) {
      Hash256 last = headers.hash(headers.count() - 1);
      int height = chain.recentHeightOf(last);
      tip.height = Math.max(tip.height, height);
      has(peer, height);
      tip.lastHeader = last;
      Optional<Connect.SideBranch> branch = chain.beside(last);
      tip.lastIsOnBranch = branch.isPresent();
      // The height that it announced is that of its own branch.
      branch.ifPresent(side -> peer.reach().partsAt(side.forkHeight()));
      return;
    }
    tip.lastHeader = null;
    if (peer.headers().isDone()) {
      // It claimed more than it has.
      tip.height = Math.min(tip.height, chain.height());
    }
  }

  /**
   * Finds peers that sent all their headers and whose best chain is another than ours. A fork just
   * below the tip is a race, which the next block decides. A peer may be about to leave a branch
   * that one message holds, so it is asked again for a while.
   */
  public Map<HeaderPeer, Refusal> onOtherChains(HeaderSync headers) {
    Map<HeaderPeer, Refusal> lost = new LinkedHashMap<>();
    for (HeaderPeer peer : roster.peers()) {
      Tip tip = peer.tip();
      if (!peer.headers().isDone() || peer.headers().isAsked()) {
        continue;
      }
      Connect.SideBranch branch = branch(tip);
      if (branch == null) {
        if (tip.onOtherChainSince != null) {
          tip.onOtherChainSince = null;
          tip.lastChance = false;
          effects.changed();
        }
      } else if (!tip.lastIsOnBranch) {
        // Its headers were ours until another branch had more work.
        headers.ask(peer);
      } else if (tip.lastChance
          || branch.height() - branch.forkHeight() >= Headers.MAX_PER_MESSAGE) {
        lost.put(peer, onAnotherChain(branch));
      } else {
        askAgain(peer, headers);
      }
    }
    return lost;
  }

  /**
   * The branch that a peer sent last, if it forks off far below the tip and has less work than
   * ours.
   */
  private Connect.@Nullable SideBranch branch(Tip tip) {
    Connect.SideBranch branch =
        tip.lastHeader == null ? null : chain.beside(tip.lastHeader).orElse(null);
    boolean parts =
        branch != null
            && chain.height() - branch.forkHeight() >= BEHIND
            && chain.work().isMoreThan(branch.work());
    return parts ? branch : null;
  }

  private void askAgain(HeaderPeer peer, HeaderSync headers) {
    Tip tip = peer.tip();
    if (tip.onOtherChainSince == null) {
      tip.onOtherChainSince = effects.now();
    } else if (effects.now().isBefore(Objects.requireNonNull(tip.askAgainAt()))) {
      return;
    }
    tip.lastChance = !effects.now().isBefore(tip.onOtherChainSince.plus(Tip.BRANCH_PATIENCE));
    tip.askedAgainAt = effects.now();
    headers.ask(peer);
  }

  /** Whether the best chain of every connected peer is another than ours. */
  public boolean areAllOnOtherChains() {
    return roster.peers().stream()
        .filter(Peer::isReady)
        .allMatch(peer -> peer.tip().isOnOtherChain());
  }

  /** Whether some peer's best chain is another than ours, and may still change. */
  public boolean isUndecided() {
    return roster.peers().stream().anyMatch(peer -> peer.tip().isOnOtherChain());
  }

  /** Describes the chain of a peer that stayed on another one; empty if it did not. */
  public String otherChain(HeaderPeer peer) {
    Connect.SideBranch branch = peer.tip().isOnOtherChain() ? branch(peer.tip()) : null;
    return branch == null ? "" : onAnotherChain(branch).detail();
  }

  private Refusal onAnotherChain(Connect.SideBranch branch) {
    return new Refusal(
        DisconnectReason.OTHER_CHAIN,
        Obstacle.OTHER_CHAIN,
        "on another chain: its tip is at height "
            + branch.height()
            + ", ours at height "
            + chain.height()
            + " has more work, and they fork at height "
            + branch.forkHeight());
  }

  /** Asks the peers that seem to be behind. */
  public void check() {
    for (HeaderPeer peer : roster.peers()) {
      Tip tip = peer.tip();
      int behind = chain.height() - tip.height;
      if (!peer.isReady() || tip.asked != null || behind < BEHIND) {
        tip.behindSince = null;
        continue;
      }
      if (tip.behindSince == null) {
        tip.behindSince = effects.now();
      }
      if (behind >= Reach.FAR_BEHIND || !effects.now().isBefore(tip.behindSince.plus(PATIENCE))) {
        ask(peer);
      }
    }
  }

  private void ask(HeaderPeer peer) {
    int base = chain.base().height();
    Hash256 hash = chain.hashAt(Math.max(base, chain.height() - BEHIND + 1));
    peer.tip().asked = hash;
    // Without a locator this asks for the one header (Core, NetMsgType::GETHEADERS).
    Message request = new Message.GetHeaders(List.of(), hash);
    effects.ask(peer, Question.Kind.TIP, 0, request, question -> judge(peer, hash));
  }

  /** The pong after our request: a peer that has the header has sent it by now. */
  private Refusal judge(HeaderPeer peer, Hash256 shown) {
    Tip tip = peer.tip();
    int asked = chain.recentHeightOf(shown);
    tip.asked = null;
    if (tip.height >= asked) {
      // It has it, or a reorganisation took it from us too.
      return Refusal.NONE;
    }
    return new Refusal(
        DisconnectReason.STALE_TIP,
        Obstacle.BEHIND,
        "its chain ends at about height "
            + tip.height
            + ", the longest known one at "
            + chain.height());
  }

  @Override
  public void setAlarm(Alarm alarm) {
    for (HeaderPeer peer : roster.peers()) {
      Instant since = peer.tip().behindSince;
      alarm.at(since == null ? null : since.plus(PATIENCE));
      alarm.at(peer.headers().isAsked() ? null : peer.tip().askAgainAt());
    }
  }
}
