package org.murmur.coins.keys;

import java.util.Locale;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.Scripts;

/** The kinds of single-key script a wallet of words can use, each with the BIP that numbers it. */
public enum OutputType {
  /** Pay to public key hash, addresses in {@code 1} (BIP-0044). */
  P2PKH(44, "pkh(", ")"),

  /** Pay to witness public key hash nested in a script hash, addresses in {@code 3} (BIP-0049). */
  P2SH_P2WPKH(49, "sh(wpkh(", "))"),

  /** Pay to witness public key hash, addresses in {@code bc1q} (BIP-0084). */
  P2WPKH(84, "wpkh(", ")"),

  /** Taproot, spent by its key only, addresses in {@code bc1p} (BIP-0086). */
  P2TR(86, "tr(", ")");

  private final int purpose;
  private final String opening;
  private final String closing;

  OutputType(int purpose, String opening, String closing) {
    this.purpose = purpose;
    this.opening = opening;
    this.closing = closing;
  }

  /**
   * Finds a type by the name of its BIP or of its script.
   *
   * @param name {@code bip44}, {@code bip49}, {@code bip84}, {@code bip86}, or {@code p2pkh},
   *     {@code p2sh-p2wpkh}, {@code p2wpkh}, {@code p2tr}; either case
   * @return the type
   * @throws IllegalArgumentException if no type has this name; the message lists them
   */
  public static OutputType ofName(String name) {
    String wanted = name.trim().toLowerCase(Locale.ROOT).replace('_', '-');
    for (OutputType type : values()) {
      if (wanted.equals(type.bip()) || wanted.equals(type.scriptName())) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "unknown script type '" + name + "': expected bip44, bip49, bip84 or bip86");
  }

  /**
   * {@return the BIP's number, which is also the first step of the derivation path; 44, 49, 84 or
   * 86}
   */
  public int purpose() {
    return purpose;
  }

  /** {@return the name of the BIP as {@link #ofName} reads it, for instance {@code bip84}} */
  public String bip() {
    return "bip" + purpose;
  }

  /** {@return the name of the script as {@link #ofName} reads it, for instance {@code p2wpkh}} */
  public String scriptName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the script that pays a key.
   *
   * @param publicKey 33 bytes, compressed; for taproot the output key, whose sign does not count
   * @return the scriptPubKey
   */
  public Bytes script(Bytes publicKey) {
    return switch (this) {
      case P2PKH -> Scripts.keyHash(Scripts.hash160(publicKey));
      case P2SH_P2WPKH -> Scripts.scriptHash(Scripts.witnessKeyHash(publicKey));
      case P2WPKH -> Scripts.witnessKeyHash(publicKey);
      case P2TR -> Scripts.taproot(publicKey.slice(1, publicKey.length()));
    };
  }

  /** The descriptor function around a key expression, without checksum (BIP-0381, 382, 386). */
  String wrap(String key) {
    return opening + key + closing;
  }
}
