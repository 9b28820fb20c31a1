package org.murmur.cli.picture;

import java.util.List;
import org.murmur.cli.privacy.PrivacyText;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.lab.html.Html;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.PrivacyReport;

/**
 * The knowledge of each peer, as HTML: the numbers of {@code murmur privacy} with a bar per peer.
 */
final class KnowledgePicture {

  private static final int MAX_PEERS = 24;

  private final PrivacyReport report;
  private final int addresses;

  KnowledgePicture(PrivacyReport report) {
    this.report = report;
    int most = Math.max(1, report.usedScripts());
    for (Knowledge knowledge : report.peers()) {
      most = Math.max(most, Math.max(knowledge.named(), own(knowledge)));
    }
    this.addresses = most;
  }

  /** Draws paragraphs, bars and a table. */
  Html html() {
    Html out = new Html();
    new PrivacyText(report).conclusion().forEach(line -> out.add("<p>%s</p>\n", line));
    if (report.peers().isEmpty()) {
      return out;
    }
    out.legend(
        "clear", "named to it without any filter",
        "sure", "it can tell from its filters",
        "guess", "hidden among foreign ones that match too",
        "safe", "it learned nothing about");
    out.add("<ul class=\"bars\" id=\"knowledge\">\n");
    List<Knowledge> shown = report.peers().subList(0, Math.min(MAX_PEERS, report.peers().size()));
    shown.forEach(knowledge -> bar(out, knowledge));
    out.add("</ul>\n");
    int more = report.peers().size() - shown.size();
    if (more > 0) {
      out.add("<p>%s with fewer: murmur privacy</p>\n", Amounts.count(more, "further peer"));
    }
    out.table(
        "numbers",
        "The numbers of murmur privacy",
        PrivacyText.numbers("peer", KnowledgePicture::name).stream()
            .map(
                column ->
                    new Html.Column<Knowledge>(
                        column.heading(),
                        column.format().contains("-") ? "text" : "",
                        column.value()))
            .toList(),
        shown);
    return out.add(
        "<p class=\"note\">foreign: scripts of others that pass the same tests by chance. P(j): the"
            + " probability that j guesses among all that pass are yours (N: all yours).</p>\n");
  }

  private static String name(Knowledge knowledge) {
    return knowledge.peers().get(0).toString();
  }

  private static int own(Knowledge knowledge) {
    return knowledge.best().map(Matches::own).orElse(0);
  }

  private void bar(Html out, Knowledge knowledge) {
    int clear = knowledge.named();
    int sure = Math.max(0, knowledge.known().map(Matches::own).orElse(0) - clear);
    int guess = Math.max(0, own(knowledge) - clear - sure);
    int safe = Math.max(0, addresses - clear - sure - guess);
    out.bar(
        name(knowledge),
        words(knowledge, clear, sure, guess),
        List.of(
            part("clear", "named without any filter", clear),
            part("sure", "told from filters", sure),
            part("guess", "hidden among foreign ones", guess),
            part("safe", "nothing learned", safe)));
  }

  private Html.Part part(String kind, String text, int count) {
    return new Html.Part(
        kind, 100.0 * count / addresses, Text.of("%d of %d: %s", count, addresses, text));
  }

  private String words(Knowledge knowledge, int clear, int sure, int guess) {
    if (clear + sure > 0) {
      String all = addresses + (addresses == 1 ? " used address" : " used addresses");
      return Text.of("knows %d of %s", clear + sure, all)
          + (clear > 0 ? ", " + clear + " named in the clear" : "");
    }
    return guess == 0
        ? "found none of your addresses"
        : Text.of(
            "believes each of %d to be yours with probability %s",
            guess, Amounts.rate(knowledge.best().orElseThrow().allOwn(1)));
  }
}
