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
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.internal.sign.SignedInput;

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

  /** Without a signature. */
  static final SignedInput UNSIGNED = new SignedInput(Bytes.EMPTY, List.of());

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
    ByteWriter scriptSig = Scripts.push(new ByteWriter().uint8(0), messageHash(message));
    return tx(NOTHING, new SignedInput(scriptSig.toBytes(), List.of()), new Tx.Output(0, script));
  }

  static Tx toSign(Tx toSpend, SignedInput signed) {
    return tx(toSpend.outPoint(0), signed, OUTPUT);
  }

  /** Signs and verifies the one input. */
  static InputSignatures signatures(Tx toSign, Bytes script) {
    return new InputSignatures(toSign, List.of(Optional.of(spent(script))));
  }

  /** The output of {@code to_spend}. */
  static Tx.Output spent(Bytes script) {
    return new Tx.Output(0, script);
  }

  private static Tx tx(OutPoint spent, SignedInput signed, Tx.Output output) {
    List<Tx.Input> inputs = List.of(new Tx.Input(spent, Bytes.EMPTY, 0));
    return SignedInput.assemble(0, inputs, List.of(signed), List.of(output), 0);
  }
}
