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

  /** Marks a page of this kind. */
  static final String MARK = "<meta name=\"generator\" content=\"murmur status --html\">";

  private static final String POLICY =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
          + " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

  private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private static final List<Markup.Column<KnownPeer>> PEERS =
      List.of(
          new Markup.Column<>("address", "text", KnownPeer::address),
          new Markup.Column<>("user agent", "text words", KnownPeer::userAgent),
          new Markup.Column<>(
              "BIP37",
              "text",
              peer -> Services.has(peer.services(), Services.BLOOM) ? "yes" : "no"),
          new Markup.Column<>("height", "", peer -> CoverageChart.number(peer.height())),
          new Markup.Column<>(
              "latency",
              "",
              peer ->
                  peer.latency().map(time -> Text.of("%.1f ms", time.toNanos() / 1e6)).orElse("")),
          new Markup.Column<>("seen (UTC)", "text", peer -> minutes(peer.lastSeen())),
          new Markup.Column<>("filters", "", KnownPeer::filtersShown),
          new Markup.Column<>(
              "misbehaviour", "text words", peer -> peer.misbehaviour().orElse("")));

  private static final int MAX_GAPS = 5;
  private static final int MAX_PEERS = 50;

  // Colours of Okabe and Ito (2008), for readers with any colour vision.
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --bg: #fff; --fg: #1c1e21; --muted: #5a5f66;
        --line: #d9dce0; --none: #eceef1; --whole: #0072b2; --once: #56a3d0; --part: #9ccbe8;
        --gap: #d55e00; --stripe: #f5b183; --sent: #cc79a7; --safe: #dfe3e7; --guess: #e8b93c;
        --good: #00694a; --bad: #a83c00; }
      @media (prefers-color-scheme: dark) { :root { --bg: #15181c; --fg: #e6e8eb;
        --muted: #a2a9b1; --line: #353b42; --none: #24292f; --whole: #56b4e9; --once: #3a7fae;
        --part: #2c5877; --gap: #ff7a1a; --stripe: #8a3b00; --sent: #e09cc2; --safe: #333a41;
        --guess: #d9a520; --good: #2fc392; --bad: #ff9a5c; } }
      * { box-sizing: border-box; }
      body { font: 16px/1.5 system-ui, sans-serif; background: var(--bg); color: var(--fg);
        max-width: 66em; margin: 0 auto; padding: 1em; overflow-wrap: anywhere; }
      h1, h2 { line-height: 1.25; }
      h1 { font-size: 1.5em; margin: .3em 0; }
      h2 { font-size: 1.2em; margin: 2em 0 .6em; border-bottom: 1px solid var(--line);
        padding-bottom: .2em; }
      .verdict { font-size: 1.15em; border-left: 6px solid var(--good); padding: .4em .8em;
        margin: .8em 0; background: var(--none); border-radius: 0 4px 4px 0; }
      .verdict.open { border-color: var(--bad); }
      .verdict b { color: var(--good); } .verdict.open b { color: var(--bad); }
      .muted, .note, caption { color: var(--muted); }
      .note { font-size: .85em; }
      code { font: .92em ui-monospace, monospace; background: var(--none); padding: 0 .3em;
        border-radius: 3px; white-space: nowrap; }
      svg { display: block; overflow: visible; }
      svg text { font: 13px system-ui, sans-serif; fill: var(--fg); }
      svg text.muted { fill: var(--muted); }
      .none { fill: var(--none); } .whole { fill: var(--whole); } .part { fill: var(--part); }
      .once { fill: var(--once); } .more { fill: var(--whole); } .stripe { fill: var(--stripe); }
      rect.gap { fill: var(--gap); stroke: var(--gap); stroke-width: 2; }
      rect.hatched { fill: url(#hatch); } .ground { fill: var(--gap); }
      .clear { fill: var(--gap); } .sure { fill: var(--whole); } .guess { fill: var(--guess); }
      .safe { fill: var(--safe); } .sent { fill: var(--sent); }
      .axis { stroke: var(--muted); stroke-width: 1; }
      .key { display: inline-block; width: 1em; height: .8em; margin-right: .4em; }
      .key.whole, .key.sure, .key.more { background: var(--whole); }
      .key.part { background: var(--part); } .key.once { background: var(--once); }
      .key.clear { background: var(--gap); } .key.guess { background: var(--guess); }
      .key.safe { background: var(--safe); } .key.sent { background: var(--sent); }
      .key.gap { background: repeating-linear-gradient(45deg, var(--gap) 0 4px,
        var(--stripe) 4px 6px); }
      ul.legend { list-style: none; padding: 0; margin: .4em 0 1em; display: flex;
        flex-wrap: wrap; gap: .2em 1.4em; font-size: .85em; color: var(--muted); }
      ul.bars { list-style: none; padding: 0; margin: 0; }
      ul.bars li { margin: .6em 0; }
      .what { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1em;
        font-size: .9em; }
      .what span { color: var(--muted); }
      .bar { width: 100%; height: 14px; background: var(--none); }
      .wide { overflow-x: auto; margin: 1em 0; }
      table { border-collapse: collapse; font-size: .85em; overflow-wrap: normal; }
      caption { text-align: left; padding: .3em 0; font-weight: bold; white-space: nowrap; }
      th, td { padding: .2em .7em; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; }
      th.text, td.text { text-align: left; }
      td.words { white-space: normal; min-width: 9em; }
      th:first-child, td:first-child { padding-left: 0; }
      footer { margin-top: 3em; border-top: 1px solid var(--line); padding-top: .5em; }
      @media (max-width: 600px) { .minor { display: none; } body { padding: .7em; } }
      @media print { :root { color-scheme: light; } body { max-width: none; font-size: 12px; }
        svg, .key, .verdict { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        section, ul.bars li { break-inside: avoid; } .wide { overflow: visible; } }
      """;

  public WalletPage {
    syncs = List.copyOf(syncs);
    peers = List.copyOf(peers);
  }

  /** Reads all that the page shows. */
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
    Markup out = new Markup();
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
    String metas = POLICY + "\n" + MARK + "\n<meta name=\"referrer\" content=\"no-referrer\">\n";
    return Html.begin("Murmur: wallet " + name + " on " + network, STYLE, metas) + out + Html.end();
  }

  private void verdict(Markup out) {
    String text = verdict();
    int colon = status.chain().complete() ? "Complete".length() : text.indexOf(':');
    out.add(
        "<p id=\"verdict\" class=\"verdict%s\"><b>%s</b>%s</p>\n",
        status.chain().complete() ? "" : " open", text.substring(0, colon), text.substring(colon));
    out.add(advice());
  }

  private void coverage(Markup out) {
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

  private void peers(Markup out) {
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
