package org.murmur.coins.keys;

/**
 * The prefixes that addresses and extended keys carry. Several networks may share them: testnet3,
 * testnet4 and signet are all {@link #TEST}.
 */
public enum KeyNetwork {
  /** Addresses in {@code 1}, {@code 3} and {@code bc1}, keys in {@code xpub}; coin type 0. */
  MAINNET("mainnet", "bc", 0x00, 0x05, 0),

  /** Testnet3, testnet4, signet: {@code m}, {@code n}, {@code 2}, {@code tb1}, {@code tpub}. */
  TEST("a test network (testnet3, testnet4 or signet)", "tb", 0x6f, 0xc4, 1),

  /** As {@link #TEST}, but bech32 addresses begin with {@code bcrt1}. */
  REGTEST("regtest", "bcrt", 0x6f, 0xc4, 1);

  private final String title;
  private final String segwitPrefix;
  private final int keyHashVersion;
  private final int scriptHashVersion;
  private final int coinType;

  KeyNetwork(
      String title, String segwitPrefix, int keyHashVersion, int scriptHashVersion, int coinType) {
    this.title = title;
    this.segwitPrefix = segwitPrefix;
    this.keyHashVersion = keyHashVersion;
    this.scriptHashVersion = scriptHashVersion;
    this.coinType = coinType;
  }

  /** {@return the name to show in messages, for instance {@code mainnet}} */
  public String title() {
    return title;
  }

  /**
   * {@return the human-readable part of segwit addresses (BIP-0173): {@code bc}, {@code tb} or
   * {@code bcrt}}
   */
  public String segwitPrefix() {
    return segwitPrefix;
  }

  /**
   * {@return the coin type of derivation paths (BIP-0044, SLIP-0044); 0 on mainnet, 1 elsewhere}
   */
  public int coinType() {
    return coinType;
  }

  /** Whether the two use the same prefixes for extended keys and base58 addresses. */
  boolean sharesKeysWith(KeyNetwork other) {
    return coinType == other.coinType;
  }

  int keyHashVersion() {
    return keyHashVersion;
  }

  int scriptHashVersion() {
    return scriptHashVersion;
  }
}
