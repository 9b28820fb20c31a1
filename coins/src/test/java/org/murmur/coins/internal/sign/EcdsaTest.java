package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.bitcoinj.base.Sha256Hash;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hex;
import org.murmur.coins.internal.crypto.Secp256k1;

/** ECDSA against the examples of BIP143, and its rules on random keys. */
final class EcdsaTest {

  /** R and S in 32 bytes each, and 6 bytes of DER. */
  private static final int MAX_DER = 70;

  @Test
  void theFirstAttemptIsThatOfRfc6979() {
    List<JsonNode> signatures =
        SignVectors.read("bip143.json").findParents("rfc6979").stream()
            .filter(signature -> signature.get("rfc6979").asBoolean())
            .toList();
    assertThat(signatures).hasSizeGreaterThan(5);
    int high = 0;
    for (JsonNode given : signatures) {
      SigningKey key = SignVectors.key(given.get("private_key"));
      byte[] hash = SignVectors.bytes(given.get("sighash"));
      Ecdsa.Signature first = Ecdsa.sign(hash, key, 0);
      String type = String.format("%02x", given.get("sighash_type").asInt());
      assertThat(Hex.format(first.der()) + type).isEqualTo(given.get("signature").asText());
      assertThat(Ecdsa.verify(hash, key.point(), first)).isTrue();
      Ecdsa.Signature signed = Ecdsa.sign(hash, key);
      assertThat(signed.equals(first)).isEqualTo(first.hasLowR());
      high += first.hasLowR() ? 0 : 1;
    }
    assertThat(high).isPositive();
  }

  @Test
  void signaturesAreShortAndAnotherLibraryVerifiesThem() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      SigningKey key = key(random);
      byte[] hash = bytes(random);
      Ecdsa.Signature signature = Ecdsa.sign(hash, key);
      assertThat(signature.hasLowR()).as("seed %d", seed).isTrue();
      assertThat(Curve.isLow(signature.s())).as("seed %d", seed).isTrue();
      assertThat(signature.der()).as("seed %d", seed).hasSizeLessThanOrEqualTo(MAX_DER);
      assertThat(ECKey.verify(hash, signature.der(), key.compressed()))
          .as("seed %d", seed)
          .isTrue();
      assertThat(Ecdsa.verify(hash, key.point(), signature)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void signaturesOfAnotherLibraryVerify() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      byte[] secret = bytes(random);
      byte[] hash = bytes(random);
      ECKey.ECDSASignature theirs = ECKey.fromPrivate(secret).sign(Sha256Hash.wrap(hash));
      assertThat(
              Ecdsa.verify(
                  hash,
                  SigningKey.of(secret).point(),
                  new Ecdsa.Signature(theirs.r, theirs.toCanonicalised().s)))
          .as("seed %d", seed)
          .isTrue();
    }
  }

  @Test
  void anythingElseDoesNotVerify() {
    SigningKey key = key(new Random(1));
    byte[] hash = bytes(new Random(2));
    Ecdsa.Signature good = Ecdsa.sign(hash, key);
    BigInteger r = good.r();
    BigInteger s = good.s();
    BigInteger one = BigInteger.ONE;
    BigInteger order = Secp256k1.ORDER;
    assertThat(
            List.of(
                new Ecdsa.Signature(r.add(one), s),
                new Ecdsa.Signature(r, s.subtract(one)),
                new Ecdsa.Signature(r, order.subtract(s)),
                new Ecdsa.Signature(s, r),
                new Ecdsa.Signature(r.add(order), s),
                new Ecdsa.Signature(BigInteger.ZERO, s),
                new Ecdsa.Signature(r, BigInteger.ZERO),
                new Ecdsa.Signature(r.negate(), s)))
        .noneMatch(bad -> Ecdsa.verify(hash, key.point(), bad));
    assertThat(Ecdsa.verify(bytes(new Random(3)), key.point(), good)).isFalse();
    assertThat(Ecdsa.verify(hash, key(new Random(4)).point(), good)).isFalse();
  }

  private static SigningKey key(Random random) {
    return SigningKey.of(bytes(random));
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    // Below the order, and not 0.
    bytes[0] = 1;
    return bytes;
  }
}
