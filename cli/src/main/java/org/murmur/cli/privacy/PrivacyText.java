package org.murmur.cli.privacy;

import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.terminal.Columns.Column;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.Text;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.privacy.Audience;
import org.murmur.wallet.privacy.Cluster;
import org.murmur.wallet.privacy.Growth;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.Link;
import org.murmur.wallet.privacy.Matches;
import org.murmur.wallet.privacy.NextFilter;
import org.murmur.wallet.privacy.NextSync;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;

/** The knowledge of peers as text: first the conclusion, then the numbers. */
public record PrivacyText(PrivacyReport report) {

  private static final int MAX_FILTERS = 8;
  private static final int MAX_COALITIONS = 6;
  private static final int MAX_TOLD = 5;

  private static final String LOCAL =
      "It is on this machine or in a private network: if it is your own node, no harm is done.";

  private static final String COUNTED =
      "This counts filters. It also counts transactions that were sent to a peer, announced to it,"
          + " or requested from it by txid. A peer also sees your IP address, and when you sync."
          + " The request of a whole block reveals a height and no address; those of --verify K and"
          + " --spot-check are not counted.";

  /** A verdict, and what else a person should know: a few lines without probabilities. */
  List<String> summary() {
    if (report.worst().isEmpty()) {
      return conclusion();
    }
    Knowledge worst = report.worst().get();
    List<String> lines = of(worst, shortVerdict(worst));
    lines.addAll(served());
    lines.addAll(links());
    return lines;
  }

  /** The peer that knows most: a verdict, and how much worse it can become. */
  private List<String> of(Knowledge worst, String verdict) {
    List<String> lines = new ArrayList<>(List.of(verdict));
    lines.addAll(next(worst));
    if (worst.peers().get(0).isLocal()) {
      lines.add(LOCAL);
    }
    if (!report.coalitions().isEmpty()) {
      lines.add(together(report.coalitions().get(0), worst));
    }
    return lines;
  }

  private static String shortVerdict(Knowledge knowledge) {
    String who = names(knowledge.peers());
    if (knowledge.best().isEmpty()) {
      return verdict(knowledge);
    }
    Matches best = knowledge.best().get();
    if (best.own() == 0) {
      return who + " cannot find anything yet: no address of this wallet is on the chain.";
    }
    if (knowledge.known().isPresent()) {
      return Text.of("%s knows %s of this wallet.", who, addresses("used ", best.own()));
    }
    return best.allOwn(1) > 0.5
        ? who + " can probably tell which addresses are yours."
        : Text.of(
            "%s cannot tell which addresses are yours: about %s foreign ones look the same to it.",
            who, number(best.strangers()));
  }

  /** The knowledge of such a peer about payments to come. */
  private List<String> next(Knowledge knowledge) {
    int unused = report.unusedScripts(knowledge);
    return unused <= 0 || !knowledge.known().isPresent()
        ? List.of()
        : List.of(
            Text.of(
                "Its filter also holds %s: it will know the next payments, too.",
                addresses("unused ", unused)));
  }

  /** Conclusions in plain words, one or two sentences per line. */
  public List<String> conclusion() {
    if (report.worst().isEmpty()) {
      List<String> lines = new ArrayList<>();
      lines.add(
          report.served().isEmpty()
              ? "No peer has received a filter or a transaction yet: none has learned anything."
              : "No peer has received a filter or a transaction: none knows an address.");
      lines.addAll(served());
      lines.addAll(links());
      return lines;
    }
    Knowledge worst = report.worst().get();
    List<String> lines = of(worst, verdict(worst));
    Knowledge all = report.coalitions().isEmpty() ? worst : report.coalitions().get(0);
    lines.addAll(told());
    lines.addAll(served());
    lines.addAll(links());
    all.cluster().ifPresent(cluster -> lines.add(warning(cluster)));
    lines.add(exposure(report.audience()));
    return lines;
  }

