package org.murmur.coins.internal.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.keys.Vectors;

class SecretBoxTest {

  private static final byte[] SECRET = "zoo zoo zoo wrong".getBytes(StandardCharsets.UTF_8);
  private static final char[] PASSWORD = "correct horse".toCharArray();

  /** As cheap as Argon2 allows; the tests here are about the box. */
  private static final SecretBox.Cost CHEAP = new SecretBox.Cost(8, 1, 1);

  static Stream<JsonNode> vectors() {
    return Vectors.list(Vectors.read("secretbox.json").get("cases"));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void agreesWithAnotherImplementation(JsonNode vector) throws Exception {
    Bytes box = Bytes.ofHex(vector.get("box").asText());
    char[] password = vector.get("password").asText().toCharArray();
    byte[] secret = vector.get("secret_utf8").asText().getBytes(StandardCharsets.UTF_8);
    assertThat(SecretBox.open(box, password)).isEqualTo(secret);
    SecretBox.Cost cost =
        new SecretBox.Cost(
            vector.get("memory_kib").asInt(),
            vector.get("passes").asInt(),
            vector.get("lanes").asInt());
    byte[] random = Hex.parse(vector.get("salt").asText() + vector.get("nonce").asText());
    assertThat(SecretBox.seal(secret, password, new Scripted(random), cost)).isEqualTo(box);
  }

  @Test
  void opensItsOwnBoxAtFullCost() throws Exception {
    Bytes box = SecretBox.seal(SECRET, PASSWORD, new SecureRandom());
    assertThat(box.length()).isEqualTo(42 + SECRET.length + 16);
    assertThat(LittleEndian.int32(box.unsafeArray(), 5)).as("KiB").isEqualTo(65536);
    assertThat(SecretBox.open(box, PASSWORD)).isEqualTo(SECRET);
    assertThat(SecretBox.seal(SECRET, PASSWORD, new SecureRandom())).isNotEqualTo(box);
    assertThat(PASSWORD).isEqualTo("correct horse".toCharArray());
  }

  /** Whatever was typed: a box that opens has its own password, and a text without one is none. */
  @Property(tries = 500)
  void onlyItsPasswordOpensABox(
      @ForAll byte[] secret,
      @ForAll("passwords") String password,
      @ForAll("passwords") String another)
      throws Exception {
    Bytes box;
    try {
      box = SecretBox.seal(secret, password.toCharArray(), new SecureRandom(), CHEAP);
    } catch (IllegalArgumentException e) {
      assertThat(password).matches(SecretBoxTest::isNoText);
      return;
    }
    assertThat(password).matches(text -> !isNoText(text));
    assertThat(SecretBox.open(box, password.toCharArray())).isEqualTo(secret);
    boolean opens;
    try {
      SecretBox.open(box, another.toCharArray());
      opens = true;
    } catch (WrongPasswordException | IllegalArgumentException e) {
      opens = false;
    }
    assertThat(opens).isEqualTo(nfkd(password).equals(nfkd(another)));
  }

  /** Short ones of letters that an encoder may confuse. */
  @Provide
  Arbitrary<String> passwords() {
    return Arbitraries.of("a", "?", "\ufffd", "\ud83d", "\ude00", "\u00e9", "e", "\u0301", "\u00c3")
        .list()
        .ofMaxSize(3)
        .map(letters -> String.join("", letters));
  }

  private static boolean isNoText(String text) {
    return text.contains("\ufffd") || !StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static String nfkd(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFKD);
  }

  @Test
  void refusesAnotherPassword() {
    Bytes box = SecretBox.seal(SECRET, PASSWORD, new SecureRandom(), CHEAP);
    for (String wrong : new String[] {"", "correct horsf", "correct horse ", "Correct horse"}) {
      assertThatThrownBy(() -> SecretBox.open(box, wrong.toCharArray()))
          .isInstanceOf(WrongPasswordException.class);
    }
  }

  @Test
  void noticesAnyChangedBit() {
    Bytes box = SecretBox.seal(SECRET, PASSWORD, new SecureRandom(), CHEAP);
    for (int i = 0; i < box.length(); i++) {
      for (int bit = 0; bit < 8; bit++) {
        if (i == 7 && bit < 2) {
          continue; // 64 and 128 MiB: legal, and too slow for a test of eight bits
        }
        byte[] changed = box.toArray();
        changed[i] ^= (byte) (1 << bit);
        assertThatThrownBy(() -> SecretBox.open(Bytes.of(changed), PASSWORD))
            .as("byte %d, bit %d", i, bit)
            .isInstanceOfAny(WrongPasswordException.class, MalformedException.class);
      }
    }
  }

  @Test
  void noticesACutOrLongerBox() {
    Bytes box = SecretBox.seal(SECRET, PASSWORD, new SecureRandom(), CHEAP);
    for (int length = 0; length < box.length(); length++) {
      Bytes cut = box.slice(0, length);
      assertThatThrownBy(() -> SecretBox.open(cut, PASSWORD))
          .isInstanceOfAny(WrongPasswordException.class, MalformedException.class);
    }
    Bytes longer = Bytes.wrap(Arrays.copyOf(box.toArray(), box.length() + 1));
    assertThatThrownBy(() -> SecretBox.open(longer, PASSWORD))
        .isInstanceOf(WrongPasswordException.class);
    Bytes huge = Bytes.wrap(Arrays.copyOf(box.toArray(), 1 << 17));
    assertThatThrownBy(() -> SecretBox.open(huge, PASSWORD)).isInstanceOf(MalformedException.class);
  }

  /** A hostile file must not make it take 4 GiB or an hour; no key is derived for these. */
  @ParameterizedTest
  @CsvSource({
    "4194304, 1, 1",
    "262145, 1, 1",
    "2147483647, 1, 1",
    "-1, 1, 1",
    "7, 1, 1",
    "0, 1, 1",
    "8, 0, 1",
    "8, 17, 1",
    "8, -1, 1",
    "8, 1, 0",
    "64, 1, 5",
    "31, 1, 4",
    "8, 1, 255",
    "262144, 5, 1",
    "131072, 9, 1"
  })
  void refusesCostsBeyondReason(int memory, int passes, int lanes) {
    byte[] box = SecretBox.seal(SECRET, PASSWORD, new SecureRandom(), CHEAP).toArray();
    LittleEndian.putInt32(box, 5, memory);
    LittleEndian.putInt32(box, 9, passes);
    box[13] = (byte) lanes;
    assertThatThrownBy(() -> SecretBox.open(Bytes.of(box), PASSWORD))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("more than it may");
  }

  @Test
  void refusesSecretsThatAreNone() {
    assertThatThrownBy(() -> SecretBox.seal(new byte[70_000], PASSWORD, new SecureRandom(), CHEAP))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Gives out given bytes, one after another. */
  private static final class Scripted extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;
    private int next;

    Scripted(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] target) {
      System.arraycopy(bytes, next, target, 0, target.length);
      next += target.length;
    }
  }
}
