package org.murmur.wallet;

import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.internal.crypto.SecretBox;
import org.murmur.coins.internal.crypto.WrongPasswordException;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.store.StoredWallet;

/** The words as stored in a wallet's file: encrypted, if there is a password. */
final class SealedWords {

  private SealedWords() {}

  static StoredWallet.Secret seal(
      byte[] words, boolean passphraseUsed, char @Nullable [] password, SecureRandom dice) {
    return new StoredWallet.Secret(
        password == null ? Bytes.of(words) : SecretBox.seal(words, password, dice),
        password != null,
        passphraseUsed);
  }

  /** The words in UTF-8; the caller overwrites them. */
  static byte[] open(StoredWallet.Secret secret, Credentials credentials, Path file) {
    if (!secret.encrypted()) {
      return secret.words().toArray();
    }
    char @Nullable [] password = credentials.password();
    if (password == null) {
      throw new WalletException(
          WalletException.Kind.WRONG_PASSWORD, "the words are encrypted: a password is needed");
    }
    try {
      return SecretBox.open(secret.words(), password);
    } catch (WrongPasswordException e) {
      throw new WalletException(WalletException.Kind.WRONG_PASSWORD, "wrong password", e);
    } catch (MalformedException e) {
      throw WalletException.about(
          file, WalletException.Kind.CORRUPT, ": the encrypted words are damaged", e);
    } catch (IllegalArgumentException e) {
      throw new WalletException(WalletException.Kind.BAD_INPUT, "password: " + e.getMessage(), e);
    }
  }
}
