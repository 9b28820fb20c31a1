package org.murmur.coins.keys;

/** Where the signer gets its private keys from. */
@FunctionalInterface
public interface PrivateKeys {

  /**
   * Derives a key. For taproot it is the internal key, before the tweak of BIP-0086.
   *
   * @param path where
   * @return 32 bytes, big-endian; a copy that the signer overwrites after use
   */
  byte[] privateKey(KeyPath path);
}
