package org.murmur.p2p.internal.scan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/**
 * The last transactions on one link. A peer may omit from a block's matches those that it sent
 * before.
 */
public final class SeenTransactions {

  /** Maximum kept. */
  private static final int MAX_COUNT = 2_000;

  /** Maximum bytes of one peer's: it may send anything. */
  static final long MAX_BYTES = 16L << 20;

  private final Map<Hash256, Tx> seen = new LinkedHashMap<>();
  private long bytes;

  /** Keeps a transaction, and evicts the oldest ones beyond so many bytes. */
  void add(Tx tx, long most) {
    Tx replaced = seen.put(tx.txid(), tx);
    bytes += tx.raw().length() - (replaced == null ? 0 : replaced.raw().length());
    Iterator<Tx> oldest = seen.values().iterator();
    while (seen.size() > MAX_COUNT || bytes > most) {
      bytes -= oldest.next().raw().length();
      oldest.remove();
    }
  }

  /** Removes some, and returns them. */
  public List<Tx> take(Predicate<Tx> which) {
    List<Tx> taken = new ArrayList<>(seen.values());
    taken.removeIf(which.negate());
    for (Tx tx : taken) {
      seen.remove(tx.txid());
      bytes -= tx.raw().length();
    }
    return taken;
  }

  boolean contains(Hash256 txid) {
    return seen.containsKey(txid);
  }

  Map<Hash256, Tx> byTxid() {
    return Collections.unmodifiableMap(seen);
  }

  /** How many are kept. */
  public int count() {
    return seen.size();
  }

  /** The bytes of those that are kept. */
  public long bytes() {
    return bytes;
  }
}
