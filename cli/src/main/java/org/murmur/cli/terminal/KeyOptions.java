package org.murmur.cli.terminal;

import org.jspecify.annotations.Nullable;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Option;

/** Where a command that signs finds the secrets of a wallet. */
public final class KeyOptions {

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file with the wallet's password, - for stdin or a prompt.")
  private @Nullable String passwordFile;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description =
          "A file with the BIP39 passphrase, - for stdin or a prompt, if the words have one.")
  private @Nullable String passphraseFile;

  /** Whether a secret is on stdin, so that nothing else can be. */
  public boolean takesStdin() {
    return "-".equals(passwordFile) || "-".equals(passphraseFile);
  }

  /** Does what needs the keys of a wallet. */
  public <T, E extends Exception> T unlocked(
      Surroundings surroundings, SpvWallet wallet, Secrets.Unlocking<T, E> use) throws E {
    Secrets secrets = new Secrets(surroundings);
    String passphrase = secrets.passphrase(passphraseFile, wallet.keys().origin().passphraseUsed());
    return secrets.unlocked(
        wallet.keys().encrypted(),
        passwordFile,
        words -> use.with(words.withPassphrase(passphrase)));
  }
}
