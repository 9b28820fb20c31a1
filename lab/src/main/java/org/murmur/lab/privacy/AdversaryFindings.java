package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.privacy.adversaries.Adversary;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.stats.Binomial;

/** Draws conclusions from the trials of adversaries. */
final class AdversaryFindings {

  private static final Texts TEXTS = PrivacyStudy.TEXTS;

  private static final String PRIVATE = "murmur-private";
  private static final String CONTROL = "bitcoinj";

  /** With fewer false positives than this, the filter exposes the wallet. */
  private static final double NONE_LEFT = 0.5;

  /** A mean count below this is not shown exactly. */
  private static final double LITTLE = 0.001;

  /** The least number of epochs that a wallet must open before we conclude on growth. */
  private static final int MIN_EPOCHS = 3;

  /**
   * The confidence of each verdict on chance: of each of three private clients two, one on links,
   * one on decoys. All of them together hold in 99 of 100 runs.
   */
  static final double VERDICT = Binomial.each(0.99, 8);

  private static final Set<String> NO_ADVERSARIES =
      Set.of(AdversaryTrials.OVERLAP, AdversaryTrials.SAME_BYTES, AdversaryTrials.LINKED);

  private final Map<Tally.Case, Tally> tallies = new LinkedHashMap<>();
  private final List<String> clients;
  private final List<Integer> wallets;
  private final int reference;
  private final int universe;
  private final Map<String, Tally> overlaps = new LinkedHashMap<>();
  private final LinkFindings links;
  private final WaysFindings ways;

  AdversaryFindings(Table observed, ChainPlan plan) {
    links = new LinkFindings(observed);
    for (Table.Row row : observed.rows()) {
      String who = row.text("adversary");
      if (who.equals(AdversaryTrials.OVERLAP)) {
        overlaps
            .computeIfAbsent(
                row.text("client"), any -> new Tally(Tally.Case.of(row), new ArrayList<>()))
            .rows()
            .add(row);
      }
      if (NO_ADVERSARIES.contains(who)) {
        continue;
      }
      tallies
          .computeIfAbsent(Tally.Case.of(row), of -> new Tally(of, new ArrayList<>()))
          .rows()
          .add(row);
    }
    clients = tallies.keySet().stream().map(Tally.Case::client).distinct().toList();
    wallets = plan.wallets().stream().distinct().toList();
    universe = plan.universe();
    reference = wallets.contains(50) ? 50 : wallets.get(wallets.size() / 2);
    ways = new WaysFindings(tallies, reference, plan.blocks());
  }

  Section section() {
    return new Section(
        "What a wallet's peers can find out",
        explanation(),
        tables(),
        tallies.isEmpty() ? List.of() : List.of(plot(), ways.plot()),
        verdicts(),
        findings());
  }

  private List<String> findings() {
    Tally ours = tally(PRIVATE, reference, Adversary.A2_LIFE);
    Tally theirs = tally(CONTROL, reference, Adversary.A2);
    if (ours == null || theirs == null) {
      return List.of();
    }
    return List.of(
        TEXTS.line(
            "adversaries.findings",
            theirs.strangers() == 0 ? "no" : count(theirs.strangers()),
            reference,
            count(ours.strangers()),
            universe - reference));
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    if (!tallies.isEmpty()) {
      tables.add(ways.table());
      tables.add(overview());
      tables.add(full());
    }
    if (!links.isEmpty()) {
      tables.add(links.table());
    }
    return tables;
  }

  private @Nullable Tally tally(String client, int wallet, Adversary adversary) {
    return tallies.get(new Tally.Case(client, wallet, adversary.id()));
  }

  private List<String> explanation() {
    List<String> text = new ArrayList<>(TEXTS.of("adversaries.begin"));
    holds(text);
    pairWarning(text);
    restoreWarning(text);
    growthWarning(text);
    clusterWarning(text);
    text.addAll(TEXTS.of("adversaries.end"));
    text.add(TEXTS.line("links.explanation"));
    text.add(TEXTS.line("adversaries.clients"));
    text.addAll(TEXTS.of("ways.explanation"));
    return text;
  }

