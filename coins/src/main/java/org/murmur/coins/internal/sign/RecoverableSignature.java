package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;

/**
 * ECDSA signatures from which the public key is computed, as signed messages of P2PKH addresses
 * have them (BIP-0137). A header, then R and S in 32 bytes each, big-endian:
 *
 * <pre>
 * header  27 to 34: 27, plus 4 if the key is compressed, plus a number of 0 to 3:
 *         1 if y of the point R is odd, and 2 if its x is R plus the order of the curve
 * </pre>
 */
public final class RecoverableSignature {

  /** Bytes of a signature. */
  public static final int LENGTH = 1 + 2 * Curve.LENGTH;

  private static final int FIRST_HEADER = 27;
  private static final int COMPRESSED = 4;
  private static final int POINTS = 4;

  private RecoverableSignature() {}

  /**
   * Signs with the key of a P2PKH script, as Core's {@code signmessage} does: the nonce is that of
   * RFC 6979 without extra entropy, and S is low.
   *
   * @param hash 32 bytes
   * @param script that the key must give
   * @param path where the key is derived
   * @return {@value #LENGTH} bytes; empty if the key gives another script
   * @throws IllegalStateException if no point gives the key: the machine computes wrongly
   */
  public static Optional<Bytes> sign(Bytes hash, Bytes script, KeyPath path, PrivateKeys keys) {
    SigningKey key = SigningKey.of(path, keys);
    if (!key.script(OutputType.P2PKH).equals(script)) {
      return Optional.empty();
    }
    byte[] message = hash.toArray();
    Ecdsa.Signature signature = Ecdsa.sign(message, key, 0);
    for (int point = 0; point < POINTS; point++) {
      if (recovered(message, signature, point).filter(key.point()::equals).isPresent()) {
        byte[] r = Curve.bytes(signature.r());
        byte[] s = Curve.bytes(signature.s());
        ByteWriter out = new ByteWriter(LENGTH).uint8(FIRST_HEADER + COMPRESSED + point);
        return Optional.of(out.bytes(r, 0, r.length).bytes(s, 0, s.length).toBytes());
      }
    }
    throw new IllegalStateException("an ECDSA signature does not verify");
  }

  /**
   * Drops the type of the address that BIP-0137 adds to the header: 35 to 38 for P2WPKH in P2SH, 39
   * to 42 for P2WPKH. The signature may have any length.
   */
  public static Bytes withoutType(Bytes signature) {
    int header = signature.length() == LENGTH ? signature.at(0) & 0xff : 0;
    int types = (header - FIRST_HEADER) / POINTS - 1;
    if (types < 1 || types > 2) {
      return signature;
    }
    byte[] bytes = signature.toArray();
    bytes[0] = (byte) (header - types * POINTS);
    return Bytes.wrap(bytes);
  }

  /**
   * Computes the key that made a signature of any length: 33 or 65 bytes, as the header says; empty
   * if no key gives this signature.
   */
  public static Optional<Bytes> publicKey(Bytes hash, Bytes signature) {
    int header = signature.length() == LENGTH ? (signature.at(0) & 0xff) - FIRST_HEADER : -1;
    if (header < 0 || header >= COMPRESSED + POINTS) {
      return Optional.empty();
    }
    byte[] bytes = signature.toArray();
    Ecdsa.Signature parsed =
        new Ecdsa.Signature(
            new BigInteger(1, Arrays.copyOfRange(bytes, 1, 1 + Curve.LENGTH)),
            new BigInteger(1, Arrays.copyOfRange(bytes, 1 + Curve.LENGTH, LENGTH)));
    return recovered(hash.toArray(), parsed, header % POINTS)
        .map(key -> Bytes.wrap(key.getEncoded(header >= COMPRESSED)));
  }

  /** {@code (s R - e G) / r} (SEC 1, 4.1.6), normalised. */
  private static Optional<ECPoint> recovered(byte[] hash, Ecdsa.Signature signature, int point) {
    BigInteger r = signature.r();
    BigInteger s = signature.s();
    if (!Curve.isScalar(r) || !Curve.isScalar(s)) {
      return Optional.empty();
    }
    ECPoint commitment;
    try {
      byte[] x = Curve.bytes(point < 2 ? r : r.add(Curve.ORDER));
      ByteWriter compressed = new ByteWriter(Secp256k1.COMPRESSED).uint8(2 + point % 2);
      commitment = Secp256k1.decode(compressed.bytes(x, 0, x.length).toArray());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    BigInteger inverse = Curve.inverse(r);
    BigInteger e = Curve.reduced(hash);
    BigInteger ofGenerator = e.negate().multiply(inverse).mod(Curve.ORDER);
    ECPoint key = Curve.sum(ofGenerator, commitment, s.multiply(inverse).mod(Curve.ORDER));
    return key.isInfinity() ? Optional.empty() : Optional.of(key);
  }
}
