package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.adversaries.Adversary;
import org.murmur.lab.privacy.adversaries.Score;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.Sample;

/** Draws conclusions from the trials of adversaries. */
final class AdversaryFindings {

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

  /** Of each interval over wallets, alone. */
  private static final double OVER_WALLETS = 0.95;

  private static final Set<String> NO_ADVERSARIES =
      Set.of(AdversaryTrials.OVERLAP, AdversaryTrials.SAME_BYTES, AdversaryTrials.LINKED);

  private final Map<Case, Tally> tallies = new LinkedHashMap<>();
  private final List<String> clients;
  private final List<Integer> wallets;
  private final int reference;
  private final int universe;
  private final Map<String, Tally> overlaps = new LinkedHashMap<>();
  private final LinkFindings links;

  AdversaryFindings(Table observed, ChainPlan plan) {
    links = new LinkFindings(observed);
    for (Table.Row row : observed.rows()) {
      String who = row.text("adversary");
      if (who.equals(AdversaryTrials.OVERLAP)) {
        overlaps.computeIfAbsent(row.text("client"), any -> new Tally()).add(row);
      }
      if (NO_ADVERSARIES.contains(who)) {
        continue;
      }
      Case of = new Case(row.text("client"), (int) row.whole("wallet"), who);
      tallies.computeIfAbsent(of, any -> new Tally()).add(row);
    }
    clients = tallies.keySet().stream().map(Case::client).distinct().toList();
    wallets = plan.wallets().stream().distinct().toList();
    universe = plan.universe();
    reference = wallets.contains(50) ? 50 : wallets.get(wallets.size() / 2);
  }

  private record Case(String client, int wallet, String adversary) {}

  /** The trials of one wallet in one case. */
  private static final class One {

    private int trials;
    private long tp;
    private long fp;

    double decoys() {
      return fp / (double) trials;
    }

    double precision() {
      return tp / (double) (tp + fp);
    }
  }

  /** All trials of one case. */
  private static final class Tally {

    private final Map<Long, One> ones = new LinkedHashMap<>();

    private int trials;
    private long filters;
    private long tp;
    private long fp;
    private long fn;
    private long negatives;
    private double predicted;
    private boolean isPredicted = true;
    private double aucSum;
    private final List<List<Long>> each = new ArrayList<>();

    void add(Table.Row row) {
      One one = ones.computeIfAbsent(row.whole("wallet_number"), any -> new One());
      one.trials++;
      one.tp += row.whole("tp");
      one.fp += row.whole("fp");
      trials++;
      filters += row.whole("filters");
      tp += row.whole("tp");
      fp += row.whole("fp");
      fn += row.whole("fn");
      negatives += row.whole("negatives");
      Object expected = row.value("predicted_fp");
      isPredicted &= expected != null;
      predicted += expected instanceof Double d ? d : 0;
      aucSum += row.number("auc");
      each.add(List.of(row.whole("tp"), row.whole("fp")));
    }

    /** One value of each wallet. */
    Sample decoys() {
      return new Sample(ones.values().stream().map(One::decoys).toList());
    }

    /** One value of each wallet of which the adversary picks anything. */
    Sample precisions() {
      return new Sample(
          ones.values().stream().filter(one -> one.tp + one.fp > 0).map(One::precision).toList());
    }

    double strangers() {
      return Objects.requireNonNull(decoys().mean());
    }

    double own() {
      return tp / (double) trials;
    }

    double recall() {
      return tp + fn == 0 ? 0 : tp / (double) (tp + fn);
    }

    @Nullable Double precision() {
      return precisions().mean();
    }

    @Nullable Double f1() {
      Double precision = precision();
      return precision == null || precision + recall() == 0
          ? null
          : 2 * precision * recall() / (precision + recall());
    }

    @Nullable Double allTrue(double part) {
      long whole = Math.round(own());
      return whole == 0
          ? null
          : Score.allTrue(whole, strangers(), (int) Math.max(1, Math.ceil(part * whole)));
    }

    @Nullable Double anonymity() {
      return tp == 0 ? null : (tp + fp) / (double) tp;
    }

    double auc() {
      return aucSum / trials;
    }

    boolean isAsPredicted() {
      return decoyRate().holds(predicted / negatives);
    }

