package org.murmur.cli;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.p2p.wire.Services;
import org.murmur.wallet.KnownPeer;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;

/** {@code murmur peers}. */
@Command(
    name = "peers",
    description = "List known peers: services, latency, what each was shown.",
    footer = {"", "Examples:", "  murmur peers", "  murmur peers --json"})
final class PeersCommand extends WalletAction {

  @Override
  ExitCode run() throws WalletException {
    try (SpvWallet wallet = open()) {
      List<KnownPeer> peers = wallet.peers();
      List<JsonObject> found = new ArrayList<>();
      peers.forEach(peer -> found.add(json(peer)));
      output()
          .result(
              new JsonObject().put("peers", found),
              out -> peers.forEach(peer -> out.println(line(peer))));
    }
    return ExitCode.DONE;
  }

  private static JsonObject json(KnownPeer peer) {
    JsonObject json =
        new JsonObject()
            .put("address", peer.address().toString())
            .put("user_agent", peer.userAgent())
            .put("services", peer.services())
            .put("bloom", (peer.services() & Services.BLOOM) != 0)
            .put("height", peer.height());
    if (peer.latency().isPresent()) {
      json.put("latency_ms", peer.latency().get().toNanos() / 1e6);
    } else {
      json.putNull("latency_ms");
    }
    return json.put("last_seen", peer.lastSeen().getEpochSecond())
        .put("filters_shown", peer.filtersShown())
        .put("elements_shown", peer.elementsShown())
        .put("misbehaviour", peer.misbehaviour().orElse(null));
  }

  private static String line(KnownPeer peer) {
    return String.format(
        Locale.ROOT,
        "%-24s  %-28s  height %-8d  %8s  seen %s  shown %d %s, up to %d %s%s",
        peer.address(),
        peer.userAgent(),
        peer.height(),
        peer.latency()
            .map(time -> String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6))
            .orElse("-"),
        peer.lastSeen().truncatedTo(ChronoUnit.SECONDS),
        peer.filtersShown(),
        peer.filtersShown() == 1 ? "filter" : "filters",
        peer.elementsShown(),
        peer.elementsShown() == 1 ? "element" : "elements",
        peer.misbehaviour().map(what -> "  MISBEHAVED: " + what).orElse(""));
  }
}
