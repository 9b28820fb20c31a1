package org.murmur.lab.privacy.chain;

import org.murmur.regtest.chain.Dice;

/** A type of script, and the element that a server compares with a filter. */
enum Kind {
  P2WPKH(0, 45, 20, true),
  P2TR(1, 25, 32, false),
  P2PKH(2, 15, 20, true),
  P2SH(3, 10, 20, false),
  P2WSH(4, 4, 32, false),
  P2PK(5, 1, 33, false);

  private static final Kind[] ALL = values();

  private final int code;
  private final int percent;
  private final int elementBytes;
  private final boolean hashesKey;

  /**
   * @param code its place in this list, for columns of bytes
   * @param percent the share of users with this type: a rough guess, close to today's use
   * @param elementBytes the length of the hash or key in the output
   * @param hashesKey whether the output has a key's hash, so that spending reveals a second element
   */
  Kind(int code, int percent, int elementBytes, boolean hashesKey) {
    this.code = code;
    this.percent = percent;
    this.elementBytes = elementBytes;
    this.hashesKey = hashesKey;
  }

  byte code() {
    return (byte) code;
  }

  int percent() {
    return percent;
  }

  int elementBytes() {
    return elementBytes;
  }

  boolean hashesKey() {
    return hashesKey;
  }

  static Kind draw(Dice dice) {
    return ofPercent(dice.below(100));
  }

  /** The kind for a number from 0 to 99. */
  static Kind ofPercent(int drawn) {
    int left = drawn;
    for (Kind kind : ALL) {
      left -= kind.percent;
      if (left < 0) {
        return kind;
      }
    }
    throw new IllegalArgumentException("drawn " + drawn + ", expected 0 to 99");
  }

  static Kind ofCode(byte code) {
    return ALL[code];
  }
}
