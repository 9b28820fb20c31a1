package org.murmur.cli.wallet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failures;
import org.murmur.coins.keys.InvalidMnemonicException;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.p2p.chain.Birthday;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur restore}. */
@Command(
    name = "restore",
    description = "Restore a wallet from its words.",
    footer = {
      "Prompts for the words, or reads them from a file or stdin; never give them as an argument.",
      "Type them in one line or in several; after several, an empty line ends them.",
      "Numbers between the words are ignored, and the first four letters of a word are enough.",
      "Prints the first address, so that you can compare it. Then run murmur sync.",
      "Examples:",
      "  murmur restore --birthday 2025-03-01",
      "  murmur --network regtest restore --mnemonic-file words.txt --scripts bip86",
      "  pass show wallet | murmur restore --mnemonic-file -"
    })
public final class RestoreCommand extends WalletAction {

  private static final int FEWEST = 12;
  private static final int MOST = 24;

  @Mixin private NewWalletOptions options = new NewWalletOptions();

  @Mixin private WatchingOptions watching = new WatchingOptions();

  @Option(
      names = "--mnemonic-file",
      paramLabel = "FILE",
      description = "A file with the words, - for stdin or a prompt; default: a prompt.")
  private @Nullable String mnemonicFile;

  @Override
  protected ExitCode run() {
    Birthday birthday = watching.birthday(Instant.now());
    options.make(
        this,
        () -> mnemonic(new Secrets(surroundings())),
        recipe -> watching.applyTo(recipe.withBirthday(birthday)),
        wallet -> NewWallet.print(this, wallet, NewWallet.json(this, wallet)));
    return ExitCode.DONE;
  }

  private Mnemonic mnemonic(Secrets secrets) {
    Optional<String> given = secrets.mnemonic(mnemonicFile);
    if (given.isPresent()) {
      return Mnemonic.parse(given.get());
    }
    String before = "";
    while (true) {
      try {
        return typed(secrets, before);
      } catch (InvalidMnemonicException e) {
        before = Failures.message(e) + "\n";
      }
    }
  }

  /**
   * Only a wrong word is asked for again, and all may be given; if their number or the checksum is
   * wrong, all are.
   */
  private static Mnemonic typed(Secrets secrets, String before) {
    List<String> words = typedWords(secrets, before);
    while (true) {
      try {
        return Mnemonic.parse(String.join(" ", words));
      } catch (InvalidMnemonicException e) {
        if (e.position() == 0) {
          throw e;
        }
        String prompt = Failures.message(e) + "\nWord " + e.position() + " again, or all of them: ";
        List<String> again = Mnemonic.split(secrets.words(prompt));
        if (again.size() >= FEWEST) {
          // All of them, typed or pasted once more.
          words = again;
        } else {
          words.remove(e.position() - 1);
          words.addAll(e.position() - 1, again);
        }
      }
    }
  }

  /** In one line, or in as many as there are on the paper. */
  private static List<String> typedWords(Secrets secrets, String before) {
    List<String> words = new ArrayList<>();
    String prompt = before + "The wallet's words, in one line or several (they stay invisible): ";
    while (true) {
      List<String> line = Mnemonic.split(secrets.words(prompt));
      words.addAll(line);
      if (line.isEmpty() || line.size() >= FEWEST || words.size() >= MOST) {
        return words;
      }
      prompt =
          Amounts.count(words.size(), "word")
              + " so far; the next ones, or Enter if these are all: ";
    }
  }
}
