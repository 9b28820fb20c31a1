package org.murmur.cli.privacy;

import java.util.List;
import java.util.Locale;
import org.murmur.cli.terminal.Columns.Column;
import org.murmur.cli.words.Amounts;
import org.murmur.lab.html.Html;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.PrivacyReport;

/**
 * The knowledge of each peer, as HTML: the numbers of {@code murmur privacy} with a bar per peer.
 */
public final class KnowledgePicture {

  private static final int MAX_PEERS = 24;

  private final PrivacyReport report;
  private final int addresses;

  public KnowledgePicture(PrivacyReport report) {
    this.report = report;
    int most = Math.max(1, report.usedScripts());
    for (Knowledge knowledge : report.peers()) {
      most = Math.max(most, Math.max(knowledge.named(), own(knowledge)));
    }
    this.addresses = most;
  }

  /** Draws it as HTML: paragraphs, bars and a table. */
  public String html() {
    StringBuilder out = new StringBuilder();
    for (String line : new PrivacyText(report).conclusion()) {
      out.append("<p>").append(Html.escaped(line)).append("</p>\n");
    }
    if (report.peers().isEmpty()) {
      return out.toString();
    }
    out.append("<ul class=\"legend\">");
    legend(out, "clear", "named to it without any filter");
    legend(out, "sure", "it can tell from its filters");
    legend(out, "guess", "hidden among foreign ones that match too");
    legend(out, "safe", "it learned nothing about");
    out.append("</ul>\n<ul class=\"bars\" id=\"knowledge\">\n");
    List<Knowledge> shown = report.peers().subList(0, Math.min(MAX_PEERS, report.peers().size()));
    shown.forEach(knowledge -> bar(out, knowledge));
    out.append("</ul>\n");
    int more = report.peers().size() - shown.size();
    if (more > 0) {
      out.append("<p>").append(Amounts.count(more, "further peer"));
      out.append(" with fewer: murmur privacy</p>\n");
    }
    table(out, shown);
    return out.toString();
  }

  private static void legend(StringBuilder out, String kind, String text) {
    out.append("<li><span class=\"key ").append(kind).append("\"></span>");
    out.append(Html.escaped(text)).append("</li>");
  }

  private static int own(Knowledge knowledge) {
    return knowledge.best().map(Matches::own).orElse(0);
  }

  private void bar(StringBuilder out, Knowledge knowledge) {
    int clear = knowledge.named();
    int sure = Math.max(0, knowledge.known().map(Matches::own).orElse(0) - clear);
    int guess = Math.max(0, own(knowledge) - clear - sure);
    int safe = Math.max(0, addresses - clear - sure - guess);
    String peer = knowledge.peers().get(0).toString();
    String words = words(knowledge, clear, sure, guess);
    out.append("<li><div class=\"what\"><b><bdi>").append(Html.escaped(peer)).append("</bdi></b> ");
    out.append("<span>").append(Html.escaped(words)).append("</span></div>");
    out.append("<svg class=\"bar\" role=\"img\" aria-label=\"");
    out.append(Html.escaped(peer + ": " + words)).append("\">");
    double at = part(out, "clear", "named without any filter", 0, clear);
    at = part(out, "sure", "told from filters", at, sure);
    at = part(out, "guess", "hidden among foreign ones", at, guess);
    part(out, "safe", "nothing learned", at, safe);
    out.append("</svg></li>\n");
  }

  private double part(StringBuilder out, String kind, String text, double at, int count) {
    double width = 100.0 * count / addresses;
    if (count > 0) {
      out.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%.2f%%\" width=\"%.2f%%\" height=\"100%%\"><title>%s of %d:"
                  + " %s</title></rect>",
              kind,
              at,
              width,
              count,
              addresses,
              text));
    }
    return at + width;
  }

  private String words(Knowledge knowledge, int clear, int sure, int guess) {
    StringBuilder text = new StringBuilder();
    if (clear + sure > 0) {
      text.append("knows ").append(clear + sure).append(" of ");
      text.append(addresses).append(addresses == 1 ? " used address" : " used addresses");
      if (clear > 0) {
        text.append(", ").append(clear).append(" named in the clear");
      }
    } else if (guess > 0) {
      Matches best = knowledge.best().orElseThrow();
      text.append("believes each of ").append(guess).append(" to be yours with probability ");
      text.append(Amounts.rate(best.allOwn(1)));
    } else {
      text.append("found none of your addresses");
    }
    return text.toString();
  }

  private static void table(StringBuilder out, List<Knowledge> shown) {
    out.append("<div class=\"wide\"><table>\n<caption>The numbers of murmur privacy</caption>\n");
    List<Column<Knowledge>> columns =
        PrivacyText.numbers("peer", knowledge -> knowledge.peers().get(0).toString());
    out.append("<thead><tr>");
    columns.forEach(column -> cell(out, "th", column, column.heading()));
    out.append("</tr></thead>\n<tbody>\n");
    for (Knowledge knowledge : shown) {
      out.append("<tr>");
      for (Column<Knowledge> column : columns) {
        String text = String.valueOf(column.value().apply(knowledge));
        cell(out, "td", column, text.isEmpty() ? "-" : text);
      }
      out.append("</tr>\n");
    }
    out.append(
        "</tbody></table></div>\n<p class=\"note\">foreign: scripts of others that pass the");
    out.append(" same tests by chance. P(j): the probability that j guesses among all that pass");
    out.append(" are yours (N: all yours).</p>\n");
  }

  private static void cell(StringBuilder out, String tag, Column<Knowledge> column, String text) {
    out.append('<').append(tag).append(column.format().contains("-") ? " class=\"text\">" : ">");
    out.append(Html.escaped(text)).append("</").append(tag).append('>');
  }
}