  /** Compares the private preset with the control client, which adversaries must break. */
  private void holds(List<String> text) {
    Tally one = tally(PRIVATE, reference, Adversary.A1);
    Tally life = tally(PRIVATE, reference, Adversary.A2_LIFE);
    Tally pair = tally(PRIVATE, reference, Adversary.A1B);
    Tally two = tally(PRIVATE, reference, Adversary.A3);
    Tally otherPair = tally(CONTROL, reference, Adversary.A1B);
    Tally otherSessions = tally(CONTROL, reference, Adversary.A2);
    if (one == null || life == null || pair == null || two == null) {
      return;
    }
    text.add(
        TEXTS.line(
            "adversaries.hides",
            reference,
            some(one.strangers()),
            universe - reference,
            some(life.strangers()),
            count(pair.own()),
            some(two.strangers())));
    if (otherPair != null && otherSessions != null) {
      text.add(
          TEXTS.line(
              "adversaries.control",
              some(otherPair.strangers()),
              count(otherSessions.strangers()),
              count(otherSessions.own())));
    }
  }

  private void pairWarning(List<String> text) {
    Tally pair = tally(PRIVATE, reference, Adversary.A3_PAIR);
    Tally single = tally(PRIVATE, reference, Adversary.A1);
    if (pair != null && single != null) {
      text.add(
          TEXTS.line(
              "adversaries.pairWarning",
              some(single.strangers()),
              count(pair.strangers()),
              percent(pair.precision()),
              count(pair.own()),
              reference));
    }
  }

  private void restoreWarning(List<String> text) {
    Tally restored = tally(PRIVATE, reference, Adversary.A2_B);
    if (restored != null) {
      text.add(
          TEXTS.line(
              "adversaries.restoreWarning",
              count(restored.own()),
              reference,
              some(restored.strangers())));
    }
  }

  /** Explains what no filter hides. */
  private void clusterWarning(List<String> text) {
    for (int wallet : wallets) {
      Tally linked = tally(PRIVATE, wallet, Adversary.A6);
      Tally single = tally(PRIVATE, wallet, Adversary.A1);
      Tally change = tally(PRIVATE, wallet, Adversary.A6_CHANGE);
      if (linked == null || single == null || change == null || linked.sum("tp") == 0) {
        continue;
      }
      text.add(
          TEXTS.line(
              "adversaries.clusterWarning",
              wallet,
              100 * linked.recall(),
              count(linked.own()),
              percent(linked.precision()),
              some(single.strangers()),
              some(linked.predicted() / linked.trials()),
              count(change.own() + change.strangers()),
              percent(change.precision())));
    }
  }

  private static String percent(@Nullable Double share) {
    return share == null ? "none" : String.format(Locale.ROOT, "%.3g%%", 100 * share);
  }

  private static String count(double mean) {
    if (mean == 0) {
      return "none";
    }
    return mean < LITTLE
        ? "less than " + LITTLE
        : String.format(Locale.ROOT, mean < 10 ? "%.2g" : "%,.0f", mean);
  }

  /** The same before a noun. */
  private static String some(double mean) {
    return mean == 0 ? "no" : count(mean);
  }

  private void growthWarning(List<String> text) {
    int largest = wallets.get(wallets.size() - 1);
    Tally life = tally(PrivateClient.SHORT_EPOCHS, largest, Adversary.A2_LIFE);
    Tally last = tally(PrivateClient.SHORT_EPOCHS, largest, Adversary.A1);
    if (life != null && last != null) {
      text.add(
          TEXTS.line(
              "adversaries.growthWarning",
              largest,
              Table.shown(last.filters()),
              count(life.strangers()),
              count(last.strangers())));
    }
  }

  private Table overview() {
    List<Column.Of<String>> columns = new ArrayList<>();
    columns.add(Column.text("client").of(client -> client));
    for (Adversary adversary : Adversary.values()) {
      String name = adversary.id().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
      columns.add(Column.number(name, "precision").of(client -> precision(client, adversary)));
    }
    return Table.of(
        "privacy-overview",
        "Precision of each adversary, in wallets of " + reference + " used addresses",
        clients,
        columns);
  }

  private @Nullable Double precision(String client, Adversary adversary) {
    Tally tally = tally(client, reference, adversary);
    return tally == null ? null : tally.precision();
  }

