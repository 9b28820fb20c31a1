package org.murmur.p2p.internal.v2;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bouncycastle.math.ec.ECMultiplier;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** The key pair of one side of one connection (BIP-0324, "Shared secret computation"). */
final class EphemeralKey {

  private static final ECMultiplier COMB = new FixedPointCombMultiplier();
  private static final ECPoint GENERATOR =
      ElligatorSwift.CURVE.createPoint(
          new BigInteger("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", 16),
          new BigInteger("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", 16));
  private static final byte[] TAG =
      "bip324_ellswift_xonly_ecdh".getBytes(StandardCharsets.US_ASCII);

  private final BigInteger secret;
  private final byte[] encoding;

  /** Makes the key from its scalar and one encoding of its point, 64 bytes. */
  EphemeralKey(BigInteger secret, byte[] encoding) {
    this.secret = secret;
    this.encoding = encoding;
  }

  /** Draws a key and its encoding. The source must be unpredictable. */
  static EphemeralKey draw(Dice dice) {
    BigInteger secret = ElligatorSwift.below(ElligatorSwift.CURVE.getOrder(), dice);
    ECPoint point = COMB.multiply(GENERATOR, secret).normalize();
    return new EphemeralKey(secret, ElligatorSwift.encode(point.getAffineXCoord(), dice));
  }

  /** The 64 bytes that the other side gets. */
  byte[] encoding() {
    return encoding.clone();
  }

  /**
   * Returns the secret that both sides have, 32 bytes.
   *
   * @param theirs the other side's 64 bytes
   * @param initiating whether this side opened the connection
   */
  byte[] sharedSecret(byte[] theirs, boolean initiating) {
    byte[] x = ElligatorSwift.multiply(theirs, secret);
    MessageDigest sha256 = sha256();
    byte[] tag = sha256.digest(TAG);
    sha256.update(tag);
    sha256.update(tag);
    sha256.update(initiating ? encoding : theirs);
    sha256.update(initiating ? theirs : encoding);
    return sha256.digest(x);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
