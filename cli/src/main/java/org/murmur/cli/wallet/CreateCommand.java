package org.murmur.cli.wallet;

import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.WalletRecipe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur create}. */
@Command(
    name = "create",
    description = "Create a wallet and show its words.",
    footer = {
      "",
      "Examples:",
      "  murmur create",
      "  murmur --network regtest -w test create --words 24 --scripts bip84,bip86",
      "  murmur create --password-file - < password.txt"
    })
public final class CreateCommand extends WalletAction {

  private static final int COLUMNS = 4;

  @Option(names = "--words", paramLabel = "N", description = "Number of words: 12 (default) or 24.")
  private int words = 12;

  @Option(
      names = "--from-genesis",
      description = {
        "Download and check all headers from genesis. Default: from a built-in block below the",
        "wallet's birthday, which is a day ago."
      })
  private boolean fromGenesis;

  @Mixin private NewWalletOptions options = new NewWalletOptions();

  @Override
  protected ExitCode run() {
    if (words != 12 && words != 24) {
      throw Failure.usage("--words " + words + ", expected 12 or 24");
    }
    ChainParams network = network();
    List<OutputType> types = options.types();
    int account = options.account();
    Path file = files().fresh(walletName());
    Secrets secrets = new Secrets(surroundings());
    String passphrase = secrets.newPassphrase(options.passphraseFile());
    char @Nullable [] password = secrets.newPassword(options.passwordFile());
    Secrets.weakness(password).ifPresent(output()::warning);
    Mnemonic mnemonic = Mnemonic.generate(words, new SecureRandom());
    Birthday birthday = Birthday.ofNewWallet(network, Instant.now());
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(network, mnemonic, passphrase, types, account)
            .withBirthday(birthday);
    if (fromGenesis) {
      recipe = recipe.fromGenesis();
    }
    if (password != null) {
      recipe = recipe.withPassword(password);
      Arrays.fill(password, '\0');
    }
    try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
      print(wallet, mnemonic);
      if (output().isLost()) {
        throw Failure.failed(
            "output_lost",
            "the wallet is made, but nobody has seen its words: `murmur export mnemonic` prints"
                + " them");
      }
    } finally {
      recipe.wipe();
    }
    if (password == null) {
      output().note("The words are not encrypted on disk; `murmur passwd` sets a password.");
    }
    return ExitCode.DONE;
  }

  private void print(SpvWallet wallet, Mnemonic mnemonic) {
    JsonObject json = NewWallet.json(this, wallet).put("mnemonic", mnemonic.text());
    WalletInfo info = wallet.info();
    output()
        .result(
            json,
            out -> {
              showWords(mnemonic.words(), info, out);
              NewWallet.show(this, json, info, out);
            });
  }

  private static void showWords(List<String> words, WalletInfo info, PrintStream out) {
    new Restoring(info).ofWords(words.size()).forEach(out::println);
    out.println("Write them down in this order (murmur export mnemonic shows them again):");
    out.println();
    for (int i = 0; i < words.size(); i++) {
      out.print(String.format(Locale.ROOT, "  %2d %-10s", i + 1, words.get(i)));
      if ((i + 1) % COLUMNS == 0) {
        out.println();
      }
    }
    out.println();
  }
}
