package org.murmur.regtest.chain;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.BlockHeader;

/**
 * A block with its transactions.
 *
 * <p>It holds the serialised bytes, the offset of each transaction and the txids; a transaction is
 * parsed on demand. So a chain of a million transactions fits into a small heap. Immutable.
 */
public final class Block {

  /** Offset of the time in a header. */
  private static final int TIME = 68;

  private final byte[] raw;
  // Transaction i stands at starts[i] to starts[i + 1].
  private final int[] starts;
  private final byte[] txids;
  private final Hash256 hash;

  private Block(byte[] raw, int[] starts, byte[] txids) {
    this.raw = raw;
    this.starts = starts;
    this.txids = txids;
    this.hash = DoubleSha256.of(raw, 0, BlockHeader.LENGTH);
  }

  /** Puts a block together, without checking anything. The coinbase comes first. */
  public static Block of(BlockHeader header, List<Tx> transactions) {
    int size = BlockHeader.LENGTH + 9;
    for (Tx tx : transactions) {
      size += tx.raw().length();
    }
    ByteWriter out = new ByteWriter(size).bytes(header.bytes()).compactSize(transactions.size());
    int[] starts = new int[transactions.size() + 1];
    byte[] txids = new byte[transactions.size() * Hash256.LENGTH];
    for (int i = 0; i < transactions.size(); i++) {
      starts[i] = out.length();
      out.bytes(transactions.get(i).raw());
      transactions.get(i).txid().write(txids, i * Hash256.LENGTH);
    }
    starts[transactions.size()] = out.length();
    return new Block(out.toArray(), starts, txids);
  }

  /**
   * Parses header, count and transactions, and nothing after them. Throws {@link
   * MalformedException} if it is not a block.
   */
  public static Block parse(Bytes raw) {
    ByteReader in = new ByteReader(raw.unsafeArray());
    in.skip(BlockHeader.LENGTH);
    int count = in.count(60);
    int[] starts = new int[count + 1];
    byte[] txids = new byte[count * Hash256.LENGTH];
    for (int i = 0; i < count; i++) {
      starts[i] = in.position();
      Tx.read(in).txid().write(txids, i * Hash256.LENGTH);
    }
    starts[count] = in.position();
    in.expectEnd();
    return new Block(raw.toArray(), starts, txids);
  }

  public Hash256 hash() {
    return hash;
  }

  public BlockHeader header() {
    return BlockHeader.of(Bytes.of(raw, 0, BlockHeader.LENGTH));
  }

  public Hash256 previous() {
    return Hash256.read(raw, 4);
  }

  /** Returns the block's time in seconds since 1970. */
  public long time() {
    return Integer.toUnsignedLong(LittleEndian.int32(raw, TIME));
  }

  public int size() {
    return starts.length - 1;
  }

  /** Parses the transaction at a position; the coinbase is at 0. */
  public Tx tx(int index) {
    return Tx.read(new ByteReader(raw, starts[index], starts[index + 1]));
  }

  public List<Tx> transactions() {
    List<Tx> all = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      all.add(tx(i));
    }
    return all;
  }

  public Hash256 txid(int index) {
    return Hash256.read(txids, index * Hash256.LENGTH);
  }

  public List<Hash256> txids() {
    return new Txids();
  }

  public Bytes raw() {
    return Bytes.wrap(raw);
  }

  /** Returns the block without witness data, as a peer that did not ask for witnesses gets it. */
  public Bytes stripped() {
    ByteWriter out = new ByteWriter(raw.length).bytes(raw, 0, BlockHeader.LENGTH);
    out.compactSize(size());
    for (int i = 0; i < size(); i++) {
      out.bytes(tx(i).stripped());
    }
    return out.toBytes();
  }

  /** Returns the offset of the transaction at a position in {@link #array()}. */
  public int start(int index) {
    return starts[index];
  }

  /** Returns the serialised block, which must not be changed. */
  public byte[] array() {
    return raw;
  }

  /** Whether the transaction at a position has a given txid, without allocating. */
  boolean hasTxid(int index, byte[] txid) {
    int from = index * Hash256.LENGTH;
    return Arrays.equals(txids, from, from + Hash256.LENGTH, txid, 0, Hash256.LENGTH);
  }

  /**
   * Returns all txids, 32 bytes each in internal byte order, in an array which must not be changed.
   */
  public byte[] txidArray() {
    return txids;
  }

  private final class Txids extends AbstractList<Hash256> implements RandomAccess {
    @Override
    public Hash256 get(int index) {
      return txid(index);
    }

    @Override
    public int size() {
      return Block.this.size();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Block b && hash.equals(b.hash) && Arrays.equals(raw, b.raw);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  /** Hash and number of transactions. */
  @Override
  public String toString() {
    return "Block[" + hash + ", " + size() + " transactions]";
  }
}
