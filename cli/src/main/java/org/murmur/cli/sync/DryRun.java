package org.murmur.cli.sync;

import java.io.PrintStream;
import java.util.List;
import org.murmur.cli.privacy.PrivacyJson;
import org.murmur.cli.privacy.PrivacyText;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.terminal.Columns.Column;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
import org.murmur.p2p.sync.Preset;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncOptions;

/** Estimates the cost of a sync and the information it reveals, without connections or writes. */
final class DryRun {

  private DryRun() {}

  static ExitCode run(WalletAction action, SpvWallet wallet, SyncOptions options) {
    Universe universe = Universe.of(action.network());
    List<SyncForecast> presets = wallet.privacy().forecasts(options, universe);
    Preset.Kind chosen = wallet.privacy().preset(options).preset();
    SyncForecast forecast =
        presets.stream().filter(each -> each.preset().preset() == chosen).findFirst().orElseThrow();
    int peers = options.peers().discovery().isPresent() ? 0 : options.peers().named().size();
    action.result(
        action
            .about()
            .putAll(json(forecast, universe))
            .put("presets", presets.stream().map(DryRun::inBrief).toList()),
        out -> {
          show(forecast, universe, out);
          if (presets.size() > 1) {
            out.println();
            out.println("The same sync under each preset (--privacy):");
            List<Column<SyncForecast>> columns = columns(peers);
            out.println(Columns.heading(columns));
            presets.forEach(each -> out.println(Columns.row(columns, each)));
          }
          NoticeText.of(forecast.warnings()).forEach(warning -> out.println("note: " + warning));
        });
    return ExitCode.DONE;
  }

  private static JsonObject json(SyncForecast forecast, Universe universe) {
    return new JsonObject()
        .put("dry_run", true)
        .put("height", forecast.height())
        .put("estimated_height", forecast.estimatedHeight())
        .put("headers", forecast.headers())
        .put("blocks", forecast.blocks())
        .put("block_filters", forecast.filters())
        .put("whole_blocks", forecast.wholeBlocks())
        .put("passes", forecast.passes())
        .put("bytes_received", forecast.bytesReceived())
        .put("bytes_sent", forecast.bytesSent())
        .put("bytes_basis", forecast.measured() ? "measured" : "computed")
        .put("elapsed_ms", forecast.time())
        .put("preset", forecast.preset().preset())
        .put("preset_reason", forecast.preset().reason())
        .put("sessions_measured", forecast.sessions())
        .put("universe", universe.scripts())
        .put("universe_source", universe.source())
        .putAll(PrivacyJson.next(forecast.next()))
        .put("warnings", NoticeText.of(forecast.warnings()));
  }

  private static JsonObject inBrief(SyncForecast forecast) {
    return new JsonObject()
        .put("preset", forecast.preset().preset())
        .put("least_peers", forecast.preset().leastPeers())
        .put("bytes_received", forecast.bytesReceived())
        .put("bytes_sent", forecast.bytesSent())
        .put("whole_blocks", forecast.wholeBlocks())
        .putAll(PrivacyJson.next(forecast.next()));
  }

  private static List<Column<SyncForecast>> columns(int named) {
    return List.of(
        new Column<>("preset", "%-8s", forecast -> Text.lower(forecast.preset().preset())),
        new Column<>("received", " %10s", forecast -> Amounts.bytes(forecast.bytesReceived())),
        new Column<>("peers learn", "  %s", forecast -> learned(forecast, named)));
  }

  /** For people: what peers would learn, in a few words. */
  private static String learned(SyncForecast forecast, int named) {
    int least = forecast.preset().leastPeers();
    if (named > 0 && named < least) {
      return "needs " + least + " peers";
    }
    boolean compact = forecast.preset().preset() == Preset.Kind.COMPACT;
    if (compact && forecast.next().filters().isEmpty()) {
      return Text.of(
          "no script; which whole blocks you fetch: yours, and about %s by chance",
          forecast.wholeBlocks());
    }
    return (compact ? "the node of --pool: " : "") + PrivacyText.inBrief(forecast.next());
  }

  private static String preset(PresetChoice choice) {
    String name = Text.lower(choice.preset());
    return "The preset is "
        + name
        + switch (choice.reason()) {
          case SAID -> ".";
          case LAST -> ", the last one that was chosen for this wallet.";
          case RULE -> ", the default for a first sync with these peers.";
        };
  }

  private static void show(SyncForecast forecast, Universe universe, PrintStream out) {
    out.println("No peer was contacted and nothing was written. A sync now would take about:");
    out.println(
        Text.of(
            "headers   %d (from height %d to about %d)",
            forecast.headers(),
            forecast.estimatedHeight() - forecast.headers(),
            forecast.estimatedHeight()));
    boolean compact = forecast.preset().preset() == Preset.Kind.COMPACT;
    out.println(
        compact
            ? Text.of(
                "filters   %d, and about %s that match by chance; those with payments of the wallet"
                    + " come on top",
                forecast.blocks(), Amounts.count(forecast.wholeBlocks(), "whole block"))
            : Text.of(
                "blocks    %d filtered ones, in %d pass%s over them",
                forecast.blocks(), forecast.passes(), forecast.passes() == 1 ? "" : "es"));
    if (!compact && forecast.filters() > 0) {
      out.println(
          Text.of(
              "checks    %d block filters, and about %s that match by chance",
              forecast.filters(), Amounts.count(forecast.wholeBlocks(), "whole block")));
    }
    out.println(
        Text.of(
            "traffic   %s received, %s sent (%s)",
            Amounts.bytes(forecast.bytesReceived()),
            Amounts.bytes(forecast.bytesSent()),
            forecast.measured()
                ? "bytes a block as measured in earlier syncs"
                : compact
                    ? "computed, for filters of a mean size"
                    : "computed from the rate, for blocks as on a busy mainnet"));
    boolean nothing = forecast.headers() == 0 && forecast.blocks() == 0;
    out.println(
        "time      "
            + (nothing
                ? "short: nothing to download is known"
                : forecast.time().isPresent()
                    ? Text.of(
                        "%.1f s at the pace of earlier syncs (%d), and the wait for unconfirmed"
                            + " transactions",
                        forecast.time().get().toMillis() / 1e3, forecast.sessions())
                    : "unknown: no earlier sync to compare with"));
    out.println();
    out.println(preset(forecast.preset()));
    PrivacyText.next(forecast.next()).forEach(out::println);
    out.println(
        Text.of(
            "An observer can test %s scripts (%s).",
            PrivacyText.number(universe.scripts()), universe.source()));
  }
}
