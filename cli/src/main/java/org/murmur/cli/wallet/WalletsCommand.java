package org.murmur.cli.wallet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import picocli.CommandLine.Command;

/** {@code murmur wallets}. */
@Command(
    name = "wallets",
    description = "List the wallets of all networks, or of --network.",
    footer = {"", "Examples:", "  murmur wallets", "  murmur wallets --network regtest --json"})
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
      for (String name : files.names()) {
        found.add(
            new JsonObject()
                .put("network", network)
                .put("wallet", name)
                .put("file", files.file(name).toString()));
        lines.add(String.format(Locale.ROOT, "%-9s  %s", network, name));
      }
    }
    output()
        .result(
            new JsonObject().put("datadir", datadir.toString()).put("wallets", found),
            out -> lines.forEach(out::println));
    if (found.isEmpty()) {
      output().note("No wallets in " + datadir + "; create one with `murmur create`.");
    }
    return ExitCode.DONE;
  }
}
