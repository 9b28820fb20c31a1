package org.murmur.coins.internal.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.coins.internal.crypto.Secp256k1;

/** Schnorr signatures and taproot keys of the BIPs' own examples. */
final class SchnorrTest {

  @Test
  void verifiesAndSignsAsInBip340() {
    List<JsonNode> cases = SignVectors.list(SignVectors.read("bip340.json").get("cases"));
    int signed = 0;
    for (JsonNode given : cases) {
      byte[] message = SignVectors.bytes(given.get("message"));
      byte[] publicX = SignVectors.bytes(given.get("public_key"));
      byte[] signature = SignVectors.bytes(given.get("signature"));
      assertThat(Schnorr.verify(message, publicX, signature))
          .as("case %s", given.get("index"))
          .isEqualTo(given.get("valid").asBoolean());
      if (given.hasNonNull("secret_key")) {
        SigningKey key = SignVectors.key(given.get("secret_key"));
        assertThat(key.x()).isEqualTo(publicX);
        assertThat(Schnorr.sign(message, key, SignVectors.bytes(given.get("aux_rand"))))
            .as("case %s", given.get("index"))
            .isEqualTo(signature);
        signed++;
      }
    }
    assertThat(cases).hasSize(19);
    assertThat(signed).isEqualTo(8);
  }

  @Test
  void keysAndSignaturesAreThoseOfBip341() {
    byte[] noAux = new byte[32];
    JsonNode spending = SignVectors.read("bip341.json").get("keyPathSpending").get(0);
    for (JsonNode input : SignVectors.list(spending.get("inputSpending"))) {
      JsonNode given = input.get("given");
      JsonNode expected = input.get("intermediary");
      byte[] root =
          given.hasNonNull("merkleRoot") ? SignVectors.bytes(given.get("merkleRoot")) : new byte[0];
      SigningKey internal = SignVectors.key(given.get("internalPrivkey"));
      assertThat(Hex.format(internal.x())).isEqualTo(expected.get("internalPubkey").asText());
      SigningKey key = internal.tweaked(Bytes.wrap(root));
      assertThat(Hex.format(Curve.bytes(key.secret())))
          .isEqualTo(expected.get("tweakedPrivkey").asText());
      byte[] hash = SignVectors.bytes(expected.get("sigHash"));
      byte[] signature = Schnorr.sign(hash, key, noAux);
      int type = given.get("hashType").asInt();
      String withType = Hex.format(signature) + (type == 0 ? "" : String.format("%02x", type));
      assertThat(withType).isEqualTo(input.get("expected").get("witness").get(0).asText());
    }
  }

  @Test
  void wrongLengthsDoNotVerify() {
    SigningKey key = SigningKey.of(Curve.bytes(Secp256k1.ORDER.shiftRight(3)));
    byte[] message = new byte[32];
    byte[] signature = Schnorr.sign(message, key, new byte[32]);
    assertThat(Schnorr.verify(message, key.x(), signature)).isTrue();
    assertThat(Schnorr.verify(message, key.compressed(), signature)).isFalse();
    assertThat(Schnorr.verify(message, key.x(), java.util.Arrays.copyOf(signature, 65))).isFalse();
  }

  @Test
  void keysOutOfRangeAreRefused() {
    assertThatThrownBy(() -> SigningKey.of(new byte[32]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SigningKey.of(Curve.bytes(Secp256k1.ORDER)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SigningKey.of(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("31 bytes");
  }
}
