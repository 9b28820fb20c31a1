package org.murmur.coins.label;

import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;

/**
 * The thing that a label is about. {@link #parse} and {@code of} write it as the record wants it.
 *
 * @param type what kind of thing
 * @param text which one, in the form of BIP-0329: hex and bech32 in lower case, an index without
 *     leading zeros
 */
public record LabelRef(LabelType type, String text) implements Comparable<LabelRef> {

  private static final Pattern TXID = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern PLACE = Pattern.compile("([0-9a-f]{64}):0*([0-9]{1,10})");
  private static final long MAX_INDEX = 0xffff_ffffL;
  private static final Pattern PUBKEY =
      Pattern.compile("[0-9a-f]{64}|0[23][0-9a-f]{64}|04[0-9a-f]{128}");
  private static final Pattern XPUB = Pattern.compile("[a-zA-Z]pub[1-9A-HJ-NP-Za-km-z]{100,120}");
  private static final Pattern SPSCAN = Pattern.compile("t?spscan1[02-9ac-hj-np-z]{20,300}");

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
   * @param address which
   * @return the reference
   */
  public static LabelRef of(Address address) {
    return new LabelRef(LabelType.ADDR, address.text());
  }

  /**
   * Reads a reference of BIP-0329. Addresses and keys of every network are taken.
   *
   * @param type what kind of thing
   * @param text which one
   * @return the reference
   * @throws IllegalArgumentException if it is none of this type
   */
  public static LabelRef parse(LabelType type, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return switch (type) {
      case TX -> matching(TXID, type, lower, "a txid");
      case ADDR -> of(address(text));
      case PUBKEY -> matching(PUBKEY, type, lower, "a public key in hex");
      case INPUT, OUTPUT -> place(type, lower);
      case XPUB -> matching(XPUB, type, text, "an extended public key");
      case SPSCAN -> matching(SPSCAN, type, lower, "a key expression of silent payments");
    };
  }

  private static LabelRef place(LabelType type, String text) {
    Matcher place = PLACE.matcher(text);
    if (!place.matches() || Long.parseLong(place.group(2)) > MAX_INDEX) {
      throw refusal(type, "txid:index");
    }
    return new LabelRef(type, place.group(1) + ":" + place.group(2));
  }

  private static LabelRef matching(Pattern pattern, LabelType type, String text, String what) {
    if (!pattern.matcher(text).matches()) {
      throw refusal(type, what);
    }
    return new LabelRef(type, text);
  }

  /** The text may be a secret, so no message repeats it. */
  private static IllegalArgumentException refusal(LabelType type, String what) {
    return new IllegalArgumentException("the ref of type " + type.word() + " is not " + what);
  }

  private static Address address(String text) {
    return Stream.of(KeyNetwork.values())
        .flatMap(network -> address(text, network))
        .findFirst()
        .orElseThrow(() -> refusal(LabelType.ADDR, "an address"));
  }

  private static Stream<Address> address(String text, KeyNetwork network) {
    try {
      return Stream.of(Address.parse(text, network));
    } catch (AddressException e) {
      return Stream.empty();
    }
  }

  /** By type, then by text. */
  @Override
  public int compareTo(LabelRef other) {
    return ORDER.compare(this, other);
  }
}
