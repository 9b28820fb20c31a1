package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.internal.Hmac;

/** Secrets are overwritten where Java allows it, and nothing works with what is left. */
class WipedTest {

  private static final Mnemonic WORDS =
      Mnemonic.parse(
          "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
              + " about");

  @Test
  void anHmacForgetsItsKey() {
    byte[] data = {1, 2, 3};
    Hmac hmac = Hmac.sha512(new byte[] {4, 5, 6});
    byte[] before = hmac.mac(data);
    assertThat(hmac.mac(data)).isEqualTo(before);
    hmac.wipe();
    assertThat(hmac.mac(data)).isNotEqualTo(before);
  }

  @Test
  void aWipedNodeDerivesNothingOfTheWallet() {
    byte[] seed = WORDS.toSeed("");
    PrivateNode master = PrivateNode.master(seed);
    ExtendedKey before = master.neuter(KeyNetwork.REGTEST);
    master.wipe();
    assertThatThrownBy(() -> master.child(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("wiped");
    // Returned values stay as they were.
    assertThat(before.text()).isEqualTo(PrivateNode.master(seed).neuter(KeyNetwork.REGTEST).text());
  }
}
