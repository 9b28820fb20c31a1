package org.murmur.cli.picture;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.lab.Texts;
import org.murmur.lab.html.Html;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.KnownPeer;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.CoverageMap.Range;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;

/**
 * A wallet as one self-contained HTML page. It has no script, and its policy forbids every outside
 * resource.
 *
 * @param coverage heights against peers
 * @param syncs what syncs cost, the newest first
 * @param peers known peers, seen last first
 */
public record WalletPage(
    String name,
    String network,
    Instant made,
    Unit unit,
    AsOf<Balance> status,
    CoverageMap coverage,
    PrivacyReport privacy,
    List<PastSync> syncs,
    List<KnownPeer> peers) {

  static final String MARK = "<meta name=\"generator\" content=\"murmur status --html\">";

  private static final String POLICY =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
          + " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

  private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private static final List<Html.Column<KnownPeer>> PEERS =
      List.of(
          new Html.Column<>("address", "text", KnownPeer::address),
          new Html.Column<>("user agent", "text words", KnownPeer::userAgent),
          new Html.Column<>(
              "BIP37",
              "text",
              peer -> Services.has(peer.services(), Services.BLOOM) ? "yes" : "no"),
          new Html.Column<>("height", "", peer -> CoverageChart.number(peer.height())),
          new Html.Column<>(
              "latency",
              "",
              peer ->
                  peer.latency().map(time -> Text.of("%.1f ms", time.toNanos() / 1e6)).orElse("")),
          new Html.Column<>("seen (UTC)", "text", peer -> minutes(peer.lastSeen())),
          new Html.Column<>("filters", "", KnownPeer::filtersShown),
          new Html.Column<>("misbehaviour", "text words", peer -> peer.misbehaviour().orElse("")));

  private static final int MAX_GAPS = 5;
  private static final int MAX_PEERS = 50;

  // Colours of Okabe and Ito (2008), for readers with any colour vision.
  private static final String STYLE = Texts.file(WalletPage.class, "page.css");

  public WalletPage {
    syncs = List.copyOf(syncs);
    peers = List.copyOf(peers);
  }

  public static WalletPage of(SpvWallet wallet, String name, Unit unit) {
    ChainParams network = wallet.network();
    return new WalletPage(
        name,
        network.name(),
        Instant.now(),
        unit,
        wallet.asOf(SpvWallet::balance),
        wallet.privacy().coverage(),
        wallet.privacy().report(Universe.of(network)),
        wallet.privacy().pastSyncs(),
        wallet.privacy().peerBook().met());
  }

  /**
   * Returns the first line of the page as text: whether the wallet is complete, and what it owns.
   */
  public String verdict() {
    ChainState chain = status.chain();
    String money =
        "Balance"
            + (chain.complete() ? ": " : " as far as known: ")
            + unit.named(status.value().total())
            + ".";
    if (chain.complete()) {
      return Text.of(
          "Complete to block %s of %s UTC, seen by %s. %s",
          CoverageChart.number(chain.height()),
          minutes(chain.tipTime()),
          Amounts.count(chain.seenBy(), "peer"),
          money);
    }
    if (chain.isNeverSynced() || coverage.bands().isEmpty()) {
      return "Not synced yet: no block was searched for payments. " + money;
    }
    long missing = coverage.gaps().stream().mapToLong(Range::count).sum();
    return "Not complete: "
        + (missing == 0
            ? "peers were not asked for the newest blocks. "
            : Amounts.count(missing, "block").replaceFirst("\\d+", CoverageChart.number(missing))
                + (missing == 1 ? " was" : " were")
                + " not searched for payments ("
                + gaps()
                + "). ")
        + money;
  }

  private String gaps() {
    List<Range> gaps = coverage.gaps();
    String first =
        gaps.stream()
            .limit(MAX_GAPS)
            .map(
                gap ->
                    CoverageChart.number(gap.from())
                        + (gap.count() > 1 ? " to " + CoverageChart.number(gap.to()) : ""))
            .collect(Collectors.joining(", "));
    return first
        + (gaps.size() > MAX_GAPS ? " and " + (gaps.size() - MAX_GAPS) + " more gaps" : "");
  }

  /** The next command for the reader; empty for none. */
  private String advice() {
    ChainState chain = status.chain();
    if (!chain.complete()) {
      return "<p>To go on: <code>murmur sync</code>, or"
          + " <code>murmur sync --connect HOST</code> with a node of your own.</p>\n";
    }
    return chain.seenBy() == 1 && !isPrivate()
        ? "<p>One peer alone can hide payments. A second opinion:"
            + " <code>murmur sync --verify 2</code>.</p>\n"
        : "";
  }

  /** Whether the last filter was a guard's: no two guards can give the same answer. */
  private boolean isPrivate() {
    List<ShownFilter> filters = privacy.filters();
    return !filters.isEmpty() && filters.get(filters.size() - 1).role() != null;
  }

  public String html() {
    String metas = POLICY + "\n" + MARK + "\n<meta name=\"referrer\" content=\"no-referrer\">\n";
    Html out = Html.page("Murmur: wallet " + name + " on " + network, STYLE, metas);
    out.add("<main>\n<h1>Wallet <bdi>%s</bdi> on %s</h1>\n", name, network);
    verdict(out);
    coverage(out);
    TrafficPicture traffic = new TrafficPicture(syncs);
    out.add("<section>\n<h2>What each peer knows of this wallet</h2>\n");
    out.add(new KnowledgePicture(privacy).html());
    out.add("</section>\n<section>\n<h2>Bytes by cause</h2>\n").add(traffic.causes());
    out.add("</section>\n<section>\n<h2>Syncs and peers</h2>\n").add(traffic.table());
    peers(out);
    out.add(
        "</section>\n</main>\n<footer class=\"note\">Made %s UTC by murmur status --html, from the"
            + " wallet's file alone. This page is as private as the wallet: it shows what it owns"
            + " and to whom it spoke.</footer>\n",
        minutes(made));
    return out.end();
  }

  private void verdict(Html out) {
    String text = verdict();
    int colon = status.chain().complete() ? "Complete".length() : text.indexOf(':');
    out.add(
        "<p id=\"verdict\" class=\"verdict%s\"><b>%s</b>%s</p>\n",
        status.chain().complete() ? "" : " open", text.substring(0, colon), text.substring(colon));
    out.add(advice());
  }

  private void coverage(Html out) {
    out.add("<section>\n<h2>Which blocks were searched, and by which peers</h2>\n");
    if (coverage.isEmpty()) {
      out.add("<p>No block yet: the wallet has no header from its birthday on.</p>\n");
    } else {
      out.legend(
          "gap", "not covered",
          "once", "covered by one peer",
          "more", "covered by several; of a peer: served by it",
          "part",
              "of a peer: served when its filter had only a part of what the wallet watches now");
      out.add(new CoverageChart(coverage).svg());
      if (coverage.morePeers() > 0) {
        out.add(
            "<p class=\"note\">%s served fewer blocks, and count in the first band.</p>\n",
            Amounts.count(coverage.morePeers(), "more peer"));
      }
    }
    out.add("</section>\n");
  }

  private void peers(Html out) {
    if (peers.isEmpty()) {
      return;
    }
    List<KnownPeer> shown = peers.subList(0, Math.min(MAX_PEERS, peers.size()));
    out.table("peers", "Peers, seen last first", PEERS, shown);
    if (peers.size() > MAX_PEERS) {
      out.add("<p class=\"note\">%d more: murmur peers</p>\n", peers.size() - MAX_PEERS);
    }
  }

  static String minutes(Instant time) {
    return MINUTES.format(time.truncatedTo(ChronoUnit.MINUTES).atOffset(ZoneOffset.UTC));
  }
}
