package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.chain.Dice;

/**
 * The announcements of unconfirmed transactions to one peer, and their times (Core has a structure
 * of this name).
 *
 * <p>A trusted peer gets them at once. Another peer gets them at random times, a Poisson process:
 * the answer to {@code mempool} and new announcements both wait for the next of them. Nothing is
 * sent when there is nothing to announce: the answer to {@code mempool} has no end mark.
 *
 * <p>For one thread. Times are nanoseconds.
 */
final class TxRelay {

  /** Most entries of an {@code inv} (Core's MAX_INV_SZ). */
  private static final int MAX_INVENTORY = 50_000;

  /** Most transactions remembered as known to a peer, so that memory stays bounded. */
  private static final int MAX_KNOWN = 50_000;

  private final Mempool mempool;
  private final long pause;
  private final Dice dice;
  private final Set<Hash256> known =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Hash256, Boolean> eldest) {
              return size() > MAX_KNOWN;
            }
          });
  // Accepted since the last announcement, even those that this peer will not get.
  private final Map<Hash256, Tx> untold = new LinkedHashMap<>();
  private boolean wanted;
  private boolean byWtxid;
  private boolean hasWitness;
  private long feeFilter;
  private boolean asked;
  private long next = Long.MIN_VALUE;

  TxRelay(Mempool mempool, Behaviour behaviour, long nonce) {
    this.mempool = mempool;
    this.pause = behaviour.announcementPauseNanos();
    this.dice = new Dice(behaviour.seed() ^ nonce);
  }

  void greeted(Message.Version version) {
    wanted = version.relay();
    hasWitness = Services.has(version.services(), Services.WITNESS);
  }

  /** The peer announces transactions by wtxid (BIP-0339). */
  void useWtxid() {
    byWtxid = true;
  }

  /** The peer has loaded or cleared a filter: from now on it wants announcements. */
  void want() {
    wanted = true;
  }

  /** The peer wants no transaction with a lower fee rate, in satoshi for 1,000 virtual bytes. */
  void feeFilter(long rate) {
    feeFilter = rate;
  }

  /** The peer has asked for the mempool. */
  void ask() {
    asked = true;
  }

  /** A transaction of any source was accepted. */
  void accepted(Tx tx) {
    untold.put(tx.txid(), tx);
  }

  /** The peer has sent it. */
  void received(Tx tx) {
    known.add(tx.txid());
    known.add(Mempool.wtxid(tx));
  }

  /** Returns the getdata entries for the peer's announcements. */
  List<InventoryItem> announced(List<InventoryItem> items) {
    List<InventoryItem> wants = new ArrayList<>();
    for (InventoryItem item : items) {
      boolean wtxid = item.type() == InventoryItem.WTX;
      boolean txid = item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX;
      // As in Core, announcements in the form that the peer did not choose are ignored.
      if ((byWtxid && wtxid) || (!byWtxid && txid)) {
        known.add(item.hash());
        if (mempool.find(item.hash(), wtxid) == null) {
          wants.add(new InventoryItem(kindToAsk(), item.hash()));
        }
      }
    }
    return wants;
  }

  /** The getdata entries for a transaction's parents: by txid, since only that is known. */
  List<InventoryItem> parents(List<Hash256> txids) {
    int kind = hasWitness ? InventoryItem.WITNESS_TX : InventoryItem.TX;
    return txids.stream().distinct().map(txid -> new InventoryItem(kind, txid)).toList();
  }

  private int kindToAsk() {
    if (byWtxid) {
      return InventoryItem.WTX;
    }
    return hasWitness ? InventoryItem.WITNESS_TX : InventoryItem.TX;
  }

  /** A transaction that the peer may fetch: only one that could have been announced to it. */
  @Nullable Tx serve(InventoryItem item) {
    Tx tx = mempool.find(item.hash(), item.type() == InventoryItem.WTX);
    return tx == null || untold.containsKey(tx.txid()) ? null : tx;
  }

  /** The time of the next announcement; {@link Long#MAX_VALUE} if there is none. */
  long due() {
    return asked || !untold.isEmpty() ? next : Long.MAX_VALUE;
  }

  /** Returns the due announcements. The test also adds outpoints of matches to the filter. */
  List<Message> speak(long now, Predicate<Tx> concerns) {
    Set<InventoryItem> items = new LinkedHashSet<>();
    if (asked) {
      for (Tx tx : mempool.transactions()) {
        if (paysEnough(tx) && concerns.test(tx)) {
          items.add(name(tx));
          untold.remove(tx.txid());
        }
      }
    }
    if (wanted) {
      for (Tx tx : untold.values()) {
        if (!known.contains(name(tx).hash())
            && mempool.transaction(tx.txid()) != null
            && paysEnough(tx)
            && concerns.test(tx)) {
          items.add(name(tx));
        }
      }
    }
    items.forEach(item -> known.add(item.hash()));
    untold.clear();
    asked = false;
    next = pause == 0 ? Long.MIN_VALUE : now + draw();
    return cut(List.copyOf(items));
  }

  private static List<Message> cut(List<InventoryItem> items) {
    List<Message> messages = new ArrayList<>();
    for (int from = 0; from < items.size(); from += MAX_INVENTORY) {
      int to = Math.min(items.size(), from + MAX_INVENTORY);
      messages.add(new Message.Inv(items.subList(from, to)));
    }
    return messages;
  }

  private InventoryItem name(Tx tx) {
    return byWtxid
        ? new InventoryItem(InventoryItem.WTX, Mempool.wtxid(tx))
        : new InventoryItem(InventoryItem.TX, tx.txid());
  }

  private boolean paysEnough(Tx tx) {
    return feeFilter == 0 || mempool.feeRate(tx.txid()) >= feeFilter;
  }

  private long draw() {
    return 1 + (long) (-Math.log(1 - dice.fraction()) * pause);
  }
}