    boolean saysNothing() {
      return ClaimVerdict.isTooWide(decoyRate(), predicted / negatives);
    }

    private FilterTheory.Interval decoyRate() {
      return Binomial.rate(fp, negatives, 0.99);
    }
  }

  Section section() {
    return new Section(
        "What a wallet's peers can find out",
        explanation(),
        tables(),
        tallies.isEmpty() ? List.of() : List.of(plot()),
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
        String.format(
            Locale.ROOT,
            "On average over wallets, a peer that saw four starts of bitcoinj is left with %s"
                + " foreign addresses besides the %d addresses of the wallet; one that saw the"
                + " whole life of a wallet under Murmur's private preset, with %s of the %,d there"
                + " are.",
            theirs.strangers() == 0 ? "no" : count(theirs.strangers()),
            reference,
            count(ours.strangers()),
            universe - reference));
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    if (!tallies.isEmpty()) {
      tables.add(overview());
      tables.add(full());
    }
    if (!links.isEmpty()) {
      tables.add(links.table());
    }
    return tables;
  }

  private @Nullable Tally tally(String client, int wallet, Adversary adversary) {
    return tallies.get(new Case(client, wallet, adversary.id()));
  }

  private List<String> explanation() {
    List<String> text = new ArrayList<>();
    text.add(
        "A light wallet uses a Bloom filter to say which transactions a server should send: "
            + "a short string of bits that matches the wallet's addresses, and by chance some "
            + "foreign addresses, the decoys. Every holder of the filter can test every address "
            + "that was ever used. Here we play that server, on a synthetic chain whose truth we "
            + "know.");
    text.add(
        "There are several wallets of each size on one chain (--wallets-each). Each trial takes the"
            + " next wallet of each size, and draws the filters anew. A figure below is the mean"
            + " over wallets, of one value for each. Its interval says how well the mean over all"
            + " such wallets of this chain is known. It is left out where all wallets have the same"
            + " value. Another --seed makes another chain.");
    holds(text);
    pairWarning(text);
    restoreWarning(text);
    growthWarning(text);
    clusterWarning(text);
    text.add(
        "The terms of the tables. Precision: the share of the adversary's picks that are "
            + "the wallet's. Recall: the share of the wallet's addresses that the adversary "
            + "picks. A filter never misses what was put into it, so recall is 1 unless the "
            + "adversary demands more than one sign. P_h(j): the chance that j addresses picked "
            + "from the list are all the wallet's. K: the number of addresses among which each of "
            + "the wallet's hides. AUC: the chance that an address of the wallet looks more "
            + "suspicious than a foreign one. Nearly all foreign ones never match, so it is close "
            + "to 1 for every holder of a filter; 0.5 means no knowledge. With a billion "
            + "addresses, as on mainnet, there are proportionally more decoys than here.");
    text.add(
        "A1: one peer, one filter. A1b: the peer also tests what else belongs to an "
            + "address, the public key and the coins. If a client puts these into the same filter "
            + "every foreign address must match twice by chance (the pair test). A2: the same "
            + "peer at a second, third and fourth start, one of them a restore from the words, "
            + "with an unchanged wallet. A2-life: the same peer over the whole life: a first "
            + "start, ten restarts, three times of growth, and a restore. It also knows since "
            + "when each address is in use. A2-B: the guard that has Murmur's coins, before and "
            + "after the restore. A3: two peers compare their matches. A+B: the guard that has "
            + "Murmur's scripts together with the one that has its coins. This is the pair test "
            + "again, and the price of two colluding guards. A4: an observer of all messages to "
            + "all peers. A5: before and after the wallet grew.");
    text.add(
        "A6 follows which addresses were spent together, and accepts such a group only if "
            + "all of it matches. A6-most accepts it if three quarters match, and then takes the "
            + "whole group, since linking makes mistakes. A6-change also guesses the change "
            + "output of a payment: the one to an address never seen before, if all others go to "
            + "known ones. It links more, sometimes wrongly: a group that contains foreign "
            + "addresses no longer matches, so it may find less.");
    text.add(links.explanation());
    text.add(
        "The filters of Murmur's private preset and bitcoinj's come from the real code "
            + "(only the moment when Murmur opens an epoch is modelled). Murmur's fast preset is "
            + "a model: its own code computes the size of its filters. The choice between a new "
            + "filter and filteradd is modelled; an element sent by filteradd is visible to that "
            + "peer, and is not counted here. bcoin, breadwallet and bitcoin-kit are models of "
            + "their sources. The random tweak of bcoin, and the look-ahead of these three, are "
            + "from memory.");
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
        String.format(
            Locale.ROOT,
            "What Murmur's private preset hides, for wallets of %d addresses, on average. One peer"
                + " with its one filter finds these and %s of the %,d foreign addresses here. It"
                + " cannot tell them apart (A1). After ten restarts, three times of growth and a"
                + " restore from its words it still finds %s foreign ones, because it got the same"
                + " bytes again (A2-life). Testing keys and coins as well confirms %s of the"
                + " wallet's addresses, because that filter has neither (A1b). A second peer with"
                + " the same filter adds nothing: %s foreign ones remain for both (A3).",
            reference,
            some(one.strangers()),
            universe - reference,
            some(life.strangers()),
            count(pair.own()),
            some(two.strangers())));
    if (otherPair != null && otherSessions != null) {
      text.add(
          String.format(
              Locale.ROOT,
              "The same against bitcoinj, to show that the attacks work: testing keys and "
                  + "coins as well leaves %s foreign addresses, four starts leave %s, and all %s "
                  + "of the wallet's are found.",
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
          String.format(
              Locale.ROOT,
              "What it does not hide, first: two colluding guards (A+B). One has the "
                  + "addresses, the other the coins, so an address must pass both filters. Of %s "
                  + "foreign addresses %s remain, and %s of the picks are the wallet's: %s of its "
                  + "%d addresses.",
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
          String.format(
              Locale.ROOT,
              "Second: guard B, which has the coins, sees a restore (A2-B). It gets the "
                  + "remaining coins in a filter with another tweak, and hardly any foreign coin "
                  + "passes both. So alone it then holds %s of the wallet's %d addresses, "
                  + "and %s foreign ones. So restore with other guards, or keep the wallet's file "
                  + "(ADR 0022).",
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
      if (linked == null || single == null || change == null || linked.tp == 0) {
        continue;
      }
      text.add(
          String.format(
              Locale.ROOT,
              "Warning: noise hides only addresses that nothing links. Of the addresses of a wallet"
                  + " of %d, %.0f%% have been spent together with another of it. One peer that"
                  + " follows the chain accepts only groups that match as a whole (A6). It finds"
                  + " these %s, and %s of its picks are the wallet's. The filter alone leaves %s"
                  + " foreign addresses besides the wallet's. By chance %s foreign addresses are in"
                  + " such a group. If it guesses change as well, it picks %s addresses, of which"
                  + " %s are the wallet's.",
              wallet,
              100 * linked.recall(),
              count(linked.own()),
              percent(linked.precision()),
              some(single.strangers()),
              some(linked.predicted / linked.trials),
              count(change.own() + change.strangers()),
              percent(change.precision())));
    }
  }

  private static String percent(@Nullable Double share) {
    return share == null ? "none" : String.format(Locale.ROOT, "%.3g%%", 100 * share);
  }

  /** Formats a mean count for readers. */
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
          String.format(
              Locale.ROOT,
              "Third: growth reveals something. No key of an epoch (a filter for the next "
                  + "keys) was used before the epoch was opened. So a peer that saw it opened can "
                  + "rule out every foreign address used earlier. With epochs so short that a "
                  + "wallet of %d addresses has %s of them, %s of %s foreign addresses remain "
                  + "for a peer that watched it grow (A2-life). With its usual 1,000 keys of each "
                  + "chain most wallets never open a second one.",
              largest,
              Table.shown(last.filters / (double) last.trials),
              count(life.strangers()),
              count(last.strangers())));
    }
  }

