package org.murmur.wallet;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens the words of a wallet: their password, and their BIP-0039 passphrase. Immutable, but it
 * does not copy the password: whoever made it overwrites it after use.
 */
public final class Credentials {

  /** For words that have neither. */
  public static final Credentials NONE = new Credentials(null, "");

  private final char @Nullable [] password;
  private final String passphrase;

  private Credentials(char @Nullable [] password, String passphrase) {
    this.password = password;
    this.passphrase = passphrase;
  }

  /**
   * Takes the password of words that are encrypted.
   *
   * @param password never changed; ignored if the words are not encrypted
   * @return without a passphrase
   */
  public static Credentials ofPassword(char[] password) {
    return new Credentials(Objects.requireNonNull(password, "password"), "");
  }

  /**
   * Adds the passphrase that the words have besides.
   *
   * @param words the BIP-0039 passphrase; empty if there is none
   * @return a new value
   */
  public Credentials withPassphrase(String words) {
    return new Credentials(password, words);
  }

  char @Nullable [] password() {
    return password;
  }

  String passphrase() {
    return passphrase;
  }
}
