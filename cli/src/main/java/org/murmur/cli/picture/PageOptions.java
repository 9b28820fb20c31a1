package org.murmur.cli.picture;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.privacy.Universe;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a page, and what they do. */
public final class PageOptions {

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Draw the wallet as one HTML page: coverage, what peers know, bytes by cause; - for"
              + " stdout.")
  private @Nullable String html;

  @Mixin private ForceOption force = new ForceOption();

  /** Without a page. */
  public PageOptions() {}

  /**
   * Checks before anything is read that the options fit together, and that the file may be written.
   */
  public void check(GlobalOptions global) throws IOException {
    if (html == null) {
      if (force.given()) {
        throw Failure.usage("--force needs --html FILE");
      }
      return;
    }
    if (global.json() || global.jsonl()) {
      throw Failure.usage(
          (global.json() ? "--json" : "--jsonl")
              + " and --html are two answers: run murmur status once for each");
    }
    if (!isStdout()) {
      file(html).check();
    }
  }

  /** Returns whether the page is the only output. */
  public boolean isStdout() {
    return "-".equals(html);
  }

  private OutputFile file(String name) {
    return OutputFile.named("--html", name, OutputFile.Kind.PAGE, force.given());
  }

  /** Writes the page, if one is wanted; returns its file, empty if none was written. */
  public String write(SpvWallet wallet, String name, GlobalOptions global, Output output)
      throws IOException {
    if (html == null) {
      return "";
    }
    WalletInfo info = wallet.info();
    WalletPage page =
        new WalletPage(
            name,
            info.network().name(),
            Instant.now(),
            global.unit(),
            wallet.asOf(SpvWallet::balance),
            wallet.privacy().coverage(),
            wallet.privacy().report(Universe.of(info.network())),
            wallet.privacy().pastSyncs(),
            wallet.privacy().peerBook().met());
    if (isStdout()) {
      output.exactly(page.html());
      return "";
    }
    file(html).write(page.html());
    return html;
  }
}
