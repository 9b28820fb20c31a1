package org.murmur.cli.sync;

import java.util.Map;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur sync}. */
@Command(
    name = "sync",
    description = "Fetch headers and filtered blocks until the wallet is complete.",
    footer = {
      "",
      "Needs no password. Ctrl-C keeps what is done; the next sync goes on from there. Exit code 3",
      "means that it ended before the wallet was complete (or was seen by too few, with --verify), 4",
      "that there was no usable peer, 5 that peers disagree and nobody settles it.",
      "",
      "Without --connect peers are found, but on regtest.",
      "",
      "Examples:",
      "  murmur --network testnet4 sync",
      "  murmur sync --connect 127.0.0.1",
      "  murmur --network regtest -w test sync --connect 127.0.0.1:18444 --json",
      "  murmur sync --connect node.example --dry-run",
      "  murmur sync --connect node.example --follow --jsonl",
      "  murmur sync --proxy 127.0.0.1:9050 --connect node.example",
      "  murmur sync --connect a.example --connect b.example --connect c.example --verify 2",
      "  murmur sync --privacy private --connect a.example --connect b.example"
    })
public final class SyncCommand extends WalletAction {

  @Mixin private SyncArguments arguments = new SyncArguments();

  @Option(
      names = "--follow",
      description = {
        "Stay when complete and print payments as they come: pending, confirmed, unconfirmed again,",
        "replaced or double-spent (by what), gone. Ctrl-C ends."
      })
  private boolean follow;

  @Option(
      names = "--headers-only",
      description = "Leave blocks alone; complete then speaks of the headers.")
  private boolean headersOnly;

  @Option(
      names = "--from-genesis",
      description = {
        "Fetch and check the headers from the first block on, if this wallet's begin later, and",
        "look at its blocks anew."
      })
  private boolean fromGenesis;

  @Option(
      names = "--dry-run",
      description = {
        "Ask nobody and write nothing: estimate bytes, passes and time, and say which filter would",
        "be shown to whom."
      })
  private boolean dryRun;

  @Override
  protected ExitCode run() throws WalletException, NoUsablePeerException {
    Map<String, String> environment = surroundings().environment();
    SyncOptions options =
        arguments
            .toOptions(network(), environment)
            .follow(follow)
            .headersOnly(headersOnly)
            .fromGenesis(fromGenesis);
    try (SpvWallet wallet = open()) {
      arguments.check(wallet, options);
      if (dryRun) {
        return DryRun.run(this, wallet, options);
      }
      return new SyncRun(this, walletName(), follow)
          .run((listener, stop) -> wallet.sync(options.stoppedBy(stop), listener));
    }
  }
}
