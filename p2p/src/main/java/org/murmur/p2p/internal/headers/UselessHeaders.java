package org.murmur.p2p.internal.headers;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * Headers of one peer that do not make the chain grow: repetitions, side branches, orphans. An
 * honest peer sends some of each, so each is bounded.
 */
final class UselessHeaders {

  /** An honest peer's announcement can fail to connect now and then, but not again and again. */
  private static final int MAX_ORPHANS = 8;

  /** Messages with nothing new, between two that make the chain grow. */
  private static final int MAX_FRUITLESS = 64;

  /** A full message with nothing new counts as this many. */
  private static final int FULL_AND_FRUITLESS = 8;

  // Messages with nothing new, as of this growth of the chain.
  private int fruitless;
  private int growth;
  // Headers of side branches, and orphans, since the peer last made the chain grow.
  private int onSideBranches;
  private int orphans;
  // Where the last full batch of known headers ended.
  private @Nullable Hash256 knownTo;

  static boolean isFull(Headers headers) {
    return headers.count() == Headers.MAX_PER_MESSAGE;
  }

  /** The peer made the chain grow. */
  void forgive() {
    orphans = 0;
    onSideBranches = 0;
    knownTo = null;
  }

  void forgiveOrphans() {
    orphans = 0;
  }

  /** A message had nothing new, and that was our clock's fault. */
  void forgiveOne() {
    fruitless = Math.max(0, fruitless - 1);
  }

  int orphans() {
    return orphans;
  }

  int fruitless() {
    return fruitless;
  }

  /** Refuses headers that connect to nothing, if there were too many. */
  Refusal orphan() {
    orphans++;
    return orphans > MAX_ORPHANS ? bad("headers that connect to nothing") : Refusal.NONE;
  }

  /** Refuses valid headers whose branch has less work, if there were too many. */
  Refusal onSideBranch(int count) {
    onSideBranches += count;
    return onSideBranches > HeaderChain.SIDE_LIMIT
        ? bad(onSideBranches + " headers on side branches that never reach more work")
        : Refusal.NONE;
  }

  /**
   * Refuses known headers, if there were too many for how often the chain grew. An honest peer
   * repeats the chain once, each batch after the one before.
   */
  Refusal known(Headers headers, int chainGrowth) {
    boolean goesOn = Objects.equals(knownTo, headers.previous(0));
    knownTo = headers.linkage().last();
    return goesOn && isFull(headers) ? Refusal.NONE : fruitless(headers, chainGrowth);
  }

  /** Refuses a message with nothing new, if there were too many since the chain last grew. */
  Refusal fruitless(Headers headers, int chainGrowth) {
    if (growth != chainGrowth) {
      growth = chainGrowth;
      fruitless = 0;
    }
    fruitless += isFull(headers) ? FULL_AND_FRUITLESS : 1;
    return fruitless > MAX_FRUITLESS ? bad("repeated headers with nothing new") : Refusal.NONE;
  }

  private static Refusal bad(String detail) {
    return new Refusal(DisconnectReason.BAD_HEADERS, detail);
  }
}
