package org.murmur.bip37.bytes;

/**
 * A reference to an output of a transaction.
 *
 * <p>Serialised in 36 bytes: the 32-byte txid in internal order, then the index as 4 bytes
 * little-endian. This form is also the BIP-0037 filter element of an input.
 *
 * @param txid the transaction
 * @param index the output's position, an unsigned 32-bit integer
 */
public record OutPoint(Hash256 txid, int index) {

  /** Number of bytes of the serialised form. */
  public static final int LENGTH = 36;

  /**
   * Reads the serialised form.
   *
   * @param source the array
   * @param offset index of the first of 36 bytes
   * @return the outpoint
   */
  public static OutPoint read(byte[] source, int offset) {
    return new OutPoint(
        Hash256.read(source, offset), LittleEndian.int32(source, offset + Hash256.LENGTH));
  }

  /** {@return the serialised form, the filter element of BIP-0037; 36 bytes} */
  public Bytes toBytes() {
    byte[] bytes = new byte[LENGTH];
    txid.write(bytes, 0);
    LittleEndian.putInt32(bytes, Hash256.LENGTH, index);
    return Bytes.wrap(bytes);
  }

  /**
   * {@return whether this is the null outpoint, which only a coinbase spends; true for the zero
   * txid with index 0xffffffff}
   */
  public boolean isNull() {
    return index == -1 && txid.equals(Hash256.ZERO);
  }

  /** The form {@code txid:index}, with the txid in display order. */
  @Override
  public String toString() {
    return txid + ":" + Integer.toUnsignedString(index);
  }
}
