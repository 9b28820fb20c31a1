package org.murmur.coins.message;

import java.util.Base64;
import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.sign.InputSignatures;
import org.murmur.coins.internal.sign.RecoverableSignature;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.PrivateKeys;
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
    return VirtualTx.signatures(VirtualTx.toSign(toSpend, VirtualTx.UNSIGNED), script)
        .sign(0, path, keys, true)
        .map(InputSignatures.Made::input)
        .map(
            input ->
                format == MessageFormat.SIMPLE
                    ? input.writtenWitness()
                    : VirtualTx.toSign(toSpend, input).raw());
  }

  /** The text to hand out. */
  @Override
  public String toString() {
    return text;
  }
}
