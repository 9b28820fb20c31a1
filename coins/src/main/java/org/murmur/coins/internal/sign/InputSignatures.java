package org.murmur.coins.internal.sign;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;

/**
 * Makes and verifies signatures of single inputs, when other inputs of the transaction may be
 * somebody else's. Every signature commits to all inputs and outputs.
 */
public final class InputSignatures {

  private static final Tx.Output UNKNOWN = new Tx.Output(0, Bytes.EMPTY);
  private static final int SCHNORR = 64;
  private static final int UNCOMPRESSED = 65;
  private static final int UNCOMPRESSED_PREFIX = 4;

  /** Core's auxiliary randomness, all zeros: the same payment has the same signatures. */
  private static final byte[] NO_AUX = new byte[Curve.LENGTH];

  private final InputHash hashes;
  private final List<Optional<Tx.Output>> spent;

  /**
   * A signature for a coin of a type, with the key that made it: 33 bytes, compressed; of taproot
   * the output key. The signature is DER and the type of hash; or of taproot 64 bytes, and the type
   * of hash unless it is the default one.
   */
  public record Made(OutputType type, Bytes publicKey, Bytes signature) {

    /** Returns what makes the input valid. */
    public SignedInput input() {
      List<Bytes> stack =
          type == OutputType.P2TR ? List.of(signature) : List.of(signature, publicKey);
      Optional<Bytes> redeem =
          type == OutputType.P2SH_P2WPKH
              ? Optional.of(Scripts.witnessKeyHash(publicKey))
              : Optional.empty();
      return SignedInput.of(type != OutputType.P2PKH, stack, redeem, Optional.empty());
    }
  }

  /**
   * Prepares a transaction, whose input scripts are ignored; what each input spends is in order, as
   * far as it is known.
   */
  public InputSignatures(Tx unsigned, List<Optional<Tx.Output>> spent) {
    if (unsigned.inputs().size() != spent.size()) {
      throw new IllegalArgumentException(
          spent.size() + " spent outputs for " + unsigned.inputs().size() + " inputs");
    }
    this.spent = List.copyOf(spent);
    this.hashes =
        new InputHash(
            unsigned,
            spent.stream().map(output -> output.orElse(UNKNOWN)).collect(Collectors.toList()));
  }

  /**
   * Signs an input. A taproot signature commits to what all inputs spend, and needs to know it.
   *
   * @param path where its key is derived
   * @param defaultType for taproot: true for the type of hash that takes no byte, false for ALL
   * @return the signature; empty if the key does not give the script of the spent output
   * @throws IllegalArgumentException if a needed spent output is not known
   * @throws IllegalStateException if the signature does not verify: the machine computes wrongly
   */
  public Optional<Made> sign(int index, KeyPath path, PrivateKeys keys, boolean defaultType) {
    SigningKey key = SigningKey.of(path, keys);
    if (!key.script(path.type()).equals(known(index).script())) {
      return Optional.empty();
    }
    if (path.type() == OutputType.P2TR) {
      requireAll();
    }
    HashType taproot = defaultType ? HashType.DEFAULT : HashType.ALL;
    Bytes signature = signature(index, path.type(), key, taproot);
    return Optional.of(new Made(path.type(), Bytes.wrap(key.compressed()), signature));
  }

  /** A verified signature, with the byte for its type of hash if it has one. */
  Bytes signature(int index, OutputType type, SigningKey key, HashType taproot) {
    return switch (type) {
      case P2PKH -> ecdsa(hashes.legacy(index, known(index).script()), key);
      case P2SH_P2WPKH, P2WPKH ->
          ecdsa(hashes.segwit(index, key.script(OutputType.P2PKH), HashType.ALL), key);
      case P2TR -> schnorr(hashes.taproot(index, taproot), key, taproot);
    };
  }

  private static Bytes ecdsa(byte[] hash, SigningKey key) {
    Ecdsa.Signature signature = Ecdsa.sign(hash, key);
    if (!Ecdsa.verify(hash, key.point(), signature)) {
      throw new IllegalStateException("an ECDSA signature does not verify");
    }
    return withType(signature.der(), HashType.ALL);
  }

  private static Bytes schnorr(byte[] hash, SigningKey key, HashType type) {
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

  /**
   * Verifies an ECDSA signature, strict DER and the type of hash, of a key of 33 or 65 bytes; by
   * BIP-0143 if the script that is run is of segwit. False if it is not valid, not for ALL, or S is
   * in the upper half.
   */
  public boolean ecdsaVerifies(
      int index, boolean segwit, Bytes scriptCode, Bytes publicKey, Bytes signature) {
    byte[] bytes = signature.toArray();
    if (bytes.length == 0 || bytes[bytes.length - 1] != HashType.ALL.code()) {
      return false;
    }
    try {
      ECPoint key = point(publicKey);
      Ecdsa.Signature parsed = Ecdsa.Signature.parse(Arrays.copyOf(bytes, bytes.length - 1));
      byte[] hash =
          segwit
              ? hashes.segwit(index, scriptCode, HashType.ALL)
              : hashes.legacy(index, scriptCode);
      return Ecdsa.verify(hash, key, parsed);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Hybrid keys (6 and 7) are refused, as Core's policy does (STRICTENC). */
  private static ECPoint point(Bytes publicKey) {
    byte[] bytes = publicKey.toArray();
    return bytes.length == UNCOMPRESSED && bytes[0] == UNCOMPRESSED_PREFIX
        ? Secp256k1.CURVE.decodePoint(bytes)
        : Secp256k1.decode(bytes);
  }

  /**
   * Verifies the signature of a taproot output's key, 64 bytes, or 65 with the type of hash. False
   * if it is not valid, or not for DEFAULT or ALL. All spent outputs must be known.
   */
  public boolean schnorrVerifies(int index, Bytes signature) {
    requireAll();
    Bytes script = known(index).script();
    return schnorrVerifies(type -> hashes.taproot(index, type), Scripts.pushed(script), signature);
  }

  /**
   * Verifies such a signature in a script of a taproot output without OP_CODESEPARATOR (BIP-0342).
   */
  public boolean tapscriptVerifies(int index, Bytes leafHash, Bytes key, Bytes signature) {
    requireAll();
    return schnorrVerifies(type -> hashes.tapscript(index, type, leafHash), key, signature);
  }

  private static boolean schnorrVerifies(
      Function<HashType, byte[]> hash, Bytes key, Bytes signature) {
    boolean explicit =
        signature.length() == SCHNORR + 1 && signature.at(SCHNORR) == HashType.ALL.code();
    if (signature.length() != SCHNORR && !explicit) {
      return false;
    }
    return Schnorr.verify(
        hash.apply(explicit ? HashType.ALL : HashType.DEFAULT),
        key.toArray(),
        signature.slice(0, SCHNORR).toArray());
  }

  private Tx.Output known(int index) {
    return spent
        .get(index)
        .orElseThrow(
            () -> new IllegalArgumentException("input " + index + ": unknown spent output"));
  }

  private void requireAll() {
    for (int i = 0; i < spent.size(); i++) {
      known(i);
    }
  }
}