  /** The links that everybody can read in the chain. */
  private List<String> links() {
    List<Integer> groups = report.linkedGroups();
    if (groups.isEmpty()) {
      return List.of();
    }
    int all = groups.stream().mapToInt(Integer::intValue).sum();
    String one = "they are one group.";
    String several = Text.of("%s groups, the largest of %s.", groups.size(), groups.get(0));
    return List.of(
        Text.of("Payments of this wallet link %s of its addresses, for everybody: ", all)
            + (groups.size() == 1 ? one : several));
  }

  /** The peers that served whole blocks, which block filters led to. */
  private List<String> served() {
    List<String> lines =
        report.served().stream()
            .map(
                served ->
                    Text.of(
                        "%s served %s: %s with payments of this wallet, %s without. It learned"
                            + " the heights%s.",
                        served.peer(),
                        Amounts.count(served.blocks(), "whole block"),
                        served.own(),
                        served.blocks() - served.own(),
                        knowsMore(served.peer())
                            ? ""
                            : ", not which of the two a block is, and no address"))
            .toList();
    return Amounts.first(
        lines, MAX_TOLD, more -> Amounts.count(more, "more peer") + " served whole blocks.");
  }

  /** Whether a peer also got a filter, or an address: the node of {@code --pool}, say. */
  private boolean knowsMore(NodeAddress peer) {
    return report.peers().stream().anyMatch(knowledge -> knowledge.peers().contains(peer));
  }

  /** The peers that learned addresses without any filter. */
  private List<String> told() {
    List<String> lines =
        report.peers().stream().filter(peer -> peer.named() > 0).map(PrivacyText::told).toList();
    return Amounts.first(
        lines, MAX_TOLD, more -> "The same holds for " + Amounts.count(more, "more peer") + ".");
  }

  private static String told(Knowledge knowledge) {
    int byFilter = knowledge.named() - knowledge.byTransactions();
    List<String> ways = new ArrayList<>();
    if (byFilter > 0) {
      ways.add(byFilter + " by filteradd");
    }
    if (knowledge.byTransactions() > 0) {
      ways.add(knowledge.byTransactions() + " by transactions sent to it or requested from it");
    }
    return Text.of(
        "%s knows %s without any filter: %s.",
        names(knowledge.peers()), addresses("", knowledge.named()), String.join(", ", ways));
  }

  private static String verdict(Knowledge knowledge) {
    String who = names(knowledge.peers());
    if (knowledge.best().isEmpty()) {
      return who
          + (knowledge.filters() > 0
              ? " received filters that contain nothing of the wallet."
              : " knows transactions that contain no address of the wallet.");
    }
    Matches best = knowledge.best().get();
    String test = test(best);
    if (best.own() == 0) {
      return Text.of(
          "%s cannot find anything yet: none of this wallet's scripts is on the chain. %s foreign"
              + " scripts pass %s; your payments will hide among them.",
          who, number(best.strangers()), test);
    }
    if (knowledge.known().isPresent()) {
      return who + " knows this wallet: it knows " + known(knowledge, best);
    }
    String can =
        best.allOwn(1) > 0.5 ? "can guess well" : "cannot identify the wallet by filters alone";
    String all = number(best.own() + best.strangers()) + " " + things(best);
    return Text.of(
        "%s %s: of the %s that pass %s, %s are yours. One guess is right with probability %s, %s"
            + " all of them with %s.",
        who,
        can,
        all,
        test,
        best.own(),
        Amounts.rate(best.allOwn(1)),
        best.own(),
        Amounts.rate(best.allOwn(best.own())));
  }

  private static String known(Knowledge knowledge, Matches best) {
    int named = knowledge.named();
    return addresses("used ", best.own())
        + (named > 0 ? ", " + named + " of them without any filter" : "")
        + "."
        + (best.own() > named
            ? Text.of(
                " %s the same tests as about %s foreign addresses. So whatever passes is yours.",
                best.own() - named == 1
                    ? named > 0 ? "The other one passes" : "It passes"
                    : named > 0 ? "The others pass" : "They pass",
                number(best.strangers()))
            : "");
  }

  private static String things(Matches matches) {
    return switch (matches.test()) {
      case SCRIPTS -> "addresses";
      case COINS -> "coins (one per script assumed)";
      case PAIRS -> "addresses with their coins";
    };
  }

