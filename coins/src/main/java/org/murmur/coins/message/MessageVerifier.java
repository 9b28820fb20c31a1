package org.murmur.coins.message;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.internal.sign.RecoverableSignature;
import org.murmur.coins.internal.sign.SignedInput;
import org.murmur.coins.internal.sign.SpendCheck;
import org.murmur.coins.keys.Address;
import org.murmur.coins.message.MessageVerdict.NotValid;
import org.murmur.coins.message.MessageVerdict.Reason;
import org.murmur.coins.message.MessageVerdict.Valid;

/**
 * Verifies signatures of a message, of all formats. It needs no wallet and no network.
 *
 * <p>A prefix names the format. Without one, 65 bytes for a P2PKH address are a legacy signature, a
 * witness stack is a simple one and a transaction a full one: so wrote programs before BIP-0322 had
 * prefixes, and so does Bitcoin Knots 29.
 */
public final class MessageVerifier {

  private static final String PROOF_OF_FUNDS = "pof";

  private final Bytes message;
  private final Bytes script;

  private MessageVerifier(Bytes message, Bytes script) {
    this.message = message;
    this.script = script;
  }

  /**
   * Takes the message and the address whose key signed it.
   *
   * @param address of any network
   * @param message the text as it was signed, white space too
   * @return verifies signatures of it
   * @throws MessageException if the message holds half a character
   */
  public static MessageVerifier of(Address address, String message) {
    return new MessageVerifier(VirtualTx.bytes(message), address.scriptPubKey());
  }

  /**
   * Verifies a signature.
   *
   * @param signature base64 with or without the prefix; white space around it is dropped
   * @return valid, invalid or inconclusive, with the reason
   */
  public MessageVerdict verify(String signature) {
    String text = signature.trim();
    for (MessageFormat format : List.of(MessageFormat.SIMPLE, MessageFormat.FULL)) {
      if (text.startsWith(format.prefix())) {
        return decoded(text.substring(format.prefix().length()))
            .map(body -> format == MessageFormat.SIMPLE ? simple(body) : full(body))
            .orElse(new NotValid(Reason.NOT_BASE64));
      }
    }
    if (text.startsWith(PROOF_OF_FUNDS)) {
      boolean base64 = decoded(text.substring(PROOF_OF_FUNDS.length())).isPresent();
      return new NotValid(base64 ? Reason.PROOF_OF_FUNDS : Reason.NOT_BASE64);
    }
    return decoded(text).map(this::withoutPrefix).orElse(new NotValid(Reason.NOT_BASE64));
  }

  /** One text for each signature: Java's decoder alone takes missing padding and stray bits. */
  private static Optional<Bytes> decoded(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return Base64.getEncoder().encodeToString(bytes).equals(text)
          ? Optional.of(Bytes.wrap(bytes))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private MessageVerdict withoutPrefix(Bytes body) {
    if (body.length() == RecoverableSignature.LENGTH
        && (Scripts.isKeyHash(script) || !stack(body).isPresent())) {
      return legacy(body);
    }
    return stack(body).isPresent() ? simple(body) : full(body);
  }

  private MessageVerdict legacy(Bytes body) {
    Optional<Bytes> key =
        RecoverableSignature.publicKey(
            VirtualTx.legacyHash(message), RecoverableSignature.withoutType(body));
    if (Scripts.isKeyHash(script)) {
      return key.map(Scripts::hash160).map(Scripts::keyHash).filter(script::equals).isPresent()
          ? new Valid(MessageFormat.LEGACY, 0, 0)
          : new NotValid(Reason.WRONG_SIGNATURE);
    }
    boolean segwit =
        key.filter(each -> each.length() == Secp256k1.COMPRESSED)
            .map(Scripts::witnessKeyHash)
            .filter(each -> each.equals(script) || Scripts.scriptHash(each).equals(script))
            .isPresent();
    return new NotValid(segwit ? Reason.LEGACY_OF_SEGWIT : Reason.LEGACY_NEEDS_P2PKH);
  }

  private MessageVerdict simple(Bytes body) {
    if (!Scripts.isWitness(script)) {
      return new NotValid(Reason.SIMPLE_NEEDS_SEGWIT);
    }
    return stack(body)
        .map(items -> judge(MessageFormat.SIMPLE, toSign(new SignedInput(Bytes.EMPTY, items))))
        .orElse(new NotValid(Reason.MALFORMED));
  }

  private Tx toSign(SignedInput signed) {
    return VirtualTx.toSign(VirtualTx.toSpend(message, script), signed);
  }

  private static Reason reason(SpendCheck.Fault fault) {
    return switch (fault) {
      case OTHER_KEY -> Reason.OTHER_KEY;
      case NOT_SATISFIED -> Reason.NOT_SATISFIED;
      case WRONG_SIGNATURE -> Reason.WRONG_SIGNATURE;
      case UNKNOWN_SCRIPT -> Reason.UNKNOWN_SCRIPT;
    };
  }

  private MessageVerdict full(Bytes body) {
    Tx tx;
    try {
      tx = Tx.parse(body);
    } catch (MalformedException e) {
      return new NotValid(Reason.MALFORMED);
    }
    if (!tx.inputs()
        .get(0)
        .outPoint()
        .equals(toSign(VirtualTx.UNSIGNED).inputs().get(0).outPoint())) {
      return new NotValid(Reason.OTHER_MESSAGE_OR_ADDRESS);
    }
    if (!tx.outputs().equals(List.of(VirtualTx.OUTPUT))) {
      return new NotValid(Reason.OTHER_OUTPUTS);
    }
    if (tx.inputs().size() > 1) {
      return new NotValid(Reason.PROOF_OF_FUNDS);
    }
    return tx.hasWitness() && !stack(tx.witness()).filter(all -> !all.isEmpty()).isPresent()
        ? new NotValid(Reason.MALFORMED)
        : judge(MessageFormat.FULL, tx);
  }

  private MessageVerdict judge(MessageFormat format, Tx toSign) {
    Tx.Input input = toSign.inputs().get(0);
    Tx.Output spent = VirtualTx.spent(script);
    Optional<Reason> fault =
        SpendCheck.fault(toSign, 0, List.of(Optional.of(spent))).map(MessageVerifier::reason);
    if (fault.isPresent()) {
      return new NotValid(fault.get());
    }
    if (toSign.version() != 0 && toSign.version() != 2) {
      return new NotValid(Reason.UNKNOWN_VERSION);
    }
    return new Valid(
        format,
        Integer.toUnsignedLong(toSign.lockTime()),
        Integer.toUnsignedLong(input.sequence()));
  }

  /** The witness of one input; empty if the bytes are something else. */
  private static Optional<List<Bytes>> stack(Bytes body) {
    ByteReader in = new ByteReader(body.unsafeArray());
    try {
      List<Bytes> items = SignedInput.readWitness(in);
      in.expectEnd();
      return Optional.of(items);
    } catch (MalformedException e) {
      return Optional.empty();
    }
  }
}
