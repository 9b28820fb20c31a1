package org.murmur.regtest.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;

/** The published vectors of BIP-0340. */
class SchnorrTest {

  private record Vector(
      String number,
      String secret,
      Bytes key,
      String random,
      Bytes message,
      Bytes signature,
      boolean valid) {}

  private static List<Vector> all() throws Exception {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    SchnorrTest.class.getResourceAsStream("/vectors/bip340/test-vectors.csv")),
                StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .map(
              cell ->
                  new Vector(
                      cell[0],
                      cell[1],
                      hex(cell[2]),
                      cell[3],
                      hex(cell[4]),
                      hex(cell[5]),
                      cell[6].equals("TRUE")))
          .toList();
    }
  }

  private static Bytes hex(String digits) {
    return Bytes.ofHex(digits.toLowerCase(java.util.Locale.ROOT));
  }

  static Stream<Vector> vectors() throws Exception {
    return all().stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void verifies(Vector vector) {
    assertThat(
            Schnorr.verify(
                vector.key().toArray(), vector.message().toArray(), vector.signature().toArray()))
        .isEqualTo(vector.valid());
  }

  @Test
  void signsWithoutAuxiliaryRandomness() throws Exception {
    List<Vector> signed =
        all().stream()
            .filter(vector -> !vector.secret().isEmpty() && vector.random().matches("0{64}"))
            .toList();
    assertThat(signed).isNotEmpty();
    for (Vector vector : signed) {
      BigInteger secret = new BigInteger(vector.secret(), 16);
      assertThat(Schnorr.publicKey(secret)).as(vector.number()).isEqualTo(vector.key());
      assertThat(Schnorr.sign(secret, vector.message().toArray()))
          .as(vector.number())
          .isEqualTo(vector.signature());
    }
  }

  @Test
  void hasTheKeyOfEachPublishedSecret() throws Exception {
    for (Vector vector : all()) {
      if (!vector.secret().isEmpty()) {
        assertThat(Schnorr.publicKey(new BigInteger(vector.secret(), 16)))
            .as(vector.number())
            .isEqualTo(vector.key());
      }
    }
  }
}
