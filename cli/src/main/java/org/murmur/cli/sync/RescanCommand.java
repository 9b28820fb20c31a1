package org.murmur.cli.sync;

import java.time.Instant;
import org.murmur.cli.wallet.Birthdays;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.chain.Birthday;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur rescan}. */
@Command(
    name = "rescan",
    description = "Scan blocks again from a date or height.",
    footer = {
      "A date or height before the wallet's birthday becomes its birthday.",
      "Examples:",
      "  murmur rescan --from 2025-01-01 --connect 127.0.0.1",
      "  murmur rescan --from 0 --connect 127.0.0.1:18444"
    })
public final class RescanCommand extends WalletAction {

  @Option(
      names = "--from",
      required = true,
      paramLabel = "DATE|HEIGHT",
      description = "First block to scan again.")
  private String from = "";

  @Mixin private SyncArguments arguments = new SyncArguments();

  @Option(names = "--follow", description = "Stay when complete and print payments as they arrive.")
  private boolean follow;

  @Override
  protected ExitCode run() throws NoUsablePeerException {
    Birthday begin = Birthdays.parse("--from", from, Instant.now());
    SyncOptions options = arguments.toOptions(this).follow(follow);
    try (SpvWallet wallet = openForItself()) {
      arguments.check(wallet, options);
      return new SyncRun(this, follow, false)
          .run((listener, stop) -> wallet.rescan(begin, options.stoppedBy(stop), listener));
    }
  }
}
