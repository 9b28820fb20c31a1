package org.murmur.bip37.internal.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;

class FingerprintTest {

  /** A fresh bitcoinj wallet's filter has 1923 bytes and 16 functions, for 642 elements. */
  @Test
  void knowsBitcoinjsOwn() {
    var theirs =
        new org.bitcoinj.core.BloomFilter(
            642, 1e-5, 7, org.bitcoinj.core.BloomFilter.BloomUpdate.UPDATE_ALL);
    assertThat(Fingerprint.of(BloomFilter.fromPayload(Bytes.of(theirs.serialize()))))
        .containsExactly("bitcoinj (made for about 642 elements at 1e-05)");
  }

  @ParameterizedTest
  @CsvSource({
    "300, 5e-4, ALL, BITCOINJ, breadwallet (made for about 300 elements at 5e-04)",
    "300, 5e-5, NONE, BITCOINJ, bitcoin-kit (made for about 300 elements at 5e-05)",
    "2000, 1e-9, ALL, CORE, Murmur with the preset fast (made for about 2000 elements at 1e-09)",
    "20000, 1e-3, ALL, BITCOINJ, bcoin (always for 20000 elements at 1e-03)"
  })
  void knowsClientsByTheirHabits(
      int elements, double rate, UpdateFlag flag, Rounding rounding, String guess) {
    FilterParameters p = FilterParameters.of(elements, rate, 1, flag, rounding);
    assertThat(Fingerprint.of(BloomFilter.builder(p).build()))
        .singleElement()
        .asString()
        .endsWith(guess);
  }

  @Test
  void knowsThePublicClasses() {
    for (SizeClass size : SizeClass.ALL) {
      assertThat(Fingerprint.of(BloomFilter.builder(size.parameters(9)).build()))
          .singleElement()
          .asString()
          .contains("preset private")
          .contains("" + size.elements());
    }
  }

  @Test
  void doesNotGuessWildly() {
    FilterParameters odd = new FilterParameters(100, 3, 1, UpdateFlag.P2PUBKEY_ONLY);
    assertThat(Fingerprint.of(BloomFilter.builder(odd).build())).isEmpty();
    FilterParameters empty = new FilterParameters(0, 16, 1, UpdateFlag.ALL);
    assertThat(Fingerprint.of(BloomFilter.builder(empty).build())).isEmpty();
  }
}