  private Table overview() {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.text("client"));
    for (Adversary adversary : Adversary.values()) {
      String name = adversary.id().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
      columns.add(Column.number(name, "precision"));
    }
    Table.Builder table =
        Table.of(
            "privacy-overview",
            "Precision of each adversary, in wallets of " + reference + " used addresses",
            columns);
    for (String client : clients) {
      List<@Nullable Object> row = new ArrayList<>();
      row.add(client);
      for (Adversary adversary : Adversary.values()) {
        Tally tally = tally(client, reference, adversary);
        row.add(tally == null ? null : tally.precision());
      }
      table.row(row.toArray());
    }
    return table.build();
  }

  private Table full() {
    Table.Builder table =
        Table.of(
            "privacy-adversaries",
            "All adversaries, clients and wallets, with 95 % intervals over the wallets of a size",
            Column.text("client"),
            Column.whole("wallet", "addresses"),
            Column.whole("distinct_wallets", ""),
            Column.text("adversary"),
            Column.number("filters", ""),
            Column.number("precision", ""),
            Column.number("precision_low_95", ""),
            Column.number("precision_high_95", ""),
            Column.number("recall", ""),
            Column.number("f1", ""),
            Column.number("decoys", "addresses"),
            Column.number("decoys_low_95", "addresses"),
            Column.number("decoys_high_95", "addresses"),
            Column.number("decoys_predicted", "addresses"),
            Column.number("p_h_1", ""),
            Column.number("p_h_half", ""),
            Column.number("p_h_all", ""),
            Column.number("auc", ""),
            Column.number("k", ""));
    tallies.forEach(
        (of, tally) -> {
          FilterTheory.Interval precision = tally.precisions().interval(OVER_WALLETS, 0, 1);
          FilterTheory.Interval decoys =
              tally.decoys().interval(OVER_WALLETS, 0, Double.POSITIVE_INFINITY);
          table.row(
              of.client(),
              of.wallet(),
              tally.ones.size(),
              of.adversary(),
              tally.filters / (double) tally.trials,
              tally.precision(),
              low(precision),
              high(precision),
              tally.recall(),
              tally.f1(),
              tally.strangers(),
              low(decoys),
              high(decoys),
              tally.isPredicted ? (Object) (tally.predicted / tally.trials) : null,
              tally.allTrue(0),
              tally.allTrue(0.5),
              tally.allTrue(1),
              tally.auc(),
              tally.anonymity());
        });
    return table.build();
  }

  private static @Nullable Double low(FilterTheory.@Nullable Interval interval) {
    return interval == null ? null : (Double) interval.low();
  }

  private static @Nullable Double high(FilterTheory.@Nullable Interval interval) {
    return interval == null ? null : (Double) interval.high();
  }

  private Plot plot() {
    List<Plot.Group> groups = new ArrayList<>();
    for (Adversary adversary :
        List.of(Adversary.A1, Adversary.A1B, Adversary.A2, Adversary.A3, Adversary.A4)) {
      List<Double> bars = new ArrayList<>();
      for (String client : clients) {
        Tally tally = tally(client, reference, adversary);
        Double precision = tally == null ? null : tally.precision();
        bars.add(precision == null ? 0.0 : precision);
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
      Tally tally = Objects.requireNonNull(tally(CONTROL, wallet, adversary));
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
    if (tally != null && tally.filters == 2L * tally.trials) {
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

  /** Old filters stay identical, byte for byte, after each restart, new epoch or restore. */
  private void sameFilters(List<ClaimVerdict> all, String client) {
    int same = 0;
    int trials = 0;
    long others = 0;
    double most = 0;
    for (int wallet : wallets) {
      Tally single = Objects.requireNonNull(tally(client, wallet, Adversary.A1));
      Tally again = Objects.requireNonNull(tally(client, wallet, Adversary.A2));
      Tally life = Objects.requireNonNull(tally(client, wallet, Adversary.A2_LIFE));
      for (int i = 0; i < again.each.size(); i++) {
        trials++;
        same += single.each.get(i).equals(again.each.get(i)) ? 1 : 0;
      }
      others += Math.abs(life.filters - single.filters);
      most = Math.max(most, single.filters / (double) single.trials);
    }
    // With one epoch there is no growth, so nothing can change.
    boolean grew = !client.equals(PrivateClient.SHORT_EPOCHS) || most >= MIN_EPOCHS;
    Tally overlap = Objects.requireNonNull(overlaps.get(client));
    FilterTheory.Interval shared = Binomial.rate(overlap.fp, overlap.negatives, VERDICT);
    double byChance = overlap.predicted / overlap.negatives;
    all.add(
        ClaimVerdict.of(
            client
                + ": over ten restarts, three times of growth and a restore one peer gets the "
                + "same bytes again, or an epoch that shares no address with earlier ones",
            others == 0 && same == trials && shared.low() <= byChance,
            !grew || ClaimVerdict.mayHideSkill(shared, byChance),
            String.format(
                    Locale.ROOT,
                    "%d filters of scripts in the whole life that the last session lacks; as many"
                        + " matches as from that session alone in %d of %d wallets and trials; up"
                        + " to %s epochs; %d of %d used addresses match the filter of more than one"
                        + " epoch, %s expected by chance",
                    others,
                    same,
                    trials,
                    Table.shown(most),
                    overlap.fp,
                    overlap.negatives,
                    Table.shown(overlap.predicted))
                + (grew
                    ? ""
                    : "; not judged: fewer than "
                        + MIN_EPOCHS
                        + " epochs were opened, so take larger --wallets")));
  }

  /**
   * Two peers with the same filter learn nothing by comparing: the matches of both are those of
   * one.
   */
  private void nothingTogether(List<ClaimVerdict> all, String client) {
    int same = 0;
    int trials = 0;
    for (int wallet : wallets) {
      Tally single = Objects.requireNonNull(tally(client, wallet, Adversary.A1));
      Tally both = Objects.requireNonNull(tally(client, wallet, Adversary.A3));
      for (int i = 0; i < both.each.size(); i++) {
        trials++;
        same += single.each.get(i).equals(both.each.get(i)) ? 1 : 0;
      }
    }
    all.add(
        new ClaimVerdict(
            client + ": two peers that hold the same filter gain nothing by comparing",
            same == trials,
            String.format(
                Locale.ROOT,
                "as many matches as one of them has in %d of %d wallets and trials",
                same,
                trials)));
  }

  /** The pair test in one filter confirms the wallet's scripts no more often than other scripts. */
  private void chanceOnly(List<ClaimVerdict> all, String client) {
    long confirmed = 0;
    long tested = 0;
    double rate = 0;
    for (int wallet : wallets) {
      Tally pair = Objects.requireNonNull(tally(client, wallet, Adversary.A1B));
      Tally single = Objects.requireNonNull(tally(client, wallet, Adversary.A1));
      confirmed += pair.tp;
      tested += pair.tp + pair.fn;
      rate = Math.max(rate, single.predicted / single.negatives);
    }
    FilterTheory.Interval passed = Binomial.rate(confirmed, tested, VERDICT);
    all.add(
        ClaimVerdict.of(
            client + ": the pair test gains nothing for one guard",
            passed.low() <= rate,
            ClaimVerdict.mayHideSkill(passed, rate),
            String.format(
                Locale.ROOT,
                "it confirms %d of %d own scripts; a foreign one passes with %s",
                confirmed,
                tested,
                Table.shown(rate))));
  }

  private void nothingMissed(List<ClaimVerdict> all) {
    List<Tally> single =
        tallies.entrySet().stream()
            .filter(entry -> entry.getKey().adversary().equals(Adversary.A1.id()))
            .map(Map.Entry::getValue)
            .toList();
    long missed = single.stream().mapToLong(tally -> tally.fn).sum();
    long tested = missed + single.stream().mapToLong(tally -> tally.tp).sum();
    all.add(
        new ClaimVerdict(
            "No filter misses a used script of its wallet",
            missed == 0 && tested > 0,
            missed + " of " + tested + " missed"));
  }

  private void asPredicted(List<ClaimVerdict> all) {
    List<Tally> checked =
        tallies.entrySet().stream()
            .filter(entry -> entry.getKey().adversary().equals(Adversary.A1.id()))
            .map(Map.Entry::getValue)
            .filter(tally -> tally.isPredicted)
            .toList();
    long outside = checked.stream().filter(tally -> !tally.isAsPredicted()).count();
    long allowed = allowed(checked.size());
    all.add(
        ClaimVerdict.of(
            "The number of decoys agrees with the bits of the filters",
            outside <= allowed,
            checked.stream().allMatch(Tally::saysNothing),
            String.format(
                Locale.ROOT,
                "%d of %d cases outside of their 99%% interval, by chance up to %d",
                outside,
                checked.size(),
                allowed)));
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
