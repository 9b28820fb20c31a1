package org.murmur.cli.picture;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.WalletInfo;
import org.murmur.wallet.privacy.Universe;
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

  @Option(
      names = "--force",
      description = "With --html: overwrite FILE even if it is no such page.")
  private boolean force;

  /** Without a page. */
  public PageOptions() {}

  /**
   * Checks the options before anything is read.
   *
   * @param global the options of every command
   * @throws Failure if they contradict each other, or the file is not to be overwritten
   * @throws IOException if the file cannot be read
   */
  public void check(GlobalOptions global) throws IOException {
    if (html == null) {
      if (force) {
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
      PageFile.check(file(html), force);
    }
  }

  /**
   * Returns whether the page is the only output.
   *
   * @return true for {@code --html -}
   */
  public boolean isStdout() {
    return "-".equals(html);
  }

  private static Path file(String name) {
    if (name.isEmpty()) {
      throw Failure.usage("--html is empty, expected FILE or -");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.usage("--html: " + Failures.message(e));
    }
  }

  /**
   * Writes the page, if one is wanted.
   *
   * @param wallet the wallet, open
   * @param name its name
   * @param global the options of every command
   * @param stdout where it goes for {@code -}
   * @return the file; empty if none was written
   * @throws WalletException if the wallet cannot be read
   * @throws IOException if the file cannot be written
   */
  public String write(SpvWallet wallet, String name, GlobalOptions global, PrintStream stdout)
      throws WalletException, IOException {
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
            wallet.status(),
            wallet.coverage(),
            wallet.privacy(Universe.of(info.network())),
            wallet.pastSyncs(),
            wallet.peers());
    if (isStdout()) {
      stdout.print(page.html());
      stdout.flush();
      return "";
    }
    PageFile.write(file(html), page.html());
    return html;
  }
}
