package org.murmur.p2p.headers;

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
import org.murmur.p2p.chain.Connect;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/**
 * Notices a peer whose chain ends far below the others', that stops telling of new blocks while
 * others go on, or that is on another chain.
 *
 * <p>What a peer says of its height proves nothing and what it leaves unsaid not much, so nobody is
 * dropped on suspicion: it is asked for one header near our tip, by hash. A peer that has it sends
 * it; a ping behind the question says when it has not. That a chain is another one is seen in the
 * headers themselves: they are valid, they are all that the peer has, and their branch has less
 * work than ours. Such a peer has none of our blocks above the fork, so it is shown no filter.
 */
public final class TipWatch {

  /** Blocks behind us at which a peer is asked in time. Less than this is a race or a fork. */
  static final int BEHIND = 3;

  /** How long a peer may be a few blocks behind before it is asked. */
  public static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Effects effects;
  private final HeaderChain chain;
  private final Roster roster;

  private final List<Rise> risen = new ArrayList<>();

  /**
   * A peer has more blocks than was known.
   *
   * @param late whether it had passed some over that it may have had to wait for
   */
  public record Rise(Peer peer, boolean late) {}

  public TipWatch(Effects effects, HeaderChain chain, Roster roster) {
    this.effects = effects;
    this.chain = chain;
    this.roster = roster;
  }

  /** A peer said how high its chain is. */
  public void claimed(Peer peer, int height) {
    Tip.of(peer).height = height;
    Reach.of(peer).rises(height);
  }

