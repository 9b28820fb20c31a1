package org.murmur.coins.psbt;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;

/** The fields that BIP-0174, 370, 371 and 373 define, and what their keys and values must be. */
@SuppressWarnings("ImmutableEnumChecker") // bytes that nobody changes, and pure functions
enum Field {
  UNSIGNED_TX(Scope.GLOBAL, 0x00, Versions.ZERO, Shape.NONE, UnsignedTx::parse),
  XPUB(Scope.GLOBAL, 0x01, Versions.ALL, Shape::extendedKey, Shape::origin),
  TX_VERSION(Scope.GLOBAL, 0x02, Versions.TWO, Shape.NONE, Shape.length(4)),
  FALLBACK_LOCK_TIME(Scope.GLOBAL, 0x03, Versions.TWO, Shape.NONE, Shape.length(4)),
  INPUT_COUNT(Scope.GLOBAL, 0x04, Versions.TWO, Shape.NONE, Shape::count),
  OUTPUT_COUNT(Scope.GLOBAL, 0x05, Versions.TWO, Shape.NONE, Shape::count),
  TX_MODIFIABLE(Scope.GLOBAL, 0x06, Versions.TWO, Shape.NONE, Shape.length(1)),
  VERSION(Scope.GLOBAL, 0xfb, Versions.ALL, Shape.NONE, Shape.length(4)),
  GLOBAL_PROPRIETARY(Scope.GLOBAL, 0xfc, Versions.ALL, Shape::proprietary, Shape.ANY),

  NON_WITNESS_UTXO(Scope.INPUT, 0x00, Versions.ALL, Shape.NONE, Tx::parse),
  WITNESS_UTXO(Scope.INPUT, 0x01, Versions.ALL, Shape.NONE, Shape::output),
  PARTIAL_SIG(Scope.INPUT, 0x02, Versions.ALL, Shape::publicKey, Shape::ecdsaSignature),
  SIGHASH_TYPE(Scope.INPUT, 0x03, Versions.ALL, Shape.NONE, Shape.length(4)),
  REDEEM_SCRIPT(Scope.INPUT, 0x04, Versions.ALL, Shape.NONE, Shape.ANY),
  WITNESS_SCRIPT(Scope.INPUT, 0x05, Versions.ALL, Shape.NONE, Shape.ANY),
  DERIVATION(Scope.INPUT, 0x06, Versions.ALL, Shape::publicKey, Shape::origin),
  FINAL_SCRIPT(Scope.INPUT, 0x07, Versions.ALL, Shape.NONE, Shape.ANY),
  FINAL_WITNESS(Scope.INPUT, 0x08, Versions.ALL, Shape.NONE, Shape::witness),
  RIPEMD160(Scope.INPUT, 0x0a, Versions.ALL, Shape.length(20), Shape.ANY),
  SHA256(Scope.INPUT, 0x0b, Versions.ALL, Shape.length(32), Shape.ANY),
  HASH160(Scope.INPUT, 0x0c, Versions.ALL, Shape.length(20), Shape.ANY),
  HASH256(Scope.INPUT, 0x0d, Versions.ALL, Shape.length(32), Shape.ANY),
  PREVIOUS_TXID(Scope.INPUT, 0x0e, Versions.TWO, Shape.NONE, Shape.length(32)),
  OUTPUT_INDEX(Scope.INPUT, 0x0f, Versions.TWO, Shape.NONE, Shape.length(4)),
  SEQUENCE(Scope.INPUT, 0x10, Versions.TWO, Shape.NONE, Shape.length(4)),
  REQUIRED_TIME(Scope.INPUT, 0x11, Versions.TWO, Shape.NONE, Shape::lockUntilTime),
  REQUIRED_HEIGHT(Scope.INPUT, 0x12, Versions.TWO, Shape.NONE, Shape::lockUntilHeight),
  TAP_KEY_SIG(Scope.INPUT, 0x13, Versions.ALL, Shape.NONE, Shape::schnorrSignature),
  TAP_SCRIPT_SIG(Scope.INPUT, 0x14, Versions.ALL, Shape.length(64), Shape::schnorrSignature),
  TAP_LEAF_SCRIPT(Scope.INPUT, 0x15, Versions.ALL, Shape::controlBlock, Shape.atLeast(1)),
  TAP_DERIVATION(Scope.INPUT, 0x16, Versions.ALL, Shape.length(32), Shape::tapOrigin),
  TAP_INTERNAL_KEY(Scope.INPUT, 0x17, Versions.ALL, Shape.NONE, Shape.length(32)),
  TAP_MERKLE_ROOT(Scope.INPUT, 0x18, Versions.ALL, Shape.NONE, Shape.length(32)),
  MUSIG_PARTICIPANTS(Scope.INPUT, 0x1a, Versions.ALL, Shape.points(1, 1), Shape::pointList),
  MUSIG_NONCE(Scope.INPUT, 0x1b, Versions.ALL, Shape::musigKey, Shape.length(66)),
  MUSIG_PARTIAL_SIG(Scope.INPUT, 0x1c, Versions.ALL, Shape::musigKey, Shape.length(32)),
  INPUT_PROPRIETARY(Scope.INPUT, 0xfc, Versions.ALL, Shape::proprietary, Shape.ANY),