  private static String test(Matches matches) {
    return matches.filters() == 1
        ? "the test with one filter"
        : "the test with " + matches.filters() + " filters";
  }

  private static String together(Knowledge all, Knowledge worst) {
    int more = all.known().map(Matches::own).orElse(0);
    int less = worst.known().map(Matches::own).orElse(0);
    String combined = "If all " + all.peers().size() + " peers combine what they know, ";
    if (more > 0 && more > less && less > 0) {
      return combined + Text.of("%s addresses are known instead of %s.", more, less);
    }
    double alone = strangers(worst);
    double joined = strangers(all);
    if (joined >= alone || alone < 1) {
      return "All " + all.peers().size() + " peers together know no more than this one.";
    }
    String pairs =
        all.pairs().isPresent() && worst.pairs().isEmpty()
            ? " (together they test addresses with their coins)"
            : "";
    return combined
        + Text.of("%s foreign scripts are left instead of %s", number(joined), number(alone))
        + pairs
        + (joined < 1 && alone >= 1 ? ": then they know this wallet." : ".");
  }

  private static double strangers(Knowledge knowledge) {
    return knowledge.best().map(Matches::strangers).orElse(Double.POSITIVE_INFINITY);
  }

  private static String warning(Cluster cluster) {
    String linked =
        Text.of(
            "%s of your addresses are linked on the chain: they were spent together, or got the"
                + " change. We assume %s foreign groups of that size. %s of them pass the same"
                + " tests by chance. ",
            cluster.addresses(),
            number(cluster.groups()),
            cluster.strangers() < 1e-100 ? "None" : "About " + number(cluster.strangers()));
    return cluster.strangers() < 1
        ? linked
            + Text.of(
                "So an observer who groups addresses knows that this group is yours. A"
                    + " false-positive rate of %s would hide it among a hundred groups.",
                Amounts.rate(cluster.rateToHide()))
        : linked + "So the group is hidden as well.";
  }

  private static String exposure(Audience audience) {
    if (audience.peers() == 0) {
      return "No peer on the internet has received a filter.";
    }
    return (audience.peers() == 1
            ? "One peer on the internet has received a filter"
            : audience.peers() + " peers on the internet have received filters")
        + Text.of(
            ": the probability that one of them collects filters is %s (assuming that %s of all"
                + " peers do: the share of DNS seed answers with a known crawler in 2014/15).",
            Amounts.rate(audience.chance()), Amounts.rate(audience.collectors()));
  }

  /** Prints the summary, and says what tells more. */
  void showSummary(boolean terminal, PrintStream out) {
    print(summary(), terminal, out);
    if (!report.peers().isEmpty()) {
      out.println("With -v: probabilities, the filters of each peer, and the next sync.");
    }
  }

  /** Prints sentences. A terminal would break them inside of words. */
  private static void print(List<String> sentences, boolean terminal, PrintStream out) {
    for (String text : sentences) {
      String words = text.stripLeading();
      String indent = text.substring(0, text.length() - words.length());
      (terminal ? Columns.wrapped(words, indent) : List.of(text)).forEach(out::println);
    }
  }

  void show(boolean terminal, PrintStream out) {
    print(conclusion(), terminal, out);
    if (report.peers().isEmpty()) {
      return;
    }
    out.println();
    table(out);
    for (Knowledge knowledge : report.peers()) {
      print(details(knowledge), terminal, out);
    }
    out.println();
    if (!report.filters().isEmpty()) {
      filters(out);
      out.println();
    }
    print(next(report.next()), terminal, out);
    out.println();
    String tested = "An observer can test %s scripts (%s). --universe sets another number.";
    Universe universe = report.universe();
    print(List.of(Text.of(tested, number(universe.scripts()), universe.source())), terminal, out);
    Columns.wrapped(COUNTED, "").forEach(out::println);
  }