  private Table full() {
    return Table.of(
        "privacy-adversaries",
        "All adversaries, clients and wallets, with 95 % intervals over the wallets of a size",
        tallies.values(),
        Column.text("client").of(tally -> tally.of().client()),
        Column.whole("wallet", "addresses").of(tally -> tally.of().wallet()),
        Column.whole("distinct_wallets").of(tally -> tally.each().size()),
        Column.text("adversary").of(tally -> tally.of().adversary()),
        Column.number("filters").of(Tally::filters),
        Column.number("precision").of(Tally::precision),
        Column.number("precision_low_95").of(tally -> tally.precisionEnds()[0]),
        Column.number("precision_high_95").of(tally -> tally.precisionEnds()[1]),
        Column.number("recall").of(Tally::recall),
        Column.number("f1").of(Tally::f1),
        Column.number("decoys", "addresses").of(Tally::strangers),
        Column.number("decoys_low_95", "addresses").of(tally -> tally.decoyEnds()[0]),
        Column.number("decoys_high_95", "addresses").of(tally -> tally.decoyEnds()[1]),
        Column.number("decoys_predicted", "addresses").of(Tally::decoysPredicted),
        Column.number("p_h_1").of(tally -> tally.allTrue(0)),
        Column.number("p_h_half").of(tally -> tally.allTrue(0.5)),
        Column.number("p_h_all").of(tally -> tally.allTrue(1)),
        Column.number("auc").of(tally -> tally.mean("auc")),
        Column.number("k").of(Tally::anonymity));
  }

  private Plot plot() {
    List<Plot.Group> groups = new ArrayList<>();
    for (Adversary adversary :
        List.of(Adversary.A1, Adversary.A1B, Adversary.A2, Adversary.A3, Adversary.A4)) {
      List<Double> bars = new ArrayList<>();
      for (String client : clients) {
        bars.add(Objects.requireNonNullElse(precision(client, adversary), 0.0));
      }
      groups.add(new Plot.Group(adversary.id() + " " + adversary.title(), bars));
    }
    return new Plot.Bars(
        "privacy-precision",
        "Precision of each adversary (wallets of " + reference + " addresses)",
        Plot.Axis.linear("precision: 1 means the wallet is fully visible"),
        clients,
        groups);
  }

  private List<ClaimVerdict> verdicts() {
    List<ClaimVerdict> all = new ArrayList<>();
    if (tallies.isEmpty()) {
      return all;
    }
    laysOpen(all, Adversary.A1B, "the pair test recovers a wallet from bitcoinj's own filters");
    laysOpen(all, Adversary.A2, "four sessions recover a wallet from bitcoinj's own filters");
    grew(all);
    for (String client : clients) {
      if (client.startsWith(PRIVATE)) {
        sameFilters(all, client);
        chanceOnly(all, client);
        nothingTogether(all, client);
      }
    }
    all.addAll(links.verdicts());
    nothingMissed(all);
    asPredicted(all);
    return all;
  }

  private void laysOpen(List<ClaimVerdict> all, Adversary adversary, String claim) {
    boolean holds = true;
    StringBuilder detail = new StringBuilder();
    for (int wallet : wallets) {
      Tally tally = known(CONTROL, wallet, adversary);
      holds &= tally.recall() == 1 && tally.strangers() < NONE_LEFT;
      detail.append(
          String.format(
              Locale.ROOT,
              "%s%d: %s foreign left, recall %s",
              detail.length() == 0 ? "" : "; ",
              wallet,
              Table.shown(tally.strangers()),
              Table.shown(tally.recall())));
    }
    all.add(new ClaimVerdict("Positive control: " + claim, holds, detail.toString()));
  }

  private void grew(List<ClaimVerdict> all) {
    int largest = wallets.get(wallets.size() - 1);
    Tally tally = tally(CONTROL, largest, Adversary.A5_OLD);
    // A small wallet may not outgrow a filter with spare room.
    if (tally != null && tally.filters() == 2) {
      all.add(
          new ClaimVerdict(
              "Positive control: growth recovers the old keys from bitcoinj's own filters",
              tally.strangers() < NONE_LEFT,
              String.format(
                  Locale.ROOT,
                  "wallet of %d: %s foreign ones are in both filters",
                  largest,
                  Table.shown(tally.strangers()))));
    }
  }

  private Tally known(String client, int wallet, Adversary adversary) {
    return Objects.requireNonNull(tally(client, wallet, adversary));
  }

  /** In how many trials an adversary has as many matches as one peer with one filter. */
  private long same(String client, Adversary adversary) {
    return wallets.stream()
        .mapToLong(
            wallet -> {
              List<List<Long>> single = known(client, wallet, Adversary.A1).picks();
              List<List<Long>> other = known(client, wallet, adversary).picks();
              return IntStream.range(0, other.size())
                  .filter(i -> single.get(i).equals(other.get(i)))
                  .count();
            })
        .sum();
  }

  private long trials(String client, Adversary adversary) {
    return wallets.stream().mapToLong(one -> known(client, one, adversary).trials()).sum();
  }

