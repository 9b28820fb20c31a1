package org.murmur.coins.label;

import java.util.Locale;
import java.util.Optional;

/** The subject of a label; the types of BIP-0329. */
public enum LabelType {
  /** A transaction, by its txid in hex as block explorers print it. */
  TX,

  /** An address. */
  ADDR,

  /** A public key of 32, 33 or 65 bytes in hex. */
  PUBKEY,

  /** An input, as {@code txid:index}: the transaction that has it, and its position there. */
  INPUT,

  /** An output, as {@code txid:index}. It alone can be frozen. */
  OUTPUT,

  /** An extended public key. */
  XPUB,

  /** A key expression of silent payments. */
  SPSCAN;

  /** {@return the word of BIP-0329, the name in lower case} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Finds a type by its word.
   *
   * @param word exactly as BIP-0329 writes it
   * @return the type; empty if BIP-0329 has no such type
   */
  public static Optional<LabelType> ofWord(String word) {
    for (LabelType type : values()) {
      if (type.word().equals(word)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