  /** Says in a few words how much the filters of the next sync would reveal. */
  public static String inBrief(NextSync next) {
    double left = next.after().stream().mapToDouble(PrivacyText::strangers).min().orElse(0);
    int scripts = next.filters().stream().mapToInt(NextFilter::scripts).sum();
    return next.filters().isEmpty()
        ? "nothing new"
        : Text.of(
            "filters of %s; about %s foreign ones pass",
            Amounts.count(scripts, "script"), number(left));
  }

  /** Describes what the next sync would reveal. */
  public static List<String> next(NextSync next) {
    List<String> lines = new ArrayList<>();
    for (NextFilter filter : next.filters()) {
      lines.add(
          "The next sync would send "
              + names(filter.to(), " and ")
              + (filter.shownBefore()
                  ? " the same filter as before: "
                  : filter.to().size() > 1 ? " a new filter each: " : " a new filter: ")
              + (filter.role() == null ? "" : filter.role().title() + ", ")
              + Text.of(
                  "%s and %s in %s bytes, rate %s",
                  Amounts.count(filter.scripts(), "script"),
                  Amounts.count(filter.outPoints(), "outpoint"),
                  filter.parameters().bytes(),
                  Amounts.rate(filter.rate()))
              + (filter.role() == null && !filter.shownBefore()
                  ? ", and its new coins by filteradd."
                  : "."));
    }
    for (Knowledge knowledge : next.after()) {
      double left = strangers(knowledge);
      lines.add(
          "  Then "
              + names(knowledge.peers())
              + " has "
              + (Double.isInfinite(left)
                  ? "only padding, nothing of the wallet."
                  : (knowledge.different() == 1
                          ? "1 filter"
                          : knowledge.different() + " different filters")
                      + ". Besides the wallet's scripts "
                      + number(left)
                      + " foreign ones pass."));
    }
    return lines;
  }

  /** One line for each peer and each coalition. */
  private void table(PrintStream out) {
    List<Column<Knowledge>> numbers = numbers("who", this::name);
    out.println(Columns.heading(numbers));
    int shown = Math.min(MAX_COALITIONS, report.coalitions().size());
    Stream.concat(report.peers().stream(), report.coalitions().stream().limit(shown))
        .forEach(knowledge -> out.println(Columns.row(numbers, knowledge)));
    int more = report.coalitions().size() - shown + report.pairsLeftOut();
    if (more > 0) {
      out.println("and " + more + " more pairs (--json has " + report.coalitions().size() + ")");
    }
    out.println(
        "in clear: addresses revealed without any filter. P(j): the probability that j guesses"
            + " among all that pass are yours (N: all yours).");
  }

  private String name(Knowledge knowledge) {
    if (knowledge.peers().size() == 1) {
      return knowledge.peers().get(0).toString();
    }
    return knowledge.peers().size() == report.peers().size()
        ? "all " + report.peers().size() + " together"
        : names(knowledge.peers());
  }

  /** The numbers about each peer and each coalition; some are empty for one that knows nothing. */
  public static List<Column<Knowledge>> numbers(String who, Function<Knowledge, String> name) {
    return List.of(
        new Column<>(who, "%-28s", name),
        new Column<>("filters", " %7s", Knowledge::filters),
        new Column<>("different", " %9s", Knowledge::different),
        new Column<>("in clear", " %8s", Knowledge::named),
        new Column<>("tests", "  %-8s", ifAny(best -> Text.lower(best.test()))),
        new Column<>("yours", " %6s", ifAny(best -> String.valueOf(best.own()))),
        new Column<>("foreign", " %12s", ifAny(best -> number(best.strangers()))),
        new Column<>("P(1)", " %9s", ifAny(best -> probability(best, 1))),
        new Column<>("P(N/2)", " %9s", ifAny(best -> probability(best, best.half()))),
        new Column<>("P(N)", " %9s", ifAny(best -> probability(best, best.own()))));
  }

  private static Function<Knowledge, String> ifAny(Function<Matches, String> cell) {
    return knowledge -> knowledge.best().map(cell).orElse("");
  }

  private static String probability(Matches best, int guesses) {
    return best.own() > 0 ? Amounts.rate(best.allOwn(guesses)) : "-";
  }

