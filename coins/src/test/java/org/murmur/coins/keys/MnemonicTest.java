package org.murmur.coins.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bitcoinj.base.BitcoinNetwork;
import org.bitcoinj.crypto.DeterministicKey;
import org.bitcoinj.crypto.MnemonicCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Hex;

class MnemonicTest {

  private static final String ABOUT =
      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon"
          + " about";

  static Stream<JsonNode> vectors() {
    return Vectors.list(Vectors.read("bip39_english.json").get("cases"));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void makesWordsFromEntropyAndTheSeedFromWords(JsonNode vector) {
    byte[] entropy = Hex.parse(vector.get("entropy").asText());
    String words = vector.get("mnemonic").asText();

    Mnemonic generated = Mnemonic.generate(words.split(" ", -1).length, new Fixed(entropy));
    assertThat(generated.text()).isEqualTo(words);

    byte[] seed = Mnemonic.parse(words).toSeed(vector.get("passphrase").asText());
    assertThat(Hex.format(seed)).isEqualTo(vector.get("seed").asText());
    DeterministicKey root =
        DeterministicKey.deserializeB58(
            vector.get("bip32_root_xprv").asText(), BitcoinNetwork.MAINNET);
    assertThat(PrivateNode.master(seed).privateKey()).isEqualTo(root.getPrivKeyBytes());
    assertThat(PrivateNode.master(seed).neuter(KeyNetwork.MAINNET).text())
        .isEqualTo(root.serializePubB58(BitcoinNetwork.MAINNET));
  }

  /**
   * Seeds of Electrum's documentation and tests, and a share of SLIP-0039's first vector: none is a
   * typing error.
   */
  @ParameterizedTest
  @CsvSource({
    "wild father tree among universe such mobile favorite target dynamic credit identify, Electrum",
    "cram swing cover prefer miss modify ritual silly deliver chunk behind inform able, words",
    "bitter grass shiver impose acquire brush forget axis eager alone wine silver, Electrum",
    "duckling enlarge academic academic agency result length solution fridge kidney coal piece"
        + " deal husband erode duke ajar critical decision keyboard, SLIP-0039"
  })
  void namesWordsOfOtherStandards(String words, String standard) {
    assertThatThrownBy(() -> Mnemonic.parse(words))
        .isInstanceOf(InvalidMnemonicException.class)
        .hasMessageContaining(standard)
        .hasMessageNotContaining("another word");
  }

  @Test
  void knowsTheOfficialList() {
    List<String> official =
        Vectors.list(Vectors.read("bip39_wordlist.json").get("words"))
            .map(JsonNode::asText)
            .toList();
    assertThat(MnemonicCode.INSTANCE.getWordList()).isEqualTo(official).hasSize(2048);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 15, 18, 21, 24})
  void readsItsOwnWords(int count) {
    Mnemonic made = Mnemonic.generate(count, new SecureRandom());
    assertThat(made.words()).hasSize(count);
    assertThat(Mnemonic.parse(made.text())).isEqualTo(made).hasSameHashCodeAs(made);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 11, 13, 25, 27})
  void refusesAnotherNumberOfWords(int count) {
    assertThatThrownBy(() -> Mnemonic.generate(count, new SecureRandom()))
        .isInstanceOf(InvalidMnemonicException.class);
    String text = "zoo ".repeat(count);
    assertThatThrownBy(() -> Mnemonic.parse(text))
        .isInstanceOf(InvalidMnemonicException.class)
        .hasMessageContaining("12, 15, 18, 21 or 24")
        .hasMessageContaining("are " + count);
  }

  @Test
  void toleratesSpacesLinesAndCapitals() {
    Mnemonic plain = Mnemonic.parse(ABOUT);
    String wild = "\n \t" + ABOUT.toUpperCase(Locale.ROOT).replace(" ", "\r\n  ") + "\u3000 ";
    assertThat(Mnemonic.parse(wild)).isEqualTo(plain);
    assertThat(Mnemonic.parse(ABOUT.replace('a', '\uff41'))).as("full width").isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%2d %-10s", "%d. %s\n", "%d) %s ", "%d.%s ", "%d: %s\t"})
  void ignoresTheNumbersOfAList(String line) {
    StringBuilder list = new StringBuilder();
    List<String> words = Mnemonic.parse(ABOUT).words();
    for (int i = 0; i < words.size(); i++) {
      list.append(String.format(Locale.ROOT, line, i + 1, words.get(i)));
    }
    assertThat(Mnemonic.parse(list.toString()).text()).isEqualTo(ABOUT);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 24})
  void fourLettersOfAWordAreEnough(int count) {
    Mnemonic made = Mnemonic.generate(count, new SecureRandom());
    String stems =
        made.words().stream()
            .map(word -> word.substring(0, Math.min(4, word.length())))
            .collect(Collectors.joining(" "));
    assertThat(Mnemonic.parse(stems)).as(made.text()).isEqualTo(made);
  }

  @Test
  void saysWhichWordIsWrong() {
    assertThatThrownBy(() -> Mnemonic.parse("1 abandon 2 abando 3 zoo" + " zoo".repeat(9)))
        .isInstanceOfSatisfying(
            InvalidMnemonicException.class, e -> assertThat(e.position()).isEqualTo(2));
    assertThatThrownBy(() -> Mnemonic.parse(ABOUT.replace("about", "above")))
        .isInstanceOfSatisfying(
            InvalidMnemonicException.class, e -> assertThat(e.position()).isZero());
  }

  @ParameterizedTest
  @CsvSource({
    "abandno, abandon",
    "abandonn, abandon",
    "bandon, abandon",
    "abanxyz, abandon",
    "aboout, about",
    "ozo, zoo",
    "zooo, zoo",
    "lettter, letter",
    "wintner, winner"
  })
  void namesTheWrongWordAndItsNeighbours(String wrong, String meant) {
    String text = "legal winner thank year " + wrong + " sausage worth useful legal winner thank x";
    assertThatThrownBy(() -> Mnemonic.parse(text))
        .isInstanceOf(InvalidMnemonicException.class)
        .hasMessageStartingWith("word 5 of 12, '" + wrong + "', is not in the English list")
        .hasMessageContaining("did you mean")
        .hasMessageContaining(meant);
  }

  @Test
  void suggestsNothingForUnrelatedText() {
    assertThatThrownBy(() -> Mnemonic.parse("qqqqqqqqqq " + ABOUT.substring(8)))
        .hasMessage("word 1 of 12, 'qqqqqqqqqq', is not in the English list");
  }

  @Test
  void noticesAWrongChecksumWithoutShowingTheWords() {
    assertThatThrownBy(() -> Mnemonic.parse(ABOUT.replace("about", "above")))
        .isInstanceOf(InvalidMnemonicException.class)
        .hasMessageContaining("checksum")
        .hasMessageNotContaining("abandon")
        .hasNoCause();
  }

  @Test
  void usesThePassphraseInWhateverUnicodeForm() {
    Mnemonic words = Mnemonic.parse(ABOUT);
    assertThat(words.toSeed("\u00e9")).isEqualTo(words.toSeed("e\u0301"));
    assertThat(words.toSeed("a")).isNotEqualTo(words.toSeed(""));
  }

  /** Each of these has been one with another: "?" stood for every half character. */
  @ParameterizedTest
  @ValueSource(strings = {"caf\ufffd", "\ud83d", "a\ude00", "\ude00\ud83d"})
  void makesNoSeedOfLostCharacters(String passphrase) {
    Mnemonic words = Mnemonic.parse(ABOUT);
    assertThatThrownBy(() -> words.toSeed(passphrase))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was lost");
  }

  @ParameterizedTest
  @CsvSource({
    "\u200b, U+200B (ZERO WIDTH SPACE)",
    "\ufeff, U+FEFF (ZERO WIDTH NO-BREAK SPACE)",
    "\u00ad, U+00AD (SOFT HYPHEN)",
    "\u202e, U+202E (RIGHT-TO-LEFT OVERRIDE)"
  })
  void namesAnInvisibleCharacter(String invisible, String name) {
    String written = ABOUT.replaceFirst("^abandon abandon", "abandon abandon" + invisible);
    assertThatThrownBy(() -> Mnemonic.parse(written))
        .isInstanceOf(InvalidMnemonicException.class)
        .hasMessageContaining("word 2 of 12 has the invisible character " + name);
  }

  @Test
  void doesNotShowItself() {
    assertThat(Mnemonic.parse(ABOUT)).hasToString("Mnemonic[12 words]");
  }

  /** Gives out given bytes as if they were random. */
  private static final class Fixed extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    Fixed(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void nextBytes(byte[] target) {
      assertThat(target).hasSameSizeAs(bytes);
      System.arraycopy(bytes, 0, target, 0, target.length);
    }
  }
}
