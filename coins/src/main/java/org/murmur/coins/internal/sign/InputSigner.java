package org.murmur.coins.internal.sign;

import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.OutputType;

/** Signs one input after the other, and verifies each signature with the public key. */
final class InputSigner {

  private static final byte[] NO_SCRIPTS = {};

  /** Core's auxiliary randomness, all zeros: the same payment has the same signatures. */
  private static final byte[] NO_AUX = new byte[Curve.LENGTH];

  private final InputHash hashes;

  InputSigner(InputHash hashes) {
    this.hashes = hashes;
  }

  /** The key that signs for outputs of a type, from the one that is derived. */
  static SigningKey outputKey(OutputType type, SigningKey derived) {
    return type == OutputType.P2TR ? derived.tweaked(NO_SCRIPTS) : derived;
  }

  /**
   * Signs.
   *
   * @param type of the spent output
   * @throws IllegalStateException if a signature does not verify: the machine computes wrongly
   */
  SignedInput sign(int index, OutputType type, SigningKey key) {
    return switch (type) {
      case P2PKH -> new SignedInput(legacyScript(index, key), List.of());
      case P2SH_P2WPKH -> {
        byte[] redeem = KeyScripts.witnessKeyHash(key).toArray();
        Bytes script = KeyScripts.push(new ByteWriter(), redeem).toBytes();
        yield new SignedInput(script, segwitStack(index, key));
      }
      case P2WPKH -> new SignedInput(Bytes.EMPTY, segwitStack(index, key));
      case P2TR -> new SignedInput(Bytes.EMPTY, List.of(schnorr(index, key, HashType.DEFAULT)));
    };
  }

  /**
   * Makes only the signature, with the byte for its type of hash if it has one.
   *
   * @param taproot the type of hash of a Schnorr signature; ECDSA ones have {@link HashType#ALL}
   */
  Bytes signature(int index, OutputType type, SigningKey key, HashType taproot) {
    return switch (type) {
      case P2PKH -> ecdsa(hashes.legacy(index), key);
      case P2SH_P2WPKH, P2WPKH -> segwitStack(index, key).get(0);
      case P2TR -> schnorr(index, key, taproot);
    };
  }

  private Bytes legacyScript(int index, SigningKey key) {
    ByteWriter script = new ByteWriter();
    KeyScripts.push(script, ecdsa(hashes.legacy(index), key).toArray());
    return KeyScripts.push(script, key.compressed()).toBytes();
  }

  private List<Bytes> segwitStack(int index, SigningKey key) {
    byte[] hash = hashes.segwit(index, KeyScripts.keyHash(key), HashType.ALL);
    return List.of(ecdsa(hash, key), Bytes.wrap(key.compressed()));
  }

  /** DER and the type of hash. */
  private static Bytes ecdsa(byte[] hash, SigningKey key) {
    Ecdsa.Signature signature = Ecdsa.sign(hash, key);
    if (!Ecdsa.verify(hash, key.point(), signature)) {
      throw new IllegalStateException("an ECDSA signature does not verify");
    }
    return withType(signature.der(), HashType.ALL);
  }

  private Bytes schnorr(int index, SigningKey key, HashType type) {
    byte[] hash = hashes.taproot(index, type);
    byte[] signature = Schnorr.sign(hash, key, NO_AUX);
    if (!Schnorr.verify(hash, key.x(), signature)) {
      throw new IllegalStateException("a Schnorr signature does not verify");
    }
    return type.equals(HashType.DEFAULT) ? Bytes.wrap(signature) : withType(signature, type);
  }

  private static Bytes withType(byte[] signature, HashType type) {
    byte[] withType = Arrays.copyOf(signature, signature.length + 1);
    withType[signature.length] = (byte) type.code();
    return Bytes.wrap(withType);
  }
}
