package org.murmur.p2p.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;

class BlockHeaderTest {

  /** Mainnet's genesis. */
  private static final BlockHeader HEADER =
      BlockHeader.of(
          Bytes.ofHex(
              "01000000"
                  + "0000000000000000000000000000000000000000000000000000000000000000"
                  + "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a"
                  + "29ab5f49"
                  + "ffff001d"
                  + "1dac2b7c"));

  @Test
  void readsItsFields() {
    assertThat(HEADER.version()).isEqualTo(1);
    assertThat(HEADER.previous()).isEqualTo(Hash256.ZERO);
    assertThat(HEADER.merkleRoot())
        .hasToString("4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b");
    assertThat(HEADER.time()).isEqualTo(1231006505);
    assertThat(HEADER.bits()).isEqualTo(0x1d00ffff);
    assertThat(HEADER.nonce()).isEqualTo(2083236893);
    assertThat(HEADER)
        .hasToString("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
  }

  @Test
  void isMadeOfItsFields() {
    BlockHeader made =
        BlockHeader.of(
            HEADER.version(),
            HEADER.previous(),
            HEADER.merkleRoot(),
            HEADER.time(),
            HEADER.bits(),
            HEADER.nonce());
    assertThat(made).isEqualTo(HEADER).hasSameHashCodeAs(HEADER);
    assertThat(made.bytes()).isEqualTo(HEADER.bytes());
  }

  @Test
  void timesAreUnsigned() {
    BlockHeader late = BlockHeader.of(1, Hash256.ZERO, Hash256.ZERO, 0xffffffffL, 0x207fffff, 0);
    assertThat(late.time()).isEqualTo(0xffffffffL);
  }

  @Test
  void reachesNoTargetWithAnotherNonceOrAnImpossibleTarget() {
    assertThat(HEADER.reachesItsTarget()).isTrue();
    assertThat(with(HEADER.bits(), HEADER.nonce() + 1).reachesItsTarget()).isFalse();
    assertThat(with(0x1d80ffff, 0).reachesItsTarget()).isFalse();
    assertThat(with(0, 0).reachesItsTarget()).isFalse();
    assertThat(with(0xff123456, 0).reachesItsTarget()).isFalse();
  }

  @Test
  void hasEightyBytes() {
    assertThatThrownBy(() -> BlockHeader.of(HEADER.bytes().slice(0, 79)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("79");
  }

  private static BlockHeader with(int bits, int nonce) {
    return BlockHeader.of(
        HEADER.version(), HEADER.previous(), HEADER.merkleRoot(), HEADER.time(), bits, nonce);
  }
}
