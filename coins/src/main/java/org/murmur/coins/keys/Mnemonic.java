package org.murmur.coins.keys;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bitcoinj.crypto.MnemonicCode;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;
import org.murmur.bip37.internal.Hmac;
import org.murmur.coins.internal.crypto.SecretText;

/**
 * The words a wallet is made from (BIP-0039, English list).
 *
 * <p>They are a secret: {@link #toString} does not show them. Other languages' lists are not
 * supported.
 *
 * <p>Words are strings, which Java cannot overwrite: they last until their memory is used again. So
 * nothing keeps a mnemonic longer than needed; entropy and seed are arrays, and are overwritten.
 */
public final class Mnemonic {

  /** The seed is 64 bytes for any number of words. */
  public static final int SEED_LENGTH = 64;

  private static final int SEED_ROUNDS = 2048;
  private static final int BITS_PER_WORD = 11;
  private static final int MAX_SUGGESTIONS = 3;

  /** Every word of the list is known by its first letters, so many (BIP-0039). */
  private static final int STEM = 4;

  /** The number before a word in a list. */
  private static final Pattern LIST_NUMBER = Pattern.compile("^[0-9]+[.):]?");

  /** Beyond this distance a listed word is no likely typing error. */
  private static final int MAX_SUGGESTION_DISTANCE = 2;

  private final List<String> words;

  private Mnemonic(List<String> words) {
    this.words = List.copyOf(words);
  }

  /**
   * Makes new words.
   *
   * @param words how many: 12, 15, 18, 21 or 24
   * @param random where the entropy comes from
   * @return the words
   * @throws IllegalArgumentException if the number is another one
   */
  public static Mnemonic generate(int words, SecureRandom random) {
    requireCount(words);
    byte[] entropy = new byte[words * BITS_PER_WORD / 33 * 4];
    random.nextBytes(entropy);
    try {
      return new Mnemonic(code().toMnemonic(entropy));
    } finally {
      Arrays.fill(entropy, (byte) 0);
    }
  }

  /**
   * Reads words that a person wrote or pasted. Numbers between them are ignored. The first four
   * letters of a word are enough (BIP-0039).
   *
   * @param text the words with white space, commas or semicolons between them, either case
   * @return the words
   * @throws InvalidMnemonicException if their number, one of the words or the checksum is wrong; a
   *     wrong word is named with its position (from 1) and the words it may have been
   */
  public static Mnemonic parse(String text) {
    return of(split(text));
  }

