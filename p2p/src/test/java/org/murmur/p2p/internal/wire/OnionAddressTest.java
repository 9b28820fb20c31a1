package org.murmur.p2p.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;

/** Tor v3 addresses, by the published vectors of BIP-0155 and the JDK's own SHA3-256. */
final class OnionAddressTest {

  private static final String KNOWN =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  @Test
  void publishedAddressesBothWays() throws IOException {
    int seen = 0;
    try (InputStream in =
        OnionAddressTest.class.getResourceAsStream("/vectors/bip155/addrv2.json")) {
      JsonNode vectors = new ObjectMapper().readTree(in);
      for (String list : new String[] {"parse", "serialize"}) {
        for (JsonNode vector : vectors.get(list)) {
          String text = vector.path("text").asText();
          if (text.endsWith(".onion")) {
            seen++;
            String field = list.equals("parse") ? "serialized" : "v2";
            Bytes key = Bytes.ofHex(vector.get(field).asText().substring(4));
            assertThat(OnionAddress.text(key)).isEqualTo(text);
            assertThat(OnionAddress.parse(text)).isEqualTo(key);
            assertThat(OnionAddress.parse(text.toUpperCase(Locale.ROOT))).isEqualTo(key);
          }
        }
      }
    }
    assertThat(seen).isEqualTo(2);
  }

  @Test
  void everyKeyComesBack() {
    long seed = new Random().nextLong();
    Random dice = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] key = new byte[32];
      dice.nextBytes(key);
      Bytes expected = Bytes.of(key);
      assertThat(OnionAddress.parse(OnionAddress.text(expected)))
          .as("seed %d", seed)
          .isEqualTo(expected);
    }
  }

  /** Two bytes of checksum: one mistyped character in 65,536 would get through by chance. */
  @Test
  void oneWrongCharacterIsNoticed() {
    String alphabet = "abcdefghijklmnopqrstuvwxyz234567";
    for (int i = 0; i < 56; i++) {
      char right = KNOWN.charAt(i);
      char wrong = alphabet.charAt((alphabet.indexOf(right) + 1) % 32);
      String mistyped = KNOWN.substring(0, i) + wrong + KNOWN.substring(i + 1);
      assertThatThrownBy(() -> OnionAddress.parse(mistyped))
          .as(mistyped)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          expyuzz4wqqyqhjn.onion | version 2
          abc.onion | 3 characters
          .onion | 0 characters
          pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd | does not end
          pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscr1d.onion | a '1'
          pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.example.onion | 64 characters
          pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscrye.onion | version 4
          qg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion | mistyped
          """)
  void errorsAreReported(String text, String expected) {
    assertThatThrownBy(() -> OnionAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.onion", "A.ONION", "a.onion.", "onion"})
  void anythingThatEndsSoIsMeantAsOne(String host) {
    assertThat(OnionAddress.isOnion(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"onion.example", "scallonion", "127.0.0.1", ""})
  void othersAreNot(String host) {
    assertThat(OnionAddress.isOnion(host)).isFalse();
  }

  @Test
  void keysOfAnotherLengthAreRefused() {
    assertThatThrownBy(() -> OnionAddress.text(Bytes.ofHex("00")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key of 1 bytes, expected 32");
  }

  /** Lengths on both sides of every border of the sponge's blocks of 136 bytes. */
  @Test
  void sha3AgreesWithTheJdk() throws Exception {
    MessageDigest oracle = MessageDigest.getInstance("SHA3-256");
    Random dice = new Random(1);
    for (int length = 0; length <= 3 * 136 + 1; length++) {
      byte[] message = new byte[length];
      dice.nextBytes(message);
      assertThat(Hex.format(Sha3.digest(message)))
          .as("%d bytes", length)
          .isEqualTo(Hex.format(oracle.digest(message)));
    }
  }
}
