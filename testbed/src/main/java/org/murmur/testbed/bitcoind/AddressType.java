package org.murmur.testbed.bitcoind;

/** The kinds of addresses that a wallet restored from words hands out. */
public enum AddressType {
  /** P2PKH at m/44'/1'/0' (BIP-0044). */
  LEGACY("legacy", "pkh(%s)", 44),
  /** P2WPKH inside P2SH at m/49'/1'/0' (BIP-0049). */
  P2SH_SEGWIT("p2sh-segwit", "sh(wpkh(%s))", 49),
  /** P2WPKH at m/84'/1'/0' (BIP-0084). */
  BECH32("bech32", "wpkh(%s)", 84),
  /** P2TR with a key path only, at m/86'/1'/0' (BIP-0086). */
  BECH32M("bech32m", "tr(%s)", 86);

  private final String rpcName;
  private final String descriptor;
  private final int purpose;

  AddressType(String rpcName, String descriptor, int purpose) {
    this.rpcName = rpcName;
    this.descriptor = descriptor;
    this.purpose = purpose;
  }

  /** Returns what the node calls it. */
  public String rpcName() {
    return rpcName;
  }

  /** Returns the derivation's first step. */
  public int purpose() {
    return purpose;
  }

  /**
   * Returns the output descriptor (BIP-0380) of account 0 on a test network, without checksum. The
   * chain is 0 for receiving and 1 for change; the master key is in Base58.
   */
  public String descriptor(String master, int chain) {
    return descriptor.formatted(master + "/" + purpose + "h/1h/0h/" + chain + "/*");
  }
}
