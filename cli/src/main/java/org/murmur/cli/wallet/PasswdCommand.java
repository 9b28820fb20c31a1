package org.murmur.cli.wallet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.Credentials;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur passwd}. */
@Command(
    name = "passwd",
    description = "Set or change the password that encrypts the wallet's words.",
    footer = {
      "Examples:",
      "  murmur passwd",
      "  murmur passwd --password-file old.txt --new-password-file new.txt"
    })
public final class PasswdCommand extends WalletAction {

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file with the current password, - for stdin or a prompt.")
  private @Nullable String passwordFile;

  @Option(
      names = "--new-password-file",
      paramLabel = "FILE",
      description = "A file with the new password, - for stdin or a prompt.")
  private @Nullable String newPasswordFile;

  @Override
  protected ExitCode run() {
    try (SpvWallet wallet = openForItself()) {
      if (!wallet.keys().origin().hasWords()) {
        throw Failure.failed("no_secret", "this wallet is watch-only: it has no words to encrypt");
      }
      Secrets secrets = new Secrets(surroundings());
      // Only the right one opens the words; then the new one is asked for.
      secrets.unlocked(
          wallet.keys().encrypted(),
          passwordFile,
          old -> {
            wallet.keys().mnemonic(old);
            change(wallet, old, secrets);
            return true;
          });
    }
    return result(about().put("encrypted", true), out -> out.println("The words are encrypted."));
  }

  private void change(SpvWallet wallet, Credentials old, Secrets secrets) {
    char[] fresh = secrets.replacement(newPasswordFile);
    try {
      Secrets.weakness(fresh).ifPresent(output()::warning);
      wallet.keys().changePassword(old, fresh);
    } finally {
      Arrays.fill(fresh, '\0');
    }
  }
}
