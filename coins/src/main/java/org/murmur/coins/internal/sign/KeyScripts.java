package org.murmur.coins.internal.sign;

import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.keys.OutputType;

/**
 * The scripts that a key can spend. They are derived here from the private key alone, so that an
 * error in the wallet's derivation is found before signing.
 */
final class KeyScripts {

  private static final int OP_1 = 0x51;
  private static final int OP_DUP = 0x76;
  private static final int OP_EQUAL = 0x87;
  private static final int OP_EQUALVERIFY = 0x88;
  private static final int OP_HASH160 = 0xa9;
  private static final int OP_CHECKSIG = 0xac;

  private KeyScripts() {}

  /**
   * The scriptPubKey.
   *
   * @param key for taproot the output key
   */
  static Bytes output(OutputType type, SigningKey key) {
    return switch (type) {
      case P2PKH -> keyHash(key);
      case P2SH_P2WPKH -> scriptHash(witnessKeyHash(key));
      case P2WPKH -> witnessKeyHash(key);
      case P2TR -> push(new ByteWriter().uint8(OP_1), key.x()).toBytes();
    };
  }

  /** {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}. */
  static Bytes keyHash(SigningKey key) {
    ByteWriter script = new ByteWriter().uint8(OP_DUP).uint8(OP_HASH160);
    push(script, Hashes.hash160(key.compressed()));
    return script.uint8(OP_EQUALVERIFY).uint8(OP_CHECKSIG).toBytes();
  }

  /** {@code 0 <20>}: also the redeem script of P2SH-P2WPKH. */
  static Bytes witnessKeyHash(SigningKey key) {
    return push(new ByteWriter().uint8(0), Hashes.hash160(key.compressed())).toBytes();
  }

  /** {@code OP_HASH160 <20> OP_EQUAL}. */
  private static Bytes scriptHash(Bytes redeemScript) {
    ByteWriter script = new ByteWriter().uint8(OP_HASH160);
    return push(script, Hashes.hash160(redeemScript.toArray())).uint8(OP_EQUAL).toBytes();
  }

  /** Pushes at most 75 bytes. */
  static ByteWriter push(ByteWriter script, byte[] data) {
    return script.uint8(data.length).bytes(data, 0, data.length);
  }
}
