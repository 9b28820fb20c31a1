package org.murmur.cli.sync;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.picture.WalletPage;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.wallet.Birthdays;
import org.murmur.cli.wallet.NewWallet;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur status}. */
@Command(
    name = "status",
    description = "Show network, heights, peers, coverage and database.",
    footer = {
      "Examples:",
      "  murmur status",
      "  murmur info --json",
      "  murmur status --html wallet.html   # a picture, for any browser"
    })
public final class StatusCommand extends WalletAction {

  /** More ranges of heights are printed with --json only. */
  private static final int MAX_SEEN_LINES = 8;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Draw the wallet as one HTML page: coverage, what peers know, bytes by cause; - for"
              + " stdout.")
  private @Nullable String html;

  @Mixin private ForceOption force = new ForceOption();

  @Override
  protected ExitCode run() throws IOException {
    boolean stdout = "-".equals(html);
    requireOneAnswer();
    Optional<OutputFile> page =
        Optional.ofNullable(html)
            .filter(name -> !stdout)
            .map(name -> OutputFile.named("--html", name, OutputFile.Kind.PAGE, force.given()));
    if (page.isPresent()) {
      page.get().check();
    }
    try (SpvWallet wallet = open()) {
      if (stdout) {
        output().exactly(WalletPage.of(wallet, walletName(), output().unit()).html());
        return ExitCode.DONE;
      }
      if (page.isPresent()) {
        page.get().write(WalletPage.of(wallet, walletName(), output().unit()).html());
        note("drew " + page.get());
      }
      WalletInfo info = wallet.info();
      ChainState chain = wallet.chain();
      int peers = wallet.privacy().peerBook().met().size();
      long bytes = size(info.file());
      PresetChoice next = wallet.privacy().preset(SyncOptions.discover());
      Optional<Preset.Kind> last =
          Optional.of(next.preset()).filter(preset -> next.reason() == PresetChoice.Reason.LAST);
      return result(
          json(info, chain, peers, bytes).put("preset", last),
          out -> {
            show(info, chain, peers, bytes, out);
            last.ifPresent(preset -> out.println("preset       " + Text.lower(preset)));
          });
    }
  }

  private void requireOneAnswer() {
    if (html == null && force.given()) {
      throw Failure.usage("--force needs --html FILE");
    }
    if (html != null && !output().forPeople()) {
      throw Failure.usage(
          (options().json() ? "--json" : "--jsonl")
              + " and --html are two answers: run murmur status once for each");
    }
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
    List<String> lines =
        chain.seen().stream()
            .map(
                seen ->
                    Text.of(
                        "heights %s-%s by %s",
                        seen.range().from(),
                        seen.range().to(),
                        seen.peers() == 0 ? "no peer" : Amounts.count(seen.peers(), "peer")))
            .toList();
    return Amounts.first(lines, MAX_SEEN_LINES, more -> "... (--json shows all)");
  }

  private static long size(@Nullable Path file) {
    try {
      return file == null ? 0 : Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
