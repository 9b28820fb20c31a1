package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.murmur.bip37.bytes.Hex;
import org.murmur.cli.words.Failure;
import org.murmur.coins.keys.Mnemonic;

/** From the bytes of a file to the key: two different byte strings never give the same one. */
class SecretBytesTest {

  private static final Mnemonic WORDS = Mnemonic.parse("abandon ".repeat(11) + "about");

  /** The seed that a file's bytes lead to, through every step of a real one; empty if refused. */
  private static Optional<String> seed(byte[] file) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(file),
            nowhere,
            nowhere,
            Map.of(),
            null,
            false,
            false,
            false,
            stop -> () -> false);
    try {
      String passphrase = new Secrets(surroundings).passphrase("-", true);
      return Optional.of(Hex.format(WORDS.toSeed(passphrase)));
    } catch (Failure e) {
      return Optional.empty();
    }
  }

  /**
   * Except that Unicode calls them compatible (BIP-0039), and for the mark before and the line end
   * after a text, which editors write.
   */
  @Property(tries = 150)
  void differentBytesGiveDifferentSeeds(
      @ForAll("files") byte[] one, @ForAll("files") byte[] another) {
    Optional<String> seed = seed(one);
    boolean same = seed.isPresent() && seed.equals(seed(another));
    assertThat(same).isEqualTo(text(one).isPresent() && text(one).equals(text(another)));
  }

  /** By other means than the reader's: the content of a file, or empty for none. */
  private static Optional<String> text(byte[] file) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString();
      text = text.replaceFirst("^\ufeff", "").replaceFirst("\r?\n\\z|\r\\z", "");
      boolean bad = text.chars().anyMatch(c -> c == 0xfffd || (c < 0x20 && c != '\t'));
      return bad ? Optional.empty() : Optional.of(Normalizer.normalize(text, Normalizer.Form.NFKD));
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Pieces that a lenient decoder makes one of: each was U+FFFD, or "?", or nothing. */
  @Provide
  Arbitrary<byte[]> files() {
    return Arbitraries.of(
            "61",
            "3f",
            "ff",
            "fe",
            "80",
            "90",
            "e9",
            "c3",
            "c3a9",
            "65cc81",
            "efbfbd",
            "efbbbf",
            "eda080",
            "00",
            "0a",
            "0d0a",
            "1b",
            "f09f9880")
        .list()
        .ofMinSize(0)
        .ofMaxSize(2)
        .map(pieces -> Hex.parse(String.join("", pieces)));
  }
}
