package org.murmur.bench.micro;

import java.util.concurrent.TimeUnit;
import org.murmur.bip37.BloomFilter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Inserting 500 elements into a filter of 16 functions; time per element. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("UnstableApiUsage") // Guava's filter is marked @Beta
public class FilterInsert {

  /** Bytes of an element: a key hash, a txid or witness program, an outpoint. */
  @Param({"20", "32", "36"})
  public int length;

  private byte[][] inserted = {};
  private final BloomFilter.Builder murmur = BloomFilter.builder(FilterContains.parameters());
  private final org.bitcoinj.core.BloomFilter bitcoinj = FilterContains.inBitcoinj(murmur.build());
  private final com.google.common.hash.BloomFilter<byte[]> guava = FilterContains.likeGuava();

  @Setup
  public void fill() {
    inserted = RandomElements.random(1, FilterContains.ELEMENTS, length);
  }

  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public Object murmur() {
    for (byte[] element : inserted) {
      murmur.add(element, 0, element.length);
    }
    return murmur;
  }

  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public Object bitcoinj() {
    for (byte[] element : inserted) {
      bitcoinj.insert(element);
    }
    return bitcoinj;
  }

  /** Guava's filter with as many bits and functions. */
  @Benchmark
  @OperationsPerInvocation(FilterContains.ELEMENTS)
  public Object guava() {
    for (byte[] element : inserted) {
      guava.put(element);
    }
    return guava;
  }
}