  /** Old filters stay identical, byte for byte, after each restart, new epoch or restore. */
  private void sameFilters(List<ClaimVerdict> all, String client) {
    long same = same(client, Adversary.A2);
    long trials = trials(client, Adversary.A2);
    long others = 0;
    double most = 0;
    for (int wallet : wallets) {
      Tally single = known(client, wallet, Adversary.A1);
      others +=
          Math.abs(known(client, wallet, Adversary.A2_LIFE).sum("filters") - single.sum("filters"));
      most = Math.max(most, single.filters());
    }
    // With one epoch there is no growth, so nothing can change.
    boolean grew = !client.equals(PrivateClient.SHORT_EPOCHS) || most >= MIN_EPOCHS;
    Tally overlap = Objects.requireNonNull(overlaps.get(client));
    FilterTheory.Interval shared = overlap.decoyRate(VERDICT);
    double byChance = overlap.predictedRate();
    all.add(
        ClaimVerdict.of(
            client + ": " + TEXTS.line("adversaries.sameFilters.claim"),
            others == 0 && same == trials && shared.low() <= byChance,
            !grew || ClaimVerdict.mayHideSkill(shared, byChance),
            TEXTS.line(
                    "adversaries.sameFilters",
                    others,
                    same,
                    trials,
                    Table.shown(most),
                    overlap.sum("fp"),
                    overlap.sum("negatives"),
                    Table.shown(overlap.predicted()))
                + (grew ? "" : TEXTS.line("adversaries.sameFilters.few", MIN_EPOCHS))));
  }

  /**
   * Two peers with the same filter learn nothing by comparing: the matches of both are those of
   * one.
   */
  private void nothingTogether(List<ClaimVerdict> all, String client) {
    long same = same(client, Adversary.A3);
    long trials = trials(client, Adversary.A3);
    all.add(
        new ClaimVerdict(
            client + ": two peers that hold the same filter gain nothing by comparing",
            same == trials,
            TEXTS.line("adversaries.nothingTogether", same, trials)));
  }

  /** The pair test in one filter confirms the wallet's scripts no more often than other scripts. */
  private void chanceOnly(List<ClaimVerdict> all, String client) {
    long confirmed = 0;
    long tested = 0;
    double rate = 0;
    for (int wallet : wallets) {
      Tally pair = known(client, wallet, Adversary.A1B);
      Tally single = known(client, wallet, Adversary.A1);
      confirmed += pair.sum("tp");
      tested += pair.sum("tp") + pair.sum("fn");
      rate = Math.max(rate, single.predictedRate());
    }
    FilterTheory.Interval passed = Binomial.rate(confirmed, tested, VERDICT);
    all.add(
        ClaimVerdict.of(
            client + ": the pair test gains nothing for one guard",
            passed.low() <= rate,
            ClaimVerdict.mayHideSkill(passed, rate),
            TEXTS.line("adversaries.chanceOnly", confirmed, tested, Table.shown(rate))));
  }

  private List<Tally> single() {
    return tallies.values().stream()
        .filter(tally -> tally.of().adversary().equals(Adversary.A1.id()))
        .filter(tally -> !tally.of().client().startsWith(AdversaryTrials.COMPACT))
        .toList();
  }

  private void nothingMissed(List<ClaimVerdict> all) {
    long missed = single().stream().mapToLong(tally -> tally.sum("fn")).sum();
    long tested = missed + single().stream().mapToLong(tally -> tally.sum("tp")).sum();
    all.add(
        new ClaimVerdict(
            "No filter misses a used script of its wallet",
            missed == 0 && tested > 0,
            missed + " of " + tested + " missed"));
  }

  private void asPredicted(List<ClaimVerdict> all) {
    List<Tally> checked = single().stream().filter(Tally::isPredicted).toList();
    long outside = checked.stream().filter(tally -> !tally.isAsPredicted()).count();
    long allowed = allowed(checked.size());
    all.add(
        ClaimVerdict.of(
            "The number of decoys agrees with the bits of the filters",
            outside <= allowed,
            checked.stream().allMatch(Tally::saysNothing),
            TEXTS.line("adversaries.asPredicted", outside, checked.size(), allowed)));
  }

  /**
   * The number of failed checks allowed if each fails by chance with 1%; more fail only once in
   * 10,000.
   */
  private static long allowed(int checks) {
    double one = Math.pow(0.99, checks);
    double sum = one;
    int failed = 0;
    while (sum < 0.9999 && failed < checks) {
      one *= (checks - failed) / (failed + 1.0) * 0.01 / 0.99;
      sum += one;
      failed++;
    }
    return failed;
  }
}
