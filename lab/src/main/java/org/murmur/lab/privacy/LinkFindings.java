package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.behaviour.BehaviourTrials;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.stats.Sample;

/** Draws conclusions from the link adversary's trials: which filters it assigns to one wallet. */
final class LinkFindings {

  /** The wallets of each client, one tally each. */
  private final Map<String, Map<Wallet, Tally>> tallies = new LinkedHashMap<>();

  private record Wallet(long size, long number) {}

  /** All trials of one wallet. */
  private static final class Tally {

    private long same;
    private long sessions;
    private long filters;
    private int trials;
    private long found;
    private long missed;
    private long mistaken;
    private long apart;
    private double auc;

    long pairs() {
      return found + missed;
    }

    double recall() {
      return found / (double) pairs();
    }

    /** The rate at which filters of this wallet are linked to another one. */
    double chance() {
      return apart == 0 ? 0 : mistaken / (double) apart;
    }
  }

  LinkFindings(Table observed) {
    for (Table.Row row : observed.rows()) {
      String what = row.text("adversary");
      boolean bytes = what.equals(AdversaryTrials.SAME_BYTES);
      if (!bytes && !what.equals(AdversaryTrials.LINKED)) {
        continue;
      }
      Tally tally =
          tallies
              .computeIfAbsent(row.text("client"), any -> new LinkedHashMap<>())
              .computeIfAbsent(
                  new Wallet(row.whole("wallet"), row.whole("wallet_number")), any -> new Tally());
      if (bytes) {
        tally.same += row.whole("tp");
        tally.sessions += row.whole("tp") + row.whole("fn");
      } else {
        tally.trials++;
        tally.filters += row.whole("filters");
        tally.found += row.whole("tp");
        tally.missed += row.whole("fn");
        tally.mistaken += row.whole("fp");
        tally.apart += row.whole("negatives");
        tally.auc += row.number("auc");
      }
    }
  }

  private List<Tally> of(String client) {
    return List.copyOf(tallies.getOrDefault(client, Map.of()).values());
  }

  /** The wallets with several filters, which only these can show to be of one wallet. */
  private List<Tally> withPairs(String client) {
    return of(client).stream().filter(tally -> tally.pairs() > 0).toList();
  }

  private static Sample values(List<Tally> wallets, ToDoubleFunction<Tally> value) {
    return new Sample(wallets.stream().map(value::applyAsDouble).toList());
  }

  boolean isEmpty() {
    return tallies.isEmpty();
  }

  String explanation() {
    return "The link adversary holds filters of all these wallets, three sessions of each, and "
        + "decides which two are of the same wallet: by equal bytes, or if they share more "
        + "addresses than the filters of two wallets share by chance, by five standard "
        + "deviations. Murmur's private preset sends equal bytes on purpose: a peer that "
        + "recognises the wallet learns nothing new about it, whereas another filter of the same "
        + "addresses would remove decoys (A2). Its epochs have no address in common, so they do "
        + "not show that they belong together; a peer that gets them on one connection knows it "
        + "anyway.";
  }

  Table table() {
    Table.Builder table =
        Table.of(
            "privacy-links",
            "Which filters can be linked to one wallet",
            Column.text("client"),
            Column.whole("distinct_wallets", ""),
            Column.number("different_filters", "per wallet and trial"),
            Column.number("sessions_linked_by_equal_bytes", "share"),
            Column.whole("wallets_with_pairs", ""),
            Column.whole("pairs_of_one_wallet", ""),
            Column.whole("called_linked", ""),
            Column.whole("pairs_of_two_wallets", ""),
            Column.whole("called_linked_wrongly", ""),
            Column.number("recall", "mean over wallets"),
            Column.number("recall_low_95", ""),
            Column.number("recall_high_95", ""),
            Column.number("auc", "mean over wallets"));
    for (String client : tallies.keySet()) {
      List<Tally> all = of(client);
      List<Tally> pairs = withPairs(client);
      Sample recall = values(pairs, Tally::recall);
      FilterTheory.Interval interval = pairs.isEmpty() ? null : recall.ofShares(0.95);
      List<Tally> judged = pairs.stream().filter(tally -> tally.apart > 0).toList();
      table.row(
          client,
          all.size(),
          values(all, tally -> tally.filters / (double) Math.max(1, tally.trials)).mean(),
          values(all, tally -> tally.same / (double) Math.max(1, tally.sessions)).mean(),
          pairs.size(),
          sum(all, Tally::pairs),
          sum(all, tally -> tally.found),
          // Counted at both wallets.
          sum(all, tally -> tally.apart) / 2,
          sum(all, tally -> tally.mistaken) / 2,
          recall.mean(),
          interval == null ? null : (Object) interval.low(),
          interval == null ? null : (Object) interval.high(),
          values(judged, tally -> tally.auc / tally.trials).mean());
    }
    return table.build();
  }

  private static long sum(List<Tally> wallets, ToLongFunction<Tally> value) {
    return wallets.stream().mapToLong(value).sum();
  }

  List<ClaimVerdict> verdicts() {
    List<ClaimVerdict> all = new ArrayList<>();
    List<Tally> control = withPairs(BehaviourTrials.BITCOINJ);
    if (!control.isEmpty()) {
      long linked = control.stream().filter(tally -> tally.missed == 0).count();
      all.add(
          ClaimVerdict.of(
              "Positive control: bitcoinj's filters are linked although their bytes differ",
              linked == control.size(),
              sum(control, tally -> tally.apart) == 0,
              String.format(
                  Locale.ROOT,
                  "all pairs of filters in %d of %d wallets; %d of %d pairs of two wallets",
                  linked,
                  control.size(),
                  sum(control, tally -> tally.mistaken) / 2,
                  sum(control, tally -> tally.apart) / 2)));
    }
    List<Tally> epochs = withPairs(PrivateClient.SHORT_EPOCHS);
    if (!epochs.isEmpty()) {
      // One value a wallet: its trials and pairs are alike.
      Sample recall = values(epochs, Tally::recall);
      FilterTheory.Interval linked = recall.ofShares(AdversaryFindings.VERDICT);
      double chance = Objects.requireNonNull(values(epochs, Tally::chance).mean());
      all.add(
          ClaimVerdict.of(
              PrivateClient.SHORT_EPOCHS + ": two epochs do not show that they are of one wallet",
              linked.low() <= chance,
              ClaimVerdict.mayHideSkill(linked, chance),
              String.format(
                  Locale.ROOT,
                  "%s of the pairs of a wallet are linked, %s by chance (means over %d wallets;"
                      + " their interval is %s to %s)",
                  Table.shown(recall.mean()),
                  Table.shown(chance),
                  epochs.size(),
                  Table.shown(linked.low()),
                  Table.shown(linked.high()))));
    }
    return all;
  }
}
