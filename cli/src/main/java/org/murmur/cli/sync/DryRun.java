package org.murmur.cli.sync;

import java.io.PrintStream;
import org.murmur.cli.privacy.PrivacyJson;
import org.murmur.cli.privacy.PrivacyText;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
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
    SyncForecast forecast = wallet.privacy().forecast(options, universe);
    action.result(
        action.about().putAll(json(forecast, universe)), out -> show(forecast, universe, out));
    return ExitCode.DONE;
  }

  private static JsonObject json(SyncForecast forecast, Universe universe) {
    return new JsonObject()
        .put("dry_run", true)
        .put("height", forecast.height())
        .put("estimated_height", forecast.estimatedHeight())
        .put("headers", forecast.headers())
        .put("blocks", forecast.blocks())
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
    out.println(
        Text.of(
            "blocks    %d filtered ones, in %d pass%s over them",
            forecast.blocks(), forecast.passes(), forecast.passes() == 1 ? "" : "es"));
    out.println(
        Text.of(
            "traffic   %s received, %s sent (%s)",
            Amounts.bytes(forecast.bytesReceived()),
            Amounts.bytes(forecast.bytesSent()),
            forecast.measured()
                ? "bytes a block as measured in earlier syncs"
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
    NoticeText.of(forecast.warnings()).forEach(warning -> out.println("note: " + warning));
  }
}
