package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Hashes;

/**
 * The messages that the inputs of a transaction sign, and their hashes. All integers are
 * little-endian. Parts that inputs share are hashed once.
 */
final class InputHash {

  private static final byte[] NOTHING = new byte[32];

  /** How a taproot output is spent, without annex. */
  private static final int BY_KEY = 0;

  private static final int BY_SCRIPT = 2;

  private final Tx tx;
  private final List<Tx.Output> spent;
  private final CommonHashes common;

  /** Prepares a transaction, whose input scripts are ignored. */
  InputHash(Tx tx, List<Tx.Output> spent) {
    this.tx = tx;
    this.spent = spent;
    this.common = CommonHashes.of(tx, spent);
  }

  /**
   * The hash for scripts older than BIP-0141, for {@link HashType#ALL} and the script that is run:
   * of a script hash the redeem script.
   */
  byte[] legacy(int index, Bytes scriptCode) {
    List<Tx.Input> inputs = new ArrayList<>();
    for (Tx.Input input : tx.inputs()) {
      Bytes script = inputs.size() == index ? scriptCode : Bytes.EMPTY;
      inputs.add(new Tx.Input(input.outPoint(), script, input.sequence()));
    }
    Bytes whole = Tx.serialise(tx.version(), inputs, List.of(), tx.outputs(), tx.lockTime());
    return twice(new ByteWriter().bytes(whole).int32(HashType.ALL.code()));
  }

  /** The hash for witness programs of version 0 (BIP-0143). */
  byte[] segwit(int index, Bytes scriptCode, HashType type) {
    return twice(segwitMessage(index, scriptCode, type));
  }

  ByteWriter segwitMessage(int index, Bytes scriptCode, HashType type) {
    Tx.Input input = tx.inputs().get(index);
    boolean sequences = type.allOutputs() && !type.anyoneCanPay();
    ByteWriter out = new ByteWriter().int32(tx.version());
    hash(out, type.anyoneCanPay() ? NOTHING : Hashes.sha256(common.outPoints()));
    hash(out, sequences ? Hashes.sha256(common.sequences()) : NOTHING);
    out.bytes(input.outPoint().toBytes()).varBytes(scriptCode);
    out.int64(spent.get(index).value()).int32(input.sequence());
    hash(out, segwitOutputs(index, type));
    return out.int32(tx.lockTime()).int32(type.code());
  }

  private byte[] segwitOutputs(int index, HashType type) {
    if (type.allOutputs()) {
      return Hashes.sha256(common.outputs());
    }
    return type.single() && index < tx.outputs().size()
        ? Hashes.sha256(singleOutput(index))
        : NOTHING;
  }

  /** The hash for taproot outputs that are spent by their key (BIP-0341). */
  byte[] taproot(int index, HashType type) {
    return Hashes.tagged("TapSighash", taprootMessage(index, type).toArray());
  }

  /** The hash for a script of a taproot output that has no OP_CODESEPARATOR (BIP-0342). */
  byte[] tapscript(int index, HashType type, Bytes leafHash) {
    ByteWriter out = taprootMessage(index, type, BY_SCRIPT).bytes(leafHash).uint8(0).int32(-1);
    return Hashes.tagged("TapSighash", out.toArray());
  }

  /** The message of BIP-0341, after the byte 0 that stands for its epoch. */
  ByteWriter taprootMessage(int index, HashType type) {
    return taprootMessage(index, type, BY_KEY);
  }

  private ByteWriter taprootMessage(int index, HashType type, int spendType) {
    ByteWriter out = new ByteWriter().uint8(0).uint8(type.code());
    out.int32(tx.version()).int32(tx.lockTime());
    if (!type.anyoneCanPay()) {
      hash(out, common.outPoints());
      hash(out, common.values());
      hash(out, common.scripts());
      hash(out, common.sequences());
    }
    if (type.allOutputs()) {
      hash(out, common.outputs());
    }
    out.uint8(spendType);
    if (type.anyoneCanPay()) {
      Tx.Input input = tx.inputs().get(index);
      out.bytes(input.outPoint().toBytes());
      CommonHashes.write(spent.get(index), out);
      out.int32(input.sequence());
    } else {
      out.int32(index);
    }
    if (type.single()) {
      hash(out, singleOutput(index));
    }
    return out;
  }

  private byte[] singleOutput(int index) {
    ByteWriter out = new ByteWriter();
    CommonHashes.write(tx.outputs().get(index), out);
    return Hashes.sha256(out.toArray());
  }

  private static void hash(ByteWriter out, byte[] hash) {
    out.bytes(hash, 0, hash.length);
  }

  private static byte[] twice(ByteWriter message) {
    return DoubleSha256.of(message.toBytes()).toInternal();
  }
}
