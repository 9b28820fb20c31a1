package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.fee.InputSize;

/** Scripts and coins that are distinguished by a number. */
final class TestScripts {

  private TestScripts() {}

  static Bytes script(OutputType type, int number) {
    return switch (type) {
      case P2PKH -> Bytes.ofHex("76a914" + "00".repeat(16) + "%08x".formatted(number) + "88ac");
      case P2SH_P2WPKH -> Bytes.ofHex("a914" + "00".repeat(16) + "%08x".formatted(number) + "87");
      case P2WPKH -> Bytes.ofHex("0014" + "00".repeat(16) + "%08x".formatted(number));
      case P2TR -> Bytes.ofHex("5120" + "00".repeat(28) + "%08x".formatted(number));
    };
  }

  static Address address(Bytes script) {
    KeyNetwork network = KeyNetwork.REGTEST;
    return Address.parse(Address.of(script, network).orElseThrow(), network);
  }

  static Hash256 txid(int number) {
    return Hash256.ofInternal(new ByteWriter().int32(number).bytes(new byte[28], 0, 28).toArray());
  }

  /** A coin with six confirmations, from a foreign payment. */
  static InputCoin coin(OutputType type, int number, long value) {
    return coin(type, number, number, value, 6, false);
  }

  static InputCoin coin(
      OutputType type, int number, int script, long value, int confirmations, boolean own) {
    return new InputCoin(
        new OutPoint(txid(number), 0),
        value,
        script(type, script),
        InputSize.of(type),
        confirmations,
        false,
        own,
        false);
  }

  /** Change scripts of these types, with numbers that no coin has. */
  static List<ChangeScript> change(OutputType... types) {
    List<ChangeScript> scripts = new ArrayList<>();
    for (OutputType type : types) {
      scripts.add(new ChangeScript(script(type, 1_000_000), InputSize.of(type)));
    }
    return scripts;
  }
}
