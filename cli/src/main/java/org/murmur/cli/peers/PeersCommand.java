package org.murmur.cli.peers;

import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.wallet.KnownPeer;
import org.murmur.wallet.PeerBook;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;

/** {@code murmur peers}. */
@Command(
    name = "peers",
    description = "List known peers: services, latency, network group, bans, filters sent.",
    footer = {
      "On a terminal a peer has several lines of at most 80 columns. A pipe and -v get one.",
      "Examples:",
      "  murmur peers",
      "  murmur peers --json"
    })
public final class PeersCommand extends WalletAction {

  /** A user agent has no room beside a longer address, an onion's. */
  private static final int MIN_AGENT = 12;

  @Override
  protected ExitCode run() {
    try (SpvWallet wallet = openForItself()) {
      PeerBook book = wallet.privacy().peerBook();
      List<JsonObject> found = book.met().stream().map(PeersCommand::json).toList();
      return result(
          new JsonObject().put("peers", found).put("addresses", json(book)),
          out -> show(book, out));
    }
  }

  private static JsonObject json(PeerBook book) {
    return new JsonObject()
        .put("known", book.addresses())
        .put("reached", book.reached())
        .put("bloom", book.filtering())
        .put("compact_filters", book.compactFilters())
        .put("groups", book.groups())
        .put("onion", book.onion());
  }

  private void show(PeerBook book, PrintStream out) {
    for (KnownPeer peer : book.met()) {
      (narrow() ? rows(peer) : List.of(line(peer))).forEach(out::println);
    }
    if (book.addresses() > 0) {
      String known =
          Text.of(
              "%s known addresses, in %s network groups: %s reached, %s with NODE_BLOOM,"
                  + " %s with NODE_COMPACT_FILTERS%s",
              book.addresses(),
              book.groups(),
              book.reached(),
              book.filtering(),
              book.compactFilters(),
              book.onion() == 0
                  ? ""
                  : "; " + book.onion() + " onion addresses, used through a proxy only");
      (narrow() ? Columns.wrapped(known, "") : List.of(known)).forEach(out::println);
    }
  }

  private static JsonObject json(KnownPeer peer) {
    return new JsonObject()
        .put("address", peer.address())
        .put("user_agent", peer.userAgent())
        .put("services", peer.services())
        .put("bloom", Services.has(peer.services(), Services.BLOOM))
        .put("compact_filters", Services.has(peer.services(), Services.COMPACT_FILTERS))
        .put("encrypts", Services.has(peer.services(), Services.P2P_V2))
        .put("height", peer.height())
        .put("latency_ms", peer.latency().map(time -> time.toNanos() / 1e6))
        .put("last_seen", peer.lastSeen())
        .put("filters_shown", peer.filtersShown())
        .put("elements_shown", peer.elementsShown())
        .put("misbehaviour", peer.misbehaviour())
        .put("group", peer.group())
        .put("failures", peer.failures())
        .put("banned_until", peer.bannedUntil());
  }

  /** Two lines for a terminal: the peer's name, and below it the rest. */
  private static List<String> rows(KnownPeer peer) {
    String address = peer.address().toString();
    int left = Columns.WIDTH - address.length() - 2;
    List<String> rows = new ArrayList<>();
    rows.add(
        left < MIN_AGENT
            ? address
            : address + "  " + Columns.middleLeftOut(peer.userAgent(), left));
    rows.addAll(
        Columns.wrapped(
            Text.of(
                "%s, height %d, %s, seen %s, shown %s%s%s",
                bloom(peer),
                peer.height(),
                latency(peer).orElse("no latency yet"),
                peer.lastSeen().truncatedTo(ChronoUnit.SECONDS),
                Amounts.count(peer.filtersShown(), "filter"),
                peer.filtersShown() == 0
                    ? ""
                    : " of up to " + Amounts.count(peer.elementsShown(), "element"),
                more(peer, ", ")),
            "    "));
    return rows;
  }

  private static Optional<String> latency(KnownPeer peer) {
    return peer.latency().map(time -> Text.of("%.1f ms", time.toNanos() / 1e6));
  }

  private static String line(KnownPeer peer) {
    return Text.of(
        "%-24s  %-28s  %-12s  height %-8d  %8s  seen %s  shown %s, up to %s%s",
        peer.address(),
        peer.userAgent(),
        bloom(peer),
        peer.height(),
        latency(peer).orElse("-"),
        peer.lastSeen().truncatedTo(ChronoUnit.SECONDS),
        Amounts.count(peer.filtersShown(), "filter"),
        Amounts.count(peer.elementsShown(), "element"),
        more(peer, "  "));
  }

  private static String bloom(KnownPeer peer) {
    String bloom = Services.has(peer.services(), Services.BLOOM) ? "bloom" : "no bloom";
    return Services.has(peer.services(), Services.P2P_V2) ? bloom + ", v2" : bloom;
  }

  /** The facts that not every peer has, each behind a separator. */
  private static String more(KnownPeer peer, String separator) {
    return Stream.of(
            peer.group().map(group -> "group " + group),
            peer.misbehaviour().map(what -> "MISBEHAVED: " + what),
            peer.bannedUntil()
                .map(until -> "not contacted until " + until.truncatedTo(ChronoUnit.SECONDS)))
        .flatMap(Optional::stream)
        .map(separator::concat)
        .collect(Collectors.joining());
  }
}
