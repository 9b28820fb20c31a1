package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.coins.internal.crypto.Secp256k1;

/**
 * ECDSA as Core signs: the nonce is deterministic (RFC 6979), S is in the lower half, and R has no
 * leading zero byte in DER (low R). A high R is made again with a counter as extra entropy.
 */
final class Ecdsa {

  private static final int DER_SEQUENCE = 0x30;
  private static final int DER_INTEGER = 0x02;
  private static final int R_BITS = 255;

  private Ecdsa() {}

  /** A signature: both parts are scalars above 0. */
  record Signature(BigInteger r, BigInteger s) {

    /**
     * Reads strict DER (BIP-0066).
     *
     * @param der without the type of hash
     * @throws IllegalArgumentException if any byte differs from how {@link #der} writes it
     */
    static Signature parse(byte[] der) {
      int r = der.length > 3 ? der[3] & 0xff : 0;
      int s = der.length > 5 + r ? der[5 + r] & 0xff : 0;
      if (r == 0 || s == 0 || der.length != 6 + r + s) {
        throw new IllegalArgumentException("not a DER signature");
      }
      Signature signature =
          new Signature(
              new BigInteger(1, Arrays.copyOfRange(der, 4, 4 + r)),
              new BigInteger(1, Arrays.copyOfRange(der, 6 + r, 6 + r + s)));
      if (!Arrays.equals(signature.der(), der)) {
        throw new IllegalArgumentException("not strict DER");
      }
      return signature;
    }

    boolean hasLowR() {
      return r.bitLength() <= R_BITS;
    }

    /** Strict DER (BIP-0066), without the type of hash. */
    byte[] der() {
      byte[] first = r.toByteArray();
      byte[] second = s.toByteArray();
      ByteWriter der = new ByteWriter(6 + first.length + second.length);
      der.uint8(DER_SEQUENCE).uint8(4 + first.length + second.length);
      der.uint8(DER_INTEGER).uint8(first.length).bytes(first, 0, first.length);
      der.uint8(DER_INTEGER).uint8(second.length).bytes(second, 0, second.length);
      return der.toArray();
    }
  }

  /** Signs a hash of 32 bytes with low R and low S; not verified yet. */
  static Signature sign(byte[] hash, SigningKey key) {
    Signature signature = sign(hash, key, 0);
    for (int counter = 1; !signature.hasLowR(); counter++) {
      signature = sign(hash, key, counter);
    }
    return signature;
  }

  /** One attempt; without extra entropy if the counter is 0. */
  static Signature sign(byte[] hash, SigningKey key, int counter) {
    Nonces nonces = new Nonces(counter);
    nonces.init(Curve.ORDER, key.secret(), hash);
    BigInteger e = Curve.reduced(hash);
    while (true) {
      BigInteger k = nonces.nextK();
      BigInteger r = Curve.x(Secp256k1.generatorTimes(k).normalize()).mod(Curve.ORDER);
      BigInteger s = e.add(r.multiply(key.secret())).multiply(Curve.inverse(k)).mod(Curve.ORDER);
      if (r.signum() != 0 && s.signum() != 0) {
        return new Signature(r, Curve.isLow(s) ? s : Curve.ORDER.subtract(s));
      }
    }
  }

  /** Whether a signature with low S is the key's. */
  static boolean verify(byte[] hash, ECPoint key, Signature signature) {
    BigInteger r = signature.r();
    BigInteger s = signature.s();
    if (!Curve.isScalar(r) || !Curve.isScalar(s) || !Curve.isLow(s)) {
      return false;
    }
    BigInteger w = Curve.inverse(s);
    BigInteger u1 = Curve.reduced(hash).multiply(w).mod(Curve.ORDER);
    BigInteger u2 = r.multiply(w).mod(Curve.ORDER);
    ECPoint sum = Curve.sum(u1, key, u2);
    return !sum.isInfinity() && Curve.x(sum).mod(Curve.ORDER).equals(r);
  }

  /** RFC 6979, section 3.6: extra entropy after key and hash, 32 bytes as Core writes them. */
  private static final class Nonces extends HMacDSAKCalculator {

    private final int counter;

    Nonces(int counter) {
      super(new SHA256Digest());
      this.counter = counter;
    }

    @Override
    protected void initAdditionalInput0(HMac hmac) {
      extra(hmac);
    }

    @Override
    protected void initAdditionalInput1(HMac hmac) {
      extra(hmac);
    }

    private void extra(HMac hmac) {
      if (counter != 0) {
        byte[] entropy = new byte[Curve.LENGTH];
        LittleEndian.putInt32(entropy, 0, counter);
        hmac.update(entropy, 0, entropy.length);
      }
    }
  }
}