  /**
   * Splits what a person wrote or pasted, without the numbers between the words.
   *
   * @param text the words, perhaps with numbers as {@code 1}, {@code 1.} or {@code 1)}
   * @return what may be words, lower case; a {@link InvalidMnemonicException#position} counts these
   */
  public static List<String> split(String text) {
    String normal = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
    return Arrays.stream(normal.split("[\\s,;]+"))
        .map(word -> LIST_NUMBER.matcher(word).replaceFirst(""))
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toList());
  }

  private static Mnemonic of(List<String> written) {
    requireCount(written.size());
    List<String> list = code().getWordList();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      words.add(wordAt(i, written, list));
    }
    try {
      byte[] entropy = code().toEntropy(words);
      Arrays.fill(entropy, (byte) 0);
    } catch (org.bitcoinj.crypto.MnemonicException e) {
      requireNotOfElectrum(words);
      throw new InvalidMnemonicException(
          "the checksum of the words does not match: all are words of the list, but one of them is"
              + " another word than it should be, or two have changed places");
    }
    return new Mnemonic(words);
  }

  /** {@return the words, lower case, in order; 12 to 24 words} */
  public List<String> words() {
    return words;
  }

  /**
   * {@return the words as one line, the form that {@link #parse} reads; the words with one space
   * between them}
   */
  public String text() {
    return String.join(" ", words);
  }

  /**
   * Makes the seed for BIP-0032 derivation.
   *
   * @param passphrase the BIP-0039 passphrase, empty for none; any text is valid and makes another
   *     wallet
   * @return {@value #SEED_LENGTH} bytes; the caller may overwrite them after use
   * @throws IllegalArgumentException if the passphrase {@linkplain SecretText#require is no text}
   */
  public byte[] toSeed(String passphrase) {
    SecretText.require(passphrase);
    byte[] secret = SecretText.utf8(text());
    byte[] salt = SecretText.utf8("mnemonic" + passphrase);
    try {
      PKCS5S2ParametersGenerator pbkdf2 = new PKCS5S2ParametersGenerator(new SHA512Digest());
      pbkdf2.init(secret, salt, SEED_ROUNDS);
      return ((KeyParameter) pbkdf2.generateDerivedParameters(8 * SEED_LENGTH)).getKey();
    } finally {
      Arrays.fill(secret, (byte) 0);
      Arrays.fill(salt, (byte) 0);
    }
  }

  /** The same words in the same order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Mnemonic m && words.equals(m.words);
  }

  @Override
  public int hashCode() {
    return words.hashCode();
  }

  /** How many words, and no more. */
  @Override
  public String toString() {
    return "Mnemonic[" + words.size() + " words]";
  }

  private static MnemonicCode code() {
    MnemonicCode code = MnemonicCode.INSTANCE;
    if (code == null) {
      throw new AssertionError("the word list is a resource of the library");
    }
    return code;
  }

  /** Electrum takes the same list of words, and has its version where the checksum is. */
  private static void requireNotOfElectrum(List<String> words) {
    byte[] text = String.join(" ", words).getBytes(StandardCharsets.UTF_8);
    Hmac hash = Hmac.sha512("Seed version".getBytes(StandardCharsets.UTF_8));
    byte[] mac = hash.mac(text);
    Arrays.fill(text, (byte) 0);
    String version = String.format("%02x%02x", mac[0], mac[1]);
    if (version.startsWith("01") || version.matches("10[0-2].")) {
      throw new InvalidMnemonicException(
          "the checksum of BIP-0039 does not match, and that of Electrum does. If Electrum made"
              + " these words, restore them there and send the coins, or watch its master public"
              + " key; else a word is wrong");
    }
  }

  private static void requireCount(int words) {
    if (words == 20 || words == 33) {
      throw new InvalidMnemonicException(
          "there are "
              + words
              + " words, as in a share of SLIP-0039, which this program cannot read; words of"
              + " BIP-0039 are 12, 15, 18, 21 or 24");
    }
    if (words < 12 || words > 24 || words % 3 != 0) {
      throw new InvalidMnemonicException(
          "expected 12, 15, 18, 21 or 24 words, but there "
              + (words == 1 ? "is 1" : "are " + words));
    }
  }

  private static String wordAt(int index, List<String> written, List<String> list) {
    String word = written.get(index);
    if (list.contains(word)) {
      return word;
    }
    return list.stream()
        .filter(whole -> word.length() == STEM && whole.startsWith(word))
        .findFirst()
        .orElseThrow(
            () -> new InvalidMnemonicException(unknownWord(written, index, list), index + 1));
  }

  private static String unknownWord(List<String> words, int index, List<String> list) {
    String word = words.get(index);
    OptionalInt hidden = word.codePoints().filter(Mnemonic::isInvisible).findFirst();
    if (hidden.isPresent()) {
      return String.format(
          Locale.ROOT,
          "word %d of %d has the invisible character U+%04X (%s): type the word anew",
          index + 1,
          words.size(),
          hidden.getAsInt(),
          Character.getName(hidden.getAsInt()));
    }
    String message =
        String.format(
            "word %d of %d, '%s', is not in the English list", index + 1, words.size(), word);
    List<String> near = suggestions(word, list);
    return near.isEmpty() ? message : message + "; did you mean " + String.join(" or ", near) + "?";
  }

  private static boolean isInvisible(int codePoint) {
    return Character.isIdentifierIgnorable(codePoint) || Character.isISOControl(codePoint);
  }

  /** Every word of the list is known by its first four letters; then come the nearest spellings. */
  private static List<String> suggestions(String word, List<String> list) {
    List<String> found = new ArrayList<>();
    for (int distance = 1; distance <= MAX_SUGGESTION_DISTANCE; distance++) {
      for (String candidate : list) {
        if (EditDistance.of(word, candidate) == distance) {
          found.add(candidate);
        }
      }
    }
    if (word.length() >= STEM) {
      String stem = word.substring(0, STEM);
      list.stream().filter(candidate -> candidate.startsWith(stem)).forEach(c -> found.add(0, c));
    }
    return found.stream().distinct().limit(MAX_SUGGESTIONS).collect(Collectors.toList());
  }
}
