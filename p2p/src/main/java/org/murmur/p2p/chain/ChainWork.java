package org.murmur.p2p.chain;

import java.math.BigInteger;
import java.util.Locale;

/**
 * Work: the expected number of hashes for a chain or a block.
 *
 * <p>Unbounded: clients with 12 bytes failed when mainnet passed 2^96. Immutable.
 */
public final class ChainWork implements Comparable<ChainWork> {

  /** No work. */
  public static final ChainWork ZERO = new ChainWork(BigInteger.ZERO);

  private final BigInteger hashes;

  private ChainWork(BigInteger hashes) {
    this.hashes = hashes;
  }

  /**
   * Makes work of a number of hashes.
   *
   * @param hashes 0 or more
   * @return the work
   * @throws IllegalArgumentException if it is negative
   */
  public static ChainWork of(BigInteger hashes) {
    if (hashes.signum() < 0) {
      throw new IllegalArgumentException("work " + hashes + ", expected 0 or more");
    }
    return new ChainWork(hashes);
  }

  /**
   * Parses hex digits, as a node prints {@code chainwork}.
   *
   * @param hex hex digits, most significant first
   * @return the work
   * @throws NumberFormatException if it is not hex
   */
  public static ChainWork ofHex(String hex) {
    return of(new BigInteger(hex, 16));
  }

  /**
   * Adds.
   *
   * @param more the work to add
   * @return the sum
   */
  public ChainWork plus(ChainWork more) {
    return new ChainWork(hashes.add(more.hashes));
  }

  /**
   * Multiplies.
   *
   * @param blocks how many blocks of this work, 0 or more
   * @return the product
   */
  public ChainWork times(long blocks) {
    return of(hashes.multiply(BigInteger.valueOf(blocks)));
  }

  /** {@return the number of hashes, 0 or more} */
  public BigInteger hashes() {
    return hashes;
  }

  /**
   * Returns whether this is strictly more.
   *
   * @param other the work to compare with
   * @return true if this is more
   */
  public boolean isMoreThan(ChainWork other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(ChainWork other) {
    return hashes.compareTo(other.hashes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChainWork w && hashes.equals(w.hashes);
  }

  @Override
  public int hashCode() {
    return hashes.hashCode();
  }

  /** Hex digits, at least 64, as a node prints {@code chainwork}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%064x", hashes);
  }
}
