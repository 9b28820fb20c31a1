package org.murmur.cli.wallet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.words.Failure;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Option;

/** The common options of {@code create} and {@code restore}. */
final class NewWalletOptions {

  /** BIP-0032: hardened indexes go to 2^31 - 1. */
  private static final long MAX_ACCOUNT = Integer.MAX_VALUE;

  @Option(
      names = "--scripts",
      paramLabel = "LIST",
      completionCandidates = Choices.Scripts.class,
      split = ",",
      description = "Which scripts to use and watch: bip84 (default), bip44, bip49, bip86.")
  private List<String> scripts = new ArrayList<>(List.of("bip84"));

  @Option(
      names = "--account",
      paramLabel = "N",
      description = "The account's number in the derivation path (default: 0).")
  private long account;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "A file with the BIP39 passphrase, - for stdin or a prompt.")
  private @Nullable String passphraseFile;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "A file with the password that encrypts the words at rest, - for stdin or a prompt.")
  private @Nullable String passwordFile;

  private List<OutputType> types() {
    return Failure.checked(
        "--scripts",
        () -> scripts.stream().map(name -> OutputType.ofName(name.strip())).distinct().toList());
  }

  /** Makes the wallet of words, and lets it be shown. Returns whether they are encrypted. */
  boolean make(
      WalletAction action,
      Supplier<Mnemonic> words,
      UnaryOperator<WalletRecipe> rest,
      Consumer<SpvWallet> show) {
    List<OutputType> types = types();
    int number = (int) Numbers.within("--account", account, 0, MAX_ACCOUNT);
    Path file = action.files().fresh(action.walletName());
    Secrets secrets = new Secrets(action.surroundings());
    Mnemonic mnemonic = words.get();
    String passphrase = secrets.newPassphrase(passphraseFile);
    char @Nullable [] password = secrets.newPassword(passwordFile);
    Secrets.weakness(password).ifPresent(action.output()::warning);
    WalletRecipe recipe =
        rest.apply(WalletRecipe.ofMnemonic(action.network(), mnemonic, passphrase, types, number));
    if (password != null) {
      recipe = recipe.withPassword(password);
      Arrays.fill(password, '\0');
    }
    try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
      show.accept(wallet);
    } finally {
      recipe.wipe();
    }
    return password != null;
  }
}
