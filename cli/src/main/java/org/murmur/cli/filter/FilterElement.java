package org.murmur.cli.filter;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.ScriptPushes;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.KeyNetwork;

/**
 * An element named on the command line, and the data that it inserts into a filter.
 *
 * @param elements the data that a server would look up, at least one item
 */
record FilterElement(String text, Kind kind, List<Bytes> elements) {

  /** The kinds of elements. */
  enum Kind {
    ADDRESS,
    SCRIPT,
    OUTPOINT
  }

  /** Parses an element. Error messages begin with the place, which is "" or ends with ": ". */
  static FilterElement parse(String place, String text, KeyNetwork network) {
    int colon = text.indexOf(':');
    if (colon >= 0) {
      return new FilterElement(text, Kind.OUTPOINT, List.of(outPoint(place, text, colon)));
    }
    if (text.matches("[0-9a-fA-F]+")) {
      return new FilterElement(text, Kind.SCRIPT, pushes(place, text));
    }
    return new FilterElement(text, Kind.ADDRESS, List.of(address(place, text, network)));
  }

  /** Parses an element to test: an address, TXID:VOUT, or serialised hex. */
  static Bytes raw(String text, KeyNetwork network) {
    int colon = text.indexOf(':');
    if (colon >= 0) {
      return outPoint("", text, colon);
    }
    try {
      return Inputs.hex("element '" + shown(text) + "'", text);
    } catch (Failure notHex) {
      return address(notHex.text() + "; it is no address either: ", text, network);
    }
  }

  private static Bytes address(String otherwise, String text, KeyNetwork network) {
    try {
      return Address.parse(text, network).element();
    } catch (AddressException e) {
      // These commands have no wallet.
      String why = Failures.message(e).replace("but the wallet is on", "but --network is");
      throw Failure.usage(otherwise + why);
    }
  }

  private static Bytes outPoint(String place, String text, int colon) {
    try {
      Hash256 txid = Hash256.ofDisplay(text.substring(0, colon));
      return new OutPoint(txid, Integer.parseUnsignedInt(text.substring(colon + 1))).toBytes();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          Text.of(
              "%s'%s' is no outpoint, expected TXID:VOUT: 64 hex digits, colon, number",
              place, shown(text)));
    }
  }

  private static List<Bytes> pushes(String place, String text) {
    Bytes script = Inputs.hex(place + "script '" + shown(text) + "'", text);
    refuseOther(place, text, script);
    List<Bytes> pushes = new ArrayList<>();
    ScriptPushes cursor = new ScriptPushes().over(script);
    while (cursor.nextData()) {
      pushes.add(cursor.data());
    }
    if (pushes.isEmpty()) {
      throw Failure.usage(
          place + "script '" + shown(text) + "' pushes no data: no filter can match it");
    }
    return pushes;
  }

  /** Names other hex data by its length. */
  private static void refuseOther(String place, String text, Bytes bytes) {
    int first = bytes.at(0) & 0xff;
    String like =
        switch (bytes.length()) {
          case 20 -> "a key hash or script hash; give the address";
          case 32 -> "a txid or a key; give TXID:VOUT for an outpoint, or the address";
          case 33 -> first == 2 || first == 3 ? "a public key; give its script or address" : "";
          case 65 -> first == 4 ? "a public key; give its script or address" : "";
          default -> "";
        };
    if (!like.isEmpty()) {
      throw Failure.usage(place + "'" + shown(text) + "' looks like " + like);
    }
  }

  /** Shortens a long argument for an error message. */
  private static String shown(String text) {
    return text.length() <= 16 ? text : text.substring(0, 16) + "…";
  }
}
