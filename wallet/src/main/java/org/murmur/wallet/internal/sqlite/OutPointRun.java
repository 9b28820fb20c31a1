package org.murmur.wallet.internal.sqlite;

import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.ledger.Fact;
import org.murmur.wallet.internal.store.LoggedOutPoint;
import org.murmur.wallet.internal.store.StoredCoin;
import org.murmur.wallet.internal.store.StoredOutPoints;

/**
 * The outpoints among 256 places of the element log, and what makes coins of them.
 *
 * <pre>
 *   CompactSize  number of outpoints, by place; of each:
 *     uint8        its place in the log, modulo 256
 *     uint8        1: own; 2: spent by a block; 4: in a block; 8: paid by a coinbase
 *     32 bytes     txid
 *     CompactSize  number of the output
 *     CompactSize  birth
 *     CompactSize  own: script
 *     CompactSize  spent: end
 *     CompactSize  own and in a block: its height
 *     CompactSize  own and in a block: value in satoshi
 * </pre>
 */
final class OutPointRun {

  private static final int RUN_BITS = 8;
  private static final int MIN_BYTES = 36;

  private static final int OWN = 1;
  private static final int SPENT = 2;
  private static final int MINED = 4;
  private static final int COINBASE = 8;

  /** For an outpoint that belongs to no script of the log. */
  private static final int NO_SCRIPT = -1;

  /** For an outpoint without an end. */
  private static final int NO_END = Integer.MAX_VALUE;

  private final TreeMap<Integer, Entry> entries = new TreeMap<>();

  /** The facts that a block has about an own output. */
  private record Mined(int height, long value, boolean coinbase) {

    static @Nullable Mined of(OutPoint outPoint, @Nullable Fact fact) {
      if (fact == null || fact.confirmation() == null) {
        return null;
      }
      return new Mined(
          fact.height(), fact.tx().outputs().get(outPoint.index()).value(), fact.tx().isCoinbase());
    }
  }

  private record Entry(LoggedOutPoint logged, @Nullable Mined mined) {

    void write(ByteWriter out) {
      boolean own = logged.script() > NO_SCRIPT;
      boolean spent = logged.end() != NO_END;
      int coin = mined == null ? 0 : MINED | (mined.coinbase() ? COINBASE : 0);
      out.uint8(logged.index() & ((1 << RUN_BITS) - 1));
      out.uint8((own ? OWN : 0) | (spent ? SPENT : 0) | coin);
      out.hash(logged.outPoint().txid());
      out.compactSize(Integer.toUnsignedLong(logged.outPoint().index()));
      out.compactSize(logged.birth());
      if (own) {
        out.compactSize(logged.script());
      }
      if (spent) {
        out.compactSize(logged.end());
      }
      if (mined != null) {
        out.compactSize(mined.height()).compactSize(mined.value());
      }
    }

    static Entry read(long run, ByteReader in) {
      int index = (int) (run << RUN_BITS) + in.uint8();
      int flags = in.uint8();
      Hash256 txid = in.hash();
      OutPoint outPoint = new OutPoint(txid, (int) upTo(0xffff_ffffL, in));
      int birth = small(in);
      int script = (flags & OWN) == 0 ? NO_SCRIPT : small(in);
      int end = (flags & SPENT) == 0 ? NO_END : small(in);
      Mined mined =
          (flags & MINED) == 0
              ? null
              : new Mined(small(in), upTo(Tx.MAX_MONEY, in), (flags & COINBASE) != 0);
      return new Entry(
          new LoggedOutPoint(index, outPoint, script, birth, end, mined != null), mined);
    }

    private static int small(ByteReader in) {
      return (int) upTo(Integer.MAX_VALUE, in);
    }

    private static long upTo(long most, ByteReader in) {
      long value = in.compactSize();
      if (value < 0 || value > most) {
        throw new IllegalArgumentException(
            "an outpoint with the number " + Long.toUnsignedString(value));
      }
      return value;
    }

    @Nullable StoredCoin coin() {
      return mined == null || logged.script() == NO_SCRIPT || logged.end() != NO_END
          ? null
          : new StoredCoin(
              logged.index(),
              logged.outPoint(),
              mined.value(),
              logged.script(),
              mined.height(),
              mined.coinbase());
    }
  }

  /**
   * Reads what {@link #toBytes} made, with the {@link #number} of its places. Throws {@link
   * IllegalArgumentException} if a number is larger than any output has.
   */
  public static OutPointRun of(long number, ByteReader in) {
    OutPointRun run = new OutPointRun();
    read(number, in, run::put);
    return run;
  }

  private static void read(long number, ByteReader in, Consumer<Entry> reader) {
    int count = in.count(MIN_BYTES);
    for (int i = 0; i < count; i++) {
      reader.accept(Entry.read(number, in));
    }
  }

  /** Packs it. */
  public byte[] toBytes() {
    ByteWriter out = new ByteWriter(50 * entries.size());
    out.compactSize(entries.size());
    entries.values().forEach(entry -> entry.write(out));
    return out.toArray();
  }

  /** Returns in which run a place of the log is. */
  public static long number(int index) {
    return index >> RUN_BITS;
  }

  private void put(Entry entry) {
    entries.put(entry.logged().index(), entry);
  }

  /**
   * Adds an outpoint and the transaction whose output it is, null if that is not stored, or puts it
   * in the place of what was known of it. Throws {@link IllegalArgumentException} if the two say
   * different things of whether a block holds it.
   */
  public void put(LoggedOutPoint logged, @Nullable Fact payment) {
    boolean own = logged.script() > NO_SCRIPT;
    Mined mined = own ? Mined.of(logged.outPoint(), payment) : null;
    if (logged.mined() != (mined != null)) {
      throw new IllegalArgumentException(
          "outpoint " + logged.outPoint() + " is said to be in a block that does not hold it");
    }
    put(new Entry(logged, mined));
  }

  /**
   * Adds outpoints and coins that {@link #of} would read to others, in the order of the log,
   * without keeping them.
   */
  public static void read(long number, ByteReader in, StoredOutPoints outPoints) {
    read(
        number,
        in,
        entry -> {
          outPoints.logged().add(entry.logged());
          StoredCoin coin = entry.coin();
          if (coin != null) {
            outPoints.coins().add(coin);
          }
        });
  }
}
