package org.murmur.cli.sync;

import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur sync}. */
@Command(
    name = "sync",
    description = "Download headers and filtered blocks until the wallet is complete.",
    footer = {
      "Needs no password. Ctrl-C keeps the progress; the next sync continues from there. Exit",
      "code 3: it ended before the wallet was complete (or, with --verify, before enough peers",
      "had served every block). 4: no usable peer. 5: peers disagree and no whole block decides.",
      "",
      "Without --connect and MURMUR_CONNECT Murmur finds peers, except on regtest.",
      "Examples:",
      "  murmur --network testnet4 sync",
      "  murmur sync --connect 127.0.0.1",
      "  murmur --network regtest -w test sync --connect 127.0.0.1:18444 --json",
      "  murmur sync --connect node.example --dry-run",
      "  murmur sync --connect node.example --follow --jsonl",
      "  murmur sync --proxy 127.0.0.1:9050 --connect node.example",
      "  murmur sync --connect a.example --connect b.example --verify 2",
      "  murmur sync --connect a.example --connect b.example --verify filters",
      "  murmur sync --privacy private --connect a.example --connect b.example"
    })
public final class SyncCommand extends WalletAction {

  @Mixin private SyncArguments arguments = new SyncArguments();

  @Option(
      names = "--follow",
      description = {
        "Stay when complete and print payments as they arrive: pending, confirmed, unconfirmed,",
        "replaced or double-spent (and by which transaction), gone. Ctrl-C ends."
      })
  private boolean follow;

  @Option(
      names = "--headers-only",
      description = "Download headers only; scan no block for payments.")
  private boolean headersOnly;

  @Option(
      names = "--from-genesis",
      description = {
        "Download and check all headers from genesis, if this wallet's begin later, and scan its",
        "blocks again."
      })
  private boolean fromGenesis;

  @Option(
      names = "--dry-run",
      description = {
        "Contact no peer and write nothing: estimate bytes, passes and time, and show which peer",
        "would get which filter."
      })
  private boolean dryRun;

  @Override
  protected ExitCode run() throws NoUsablePeerException {
    SyncOptions options =
        arguments.toOptions(this).follow(follow).headersOnly(headersOnly).fromGenesis(fromGenesis);
    try (SpvWallet wallet = openForItself()) {
      arguments.check(wallet, options);
      if (dryRun) {
        return DryRun.run(this, wallet, options);
      }
      return new SyncRun(this, follow, headersOnly)
          .run((listener, stop) -> wallet.sync(options.stoppedBy(stop), listener));
    }
  }
}
