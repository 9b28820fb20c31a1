package org.murmur.coins.message;

import java.util.Locale;
import org.murmur.coins.keys.OutputType;

/** The formats of a signature. */
public enum MessageFormat {
  /** The witness stack alone: native segwit addresses. Written with the prefix {@code smp}. */
  SIMPLE("smp"),

  /** A whole virtual transaction: every address. Written with the prefix {@code ful}. */
  FULL("ful"),

  /** A signature from which the key is computed (BIP-0137): P2PKH addresses only. No prefix. */
  LEGACY("");

  private final String prefix;

  MessageFormat(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Finds a format by its name.
   *
   * @param name {@code simple}, {@code full} or {@code legacy}; either case
   * @return the format
   * @throws IllegalArgumentException if no format has this name; the message lists them
   */
  public static MessageFormat ofName(String name) {
    for (MessageFormat format : values()) {
      if (format.word().equals(name.trim().toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "unknown format '" + name + "': expected simple, full or legacy");
  }

  /**
   * Returns the format that most programs verify for a type of address.
   *
   * @param type of the address
   * @return simple for native segwit, legacy for P2PKH, full for P2SH-P2WPKH
   */
  public static MessageFormat usual(OutputType type) {
    return switch (type) {
      case P2PKH -> LEGACY;
      case P2SH_P2WPKH -> FULL;
      case P2WPKH, P2TR -> SIMPLE;
    };
  }

  /** {@return the name as {@link #ofName} reads it, for instance {@code simple}} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The three letters before the base64. */
  String prefix() {
    return prefix;
  }

  /** Whether an address of a type can have a signature of this format. */
  boolean fits(OutputType type) {
    return this == FULL || this == usual(type);
  }
}
