package org.murmur.coins.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.sign.InputSignatures;

/**
 * The two transactions of BIP-0322. {@code to_spend} commits to message and address and can be in
 * no block, because it spends an output that cannot exist. {@code to_sign} spends it:
 *
 * <pre>
 * to_spend  version 0   in  000…000:ffffffff, sequence 0, OP_0 PUSH32 message_hash
 *                       out value 0, script of the address            lock time 0
 * to_sign   version 0   in  to_spend:0, sequence 0
 *                       out value 0, OP_RETURN                        lock time 0
 * </pre>
 */
final class VirtualTx {

  /** The one output of {@code to_sign}. */
  static final Tx.Output OUTPUT = new Tx.Output(0, Bytes.ofHex("6a"));

  private static final OutPoint NOTHING = new OutPoint(Hash256.ZERO, 0xffffffff);
  private static final String TAG = "BIP0322-signed-message";

  /** The text that signers of P2PKH have always put before a message, after its length. */
  private static final Bytes LEGACY_MAGIC = bytes("Bitcoin Signed Message:\n");

  private VirtualTx() {}

  /**
   * A text in UTF-8.
   *
   * @throws MessageException if it holds half a surrogate pair: two texts would be one message
   */
  static Bytes bytes(String message) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(message));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return Bytes.wrap(bytes);
    } catch (CharacterCodingException e) {
      throw new MessageException(MessageException.Reason.NOT_TEXT);
    }
  }

  /** The hash in {@code to_spend}. */
  static Bytes messageHash(Bytes message) {
    return Bytes.wrap(Hashes.tagged(TAG, message.toArray()));
  }

  /** The hash that a legacy signature signs. */
  static Bytes legacyHash(Bytes message) {
    Bytes all = new ByteWriter().varBytes(LEGACY_MAGIC).varBytes(message).toBytes();
    return Bytes.wrap(DoubleSha256.of(all).toInternal());
  }

  static Tx toSpend(Bytes message, Bytes script) {
    Bytes hash = messageHash(message);
    Bytes scriptSig = new ByteWriter().uint8(0).uint8(hash.length()).bytes(hash).toBytes();
    return tx(NOTHING, scriptSig, new Tx.Output(0, script), Optional.empty());
  }

  /** Not signed yet. */
  static Tx toSign(Tx toSpend) {
    return toSign(toSpend, Bytes.EMPTY, Optional.empty());
  }

  static Tx toSign(Tx toSpend, Bytes scriptSig, Optional<Bytes> witness) {
    return tx(toSpend.outPoint(0), scriptSig, OUTPUT, witness);
  }

  /** Signs and verifies the one input. */
  static InputSignatures signatures(Tx toSign, Bytes script) {
    return new InputSignatures(toSign, List.of(Optional.of(spent(script))));
  }

  /** The output of {@code to_spend}. */
  static Tx.Output spent(Bytes script) {
    return new Tx.Output(0, script);
  }

  private static Tx tx(OutPoint spent, Bytes scriptSig, Tx.Output output, Optional<Bytes> witness) {
    ByteWriter out = new ByteWriter().int32(0);
    if (witness.isPresent()) {
      out.uint8(0).uint8(1);
    }
    out.compactSize(1).bytes(spent.toBytes()).varBytes(scriptSig).int32(0);
    out.compactSize(1).int64(output.value()).varBytes(output.script());
    witness.ifPresent(out::bytes);
    return Tx.parse(out.int32(0).toBytes());
  }
}
