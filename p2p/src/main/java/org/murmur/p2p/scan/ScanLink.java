package org.murmur.p2p.scan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Heights;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.headers.Tip;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.peers.Question;

/** What one peer was asked for of blocks, and what came of it. State only. */
public final class ScanLink {

  private static final PerPeer<ScanLink> LINKS = new PerPeer<>(ScanLink::new);

  /** How many transactions are kept in case a block's own are not sent again. */
  private static final int SEEN_LIMIT = 2_000;

  /** And how many bytes of them: a peer may send what it likes. */
  private static final long SEEN_BYTES = 16L << 20;

  /** How many of the last blocks a NODE_NETWORK_LIMITED peer serves (BIP-0159). */
  private static final int BLOCKS_KEPT = 288;

  private final Peer peer;

  final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  int cursor = -1;
  @Nullable Stripe stripe;
  // Silent for so long that others do its work.
  boolean overdue;
  // The state of changes at which there was nothing to ask it for.
  long idleSince = -1;
  @Nullable OpenBlock open;
  // The row that its last block stands in.
  @Nullable ScanRow row;
  final Heights refused = new Heights();
  int refusals;
  // How often it passed over blocks that it has, less one for each minute since.
  private double passes;
  private @Nullable Instant passedAt;
  // How often a guard was asked again, from the grid on, for what it passed over; and the last of
  // it.
  int refusalRounds;
  int askedAgainFor = -1;
  @Nullable Instant askAgainAt;

  // Blocks that it proved by trees of doubtful depth; the first is asked for whole.
  final ArrayDeque<Doubt> doubts = new ArrayDeque<>();

  // What came on this link, in case a block's own transactions are not sent again.
  final Map<Hash256, Tx> seen = new LinkedHashMap<>();
  private long seenBytes;

  int blocksServed;
  // It is asked for old blocks although its service bits say that it has none.
  boolean mayKeepMore;

  private ScanLink(Peer peer) {
    this.peer = peer;
  }

  /** Returns the one of a peer. */
  public static ScanLink of(Peer peer) {
    return LINKS.of(peer);
  }

  /** Whether it is silent for so long that others do its work. */
  public boolean isOverdue() {
    return overdue;
  }

  /** How often it passed over blocks since it last served one. */
  public int refusals() {
    return refusals;
  }

  /** How many filtered blocks it owes. */
  int inFlight() {
    return peer.questions().owed(Question.Kind.BLOCKS);
  }

  /** When it last served a filtered block, or was asked for one while it owed none. */
  Instant servedAt() {
    return peer.questions().waitingSince(Question.Kind.BLOCKS);
  }

  /** It is asked for old blocks although its service bits say that it has none. */
  public void mayKeepMore() {
    mayKeepMore = true;
  }

  /** Whether a transaction came on this link, and is kept. */
  public boolean hasSeen(Hash256 txid) {
    return seen.containsKey(txid);
  }

  /** How many transactions are kept in case a block's own are not sent again. */
  public int seenCount() {
    return seen.size();
  }

  /** The lowest block to ask it for, if the highest is known to be at a height. */
  int lowestKept(int height) {
    return peer.isPruned() && !mayKeepMore
        ? Math.max(height, Tip.of(peer).height()) - BLOCKS_KEPT + 1
        : 0;
  }

  public long seenBytes() {
    return seenBytes;
  }

  /** Keeps a transaction that came on this link; the oldest make room. */
  public void see(Tx tx) {
    Tx replaced = seen.put(tx.txid(), tx);
    seenBytes += tx.raw().length() - (replaced == null ? 0 : replaced.raw().length());
    Iterator<Tx> oldest = seen.values().iterator();
    while (seen.size() > SEEN_LIMIT || seenBytes > SEEN_BYTES) {
      seenBytes -= oldest.next().raw().length();
      oldest.remove();
    }
  }

  /** What is left of its chunks above a height does not count any more. */
  void cutAbove(int height) {
    chunks.forEach(chunk -> chunk.cutAbove(height));
    stripe = null;
    cursor = Math.min(cursor, height);
    refused.remove(height + 1, Integer.MAX_VALUE - 1);
    if (refused.isEmpty()) {
      askAgainAt = null;
    }
  }

  /** It has more blocks than was known; what it was without it is asked for at once. */
  public void rose(boolean late, Instant now) {
    if (late) {
      refusals = 0;
      refusalRounds = 0;
    }
    askAgain(now);
  }

  /** What it passed over is to be asked for at once. */
  public void askAgain(Instant now) {
    if (askAgainAt != null) {
      askAgainAt = now;
    }
  }

  /** It passed over blocks that it has. */
  void passes(Instant now) {
    passes = passesLeft(now) + 1;
    passedAt = now;
  }

  /** How often it did so, less one for each minute since. */
  double passesLeft(Instant now) {
    Instant last = passedAt;
    return last == null
        ? 0
        : Math.max(0, passes - Duration.between(last, now).toMillis() / 60_000.0);
  }
}
