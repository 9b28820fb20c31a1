package org.murmur.bench.micro;

import com.google.common.hash.Funnels;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Queries a filter with 500 elements and 16 functions; half of its bits are set. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("UnstableApiUsage") // Guava's filter is marked @Beta
public class FilterContains {

  static final int ELEMENTS = 500;
  static final int FUNCTIONS = 16;

  /** The size for which 16 functions are the best number: 500 · 16 / ln 2 bits. */
  static final int BYTES = 1_443;

  private static final long TWEAK = 2_083_236_893L;

  /** Bytes of an element: a key hash, a txid or witness program, an outpoint. */
  @Param({"20", "32", "36"})
  public int length;

  /** Whether the queried elements are in the filter. */
  @Param({"hit", "miss"})
  public String answer = "hit";

  private byte[][] lookedUp = {};
  private BloomFilter murmur = BloomFilter.builder(parameters()).build();
  private org.bitcoinj.core.BloomFilter bitcoinj = inBitcoinj(murmur);
  private com.google.common.hash.BloomFilter<byte[]> guava = likeGuava();

  static FilterParameters parameters() {
    return new FilterParameters(BYTES, FUNCTIONS, (int) TWEAK, UpdateFlag.ALL);
  }

  /** The same bits as a filter of bitcoinj. */
  static org.bitcoinj.core.BloomFilter inBitcoinj(BloomFilter filter) {
    return org.bitcoinj.core.BloomFilter.read(ByteBuffer.wrap(filter.toPayload().toArray()));
  }

  /** Another filter with about as many bits and functions. */
  static com.google.common.hash.BloomFilter<byte[]> likeGuava() {
    return com.google.common.hash.BloomFilter.create(
        Funnels.byteArrayFunnel(), ELEMENTS, Math.pow(2, -FUNCTIONS));
  }

  @Setup
  public void fill() {
    byte[][] members = RandomElements.random(1, ELEMENTS, length);
    BloomFilter.Builder builder = BloomFilter.builder(parameters());
    guava = likeGuava();
    for (byte[] member : members) {
      builder.add(member, 0, length);
      guava.put(member);
    }
    murmur = builder.build();
    bitcoinj = inBitcoinj(murmur);
    lookedUp =
        answer.equals("hit")
            ? RandomElements.repeated(members)
            : RandomElements.random(2, RandomElements.LOOKED_UP, length);
  }

  @Benchmark
  @OperationsPerInvocation(RandomElements.LOOKED_UP)
  public int murmur() {
    int found = 0;
    for (byte[] element : lookedUp) {
      if (murmur.contains(element, 0, element.length)) {
        found++;
      }
    }
    return found;
  }

  @Benchmark
  @OperationsPerInvocation(RandomElements.LOOKED_UP)
  public int bitcoinj() {
    int found = 0;
    for (byte[] element : lookedUp) {
      if (bitcoinj.contains(element)) {
        found++;
      }
    }
    return found;
  }

  /**
   * Guava's filter with as many bits and functions. It is not BIP-0037's: all functions come from
   * one 128-bit hash.
   */
  @Benchmark
  @OperationsPerInvocation(RandomElements.LOOKED_UP)
  public int guava() {
    int found = 0;
    for (byte[] element : lookedUp) {
      if (guava.mightContain(element)) {
        found++;
      }
    }
    return found;
  }
}
