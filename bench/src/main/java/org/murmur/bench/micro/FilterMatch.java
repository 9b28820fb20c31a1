package org.murmur.bench.micro;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Checks the hash of a basic filter with 8,500 elements, a full block's, and tests scripts of 22
 * bytes against it: {@code bench/run micro FilterMatch}. An operation is one byte of the filter, so
 * {@code ops/us} are MB/s of one core. Targets: 100 at 2,000 scripts, 25 at 20,000.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FilterMatch {

  private static final int ELEMENTS = 8_500;

  /** Bytes of the filter below. */
  private static final int BYTES = 22_371;

  private static final int SCRIPT_BYTES = 22;

  @Param({"2000", "8000", "20000"})
  public int scripts;

  private final Hash256 block = DoubleSha256.of(Bytes.ofHex("b10c"));
  private final FilterMatcher matcher = new FilterMatcher();
  private Bytes filter = Bytes.EMPTY;
  private Hash256 hash = Hash256.ZERO;

  @Setup
  public void make() {
    List<Bytes> elements = random(1, ELEMENTS).toList();
    filter = GolombCodedSet.of(Parameters.basic(block), elements).toPayload();
    hash = FilterHeaders.hash(filter);
    random(2, scripts).forEach(matcher::add);
    if (filter.length() != BYTES) {
      throw new AssertionError("a filter of " + filter.length() + " bytes");
    }
  }

  private static Stream<Bytes> random(long seed, int count) {
    return Arrays.stream(RandomElements.random(seed, count, SCRIPT_BYTES)).map(Bytes::wrap);
  }

  @Benchmark
  @OperationsPerInvocation(BYTES)
  public int murmur() {
    if (!FilterHeaders.hash(filter).equals(hash)) {
      throw new AssertionError("another hash");
    }
    return matcher.match(filter, block).length;
  }
}
