package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.behaviour.BehaviourTrials;
import org.murmur.lab.privacy.clients.PrivateClient;
import org.murmur.lab.stats.Binomial;

/** Draws conclusions from the link adversary's trials: which filters it assigns to one wallet. */
final class LinkFindings {

  private final Map<String, Tally> tallies = new LinkedHashMap<>();

  /** All trials and wallets of one client. */
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

    @Nullable Double precision() {
      return found + mistaken == 0 ? null : found / (double) (found + mistaken);
    }

    @Nullable Double recall() {
      return pairs() == 0 ? null : found / (double) pairs();
    }

    /** The rate at which filters of two wallets are linked by chance. */
    double chance() {
      return apart == 0 ? 0 : mistaken / (double) apart;
    }

    @Nullable Double meanAuc() {
      return pairs() == 0 || apart == 0 ? null : auc / trials;
    }
  }

  private final int wallets;

  LinkFindings(Table observed, int wallets) {
    this.wallets = wallets;
    for (Table.Row row : observed.rows()) {
      String what = row.text("adversary");
      boolean bytes = what.equals(AdversaryTrials.SAME_BYTES);
      if (!bytes && !what.equals(AdversaryTrials.LINKED)) {
        continue;
      }
      Tally tally = tallies.computeIfAbsent(row.text("client"), any -> new Tally());
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
            Column.number("different_filters", "per trial"),
            Column.number("sessions_linked_by_equal_bytes", "share"),
            Column.whole("pairs_of_one_wallet", ""),
            Column.whole("called_linked", ""),
            Column.whole("pairs_of_two_wallets", ""),
            Column.whole("called_linked_wrongly", ""),
            Column.number("precision", ""),
            Column.number("recall", ""),
            Column.number("auc", ""));
    tallies.forEach(
        (client, tally) ->
            table.row(
                client,
                wallets,
                tally.filters / (double) Math.max(1, tally.trials),
                tally.same / (double) Math.max(1, tally.sessions),
                tally.pairs(),
                tally.found,
                tally.apart,
                tally.mistaken,
                tally.precision(),
                tally.recall(),
                tally.meanAuc()));
    return table.build();
  }

  List<ClaimVerdict> verdicts() {
    List<ClaimVerdict> all = new ArrayList<>();
    Tally control = tallies.get(BehaviourTrials.BITCOINJ);
    if (control != null && control.pairs() > 0) {
      all.add(
          ClaimVerdict.of(
              "Positive control: bitcoinj's filters are linked although their bytes differ",
              control.missed == 0,
              control.apart == 0,
              String.format(
                  Locale.ROOT,
                  "%d of %d pairs of one wallet, %d of %d of two",
                  control.found,
                  control.pairs(),
                  control.mistaken,
                  control.apart)));
    }
    Tally epochs = tallies.get(PrivateClient.SHORT_EPOCHS);
    if (epochs != null && epochs.pairs() > 0) {
      FilterTheory.Interval linked =
          Binomial.rate(epochs.found, epochs.pairs(), AdversaryFindings.VERDICT);
      all.add(
          ClaimVerdict.of(
              PrivateClient.SHORT_EPOCHS + ": two epochs do not show that they are of one wallet",
              linked.low() <= epochs.chance(),
              ClaimVerdict.mayHideSkill(linked, epochs.chance()),
              String.format(
                  Locale.ROOT,
                  "%d of %d pairs of one wallet are linked, by chance %.3g of them would be",
                  epochs.found,
                  epochs.pairs(),
                  epochs.chance() * epochs.pairs())));
    }
    return all;
  }
}
