package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.TxElements;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.sync.ServerCopy;
import org.murmur.p2p.internal.wire.Message;

/**
 * A model of a server-side filter: what it can have become since it was sent.
 *
 * <p>It holds at least as much as the real one. An addition counts from the moment it was sent, and
 * every transaction from any peer runs through the model, as relay also makes the server's filter
 * grow ({@code UPDATE_ALL}). So the model matches whatever an honest server sends.
 */
public final class FilterCopy {

  private final ServerFilter filter;
  private final boolean fixed;
  // Whether no filter on this link could grow so far.
  private final boolean onlyFixed;
  // An announcement made under these may still arrive.
  private final List<ServerFilter> earlier = new ArrayList<>();
  private int growthRecorded;

  public FilterCopy(BloomFilter sent, @Nullable FilterCopy before) {
    this.filter = new ServerFilter(sent);
    this.fixed = sent.parameters().flag() == UpdateFlag.NONE;
    if (before != null) {
      if (fixed && before.fixed) {
        // Epochs alternate, and the server changes none of them.
        earlier.addAll(before.earlier);
        earlier.removeIf(old -> old.filter().equals(sent) || old.filter().equals(before.sent()));
      }
      earlier.add(before.filter);
    }
    this.onlyFixed = fixed && (before == null || before.onlyFixed);
  }

  /** The model after a message to the server; null while it has no filter. */
  static @Nullable FilterCopy after(@Nullable FilterCopy before, Message message) {
    if (message instanceof Message.FilterLoad load) {
      return new FilterCopy(load.filter(), before);
    }
    if (before != null && message instanceof Message.FilterAdd add) {
      before.filter.add(add.element());
    }
    return before;
  }

  /** Whether the server adds nothing, and never did on this link. */
  boolean isFixed() {
    return onlyFixed;
  }

  /** Whether the server added outpoints since {@link #asOf} was last called. */
  public boolean hasGrown() {
    return filter.outPointsAdded() > growthRecorded;
  }

  /** Returns the filter's state for the record. */
  public ServerCopy asOf(long load) {
    growthRecorded = filter.outPointsAdded();
    return new ServerCopy(load, growthRecorded, filter.bitsSet());
  }

  /** Runs a transaction of another peer through the model: this server may have relayed it too. */
  public void sentByOther(Tx tx) {
    filter.matchAndUpdate(tx);
  }

  /**
   * Whether this server's filter can have matched a transaction; the model grows as the filter did.
   *
   * <p>A fixed filter judges the wallet's own transactions like any other. Otherwise a guard could
   * send a transaction and learn from our answer whether it is ours.
   */
  boolean matches(Tx tx, WatchedLog own) {
    if (filter.matchAndUpdate(tx) || (!fixed && concerns(tx, own))) {
      return true;
    }
    for (ServerFilter old : earlier) {
      if (old.matchAndUpdate(tx)) {
        return true;
      }
    }
    return false;
  }

  private BloomFilter sent() {
    return filter.filter();
  }

  private static boolean concerns(Tx tx, WatchedLog own) {
    boolean[] found = {false};
    TxElements.forEach(tx, element -> found[0] |= own.contains(element));
    return found[0];
  }
}
