package org.murmur.cli.privacy;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.plot.Drawing;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code murmur privacy}. */
@Command(
    name = "privacy",
    description = "Show what peers have learned from filters and named transactions.",
    footer = {
      "Works offline: it reads the record of all filters that were ever sent. With -v it shows the",
      "numbers behind the verdict. It counts how many",
      "foreign scripts pass the tests of an observer: for each peer, for pairs of peers and for",
      "all together. Below one, whatever passes is yours. A peer that was sent a transaction, or",
      "an announcement or request of it by txid, knows the addresses in it.",
      "Examples:",
      "  murmur privacy",
      "  murmur privacy -v",
      "  murmur privacy --json",
      "  murmur privacy --universe 50000000 --plot known.svg"
    })
public final class PrivacyCommand extends WalletAction {

  @Option(
      names = "--universe",
      paramLabel = "N",
      description =
          "Number of scripts that an observer can test (default: an estimate for the network; the"
              + " output names its source).")
  private @Nullable Double scripts;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Draw the foreign scripts left after each filter; the file name ends in .svg"
              + " or .png.")
  private @Nullable String plot;

  @Mixin private ForceOption force = new ForceOption();

  @Override
  protected ExitCode run() throws IOException {
    Universe universe = universe();
    checkPlot();
    try (SpvWallet wallet = open()) {
      PrivacyReport report = wallet.privacy().report(universe);
      draw(report);
      return result(
          about().putAll(PrivacyJson.of(report)),
          out -> {
            PrivacyText text = new PrivacyText(report);
            if (options().verbosity() > 0) {
              text.show(surroundings().colours(), out);
            } else {
              text.showSummary(surroundings().colours(), out);
            }
          });
    }
  }

  private Universe universe() {
    if (scripts == null) {
      return Universe.of(network());
    }
    try {
      return Universe.chosen(scripts);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--" + Failures.message(e));
    }
  }

  private void checkPlot() throws IOException {
    if (plot == null) {
      if (force.given()) {
        throw Failure.usage("--force needs --plot FILE");
      }
      return;
    }
    if (!isPng(plot) && !hasEnding(plot, ".svg")) {
      throw Failure.usage("--plot " + plot + ", expected a name that ends in .svg or .png");
    }
    file(plot).check();
  }

  private OutputFile file(String name) {
    OutputFile.Kind kind = isPng(name) ? OutputFile.Kind.WALLET_PNG : OutputFile.Kind.WALLET_SVG;
    return OutputFile.named("--plot", name, kind, force.given());
  }

  private static boolean isPng(String file) {
    return hasEnding(file, ".png");
  }

  private static boolean hasEnding(String file, String ending) {
    return file.toLowerCase(Locale.ROOT).endsWith(ending);
  }

  private void draw(PrivacyReport report) throws IOException {
    if (plot == null) {
      return;
    }
    if (report.filters().isEmpty()) {
      note("no peer has received a filter yet, nothing to draw: " + plot + " not written");
      return;
    }
    if (isPng(plot)) {
      file(plot).write(Drawing.png(PrivacyPlot.of(report)));
    } else {
      file(plot).write(Drawing.svg(PrivacyPlot.of(report)));
    }
    note("drew " + plot);
  }
}
