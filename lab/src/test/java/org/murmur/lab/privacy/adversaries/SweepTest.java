package org.murmur.lab.privacy.adversaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.SyntheticChain;

/** The sweep over all scripts in tiles, compared with querying each filter for each script. */
class SweepTest {

  /** Not a multiple of a tile, and more scripts than the chain has. */
  private static final int UNIVERSE = 5_001;

  private final SyntheticChain chain =
      SyntheticChain.of(new ChainPlan(3, 50, 20, 10, List.of(1, 5), UNIVERSE));
  private final Elements elements = new Elements(chain);

  private BloomFilter filter(int tweak) {
    BloomFilter.Builder builder =
        BloomFilter.builder(new FilterParameters(200, 4, tweak, UpdateFlag.NONE));
    for (int script : List.of(0, 1023, 1024, 2048, UNIVERSE - 1)) {
      builder.add(script(script));
      builder.add(outPoint(script % elements.outPoints()));
    }
    for (int i = 0; i < 120; i++) {
      builder.add(script(7 * i));
    }
    return builder.build();
  }

  private Bytes script(int number) {
    byte[] out = new byte[Elements.MAX_BYTES];
    return Bytes.of(out, 0, elements.script(number, out));
  }

  private Bytes outPoint(int number) {
    byte[] out = new byte[Elements.MAX_BYTES];
    return Bytes.of(out, 0, elements.anyOutPoint(number, out));
  }

  private static int[] where(int count, IntPredicate matches) {
    return IntStream.range(0, count).filter(matches).toArray();
  }

  @Test
  void findsTheScriptsThatMatchAndNoOthers() {
    BloomFilter one = filter(1);
    BloomFilter other = filter(2);
    Map<BloomFilter, int[]> found = Sweep.matches(elements, List.of(one, other, filter(1)));
    assertThat(found).hasSize(2);
    for (BloomFilter filter : List.of(one, other)) {
      int[] expected = where(elements.universe(), i -> filter.contains(script(i)));
      assertThat(expected).contains(0, 1023, 1024, 2048, UNIVERSE - 1);
      assertThat(found.get(filter)).isEqualTo(expected);
    }
    assertThat(found.get(one)).isNotEqualTo(found.get(other));
  }

  @Test
  void findsTheOutpointsThatMatchAndNoOthers() {
    BloomFilter filter = filter(9);
    assertThat(Sweep.outPoints(elements, List.of(filter)).get(filter))
        .isEqualTo(where(elements.outPoints(), i -> filter.contains(outPoint(i))));
  }

  @Test
  void everyOutpointIsAnotherAndScriptsFromBeforeTheChainHaveOne() {
    assertThat(elements.universe()).isEqualTo(UNIVERSE);
    assertThat(elements.outPoints()).isEqualTo(chain.coins() + UNIVERSE - chain.scripts());
    assertThat(IntStream.range(0, elements.outPoints()).mapToObj(this::outPoint).distinct().count())
        .isEqualTo(elements.outPoints());
    assertThat(elements.scriptOfOutPoint(elements.outPoints() - 1)).isEqualTo(UNIVERSE - 1);
  }
}
