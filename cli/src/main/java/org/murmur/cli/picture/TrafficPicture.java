package org.murmur.cli.picture;

import java.util.List;
import java.util.Map;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.lab.html.Html;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.overview.PastSync;

/** The cost of syncs as HTML: bytes by cause, and a table of the syncs, the newest first. */
record TrafficPicture(List<PastSync> syncs) {

  private static final List<Html.Column<PastSync>> COLUMNS =
      List.of(
          new Html.Column<>("began (UTC)", "text", sync -> WalletPage.minutes(sync.began())),
          new Html.Column<>(
              "took", "", sync -> Text.of("%,.1f s", sync.elapsed().toMillis() / 1e3)),
          new Html.Column<>("headers", "", sync -> CoverageChart.number(sync.headers())),
          new Html.Column<>("blocks", "", sync -> CoverageChart.number(sync.blocks())),
          new Html.Column<>("received", "", sync -> Amounts.bytes(sync.received())),
          new Html.Column<>("sent", "", sync -> Amounts.bytes(sync.sent())),
          new Html.Column<>("mostly", "text", sync -> mostly(sync.traffic())));

  /** A bar for each cause, of all syncs. */
  Html causes() {
    Html out = new Html();
    List<BytesByCause> counted =
        syncs.stream().map(PastSync::traffic).filter(it -> !it.equals(BytesByCause.NONE)).toList();
    if (counted.isEmpty()) {
      return out.add("<p>No sync has fetched anything yet.</p>\n");
    }
    BytesByCause sum = sum(counted);
    out.add(
        "<p>%s received and %s sent in the last %s until its blocks were complete. The wait for"
            + " unconfirmed payments after that is not counted.</p>\n",
        Amounts.bytes(sum.received()),
        Amounts.bytes(sum.sent()),
        counted.size() == 1
            ? "sync that fetched something,"
            : counted.size() + " syncs that fetched something, each");
    out.legend("whole", "received", "sent", "sent");
    out.add("<ul class=\"bars\" id=\"traffic\">\n");
    long most = sum.parts().values().stream().mapToLong(TrafficPicture::bytes).max().orElse(1);
    sum.parts().forEach((cause, part) -> bar(out, cause, part, Math.max(1, most)));
    return out.add("</ul>\n");
  }

  private static long bytes(BytesByCause.Part part) {
    return part.received() + part.sent();
  }

  private static BytesByCause sum(List<BytesByCause> each) {
    BytesByCause sum = BytesByCause.NONE;
    for (BytesByCause traffic : each) {
      for (Map.Entry<TrafficCause, BytesByCause.Part> part : traffic.parts().entrySet()) {
        sum = sum.plus(part.getKey(), part.getValue().received(), part.getValue().sent());
      }
    }
    return sum;
  }

  private static void bar(Html out, TrafficCause cause, BytesByCause.Part part, long most) {
    String received = Amounts.bytes(part.received()) + " received";
    String sent = Amounts.bytes(part.sent()) + " sent";
    String words =
        part.sent() == 0 ? received : part.received() == 0 ? sent : received + ", " + sent;
    out.bar(
        name(cause),
        words,
        List.of(
            new Html.Part("whole", 100.0 * part.received() / most, words),
            new Html.Part("sent", 100.0 * part.sent() / most, words)));
  }

  private static String name(TrafficCause cause) {
    return switch (cause) {
      case HEADERS -> "Block headers";
      case FILTERS -> "Filters sent to peers";
      case BLOCKS -> "Filtered blocks, apart from matches";
      case PROOFS -> "Proofs of matches";
      case MATCHES -> "Matched transactions";
      case FALSE_POSITIVES -> "False positives: transactions of others";
      case BLOCK_FILTERS -> "Filters of blocks";
      case WHOLE_BLOCKS -> "Whole blocks";
      case UNCONFIRMED -> "Unconfirmed transactions (mempool)";
      case ADDRESSES -> "Addresses of peers (gossip)";
      case OTHER -> "Handshakes, pings and the rest";
    };
  }

  /** One row for each sync. */
  Html table() {
    Html out = new Html();
    if (!syncs.isEmpty()) {
      out.table("syncs", "The last syncs", COLUMNS, syncs);
    }
    return out;
  }

  private static String mostly(BytesByCause traffic) {
    return traffic.parts().entrySet().stream()
        .filter(part -> bytes(part.getValue()) > 0)
        .reduce((one, next) -> bytes(next.getValue()) > bytes(one.getValue()) ? next : one)
        .map(part -> name(part.getKey()))
        .orElse("nothing");
  }
}
