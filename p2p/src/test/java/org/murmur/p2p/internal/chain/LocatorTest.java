package org.murmur.p2p.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Headers;

class LocatorTest {

  /** A million headers that are linked in name only; storage is trusted. */
  private static final Headers MILLION = unproven(1_000_000);

  @Property(tries = 30)
  void isShortAndEndsInGenesis(@ForAll @IntRange(min = 1, max = 1_000_000) int height) {
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, MILLION.slice(0, height));
    List<Hash256> locator = chain.locator();
    check(locator, height, chain::hashAt, chain::heightOf);
    assertThat(locator).isEqualTo(chain.locatorFrom(chain.tip()));
    assertThat(chain.commonHeight(locator)).isEqualTo(height);
    int half = height / 2;
    check(chain.locatorFrom(chain.hashAt(half)), half, chain::hashAt, chain::heightOf);
  }

  @Test
  void ofGenesisIsGenesis() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.MAINNET);
    assertThat(chain.locator()).containsExactly(ChainParams.MAINNET.genesisHash());
  }

  @Test
  void ofAnUnknownHeaderIsTheCallersFault() {
    HeaderChain chain = HeaderChain.ofGenesis(ChainParams.MAINNET);
    assertThatThrownBy(() -> chain.locatorFrom(ChainParams.REGTEST.genesisHash()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ChainParams.REGTEST.genesisHash().toString());
  }

  @Test
  void findsWhereChainsPart() {
    HeaderChain chain = HeaderChain.restore(ChainParams.REGTEST, MILLION.slice(0, 5000));
    assertThat(chain.commonHeight(List.of(Hash256.ZERO, chain.hashAt(77), chain.hashAt(90))))
        .isEqualTo(77);
    assertThat(chain.commonHeight(List.of(Hash256.ZERO))).isZero();
  }

  /** From a header down to genesis, at first one by one, then in steps that double. */
  static void check(
      List<Hash256> locator,
      int from,
      IntFunction<Hash256> hashAt,
      ToIntFunction<Hash256> heightOf) {
    List<Integer> heights = new ArrayList<>();
    for (Hash256 hash : locator) {
      int height = heightOf.applyAsInt(hash);
      assertThat(hashAt.apply(height)).isEqualTo(hash);
      heights.add(height);
    }
    assertThat(heights).startsWith(from).endsWith(0);
    assertThat(heights).hasSizeLessThanOrEqualTo(12 + 32 - Integer.numberOfLeadingZeros(from));
    for (int i = 1; i < heights.size() - 1; i++) {
      int step = heights.get(i - 1) - heights.get(i);
      assertThat(step).as("step %s of %s", i, heights).isEqualTo(i <= 10 ? 1 : 1 << (i - 10));
    }
  }

  private static Headers unproven(int count) {
    byte[] headers = new byte[count * BlockHeader.LENGTH];
    Hash256 previous = ChainParams.REGTEST.genesisHash();
    for (int i = 0; i < count; i++) {
      int at = i * BlockHeader.LENGTH;
      previous.write(headers, at + BlockHeader.PREVIOUS);
      LittleEndian.putInt32(headers, at + BlockHeader.BITS, 0x207fffff);
      previous = DoubleSha256.of(headers, at, BlockHeader.LENGTH);
    }
    return Headers.view(headers, 0, BlockHeader.LENGTH, count);
  }
}
