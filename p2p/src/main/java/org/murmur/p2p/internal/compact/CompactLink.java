package org.murmur.p2p.internal.compact;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.peers.Question;

/** The claims of one peer about filters, and its debts. State only. */
final class CompactLink {

  /** The first pause before it is asked again for filters that it seems not to have yet. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** That pause doubles this many times, to 32 s. Then nothing waits for the peer. */
  private static final int MAX_DOUBLINGS = 5;

  /**
   * An open request for filter headers.
   *
   * @param from the height of the first hash that is wanted, or {@link #CHECKPOINTS}
   * @param to the height of the stop hash
   * @param stop the stop hash, as the chain was at the request
   * @param counts whether what it says of these heights is still wanted
   */
  record Asked(int from, int to, Hash256 stop, Question question, boolean counts) {

    /** Stands for the headers at every 1,000th height. */
    static final int CHECKPOINTS = -1;
  }

  /** The hashes of consecutive filters that this peer sent last. */
  record Tail(int from, Hash256 previous, List<Hash256> hashes) {}

  /** Consecutive filters that it owes. */
  static final class Stripe {

    final int from;
    final Instant askedAt;
    final Question question;

    /** Takes the filters of a dispute; null if they are to be tested. */
    final @Nullable Consumer<Bytes> taker;

    private final Hash256[] blocks;
    private final Hash256[] filters;
    private int served;
    private int validTo;

    Stripe(
        int from,
        Hash256[] blocks,
        Hash256[] filters,
        Question question,
        @Nullable Consumer<Bytes> taker) {
      this.from = from;
      this.taker = taker;
      this.blocks = blocks;
      this.filters = filters;
      this.question = question;
      this.askedAt = question.askedAt();
      this.validTo = from + blocks.length - 1;
    }

    int next() {
      return from + served;
    }

    int size() {
      return blocks.length;
    }

    int left() {
      return blocks.length - served;
    }

    Hash256 block() {
      return blocks[served];
    }

    Hash256 filter() {
      return filters[served];
    }

    /** Steps to the next filter; returns whether the one before still counts. */
    boolean pass() {
      return from + served++ <= validTo;
    }

    int validTo() {
      return validTo;
    }

    void cutAbove(int height) {
      validTo = Math.min(validTo, height);
    }
  }

  /** The filter headers that it claims, by height. */
  final TreeMap<Integer, Hash256> claims = new TreeMap<>();

  /** The filters that it owes, in the order of the requests. */
  final ArrayDeque<Stripe> stripes = new ArrayDeque<>();

  @Nullable Asked asked;
  @Nullable Tail tail;
  @Nullable View view;

  /** How many filters the next stripe has. */
  int stripe;

  /** How many filters it served. */
  int served;

  private int silences;
  private Instant askAgainAt = Instant.EPOCH;

  /** It did not answer: Core is silent while its index lags. It is asked again later. */
  void isSilent(Instant now) {
    askAgainAt = now.plus(PAUSE.multipliedBy(1L << Math.min(MAX_DOUBLINGS, silences)));
    silences++;
  }

  void answers() {
    silences = 0;
  }

  /** Whether it may be asked now. */
  boolean isAwake(Instant now) {
    return !now.isBefore(askAgainAt);
  }

  /** Whether it is worth waiting for. Otherwise it is still asked, for its index may catch up. */
  boolean hasHope() {
    return silences <= MAX_DOUBLINGS + 1;
  }

  Instant askAgainAt() {
    return askAgainAt;
  }

  /** Whether it owes anything of this room. */
  boolean owes() {
    return asked != null || !stripes.isEmpty();
  }

  /** Blocks above a height left the chain, or what it said of them is void. */
  void cutAbove(int height) {
    claims.tailMap(height, false).clear();
    Asked open = asked;
    if (open != null && open.to() > height) {
      asked = new Asked(open.from(), open.to(), open.stop(), open.question(), false);
    }
    stripes.forEach(owed -> owed.cutAbove(height));
    tail = null;
  }
}
