package org.murmur.cli.wallet;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.Secrets;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur export}. */
@Command(
    name = "export",
    description = "Print the wallet's xpub, descriptors or mnemonic for other wallets.",
    footer = {
      "The xpub and the descriptors reveal all addresses. The mnemonic gives full control of the",
      "coins.",
      "Examples:",
      "  murmur export descriptor",
      "  murmur export mnemonic --password-file -"
    })
public final class ExportCommand extends WalletAction {

  @Parameters(
      paramLabel = "xpub|descriptor|mnemonic",
      completionCandidates = Choices.Exports.class,
      description = "What to print.")
  private String what = "";

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "For mnemonic: a file with the wallet's password, - for stdin or a prompt.")
  private @Nullable String passwordFile;

  @Override
  protected ExitCode run() {
    if (!List.of("xpub", "descriptor", "descriptors", "mnemonic").contains(what)) {
      throw Failure.usage("export: expected xpub, descriptor or mnemonic");
    }
    try (SpvWallet wallet = openForItself()) {
      switch (what) {
        case "xpub" -> xpubs(wallet.keys().xpubs());
        case "mnemonic" -> {
          String words = mnemonic(wallet);
          Restoring restoring = new Restoring(wallet);
          JsonObject json =
              about()
                  .put("mnemonic", words)
                  .put("passphrase_used", wallet.keys().origin().passphraseUsed())
                  .put("restore", restoring.command());
          result(json, out -> out.println(words));
          if (output().forPeople() && !restoring.isOfWordsAlone()) {
            restoring.ofWords(words.split(" ", -1).length).forEach(this::note);
          }
        }
        default -> {
          List<String> all = wallet.keys().origin().descriptors();
          result(about().put("descriptors", all), out -> all.forEach(out::println));
        }
      }
    }
    return ExitCode.DONE;
  }

  private void xpubs(List<String> keys) {
    if (keys.isEmpty()) {
      throw Failure.failed("no_xpub", "this wallet watches addresses only: there is no xpub");
    }
    JsonObject json = about().put("xpub", keys.get(0)).put("xpubs", keys);
    result(json, out -> keys.forEach(out::println));
  }

  private String mnemonic(SpvWallet wallet) {
    return new Secrets(surroundings())
        .unlocked(wallet.keys().encrypted(), passwordFile, wallet.keys()::mnemonic);
  }
}
