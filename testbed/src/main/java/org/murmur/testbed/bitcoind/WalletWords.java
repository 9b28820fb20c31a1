package org.murmur.testbed.bitcoind;

import java.util.List;
import java.util.Random;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.crypto.HDKeyDerivation;
import org.bitcoinj.crypto.MnemonicCode;
import org.bitcoinj.crypto.MnemonicException;

/** Mnemonic words (BIP-0039), and the master key that they stand for. */
final class WalletWords {

  /** 128 bits are twelve words. */
  private static final int ENTROPY_BYTES = 16;

  private WalletWords() {}

  /** Draws twelve words. */
  static List<String> draw(Random dice) {
    byte[] entropy = new byte[ENTROPY_BYTES];
    dice.nextBytes(entropy);
    return MnemonicCode.INSTANCE.toMnemonic(entropy);
  }

  /**
   * Derives the private master key for test networks in Base58 ("tprv..."), without a passphrase.
   * Throws {@link IllegalArgumentException} if the words are no mnemonic.
   */
  static String masterKey(List<String> words) {
    try {
      MnemonicCode.INSTANCE.check(words);
    } catch (MnemonicException e) {
      throw new IllegalArgumentException("not a mnemonic", e);
    }
    byte[] seed = MnemonicCode.toSeed(words, "");
    return HDKeyDerivation.createMasterPrivateKey(seed).serializePrivB58(BitcoinNetwork.REGTEST);
  }
}