  /** Facts about a peer that the table does not show. */
  private static List<String> details(Knowledge knowledge) {
    List<String> lines = new ArrayList<>();
    String who = "  " + names(knowledge.peers()) + " ";
    if (knowledge.growth().isPresent()) {
      Growth growth = knowledge.growth().get();
      lines.add(
          who
              + "can see what was added later: "
              + addresses("", growth.scripts())
              + " and "
              + Amounts.count(growth.outPoints(), "coin")
              + (growth.scripts() > 0
                  ? ". About " + number(growth.strangers()) + " foreign addresses look the same."
                  : "."));
    }
    if (knowledge.link().isPresent()) {
      Link link = knowledge.link().get();
      lines.add(
          who
              + (link.linked()
                  ? "can see that its filters belong to one wallet"
                  : "cannot see from the filters alone that they belong to one wallet")
              + (link.sameTweak()
                  ? " (the same tweak)."
                  : ": they overlap by "
                      + number(link.score())
                      + " standard deviations more than strangers' would."));
    }
    return lines;
  }

  void filters(PrintStream out) {
    List<Column<ShownFilter>> listing =
        List.of(
            new Column<>(
                "filter sent at", "%-20s", filter -> filter.time().truncatedTo(ChronoUnit.SECONDS)),
            new Column<>("times", " %5s", ShownFilter::times),
            new Column<>("to", "  %-22s", ShownFilter::peer),
            new Column<>("bytes", " %6s", filter -> filter.parameters().bytes()),
            new Column<>("k", " %3s", filter -> filter.parameters().hashFunctions()),
            new Column<>("flag", " %-5s", filter -> Text.lower(filter.parameters().flag())),
            new Column<>("holds", " %-17s", PrivacyText::contents),
            new Column<>("elements", " %8s", PrivacyText::elements),
            new Column<>("filled", " %6s", filter -> Text.of("%.0f%%", 100 * filter.fill())),
            new Column<>("rate", " %10s", filter -> Amounts.rate(filter.rate())),
            new Column<>("foreign", " %12s", filter -> number(filter.decoys(report.universe()))),
            new Column<>("peer counts", " %13s", PrivacyText::estimate));
    out.println(Columns.heading(listing));
    List<ShownFilter> all = report.filters();
    int first = Math.max(0, all.size() - MAX_FILTERS);
    if (first > 0) {
      out.println("(" + first + " older ones: --json)");
    }
    all.subList(first, all.size()).forEach(filter -> out.println(Columns.row(listing, filter)));
    out.println(
        "rate: the actual false-positive rate, from the bits that are set. peer counts: the"
            + " number of elements, as estimated from the bits. times: how often it was sent; the"
            + " date is that of the last time.");
  }

  private static String contents(ShownFilter filter) {
    return filter.role() == null
        ? "everything"
        : filter.role().title()
            + (filter.epoch().isPresent() ? " epoch " + filter.epoch().getAsInt() : "");
  }

  private static String elements(ShownFilter filter) {
    int added = filter.inTheClear();
    return (filter.scripts() + filter.outPoints()) + (added > 0 ? "+" + added : "");
  }

  private static String estimate(ShownFilter filter) {
    return Text.of("%.0f +- %.0f", filter.estimatedElements(), 2 * filter.estimateDeviation());
  }

  private static String addresses(String kind, int number) {
    return number + " " + kind + (number == 1 ? "address" : "addresses");
  }

  private static String names(List<NodeAddress> peers) {
    return names(peers, " + ");
  }

  private static String names(List<NodeAddress> peers, String between) {
    return String.join(between, peers.stream().map(NextSync::name).toList());
  }

  /** Formats a count that may be a fraction or a very large number. */
  public static String number(double value) {
    if (value >= 1e6) {
      return value < 1e9
          ? Text.of("%.3g million", value / 1e6)
          : value < 1e13 ? Text.of("%.3g billion", value / 1e9) : Text.of("%.1e", value);
    }
    if (value >= 10) {
      return Text.of("%,.0f", value);
    }
    if (value >= 0.001) {
      return Text.of("%.2g", value);
    }
    return value < 1e-100 ? "0" : Text.of("%.1e", value);
  }
}
