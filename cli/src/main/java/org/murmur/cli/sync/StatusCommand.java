package org.murmur.cli.sync;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.picture.PageOptions;
import org.murmur.cli.wallet.Birthdays;
import org.murmur.cli.wallet.NewWallet;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.CoverageMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code murmur status}. */
@Command(
    name = "status",
    description = "Show network, heights, peers, coverage and database.",
    footer = {
      "",
      "Examples:",
      "  murmur status",
      "  murmur info --json",
      "  murmur status --html wallet.html   # a picture, for any browser"
    })
public final class StatusCommand extends WalletAction {

  /** More ranges of heights are printed with --json only. */
  private static final int MAX_SEEN_LINES = 8;

  @Mixin private PageOptions page = new PageOptions();

  @Override
  protected ExitCode run() throws IOException {
    page.check(options());
    try (SpvWallet wallet = open()) {
      String file = page.write(wallet, walletName(), options(), output());
      if (page.isStdout()) {
        return ExitCode.DONE;
      }
      if (!file.isEmpty()) {
        output().note("drew " + file);
      }
      WalletInfo info = wallet.info();
      ChainState chain = wallet.chain();
      int peers = wallet.privacy().peerBook().met().size();
      long bytes = size(info.file());
      output().result(json(info, chain, peers, bytes), out -> show(info, chain, peers, bytes, out));
    }
    return ExitCode.DONE;
  }

  private JsonObject json(WalletInfo info, ChainState chain, int peers, long bytes) {
    JsonObject json = about();
    info.network().challenge().ifPresent(c -> json.put("signet_challenge", c));
    return json.put("created", info.created())
        .put("seen", ChainText.seen(chain))
        .put("peers_known", peers)
        .put("birthday", Birthdays.show(info.birthday()))
        .put("watch_only", !info.hasWords())
        .put("encrypted", info.encrypted())
        .put("gap", info.gap())
        .put("look_ahead", info.lookAhead())
        .put("descriptors", info.descriptors())
        .put("file", info.file())
        .put("file_bytes", bytes);
  }

  private void show(WalletInfo info, ChainState chain, int peers, long bytes, PrintStream out) {
    out.println("as of        " + output().asOf());
    seenLines(chain).forEach(line -> out.println("seen         " + line));
    out.println("wallet       " + walletName() + " on " + networkName());
    out.println("database     " + info.file() + " (" + Amounts.bytes(bytes) + ")");
    out.println("made         " + info.created().map(Instant::toString).orElse("not known"));
    out.println("birthday     " + Birthdays.show(info.birthday()));
    out.println("secret       " + NewWallet.secret(info));
    info.network().challenge().ifPresent(c -> out.println("challenge    " + c.toHex()));
    if (chain.base() > 0) {
      out.println(
          "headers      from height "
              + (chain.base() + 1)
              + ", after a built-in block below the birthday");
    }
    out.println("tip          " + chain.tip());
    out.println("tip's time   " + chain.tipTime());
    out.println("peers known  " + peers);
    info.descriptors().forEach(descriptor -> out.println("watches      " + descriptor));
  }

  private static List<String> seenLines(ChainState chain) {
    List<String> lines = new ArrayList<>();
    for (CoverageMap.Seen range : chain.seen()) {
      if (lines.size() == MAX_SEEN_LINES) {
        lines.add("... (--json shows all)");
        break;
      }
      lines.add(
          "heights "
              + range.range().from()
              + "-"
              + range.range().to()
              + (range.peers() == 0
                  ? " by no peer"
                  : " by " + range.peers() + (range.peers() == 1 ? " peer" : " peers")));
    }
    return lines;
  }

  private static long size(@Nullable Path file) {
    try {
      return file == null ? 0 : Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