  OUT_REDEEM_SCRIPT(Scope.OUTPUT, 0x00, Versions.ALL, Shape.NONE, Shape.ANY),
  OUT_WITNESS_SCRIPT(Scope.OUTPUT, 0x01, Versions.ALL, Shape.NONE, Shape.ANY),
  OUT_DERIVATION(Scope.OUTPUT, 0x02, Versions.ALL, Shape::publicKey, Shape::origin),
  AMOUNT(Scope.OUTPUT, 0x03, Versions.TWO, Shape.NONE, Shape.length(8)),
  SCRIPT(Scope.OUTPUT, 0x04, Versions.TWO, Shape.NONE, Shape.ANY),
  OUT_TAP_INTERNAL_KEY(Scope.OUTPUT, 0x05, Versions.ALL, Shape.NONE, Shape.length(32)),
  OUT_TAP_TREE(Scope.OUTPUT, 0x06, Versions.ALL, Shape.NONE, TapTree::check),
  OUT_TAP_DERIVATION(Scope.OUTPUT, 0x07, Versions.ALL, Shape.length(32), Shape::tapOrigin),
  OUT_MUSIG_PARTICIPANTS(Scope.OUTPUT, 0x08, Versions.ALL, Shape.points(1, 1), Shape::pointList),
  OUT_PROPRIETARY(Scope.OUTPUT, 0xfc, Versions.ALL, Shape::proprietary, Shape.ANY);

  /** Where a field may stand. */
  enum Scope {
    GLOBAL,
    INPUT,
    OUTPUT
  }

  /** The versions of PSBTs that may have a field. */
  enum Versions {
    ZERO,
    TWO,
    ALL;

    boolean include(int version) {
      return this == ALL || (this == TWO) == (version == 2);
    }
  }

  private static final Map<Scope, Map<Integer, Field>> BY_TYPE = new HashMap<>();

  static {
    for (Field field : values()) {
      BY_TYPE.computeIfAbsent(field.scope, scope -> new HashMap<>()).put(field.type, field);
    }
  }

  private final Scope scope;
  private final int type;
  private final Versions versions;
  private final Shape keyShape;
  private final Shape valueShape;
  private final Bytes key;

  Field(Scope scope, int type, Versions versions, Shape keyShape, Shape valueShape) {
    this.scope = scope;
    this.type = type;
    this.versions = versions;
    this.keyShape = keyShape;
    this.valueShape = valueShape;
    this.key = Bytes.wrap(new byte[] {(byte) type});
  }

  /** The field of a key. Empty if this code does not know its type. */
  static Optional<Field> of(Scope scope, Bytes key) {
    return Optional.ofNullable(BY_TYPE.get(scope)).map(types -> types.get(key.at(0) & 0xff));
  }

  boolean isTypeOf(Bytes anyKey) {
    return (anyKey.at(0) & 0xff) == type;
  }

  /** The whole key if it has no data. */
  Bytes key() {
    return key;
  }

  /** The whole key. */
  Bytes key(Bytes data) {
    return new ByteWriter(1 + data.length()).uint8(type).bytes(data).toBytes();
  }

  /** Checks an entry of this field. */
  void check(int version, Bytes wholeKey, Bytes value) {
    if (!versions.include(version)) {
      throw new MalformedException("not allowed in version " + version, 0);
    }
    keyShape.check(wholeKey.slice(1, wholeKey.length()));
    valueShape.check(value);
  }

  /** For instance {@code input partial sig}. */
  String title() {
    String name = name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return scope == Scope.INPUT ? "input " + name : name.replaceFirst("^out ", "output ");
  }
}
