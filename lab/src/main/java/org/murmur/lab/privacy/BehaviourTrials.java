package org.murmur.lab.privacy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;
import org.murmur.lab.Verdict;
import org.murmur.regtest.Behaviour;
import org.murmur.regtest.Dice;

/**
 * Adversaries A7 and A8 against real clients, captured on the wire: after a block in which one
 * transaction matches, does it tell by what it does whether the match was its own? And does it
 * leave a peer that sends what does not match?
 */
final class BehaviourTrials implements Experiment {

  /** Starting the real thing takes seconds, so few trials are enough: two of a study of so many. */
  private static final int MANY_TRIALS = 100;

  private static final String BITCOINJ = "bitcoinj";
  private static final String MURMUR_FAST = "murmur-fast";
  private static final String OWN = "own";
  private static final String STRANGER = "stranger's";
  private static final String INJECTED = "none, injected";

  private final int trials;
  private final int each;

  /**
   * @param trials of the study
   * @param each blocks of each kind in a trial
   */
  BehaviourTrials(int trials, int each) {
    this.trials = trials < MANY_TRIALS ? 1 : 2;
    this.each = each;
  }

  @Override
  public String name() {
    return "behaviour";
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.text("client"),
        Column.text("match"),
        Column.text("reaction"),
        Column.flag("still_connected"));
  }

  @Override
  public int trials() {
    return trials;
  }

  /** Real threads and sockets: what happens is the same, but needs its time. */
  @Override
  public boolean alone() {
    return true;
  }

  @Override
  public void observe(Trial trial, Rows rows) throws IOException, InterruptedException {
    for (String name : List.of(BITCOINJ, MURMUR_FAST)) {
      Dice dice = trial.dice(name);
      try (WatchedClient client = started(name, dice, Behaviour.honest())) {
        provoke(name, client, dice, rows);
      }
      Behaviour injecting = Behaviour.honest().injectingShare(1);
      try (WatchedClient client = started(name, dice, injecting)) {
        if (client.isConnected()) {
          client.node().mine(1);
          client.awaitTip();
        }
        rows.add(name, INJECTED, "", client.isConnected());
      }
    }
  }

  private static WatchedClient started(String name, Dice dice, Behaviour behaviour)
      throws IOException, InterruptedException {
    return name.equals(BITCOINJ)
        ? new BitcoinjBehaviour(dice, behaviour)
        : new MurmurBehaviour(behaviour);
  }

  private void provoke(String name, WatchedClient client, Dice dice, Rows rows)
      throws InterruptedException {
    client.requireConnected();
    Provocation provocation = new Provocation(client.node(), dice);
    for (boolean own : drawn(dice)) {
      List<BloomFilter> shown = client.node().filtersShown();
      int named = client.node().elementsShown().size();
      if (own) {
        provocation.pay(client.freshScript());
      } else {
        provocation.payStranger(shown.get(shown.size() - 1));
      }
      String reaction = client.reaction(shown.size(), named).title();
      rows.add(name, own ? OWN : STRANGER, reaction, client.isConnected());
    }
  }

  /** As many of the one kind as of the other, in any order. */
  private List<Boolean> drawn(Dice dice) {
    List<Boolean> order = new ArrayList<>();
    int own = each;
    int strangers = each;
    while (own + strangers > 0) {
      boolean next = dice.below(own + strangers) < own;
      own -= next ? 1 : 0;
      strangers -= next ? 0 : 1;
      order.add(next);
    }
    return order;
  }

  /** What was seen of one client. */
  private static final class Seen {

    /** Blocks with an own match, by whether the client told. */
    private final long[] own = new long[2];

    private final long[] strangers = new long[2];
    private int refreshed;
    private int injected;
    private int stayed;

    void add(Table.Row row) {
      String reaction = row.text("reaction");
      boolean tells =
          reaction.equals(WatchedClient.Reaction.ANOTHER.title())
              || reaction.equals(WatchedClient.Reaction.ADDED.title());
      switch (row.text("match")) {
        case OWN -> own[tells ? 1 : 0]++;
        case STRANGER -> {
          strangers[tells ? 1 : 0]++;
          refreshed += reaction.equals(WatchedClient.Reaction.SAME_AGAIN.title()) ? 1 : 0;
        }
        default -> {
          injected++;
          stayed += row.flag("still_connected") ? 1 : 0;
        }
      }
    }

    long blocks() {
      return own[0] + own[1] + strangers[0] + strangers[1];
    }

    double auc() {
      return Score.auc(own, strangers);
    }
  }

  @Override
  public Section conclude(Table observed) {
    Map<String, Seen> clients = new LinkedHashMap<>();
    for (Table.Row row : observed.rows()) {
      clients.computeIfAbsent(row.text("client"), any -> new Seen()).add(row);
    }
    Table.Builder table =
        Table.of(
            "behaviour-auc",
            "How well behaviour tells a client's own transactions from a stranger's",
            Column.text("client"),
            Column.whole("own", "blocks"),
            Column.whole("own_told", "blocks"),
            Column.whole("strangers", "blocks"),
            Column.whole("strangers_told", "blocks"),
            Column.number("auc", ""),
            Column.number("guessed_right_low", "95%"),
            Column.number("guessed_right_high", "95%"),
            Column.whole("same_filter_again", "blocks"),
            Column.flag("stays_with_injector"));
    clients.forEach(
        (name, seen) -> {
          FilterTheory.Interval right =
              FilterTheory.wilson95(seen.own[1] + seen.strangers[0], seen.blocks());
          table.row(
              name,
              seen.own[0] + seen.own[1],
              seen.own[1],
              seen.strangers[0] + seen.strangers[1],
              seen.strangers[1],
              seen.auc(),
              right.low(),
              right.high(),
              seen.refreshed,
              seen.stayed > 0);
        });
    List<String> text = explanation();
    List<Verdict> verdicts = new ArrayList<>();
    Seen control = clients.get(BITCOINJ);
    if (control != null) {
      judge(control, text, verdicts);
    }
    Seen fast = clients.get(MURMUR_FAST);
    if (fast != null) {
      judgeFast(fast, verdicts);
    }
    return new Section(
        "Behaviour that gives away (A7, A8)",
        text,
        clients.isEmpty() ? List.of() : List.of(table.build()),
        List.of(),
        verdicts);
  }

  private static void judge(Seen control, List<String> text, List<Verdict> verdicts) {
    text.add(
        String.format(
            Locale.ROOT,
            "Captured of bitcoinj 0.17.1: after %d of %d payments of its own it sent a filter with"
                + " other bytes, after %d of %d of a stranger's. The same filter again, which a"
                + " model of its estimator of false positives predicts after every stranger's"
                + " match, came %d times: it strikes every delivered transaction off its list of"
                + " false positives, whosever it is.",
            control.own[1],
            control.own[0] + control.own[1],
            control.strangers[1],
            control.strangers[0] + control.strangers[1],
            control.refreshed));
    verdicts.add(
        new Verdict(
            "Positive control: bitcoinj's behaviour tells which match is its own (A7)",
            control.auc() > 0.9,
            String.format(
                Locale.ROOT, "AUC %.3f over %d blocks", control.auc(), control.blocks())));
    verdicts.add(
        new Verdict(
            "Positive control: bitcoinj stays with a peer that sends what does not match (A8)",
            control.stayed == control.injected,
            control.stayed
                + " of "
                + control.injected
                + " sessions, a foreign transaction in every block"));
  }

  private static void judgeFast(Seen fast, List<Verdict> verdicts) {
    long told = fast.own[1] + fast.strangers[1];
    verdicts.add(
        new Verdict(
            "murmur-fast: no filter and no element tells which match is its own (A7)",
            told == 0 && fast.blocks() > 0,
            String.format(
                Locale.ROOT,
                "another filter or an element after %d of %d payments of its own, %d of %d of a"
                    + " stranger's, within %d s each; connected all the while",
                fast.own[1],
                fast.own[0] + fast.own[1],
                fast.strangers[1],
                fast.strangers[0] + fast.strangers[1],
                WatchedClient.SILENCE.toSeconds())));
    verdicts.add(
        new Verdict(
            "murmur-fast leaves a peer that sends what does not match (A8)",
            fast.stayed == 0 && fast.injected > 0,
            "stayed in " + fast.stayed + " of " + fast.injected + " sessions"));
  }

  private static List<String> explanation() {
    return new ArrayList<>(
        List.of(
            "A filter that hides a wallet among strangers is of no use if the wallet behaves"
                + " differently after a match of its own. Here a peer mines blocks with one"
                + " transaction each: a payment to the wallet, or one to a stranger whose address"
                + " matches by chance, and watches what comes back.",
            "The clients are the real ones, on a real connection to our embedded node, which keeps"
                + " every filter and element it is sent within two seconds of a block: the released bitcoinj with its own network"
                + " code, and Murmur's wallet under the fast preset. The peer's rule: a filter with"
                + " other bytes, or an element added to it, means that the match was the wallet's.",
            "Only filters and elements are watched, not other messages or their timing. Under Murmur's"
                + " fast preset the server adds new coins on its own, so at the tip nothing has to be"
                + " sent; where it reads out of order it names them, and this is not seen here. The"
                + " private preset is not measured here yet.",
            "This is captured on real connections, by the clock: another run with the same seed may"
                + " differ.",
            "A8: a peer that adds transactions which do not match, to every block. Whoever stays"
                + " lets it raise the rate of false matches at will, and watch what happens."));
  }
}
