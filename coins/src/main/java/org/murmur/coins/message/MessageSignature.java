package org.murmur.coins.message;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.internal.sign.KeyPath;
import org.murmur.coins.internal.sign.PrivateKeys;
import org.murmur.coins.internal.sign.RecoverableSignature;
import org.murmur.coins.internal.sign.ScriptForms;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.message.MessageException.Reason;

/**
 * The signature of a message by the key of an address. The same message and key always give the
 * same signature.
 *
 * @param format which of the formats
 * @param text base64, after the prefix of the format
 */
public record MessageSignature(MessageFormat format, String text) {

  /**
   * Signs a message.
   *
   * @param message any text; its UTF-8 is signed as it is, white space too
   * @param script the scriptPubKey of the address
   * @param path where its key is derived
   * @param keys the private keys
   * @param format one that the address can have
   * @return the signature, which was verified
   * @throws MessageException if the format does not fit, or the key gives another script
   * @throws IllegalStateException if the signature does not verify: the machine computes wrongly
   */
  public static MessageSignature sign(
      String message, Bytes script, KeyPath path, PrivateKeys keys, MessageFormat format) {
    if (!format.fits(path.type())) {
      throw new MessageException(
          format == MessageFormat.LEGACY ? Reason.LEGACY_NEEDS_P2PKH : Reason.NEEDS_FULL);
    }
    Bytes bytes = VirtualTx.bytes(message);
    Optional<Bytes> signed =
        format == MessageFormat.LEGACY
            ? RecoverableSignature.sign(VirtualTx.legacyHash(bytes), script, path, keys)
            : signed(bytes, script, path, keys, format);
    Bytes body = signed.orElseThrow(() -> new MessageException(Reason.SCRIPT_OF_ANOTHER_KEY));
    String base64 = Base64.getEncoder().encodeToString(body.toArray());
    return new MessageSignature(format, format.prefix() + base64);
  }

  private static Optional<Bytes> signed(
      Bytes message, Bytes script, KeyPath path, PrivateKeys keys, MessageFormat format) {
    Tx toSpend = VirtualTx.toSpend(message, script);
    return VirtualTx.signatures(VirtualTx.toSign(toSpend), script)
        .sign(0, path, keys, true)
        .map(made -> body(toSpend, path.type(), made, format));
  }

  private static Bytes body(
      Tx toSpend, OutputType type, InputSignatures.Made made, MessageFormat format) {
    List<Bytes> stack =
        type == OutputType.P2TR
            ? List.of(made.signature())
            : List.of(made.signature(), made.publicKey());
    if (format == MessageFormat.SIMPLE) {
      return witness(stack);
    }
    return switch (type) {
      case P2PKH -> VirtualTx.toSign(toSpend, pushes(stack), Optional.empty()).raw();
      case P2SH_P2WPKH -> {
        Bytes redeem = ScriptForms.witnessKeyHash(made.publicKey());
        yield VirtualTx.toSign(toSpend, pushes(List.of(redeem)), Optional.of(witness(stack))).raw();
      }
      case P2WPKH, P2TR ->
          VirtualTx.toSign(toSpend, Bytes.EMPTY, Optional.of(witness(stack))).raw();
    };
  }

  /** The witness of one input (BIP-0144). */
  private static Bytes witness(List<Bytes> stack) {
    ByteWriter out = new ByteWriter().compactSize(stack.size());
    stack.forEach(out::varBytes);
    return out.toBytes();
  }

  /** Pushes of at most 75 bytes each: signatures, compressed keys and hashes. */
  private static Bytes pushes(List<Bytes> items) {
    ByteWriter out = new ByteWriter();
    items.forEach(item -> out.uint8(item.length()).bytes(item));
    return out.toBytes();
  }

  /** The text to hand out. */
  @Override
  public String toString() {
    return text;
  }
}
