package org.murmur.wallet.label;

import java.util.Comparator;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * The thing that a label is about.
 *
 * @param type what kind of thing
 * @param text which one, in the form of BIP-0329: hex and bech32 in lower case, an index without
 *     leading zeros
 */
public record LabelRef(LabelType type, String text) implements Comparable<LabelRef> {

  private static final Comparator<LabelRef> ORDER =
      Comparator.comparing(LabelRef::type).thenComparing(LabelRef::text);

  /**
   * Refers to a transaction.
   *
   * @param txid which
   * @return the reference
   */
  public static LabelRef of(Hash256 txid) {
    return new LabelRef(LabelType.TX, txid.toDisplay());
  }

  /**
   * Refers to an output.
   *
   * @param output which
   * @return the reference
   */
  public static LabelRef of(OutPoint output) {
    return new LabelRef(LabelType.OUTPUT, output.toString());
  }

  /**
   * Refers to an address.
   *
   * @param address as it is usually written, bech32 in lower case
   * @return the reference
   */
  public static LabelRef ofAddress(String address) {
    return new LabelRef(LabelType.ADDR, address);
  }

  /** By type, then by text. */
  @Override
  public int compareTo(LabelRef other) {
    return ORDER.compare(this, other);
  }
}
