package org.murmur.p2p.internal.scan;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.headers.HeaderPeer;
import org.murmur.p2p.internal.peers.Question;

/** The scan's state of one peer: requested and served blocks. State only. */
public final class ScanLink {

  /** An active block that a peer proved by a tree of doubtful depth. */
  public record Doubt(int height, Hash256 block) {}

  /** How many of the last blocks a NODE_NETWORK_LIMITED peer serves (BIP-0159). */
  private static final int BLOCKS_KEPT = 288;

  /** Consecutive heights reserved for one peer: its server already knows the coins found there. */
  static final class Stripe {

    final int from;
    private int to;

    Stripe(int from, int to) {
      this.from = from;
      this.to = to;
    }

    int to() {
      return to;
    }

    boolean hasAnyOf(Heights heights) {
      return heights.meets(from, to);
    }

    /** Gives the upper half of its heights away, counted from the first one left. */
    Stripe split(int firstLeft) {
      int middle = firstLeft + (to - firstLeft + 1) / 2;
      Stripe half = new Stripe(middle, to);
      to = middle - 1;
      return half;
    }
  }

  private final HeaderPeer peer;

  // The blocks it owes, in the order requested; the first chunk is never complete.
  final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  final PassedOver passedOver = new PassedOver();
  // Blocks that it proved by trees of doubtful depth; the first is requested as a whole block.
  final ArrayDeque<Doubt> doubts = new ArrayDeque<>();
  private final SeenTransactions seen = new SeenTransactions();

  private @Nullable OpenBlock open;
  private @Nullable ScanRow row;
  private int blocksServed;
  private boolean overdue;
  private boolean mayKeepMore;
  // For the plan: the last requested height, the current stripe, and the state of changes at which
  // there was nothing to request.
  private int cursor = -1;
  private @Nullable Stripe stripe;
  private long idleSince = -1;

  ScanLink(HeaderPeer peer) {
    this.peer = peer;
  }

  /** How many filtered blocks it owes. */
  int inFlight() {
    return peer.questions().owed(Question.Kind.BLOCKS);
  }

  /** When it last served a filtered block, or got a request while it owed none. */
  Instant servedAt() {
    return peer.questions().waitingSince(Question.Kind.BLOCKS);
  }

  /** How many filtered blocks it served. */
  int blocksServed() {
    return blocksServed;
  }

  /** Adds the ids of the loads under which it owes blocks, or served the last one. */
  void addLoads(Set<Long> ids) {
    chunks.forEach(chunk -> ids.add(chunk.view.id()));
    ScanRow last = row;
    if (last != null) {
      ids.add(last.view());
    }
  }

  /** Blocks up to a height were requested from it. */
  void asked(Chunk chunk, int to) {
    chunks.add(chunk);
    cursor = to;
  }

  /** It served the next block of a chunk. */
  void serves(Chunk chunk, Instant now) {
    chunk.pass(1);
    peer.questions().answered(chunk.question, 1, now);
    blocksServed++;
  }

  /** It sent the next block of a chunk, which does not count yet. */
  void servesInDoubt(Chunk chunk, Instant now) {
    chunk.pass(1);
    peer.questions().answered(chunk.question, 1, now);
  }

  /** The next blocks of a chunk will not come. */
  void skips(Chunk chunk, int blocks) {
    chunk.pass(blocks);
    peer.questions().passed(chunk.question, blocks);
  }

  void dropDoneChunks() {
    while (!chunks.isEmpty() && chunks.element().isDone()) {
      chunks.remove();
    }
  }

  /** Whether it is silent for so long that others get its work. */
  public boolean isOverdue() {
    return overdue;
  }

  /** Others get its work. */
  void becomesOverdue() {
    overdue = true;
    stripe = null;
  }

  /** It served, or owes nothing any more; returns whether it was overdue. */
  boolean endOverdue() {
    boolean was = overdue;
    overdue = false;
    return was;
  }

  /** How often it skipped blocks since it last served one. */
  public int refusals() {
    return passedOver.times();
  }

  /** A block begins whose matched transactions are still to come. */
  void opens(OpenBlock block) {
    open = block;
  }

  /** The block whose matched transactions are still to come, or null. */
  @Nullable OpenBlock open() {
    return open;
  }

  void closeOpen() {
    open = null;
  }

  /** The row of its last block; null if the next block begins one. */
  @Nullable ScanRow row() {
    return row;
  }

  void continues(ScanRow with) {
    row = with;
  }

  /** The next block begins a row. */
  void endRow() {
    row = null;
  }

  /** The last height requested from it, or -1. */
  int cursor() {
    return cursor;
  }

  @Nullable Stripe stripe() {
    return stripe;
  }

  void worksOn(@Nullable Stripe next) {
    stripe = next;
  }

  /** There is nothing to request from it until something changes. */
  void idle(long changes) {
    idleSince = changes;
  }

  boolean isIdle(long changes) {
    return idleSince == changes;
  }

  /** It may be asked for old blocks, although its service bits deny that it keeps them. */
  void mayKeepMore() {
    mayKeepMore = true;
  }

  /** The lowest block to request from it, if the highest is known to be at a height. */
  public int lowestKept(int height) {
    return peer.isPruned() && !mayKeepMore
        ? Math.max(height, peer.tip().height()) - BLOCKS_KEPT + 1
        : 0;
  }

  /** A transaction was sent or received on this link. */
  public void see(Tx tx) {
    seen.add(tx, peer.share(SeenTransactions.MAX_BYTES));
  }

  /** Whether a transaction came on this link, and is kept. */
  public boolean hasSeen(Hash256 txid) {
    return seen.contains(txid);
  }

  /** The transactions that came on this link and are kept. */
  public SeenTransactions seen() {
    return seen;
  }

  /** Blocks above a height left the chain: what is left of its chunks there does not count. */
  void cutAbove(int height) {
    chunks.forEach(chunk -> chunk.cutAbove(height));
    stripe = null;
    cursor = Math.min(cursor, height);
    passedOver.cutAbove(height);
  }

  /**
   * It showed that it has more blocks: skipped ones are requested at once. It is {@code late} if it
   * skipped blocks that it may not have had.
   */
  public void rose(boolean late, Instant now) {
    if (late) {
      passedOver.forgive();
    }
    passedOver.hurry(now);
  }

  /** Whether the next request for skipped blocks is due. */
  boolean isToAskAgain(Instant now) {
    return passedOver.isDue(now) && doubts.isEmpty();
  }

  /** Skipped blocks are requested at once. */
  public void askAgain(Instant now) {
    passedOver.hurry(now);
  }
}
