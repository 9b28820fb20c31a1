package org.murmur.coins.keys;

/** Where the signer gets its private keys from. */
@FunctionalInterface
public interface PrivateKeys {

  /**
   * Derives a key: 32 bytes, big-endian, a copy that the signer overwrites after use. For taproot
   * it is the internal key, before the tweak of BIP-0086.
   */
  byte[] privateKey(KeyPath path);
}
