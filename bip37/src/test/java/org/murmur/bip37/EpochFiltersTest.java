package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;

class EpochFiltersTest {

  private static final Bytes KEY = Bytes.of("tpub of nobody".getBytes(StandardCharsets.US_ASCII));
  private static final SizeClass SMALL = SizeClass.ALL.get(0);

  private static List<Bytes> scripts(int count, long seed) {
    Random random = new Random(seed);
    List<Bytes> scripts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] hash = new byte[20];
      random.nextBytes(hash);
      scripts.add(Bytes.of(hash));
    }
    return scripts;
  }

  private static BloomFilter filter(List<Bytes> elements) {
    return new EpochFilters(KEY).filter(FilterRole.SCRIPTS, 0, elements, SMALL);
  }

  @Test
  void theSameElementsGiveTheSameBytesInWhateverOrder() {
    List<Bytes> elements = scripts(100, 1);
    BloomFilter once = filter(elements);
    EpochFilters used = new EpochFilters(Bytes.of(KEY.toArray()));
    used.filter(FilterRole.OUTPOINTS, 3, scripts(5, 2), SMALL);
    Collections.shuffle(elements, new Random(3));
    elements.add(elements.get(7));
    assertThat(used.filter(FilterRole.SCRIPTS, 0, elements, SMALL).toPayload())
        .isEqualTo(once.toPayload());
    assertThat(elements).allMatch(once::contains);
  }

  @Test
  void anythingElseGivesAnotherTweak() {
    List<Bytes> elements = scripts(100, 1);
    List<Bytes> fewer = elements.subList(0, 99);
    EpochFilters filters = new EpochFilters(KEY);
    EpochFilters others = new EpochFilters(Bytes.of("another".getBytes(StandardCharsets.US_ASCII)));
    Set<Integer> tweaks = new HashSet<>();
    for (BloomFilter filter :
        List.of(
            filters.filter(FilterRole.SCRIPTS, 0, elements, SMALL),
            filters.filter(FilterRole.SCRIPTS, 0, fewer, SMALL),
            filters.filter(FilterRole.SCRIPTS, 1, elements, SMALL),
            filters.filter(FilterRole.OUTPOINTS, 0, elements, SMALL),
            filters.filter(FilterRole.SCRIPTS, 0, elements, SizeClass.ALL.get(1)),
            others.filter(FilterRole.SCRIPTS, 0, elements, SMALL))) {
      tweaks.add(filter.parameters().tweak());
      assertThat(filter.parameters().flag()).isEqualTo(UpdateFlag.NONE);
    }
    assertThat(tweaks).hasSize(6);
  }

  @Test
  void aFilterIsAsFullAsItsClassWhateverTheWalletHas() {
    for (SizeClass size : SizeClass.ALL) {
      for (int own : new int[] {0, 1, 250}) {
        BloomFilter filter =
            new EpochFilters(KEY).filter(FilterRole.SCRIPTS, 0, scripts(own, own), size);
        double bits = size.bytes() * 8.0;
        double expected =
            FilterTheory.expectedBitsSet(Math.round(bits), size.hashFunctions(), size.elements());
        double deviation =
            FilterTheory.deviationOfBitsSet(
                Math.round(bits), size.hashFunctions(), size.elements());
        // Six deviations: once in five hundred million filters.
        assertThat((double) filter.bitsSet()).isCloseTo(expected, within(6 * deviation));
        assertThat(filter.realisedRate()).isBetween(size.rate() * 0.6, size.rate() * 1.7);
        assertThat(filter.toPayload().length()).isLessThanOrEqualTo(36_000 + 3 + 9);
      }
    }
  }

  @Test
  void classesAgreeWithTheFormulas() {
    for (SizeClass size : SizeClass.ALL) {
      FilterParameters sized =
          FilterParameters.of(size.elements(), size.rate(), 0, UpdateFlag.NONE, Rounding.BITCOINJ);
      assertThat(sized.bytes()).isEqualTo(size.bytes());
      assertThat(sized.hashFunctions()).isEqualTo(size.hashFunctions());
    }
    assertThat(SizeClass.holding(1e-4, 0).elements()).isEqualTo(256);
    assertThat(SizeClass.holding(1e-4, 257).elements()).isEqualTo(512);
    assertThat(SizeClass.holding(1e-4, 2_000).elements()).isEqualTo(4_096);
    assertThat(SizeClass.holding(1e-3, 2_000).elements()).isEqualTo(2_048);
    assertThat(SizeClass.holding(1e-4, SizeClass.MAX_ELEMENTS).elements()).isEqualTo(15_023);
    assertThatThrownBy(() -> SizeClass.holding(1e-4, SizeClass.MAX_ELEMENTS + 1))
        .hasMessageContaining("15024");
  }

  @Test
  void moreElementsThanTheClassHoldsAreRefused() {
    assertThatThrownBy(() -> filter(scripts(257, 1))).hasMessageContaining("257");
    assertThatThrownBy(() -> new EpochFilters(Bytes.EMPTY)).hasMessageContaining("key");
  }
}
