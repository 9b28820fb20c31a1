package org.murmur.bip37;

/**
 * The parameters of a filter: size, number of hash functions, tweak and update flag.
 *
 * @param bytes size in bytes, 0 to {@link #MAX_BYTES}; 0 makes a filter that matches everything
 * @param hashFunctions 0 to {@link #MAX_HASH_FUNCTIONS}; with 0 the filter matches everything
 * @param tweak 32 bits that are added to the seed of every hash function
 * @param flag what a server does to its copy when an output matches
 */
public record FilterParameters(int bytes, int hashFunctions, int tweak, UpdateFlag flag) {

  /** The largest filter a server accepts (BIP-0037, {@code MAX_BLOOM_FILTER_SIZE} in Core). */
  public static final int MAX_BYTES = 36_000;

  /** The most hash functions a server accepts (BIP-0037, {@code MAX_HASH_FUNCS} in Core). */
  public static final int MAX_HASH_FUNCTIONS = 50;

  /**
   * Checks the limits of BIP-0037.
   *
   * @param bytes size in bytes
   * @param hashFunctions number of hash functions
   * @param tweak added to every seed
   * @param flag what a server does to its copy
   * @throws IllegalArgumentException if a limit is passed
   */
  public FilterParameters {
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException("bytes " + bytes + ", expected 0 to " + MAX_BYTES);
    }
    if (hashFunctions < 0 || hashFunctions > MAX_HASH_FUNCTIONS) {
      throw new IllegalArgumentException(
          "hashFunctions " + hashFunctions + ", expected 0 to " + MAX_HASH_FUNCTIONS);
    }
  }

  /**
   * Sizes a filter within the limits of BIP-0037. If a limit applies ({@link
   * FilterSizing#fitsBip37()} is false), the filter's rate is worse than requested.
   *
   * @param elements number of elements, at least 1
   * @param rate the false-positive rate wanted when it holds them, between 0 and 1
   * @param tweak the tweak
   * @param flag the update flag
   * @param rounding whose number of hash functions to take
   * @return parameters of at least one byte and one function
   * @throws IllegalArgumentException if {@code elements} or {@code rate} is out of range
   */
  public static FilterParameters of(
      long elements, double rate, int tweak, UpdateFlag flag, Rounding rounding) {
    FilterSizing wanted = FilterSizing.of(elements, rate, rounding);
    int bytes = (int) Math.min(wanted.bytes(), MAX_BYTES);
    // As in Core and bitcoinj, the number of functions follows from the limited size.
    int functions = Math.min(rounding.hashFunctions(8L * bytes, elements), MAX_HASH_FUNCTIONS);
    return new FilterParameters(bytes, functions, tweak, flag);
  }

  /** {@return the size in bits, eight times {@link #bytes()}} */
  public int bits() {
    return 8 * bytes;
  }

  /**
   * Returns the expected false-positive rate for a number of elements, by the classic formula; see
   * {@link FilterTheory#classicRate}.
   *
   * @param elements how many distinct elements it holds
   * @return 0 to 1
   */
  public double expectedRate(long elements) {
    return FilterTheory.classicRate(bits(), hashFunctions, (double) elements);
  }
}
