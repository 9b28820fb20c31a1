package org.murmur.cli.wallet;

import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.p2p.chain.Birthday;
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
    Mnemonic mnemonic = Mnemonic.generate(words, new SecureRandom());
    boolean encrypted =
        options.make(this, () -> mnemonic, this::recipe, wallet -> print(wallet, mnemonic));
    if (!encrypted) {
      note("The words are not encrypted on disk; `murmur passwd` sets a password.");
    }
    return ExitCode.DONE;
  }

  private WalletRecipe recipe(WalletRecipe usual) {
    WalletRecipe young = usual.withBirthday(Birthday.ofNewWallet(network(), Instant.now()));
    return fromGenesis ? young.fromGenesis() : young;
  }

  private void print(SpvWallet wallet, Mnemonic mnemonic) {
    JsonObject json = NewWallet.json(this, wallet).put("mnemonic", mnemonic.text());
    WalletInfo info = wallet.info();
    result(
        json,
        out -> {
          showWords(mnemonic.words(), wallet, out);
          NewWallet.show(this, json, info, out);
        });
    if (output().isLost()) {
      throw Failure.failed(
          "output_lost",
          "the wallet is made, but nobody has seen its words: `murmur export mnemonic` prints"
              + " them");
    }
  }

  private static void showWords(List<String> words, SpvWallet wallet, PrintStream out) {
    new Restoring(wallet).ofWords(words.size()).forEach(out::println);
    out.println("Write them down in this order (murmur export mnemonic shows them again):");
    out.println();
    for (int i = 0; i < words.size(); i++) {
      out.print(Text.of("  %2d %-10s", i + 1, words.get(i)));
      if ((i + 1) % COLUMNS == 0) {
        out.println();
      }
    }
    out.println();
  }
}
