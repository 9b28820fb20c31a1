package org.murmur.bench.micro;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.concurrent.TimeUnit;
import org.bitcoinj.core.BloomFilter;
import org.murmur.bip37.MurmurHash3;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One 32-bit MurmurHash3 with one seed. bitcoinj's also reduces it modulo the filter's bits. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Murmur3 {

  private static final int SEED = 0x5bd1e995;

  /** Bytes hashed: a key hash, a txid or witness program, an outpoint. */
  @Param({"20", "32", "36"})
  public int length;

  private byte[][] hashed = {};
  private final byte[] filter = new byte[FilterContains.BYTES];
  private final HashFunction guava = Hashing.murmur3_32_fixed(SEED);

  @Setup
  public void fill() {
    hashed = RandomElements.random(1, FilterContains.ELEMENTS, length);
  }

  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public int murmur() {
    int all = 0;
    for (byte[] element : hashed) {
      all ^= MurmurHash3.hash(SEED, element, 0, element.length);
    }
    return all;
  }

  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public int bitcoinj() {
    int all = 0;
    for (byte[] element : hashed) {
      all ^= BloomFilter.murmurHash3(filter, SEED, 0, element);
    }
    return all;
  }

  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public int guava() {
    int all = 0;
    for (byte[] element : hashed) {
      all ^= guava.hashBytes(element).asInt();
    }
    return all;
  }
}
