package org.murmur.coins.spend.fee;

/** The size of the length fields of a transaction. */
final class CompactSize {

  private CompactSize() {}

  /** Bytes of the field that holds this length. */
  static int bytes(int length) {
    if (length < 0xfd) {
      return 1;
    }
    return length <= 0xffff ? 3 : 5;
  }
}
