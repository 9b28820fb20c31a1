package org.murmur.p2p.filters;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.wire.Message;

/**
 * What a server's copy of the filter it was sent can have become, and what can have matched it.
 *
 * <p>It holds at least as much as the real copy: what is added counts from when it was sent, and
 * every transaction that came from anybody has been run through it, as relay makes the real copy
 * grow too ({@code UPDATE_ALL}). So what an honest server sends matches here, by an element of the
 * wallet's, by one that the server added, or by chance.
 */
public final class FilterCopy {

  /**
   * The most distinct elements a block of 1,000,000 stripped bytes can have: none that is not
   * pushed by at least three bytes.
   */
  public static final double MAX_IN_A_BLOCK = 350_000;

  /** The same for a memory pool of 300 MB, which is Core's default. */
  static final double MAX_IN_A_MEMPOOL = 100e6;

  /** And for what is relayed: far above what a node announces to a peer in a second. */
  static final double MAX_A_SECOND = 100_000;

  /** So many elements matched by chance are remembered; with more the filter hides nothing. */
  static final int MAX_EXPLAINED = 20_000;

  /** How a transaction came through the filter. */
  enum Match {
    /** By something of the wallet's. */
    OWN,
    /** By something that matched before, or that the server added because it did. */
    EXPLAINED,
    /** By chance. */
    CHANCE,
    /** By chance, and there were more of these than chance explains. */
    TOO_MANY,
    /** Not at all. */
    NONE
  }

  private final ServerFilter filter;
  private final boolean fixed;
  // Whether all filters that what comes can have matched are fixed.
  private final boolean onlyFixed;
  private final ChanceMatches chance = new ChanceMatches();
  private final Set<Bytes> explained = new HashSet<>();
  // What was announced before the filter was changed may still come.
  private final List<ServerFilter> earlier = new ArrayList<>();
  private int growthTold;
  private Instant testedTo;

  public FilterCopy(BloomFilter sent, @Nullable FilterCopy before, Instant now) {
    this.filter = new ServerFilter(sent);
    this.fixed = sent.parameters().flag() == UpdateFlag.NONE;
    if (before != null) {
      if (fixed && before.fixed) {
        // Epochs are shown in turn, and none of them changes at the server.
        earlier.addAll(before.earlier);
        earlier.removeIf(old -> old.filter().equals(sent) || old.filter().equals(before.sent()));
      }
      earlier.add(before.filter);
    }
    this.onlyFixed = fixed && (before == null || before.onlyFixed);
    this.testedTo = now;
  }

  /** The copy after a message to the server; null while it has no filter. */
  static @Nullable FilterCopy after(@Nullable FilterCopy before, Message message, Instant now) {
    if (message instanceof Message.FilterLoad load) {
      return new FilterCopy(load.filter(), before, now);
    }
    if (before != null && message instanceof Message.FilterAdd add) {
      before.filter.add(add.element());
    } else if (before != null && message instanceof Message.Mempool) {
      before.tested(MAX_IN_A_MEMPOOL);
    }
    return before;
  }

  /** Whether the server adds nothing of its own accord, and never did on this link. */
  boolean isFixed() {
    return onlyFixed;
  }

  /** Whether the server added outpoints since {@link #asOf} was last asked. */
  public boolean hasGrown() {
    return filter.outPointsAdded() > growthTold;
  }

  /** What it has become, for the record. */
  public ServerCopy asOf(long load) {
    growthTold = filter.outPointsAdded();
    return new ServerCopy(load, growthTold, filter.bitsSet());
  }

  /** The server looked, or is about to look, through so many elements at most. */
  public void tested(double elements) {
    chance.tested(elements, filter.realisedRate());
  }

  /** A transaction came from somebody else: if this server relayed it too, its copy has grown. */
  public void seenElsewhere(Tx tx) {
    if (!hits(tx).isEmpty()) {
      grow(tx);
    }
  }

  /** Says how a transaction that this server sent came through, and grows as its copy did. */
  Match match(Tx tx, WatchedLog own, Instant now) {
    tested(MAX_A_SECOND * Duration.between(testedTo, now).toMillis() / 1e3);
    testedTo = now;
    List<Bytes> hits = hits(tx);
    Match match = match(tx, hits, own);
    if (!hits.isEmpty()) {
      grow(tx);
    }
    return match;
  }

  private Match match(Tx tx, List<Bytes> hits, WatchedLog own) {
    // Under a fixed filter the wallet's own is judged like everybody's, and what matches is not
    // counted: neither what a peer is let through with nor when it is too much may tell whose it
    // is.
    if (fixed && !hits.isEmpty()) {
      return Match.EXPLAINED;
    }
    if (!fixed && concerns(tx, own)) {
      return Match.OWN;
    }
    if (hits.isEmpty()) {
      for (ServerFilter old : earlier) {
        if (old.matchAndUpdate(tx)) {
          return Match.EXPLAINED;
        }
      }
      return Match.NONE;
    }
    boolean known = hits.stream().anyMatch(explained::contains);
    if (explained.size() + hits.size() > MAX_EXPLAINED) {
      return Match.EXPLAINED;
    }
    explained.addAll(hits);
    if (known) {
      return Match.EXPLAINED;
    }
    return chance.found() ? Match.TOO_MANY : Match.CHANCE;
  }

  private BloomFilter sent() {
    return filter.filter();
  }

  private static boolean concerns(Tx tx, WatchedLog own) {
    boolean[] found = {false};
    TxElements.forEach(tx, element -> found[0] |= own.contains(element));
    return found[0];
  }

  private List<Bytes> hits(Tx tx) {
    List<Bytes> hits = new ArrayList<>();
    TxElements.forEach(
        tx,
        element -> {
          if (filter.contains(element.unsafeArray(), 0, element.length())) {
            hits.add(element);
          }
        });
    return hits;
  }

  /** Adds the outpoints that the server adds, and remembers that they are no chance. */
  private void grow(Tx tx) {
    filter.matchAndUpdate(tx);
    for (int i = 0; i < tx.outputs().size() && explained.size() < MAX_EXPLAINED; i++) {
      Bytes outPoint = tx.outPoint(i).toBytes();
      if (filter.contains(outPoint.unsafeArray(), 0, outPoint.length())) {
        explained.add(outPoint);
      }
    }
  }
}
