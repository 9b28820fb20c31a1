package org.murmur.cli.wallet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.Balance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur wallets}. */
@Command(
    name = "wallets",
    description = "List the wallets of all networks, or of --network, with their balances.",
    subcommands = {WalletsCommand.Rename.class, WalletsCommand.Delete.class},
    footer = {
      "Examples:",
      "  murmur wallets",
      "  murmur wallets --network regtest --json",
      "  murmur wallets rename default savings",
      "  murmur --network regtest wallets delete old"
    })
public final class WalletsCommand extends Action {

  @Override
  protected ExitCode run() {
    Map<String, String> environment = surroundings().environment();
    Path datadir = options().datadir(environment);
    List<String> networks =
        options().networkNamed(environment) ? List.of(networkName()) : GlobalOptions.NETWORKS;
    List<JsonObject> found = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String network : networks) {
      WalletFiles files = new WalletFiles(datadir, network);
      int width = files.names().stream().mapToInt(String::length).max().orElse(0);
      for (String name : files.names()) {
        JsonObject json =
            new JsonObject()
                .put("network", network)
                .put("wallet", name)
                .put("file", files.file(name));
        String about = about(files.file(name), json);
        found.add(json);
        lines.add(Text.of("%-9s  %-" + width + "s  %s", network, name, about));
      }
    }
    result(
        new JsonObject().put("datadir", datadir).put("wallets", found),
        out -> lines.forEach(out::println));
    if (found.isEmpty()) {
      note("No wallets in " + datadir + "; create one with `murmur create`.");
    }
    return ExitCode.DONE;
  }

  /** The contents of a wallet; a damaged one does not hide the others. */
  private String about(Path file, JsonObject json) {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      AsOf<Balance> balance = wallet.asOf(SpvWallet::balance);
      json.put("as_of", ChainText.json(balance.chain()))
          .put("total_sat", balance.value().total())
          .put("watch_only", !wallet.info().hasWords())
          .put("encrypted", wallet.info().encrypted());
      return standing(balance, output().unit()) + secrets(wallet.info());
    } catch (WalletException e) {
      String why = Failures.message(e);
      json.put("error", why);
      return why;
    }
  }

  /** Whether it can pay, and whether that takes a password. */
  private static String secrets(WalletInfo info) {
    return !info.hasWords() ? ", watch-only" : info.encrypted() ? ", with a password" : "";
  }

  /** The balance, and how far it is known. */
  private static String standing(AsOf<Balance> balance, Unit unit) {
    String known = balance.chain().words();
    return balance.chain().scannedTo().isPresent()
        ? unit.named(balance.value().total()) + ", " + known
        : known;
  }

  /** {@code murmur wallets rename}. */
  @Command(name = "rename", description = "Give a wallet of --network another name.")
  public static final class Rename extends WalletAction {

    @Parameters(index = "0", paramLabel = "NAME", description = "The wallet.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "Its new name.")
    private String renamed = "";

    @Override
    protected ExitCode run() {
      Path from = files().named(name);
      Path to = files().fresh(renamed);
      SpvWallet.rename(from, to);
      return result(
          new JsonObject().put("network", networkName()).put("wallet", renamed).put("file", to),
          out -> out.println("'" + name + "' is '" + renamed + "' now: " + to));
    }
  }

  /** {@code murmur wallets delete}. */
  @Command(
      name = "delete",
      description = "Delete a wallet of --network, with its keys.",
      footer = {
        "Asks for the wallet's name first. Labels, and payments that no block contains yet, are"
            + " lost",
        "with the file."
      })
  public static final class Delete extends WalletAction {

    @Parameters(paramLabel = "NAME", description = "The wallet.")
    private String name = "";

    @Option(names = "--yes", description = "Delete without asking.")
    private boolean yes;

    @Override
    protected ExitCode run() {
      Path file = files().named(name);
      if (!yes) {
        String typed = ask(warning(file), "use --yes to delete the wallet");
        if (!typed.equals(name)) {
          throw Failure.failed("cancelled", "nothing was deleted");
        }
      }
      SpvWallet.delete(file);
      return result(
          new JsonObject().put("network", networkName()).put("wallet", name).put("deleted", file),
          out -> out.println("deleted " + file));
    }

    private String warning(Path file) {
      return contents(file) + "\nType its name to delete it: ";
    }

    /** The known facts about it; a damaged file can be deleted as well. */
    private String contents(Path file) {
      try (SpvWallet wallet = SpvWallet.open(file)) {
        return Text.of(
            "'%s' on %s: %s%s",
            name,
            networkName(),
            standing(wallet.asOf(SpvWallet::balance), output().unit()),
            new Restoring(wallet)
                .command()
                .map(
                    restore ->
                        ", and its words are in this file. Only the words bring it back: "
                            + restore)
                .orElse(". Only its descriptors bring it back"));
      } catch (WalletException e) {
        return Failures.message(e) + ". Only its words, or its descriptors, bring it back";
      }
    }
  }
}
