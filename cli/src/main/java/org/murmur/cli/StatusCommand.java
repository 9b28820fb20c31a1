package org.murmur.cli;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.ChainState;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.WalletInfo;
import picocli.CommandLine.Command;

/** {@code murmur status}. */
@Command(
    name = "status",
    description = "Show network, heights, peers, coverage and database.",
    footer = {"", "Examples:", "  murmur status", "  murmur info --json"})
final class StatusCommand extends WalletAction {

  @Override
  ExitCode run() throws WalletException {
    try (SpvWallet wallet = open()) {
      WalletInfo info = wallet.info();
      ChainState chain = wallet.chain();
      int peers = wallet.peers().size();
      long bytes = size(info.file());
      output().result(json(info, chain, peers, bytes), out -> show(info, chain, peers, bytes, out));
    }
    return ExitCode.DONE;
  }

  private JsonObject json(WalletInfo info, ChainState chain, int peers, long bytes) {
    return about()
        .put("height", chain.height())
        .put("tip", chain.tip().toDisplay())
        .put("tip_time", chain.tipTime().getEpochSecond())
        .put("complete", chain.complete())
        .put("complete_to", chain.completeTo())
        .put("seen_by", chain.seenBy())
        .put("peers_known", peers)
        .put("birthday", Birthdays.show(info.birthday()))
        .put("created", info.created().getEpochSecond())
        .put("watch_only", !info.hasWords())
        .put("encrypted", info.encrypted())
        .put("gap", info.gap())
        .put("look_ahead", info.lookAhead())
        .putStrings("descriptors", info.descriptors())
        .put("file", info.file().toString())
        .put("file_bytes", bytes);
  }

  private void show(WalletInfo info, ChainState chain, int peers, long bytes, PrintStream out) {
    out.println("wallet       " + walletName() + " on " + networkName());
    out.println("database     " + info.file() + " (" + Amounts.bytes(bytes) + ")");
    out.println("made         " + info.created());
    out.println("birthday     " + Birthdays.show(info.birthday()));
    out.println("secret       " + NewWallet.secret(info));
    out.println("as of        " + BalanceCommand.asOf(chain));
    out.println("tip          " + chain.tip());
    out.println("tip's time   " + chain.tipTime());
    out.println("peers known  " + peers);
    info.descriptors().forEach(descriptor -> out.println("watches      " + descriptor));
  }

  private static long size(@Nullable Path file) {
    try {
      return file == null ? 0 : Files.size(file);
    } catch (java.io.IOException e) {
      return 0;
    }
  }
}
