package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.privacy.behaviour.BehaviourTrials;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.stats.Sample;

/** Draws conclusions from the link adversary's trials: which filters it assigns to one wallet. */
final class LinkFindings {

  private static final Texts TEXTS = PrivacyStudy.TEXTS;

  /** The wallets of each client, one tally each. */
  private final Map<String, Map<Wallet, Tally>> tallies = new LinkedHashMap<>();

  private record Wallet(long size, long number) {}

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

  private record Line(String client, List<Tally> all, List<Tally> pairs) {

    Sample recall() {
      return values(pairs, Tally::recall);
    }

    FilterTheory.@Nullable Interval interval() {
      return pairs.isEmpty() ? null : recall().ofShares(0.95);
    }

    @Nullable Double low() {
      return interval() == null ? null : (Double) interval().low();
    }

    @Nullable Double high() {
      return interval() == null ? null : (Double) interval().high();
    }

    @Nullable Double mean(ToLongFunction<Tally> part, ToLongFunction<Tally> whole) {
      return values(
              all, one -> part.applyAsLong(one) / (double) Math.max(1, whole.applyAsLong(one)))
          .mean();
    }

    @Nullable Double auc() {
      List<Tally> judged = pairs.stream().filter(tally -> tally.apart > 0).toList();
      return values(judged, tally -> tally.auc / tally.trials).mean();
    }
  }

  Table table() {
    return Table.of(
        "privacy-links",
        "Which filters can be linked to one wallet",
        tallies.keySet().stream().map(one -> new Line(one, of(one), withPairs(one))).toList(),
        Column.text("client").of(Line::client),
        Column.whole("distinct_wallets").of(line -> line.all.size()),
        Column.number("different_filters", "per wallet and trial")
            .of(line -> line.mean(tally -> tally.filters, tally -> tally.trials)),
        Column.number("sessions_linked_by_equal_bytes", "share")
            .of(line -> line.mean(tally -> tally.same, tally -> tally.sessions)),
        Column.whole("wallets_with_pairs").of(line -> line.pairs.size()),
        Column.whole("pairs_of_one_wallet").of(line -> sum(line.all, Tally::pairs)),
        Column.whole("called_linked").of(line -> sum(line.all, tally -> tally.found)),
        // Counted at both wallets.
        Column.whole("pairs_of_two_wallets").of(line -> sum(line.all, tally -> tally.apart) / 2),
        Column.whole("called_linked_wrongly")
            .of(line -> sum(line.all, tally -> tally.mistaken) / 2),
        Column.number("recall", "mean over wallets").of(line -> line.recall().mean()),
        Column.number("recall_low_95").of(Line::low),
        Column.number("recall_high_95").of(Line::high),
        Column.number("auc", "mean over wallets").of(Line::auc));
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
              TEXTS.line(
                  "links.control",
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
              TEXTS.line(
                  "links.epochs",
                  Table.shown(recall.mean()),
                  Table.shown(chance),
                  epochs.size(),
                  Table.shown(linked.low()),
                  Table.shown(linked.high()))));
    }
    return all;
  }
}