  /** It tells of blocks: the one that everybody knows by now it has too. */
  public void heard(Peer peer, Message.Inv inv) {
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.BLOCK) {
        has(peer, chain.recentHeightOf(item.hash()));
      }
    }
  }

  /** It has a block; what it was without before is to be asked for at once. */
  private void has(Peer peer, int height) {
    boolean late = Reach.of(peer).isLate();
    if (Reach.of(peer).rises(height)) {
      effects.changed();
      risen.add(new Rise(peer, late));
    }
  }

  /** Hands over who was heard to have more blocks since this was last asked. */
  public List<Rise> takeRisen() {
    if (risen.isEmpty()) {
      return List.of();
    }
    List<Rise> taken = List.copyOf(risen);
    risen.clear();
    return taken;
  }

  /** Whether headers are the one that the peer was asked to show. */
  public boolean isShown(Peer peer, Headers headers) {
    return headers.count() == 1 && Objects.equals(Tip.of(peer).asked, headers.hash(0));
  }

  /** Headers came: the peer's chain has them. */
  public void received(Peer peer, Headers headers) {
    Tip tip = Tip.of(peer);
    tip.toldAnything = true;
    tip.toldBeside = false;
    if (!headers.isEmpty()) {
      Hash256 last = headers.hash(headers.count() - 1);
      int height = chain.recentHeightOf(last);
      tip.height = Math.max(tip.height, height);
      has(peer, height);
      tip.told = last;
      Optional<Connect.SideBranch> beside = chain.beside(last);
      tip.toldBeside = beside.isPresent();
      // The height that it said is that of its own branch.
      beside.ifPresent(branch -> Reach.of(peer).partsAt(branch.forkHeight()));
      return;
    }
    tip.told = null;
    if (HeaderTalk.of(peer).done) {
      // It claimed more than it has to offer.
      tip.height = Math.min(tip.height, chain.height());
    }
  }

  /**
   * Finds those that have told all they have, and it leads elsewhere. A branch that leaves ours
   * only just below the tip is a race, which the next block decides; one that a single message
   * holds may be one that the peer is about to leave, so it is asked again for a while.
   *
   * @param headers asks a peer again
   * @return the peers that are of no use, with the reason
   */
  public Map<Peer, Refusal> apart(HeaderSync headers) {
    Map<Peer, Refusal> apart = new LinkedHashMap<>();
    for (Peer peer : roster.peers()) {
      Tip tip = Tip.of(peer);
      if (!HeaderTalk.of(peer).done || HeaderTalk.of(peer).isAsked()) {
        continue;
      }
      Connect.SideBranch branch = branch(tip);
      if (branch == null) {
        if (tip.apartSince != null) {
          tip.apartSince = null;
          tip.lastChance = false;
          effects.changed();
        }
      } else if (!tip.toldBeside) {
        // Its headers were ours until another branch had more work.
        headers.ask(peer);
      } else if (tip.lastChance
          || branch.height() - branch.forkHeight() >= Headers.MAX_PER_MESSAGE) {
        apart.put(peer, onAnotherChain(branch));
      } else {
        askAgain(peer, headers);
      }
    }
    return apart;
  }

  /** The branch that a peer told last, if it parts from ours far down and has less work. */
  private Connect.@Nullable SideBranch branch(Tip tip) {
    Connect.SideBranch branch = tip.told == null ? null : chain.beside(tip.told).orElse(null);
    boolean parts =
        branch != null
            && chain.height() - branch.forkHeight() >= BEHIND
            && chain.work().isMoreThan(branch.work());
    return parts ? branch : null;
  }

  private void askAgain(Peer peer, HeaderSync headers) {
    Tip tip = Tip.of(peer);
    if (tip.apartSince == null) {
      tip.apartSince = effects.now();
    } else if (effects.now().isBefore(Objects.requireNonNull(tip.apartDue()))) {
      return;
    }
    tip.lastChance = !effects.now().isBefore(tip.apartSince.plus(Tip.APART_PATIENCE));
    tip.apartAskedAt = effects.now();
    headers.ask(peer);
  }

  /** Whether nobody who said hello is known to be on our branch. */
  public boolean areAllApart() {
    return roster.peers().stream().filter(Peer::isReady).allMatch(peer -> Tip.of(peer).isApart());
  }

  /** Whether somebody is on another branch and may leave it yet. */
  public boolean isUndecided() {
    return roster.peers().stream().anyMatch(peer -> Tip.of(peer).isApart());
  }

  /** What is to be said of a peer that was on another branch to the end; empty if it was not. */
  public String elsewhere(Peer peer) {
    Connect.SideBranch branch = Tip.of(peer).isApart() ? branch(Tip.of(peer)) : null;
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
            + " has more work, and they part at height "
            + branch.forkHeight());
  }

  /** Asks those that seem to be behind. */
  public void look() {
    for (Peer peer : roster.peers()) {
      Tip tip = Tip.of(peer);
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

  private void ask(Peer peer) {
    int base = chain.base().height();
    Hash256 hash = chain.hashAt(Math.max(base, chain.height() - BEHIND + 1));
    Tip.of(peer).asked = hash;
    // Without a locator this asks for the one header (Core, NetMsgType::GETHEADERS).
    Message request = new Message.GetHeaders(List.of(), hash);
    effects.ask(peer, Question.Kind.TIP, 0, request, question -> judge(peer, hash));
  }

  /** The pong behind our question: a peer that has the header has shown it by now. */
  private Refusal judge(Peer peer, Hash256 shown) {
    Tip tip = Tip.of(peer);
    int asked = chain.recentHeightOf(shown);
    tip.asked = null;
    if (tip.height >= asked) {
      // It has it, or a reorganisation took it from us too.
      return Refusal.NONE;
    }
    return new Refusal(
        DisconnectReason.STALE_TIP,
        Obstacle.BEHIND,
        "its chain ends at height "
            + tip.height
            + " or so, the longest known at "
            + chain.height());
  }

  /** When somebody is to be asked, or null. */
  public @Nullable Instant due() {
    Instant due = null;
    for (Peer peer : roster.peers()) {
      Instant since = Tip.of(peer).behindSince;
      if (since != null && (due == null || since.plus(PATIENCE).isBefore(due))) {
        due = since.plus(PATIENCE);
      }
      Instant apart = HeaderTalk.of(peer).isAsked() ? null : Tip.of(peer).apartDue();
      if (apart != null && (due == null || apart.isBefore(due))) {
        due = apart;
      }
    }
    return due;
  }
}
