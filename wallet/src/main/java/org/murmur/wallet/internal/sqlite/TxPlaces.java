package org.murmur.wallet.internal.sqlite;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.wallet.internal.store.KeyedHeights;

/**
 * Where each of some transactions is: its block's height, or its row among the unconfirmed. All
 * whose txids begin with the same byte stand together, so 256 of these are in place of an index of
 * txids, which would have no checksums.
 *
 * <p>Of each txid only eight bytes are stored. Txids that share them are distinguished by the
 * transactions themselves.
 *
 * <pre>
 *   CompactSize  number of transactions, by txid; of each:
 *     8 bytes      the first of the txid
 *     CompactSize  twice the height; or twice the row, plus 1
 * </pre>
 */
final class TxPlaces {

  private static final int MIN_BYTES = 9;

  private final List<Entry> entries;

  private TxPlaces(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * A place: the height of the block that holds the transaction, or the row among the unconfirmed.
   */
  public record Place(boolean mined, long at) {}

  private record Entry(long key, Place place) {}

  /** Makes one without transactions. */
  public static TxPlaces none() {
    return new TxPlaces(new ArrayList<>());
  }

  /** Reads what {@link #toBytes} made. */
  public static TxPlaces of(ByteReader in) {
    int count = in.count(MIN_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long key = Long.reverseBytes(in.int64());
      long place = in.compactSize();
      entries.add(new Entry(key, new Place((place & 1) == 0, place >>> 1)));
    }
    return new TxPlaces(entries);
  }

  /** Counts the transactions in blocks that {@link #toBytes} packed, without making the places. */
  public static int mined(ByteReader in) {
    int mined = 0;
    for (int left = in.count(MIN_BYTES); left > 0; left--) {
      in.int64();
      mined += (in.compactSize() & 1) == 0 ? 1 : 0;
    }
    return mined;
  }

  /** Packs it. */
  public byte[] toBytes() {
    entries.sort((a, b) -> Long.compareUnsigned(a.key(), b.key()));
    ByteWriter out = new ByteWriter(12 * entries.size());
    out.compactSize(entries.size());
    for (Entry entry : entries) {
      Place place = entry.place();
      out.int64(Long.reverseBytes(entry.key()));
      out.compactSize(place.at() << 1 | (place.mined() ? 0 : 1));
    }
    return out.toArray();
  }

  /** Returns which of the 256 a transaction belongs to. */
  public static long row(Hash256 txid) {
    return KeyedHeights.key(txid) >>> 56;
  }

  /** Adds the heights of those in blocks, by the keys of their txids. */
  public void addHeights(KeyedHeights heights) {
    for (Entry entry : entries) {
      if (entry.place().mined()) {
        heights.add(entry.key(), (int) entry.place().at());
      }
    }
  }

  /** Returns whether there are none. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns where a transaction may be; one that is not stored may seem to be somewhere. */
  public List<Place> find(Hash256 txid) {
    List<Place> places = new ArrayList<>(1);
    long key = KeyedHeights.key(txid);
    for (Entry entry : entries) {
      if (entry.key() == key && !places.contains(entry.place())) {
        places.add(entry.place());
      }
    }
    return places;
  }

  /** Adds a transaction. */
  public void add(Hash256 txid, Place place) {
    entries.add(new Entry(KeyedHeights.key(txid), place));
  }

  /** Removes a transaction from a place where it was added. */
  public void remove(Hash256 txid, Place place) {
    entries.remove(new Entry(KeyedHeights.key(txid), place));
  }
}
