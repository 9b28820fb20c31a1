package org.murmur.lab.privacy.chain;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.privacy.BlockCost;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.regtest.chain.Dice;

/**
 * The bytes that a client downloads of a synthetic chain, message headers included.
 *
 * <p>Filters of blocks are made of the chain's scripts, by the code of BIP-0158, and measured.
 * Transactions have no bytes here: each counts as {@link BusyMainnet} has it, also the coinbase,
 * which the chain leaves out. Immutable; safe to share between threads.
 */
public final class BlockSizes {

  /** A header in {@code headers}: its 80 bytes, and the number of transactions. */
  private static final int HEADER = 81;

  /** Of a {@code cfilter}: type and hash of the block; and the filter's length before it. */
  private static final int AROUND_FILTER = BlockCost.MESSAGE_HEADER_BYTES + 33;

  private final SyntheticChain chain;

  /** By height: the bytes of the {@code cfilter}, and the hash in {@code cfheaders}. */
  private final int[] filters;

  public BlockSizes(SyntheticChain chain, Elements elements) {
    this.chain = chain;
    this.filters = new int[chain.height() + 1];
    for (int height = 1; height < filters.length; height++) {
      int bytes = filter(elements, height).toPayload().length();
      filters[height] = Hash256.LENGTH + AROUND_FILTER + sizeBytes(bytes) + bytes;
    }
  }

  private GolombCodedSet filter(Elements elements, int height) {
    Map<Integer, Bytes> scripts = new HashMap<>();
    byte[] buffer = new byte[Elements.MAX_BYTES];
    chain.scriptsAt(height).stream()
        .forEach(
            script -> scripts.put(script, Bytes.of(buffer, 0, elements.script(script, buffer))));
    scripts.put(-1, Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(height).array()));
    Hash256 block = Hash256.ofInternal(new Dice(height).bytes(Hash256.LENGTH).toArray());
    return GolombCodedSet.of(GolombCodedSet.Parameters.basic(block), scripts.values());
  }

  private static int sizeBytes(int count) {
    return count < 253 ? 1 : 3;
  }

  /** The transactions of a block, with its coinbase. */
  private int transactions(int height) {
    return 1 + chain.firstTx(height + 1) - chain.firstTx(height);
  }

  /** Returns the bytes of all block headers, which every client downloads. */
  public long headers() {
    return (long) HEADER * chain.height();
  }

  /**
   * Returns the expected bytes of all blocks through a Bloom filter.
   *
   * @param rate the rate at which a foreign element matches
   * @param own the client's transactions, which match
   */
  public double filtered(double rate, Collection<Integer> own) {
    int[] ownAt = new int[chain.height() + 1];
    own.forEach(tx -> ownAt[chain.heightOf(tx)]++);
    double foreign = BlockCost.matchChance(rate, BusyMainnet.TESTED_ELEMENTS);
    double sum = 0;
    for (int height = 1; height < ownAt.length; height++) {
      int transactions = transactions(height);
      double share = ownAt[height] / (double) transactions;
      sum +=
          BlockCost.ofMatchChance(transactions, share + (1 - share) * foreign)
              .bytes(BusyMainnet.MEAN_TRANSACTION);
    }
    return sum;
  }

  /**
   * Returns the bytes of the filters of all blocks, and of whole blocks without witness data.
   *
   * @param fetched the heights of the whole blocks
   */
  public long compact(BitSet fetched) {
    long sum = 0;
    for (int height = 1; height < filters.length; height++) {
      sum += filters[height];
    }
    return sum + fetched.stream().mapToLong(this::whole).sum();
  }

  /** A {@code block} message: header, number of transactions, transactions. */
  private long whole(int height) {
    int transactions = transactions(height);
    return BlockCost.MESSAGE_HEADER_BYTES
        + HEADER
        - 1
        + sizeBytes(transactions)
        + (long) transactions * BusyMainnet.MEAN_TRANSACTION;
  }
}
