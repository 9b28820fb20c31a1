package org.murmur.cli.picture;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.cli.words.Amounts;
import org.murmur.lab.html.Html;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.overview.PastSync;

/** The cost of syncs as HTML: bytes by cause, and a table of the syncs. */
final class TrafficPicture {

  private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private final List<PastSync> syncs;
  private final StringBuilder out = new StringBuilder();

  /** With the newest first. */
  TrafficPicture(List<PastSync> syncs) {
    this.syncs = syncs;
  }

  /** A bar for each cause, of all syncs that recorded them. */
  String causes() {
    List<PastSync> counted = new ArrayList<>(syncs);
    counted.removeIf(sync -> sync.traffic().equals(BytesByCause.NONE));
    if (counted.isEmpty()) {
      return "<p>"
          + (syncs.isEmpty()
              ? "No sync has fetched anything yet."
              : "The recorded syncs are of a version that did not record bytes by cause.")
          + "</p>\n";
    }
    BytesByCause sum = sum(counted);
    out.append("<p>").append(Amounts.bytes(sum.received())).append(" received and ");
    out.append(Amounts.bytes(sum.sent())).append(" sent in ");
    out.append(
        counted.size() == 1
            ? "the last sync that fetched something, until its"
            : "the last " + counted.size() + " syncs that fetched something, each until its");
    out.append(" blocks were complete. The wait for unconfirmed payments after that is not");
    out.append(" counted.</p>\n");
    out.append("<ul class=\"legend\"><li><span class=\"key whole\"></span>received</li>");
    out.append("<li><span class=\"key sent\"></span>sent</li></ul>\n");
    out.append("<ul class=\"bars\" id=\"traffic\">\n");
    long most = 1;
    for (BytesByCause.Part part : sum.parts().values()) {
      most = Math.max(most, part.received() + part.sent());
    }
    for (TrafficCause cause : sum.parts().keySet()) {
      bar(cause, sum.of(cause), most);
    }
    return out.append("</ul>\n").toString();
  }

  private static BytesByCause sum(List<PastSync> syncs) {
    BytesByCause sum = BytesByCause.NONE;
    for (PastSync sync : syncs) {
      for (TrafficCause cause : sync.traffic().parts().keySet()) {
        BytesByCause.Part part = sync.traffic().of(cause);
        sum = sum.plus(cause, part.received(), part.sent());
      }
    }
    return sum;
  }

  private void bar(TrafficCause cause, BytesByCause.Part part, long most) {
    String words =
        part.sent() == 0
            ? Amounts.bytes(part.received()) + " received"
            : part.received() == 0
                ? Amounts.bytes(part.sent()) + " sent"
                : Amounts.bytes(part.received())
                    + " received, "
                    + Amounts.bytes(part.sent())
                    + " sent";
    out.append("<li><div class=\"what\"><b>")
        .append(Html.escaped(name(cause)))
        .append("</b> <span>");
    out.append(words).append("</span></div><svg class=\"bar\" role=\"img\" aria-label=\"");
    out.append(Html.escaped(name(cause) + ": " + words)).append("\">");
    double received = 100.0 * part.received() / most;
    rect("whole", 0, received, words);
    rect("sent", received, 100.0 * part.sent() / most, words);
    out.append("</svg></li>\n");
  }

  private void rect(String kind, double at, double width, String title) {
    if (width > 0) {
      out.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\" height=\"100%%\"><title>%s</title>"
                  + "</rect>",
              kind,
              at,
              width,
              Html.escaped(title)));
    }
  }

  private static String name(TrafficCause cause) {
    return switch (cause) {
      case HEADERS -> "Block headers";
      case FILTERS -> "Filters sent to peers";
      case BLOCKS -> "Filtered blocks, apart from matches";
      case PROOFS -> "Proofs of matches";
      case MATCHES -> "Matched transactions";
      case FALSE_POSITIVES -> "False positives: transactions of others";
      case WHOLE_BLOCKS -> "Whole blocks (checks)";
      case UNCONFIRMED -> "Unconfirmed transactions (mempool)";
      case ADDRESSES -> "Addresses of peers (gossip)";
      case OTHER -> "Handshakes, pings and the rest";
    };
  }

  /** One row for each sync. */
  String table() {
    if (syncs.isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder();
    table.append("<div class=\"wide\"><table id=\"syncs\">\n<caption>The last syncs</caption>\n");
    table.append("<thead><tr><th class=\"text\">began (UTC)</th><th>took</th><th>headers</th>");
    table.append("<th>blocks</th><th>received</th><th>sent</th><th class=\"text\">mostly</th>");
    table.append("</tr></thead>\n<tbody>\n");
    for (PastSync sync : syncs) {
      table.append("<tr><td class=\"text\">");
      table.append(MINUTES.format(sync.began().atOffset(ZoneOffset.UTC))).append("</td><td>");
      table.append(String.format(Locale.ROOT, "%,.1f s", sync.elapsed().toMillis() / 1e3));
      table.append("</td><td>").append(CoverageChart.number(sync.headers())).append("</td><td>");
      table.append(CoverageChart.number(sync.blocks())).append("</td><td>");
      table.append(Amounts.bytes(sync.received())).append("</td><td>");
      table.append(Amounts.bytes(sync.sent())).append("</td><td class=\"text\">");
      table.append(Html.escaped(mostly(sync.traffic()))).append("</td></tr>\n");
    }
    return table.append("</tbody></table></div>\n").toString();
  }

  private static String mostly(BytesByCause traffic) {
    TrafficCause most = null;
    long bytes = 0;
    for (TrafficCause cause : traffic.parts().keySet()) {
      long here = traffic.of(cause).received() + traffic.of(cause).sent();
      if (here > bytes) {
        most = cause;
        bytes = here;
      }
    }
    return most == null ? "not recorded" : name(most);
  }
}
