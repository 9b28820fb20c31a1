package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.Failure;

class TxidsTest {

  private static final Hash256 ONE = Hash256.ofDisplay("abcdef1" + "1".repeat(57));
  private static final Hash256 TWO = Hash256.ofDisplay("abcdef2" + "2".repeat(57));

  @Test
  void aBeginningOfSeveralNamesThem() {
    assertThat(Txids.only("abcdef1", List.of(ONE))).isEqualTo(ONE);
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> Txids.only("abcdef", List.of(ONE, TWO)))
        .withMessageContaining("2 transactions of the wallet begin with abcdef, give more digits")
        .withMessageContaining(ONE.toDisplay())
        .withMessageContaining(TWO.toDisplay());
  }

  @Test
  void aWholeTxidIsNoBeginning() {
    assertThat(Txids.isBeginning(ONE.toDisplay())).isFalse();
    assertThat(Txids.isBeginning("abcde")).isFalse();
    assertThat(Txids.isBeginning("abcdef..")).isTrue();
    assertThat(Txids.isBeginning("bcrt1qabcdef")).isFalse();
  }
}
