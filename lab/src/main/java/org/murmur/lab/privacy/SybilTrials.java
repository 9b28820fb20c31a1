package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.internal.privacy.Exposure;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.Trial;
import org.murmur.lab.privacy.clients.Client;
import org.murmur.lab.privacy.clients.ModelClient;
import org.murmur.lab.privacy.clients.PrivateClient;

/**
 * Adversary A9 runs some of all peers. Computes how likely one of them receives a wallet's filter,
 * by the number of peers a client sends it to and whether it keeps them.
 */
final class SybilTrials extends Experiment {

  private static final Texts TEXTS = PrivacyStudy.TEXTS;

  private static final List<Integer> SESSIONS = List.of(1, 3, 10, 30);

  SybilTrials() {
    super("sybil", 1, "text client, whole sessions, number exposure");
  }

  /** How a client sends filters: to how many peers, and whether these stay the same. */
  private record Habit(String client, int peers, boolean keeps) {

    /** The greatest number of peers that receive a filter over some sessions. */
    int seen(int sessions) {
      return keeps ? peers : peers * sessions;
    }

    double exposure(int sessions) {
      return Exposure.ofPeers(Exposure.NICK_2015, seen(sessions)).value();
    }
  }

  /** In the private preset one guard receives the scripts, or two if a second checks the first. */
  private static List<Habit> habits() {
    return List.of(
        new Habit("murmur-private, guard A", 1, true),
        new Habit("murmur-private, all guards", PrivateClient.OUT_POINT_GUARD + 1, true),
        habit(ModelClient.fast()),
        new Habit("bitcoinj", 12, false),
        habit(ModelClient.bcoin()),
        habit(ModelClient.breadwallet()),
        habit(ModelClient.bitcoinKit()));
  }

  private static Habit habit(Client client) {
    return new Habit(client.name(), client.peers(), client.keepsPeers());
  }

  @Override
  public Parameters constants() {
    return Parameters.none().with("spies", Exposure.NICK_2015);
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    for (Habit habit : habits()) {
      for (int sessions : SESSIONS) {
        rows.add(habit.client(), sessions, habit.exposure(sessions));
      }
    }
  }

  @Override
  public Section conclude(Table observed) {
    Table.Builder table =
        Table.of(
            "sybil",
            "Chance that a spy gets the filter, assuming that 4.3% of all peers are spies",
            Column.list(
                "text client, whole peers, flag keeps_them, whole sessions, number exposure"));
    List<Plot.Series> series = new ArrayList<>();
    for (Habit habit : habits()) {
      List<Plot.Point> points = new ArrayList<>();
      for (Table.Row row : observed.rows()) {
        if (row.text("client").equals(habit.client())) {
          double exposure = row.number("exposure");
          points.add(new Plot.Point(row.whole("sessions"), exposure));
          table.row(habit.client(), habit.peers(), habit.keeps(), row.whole("sessions"), exposure);
        }
      }
      series.add(new Plot.Series(habit.client(), Plot.Style.LINE_AND_POINTS, points));
    }
    return new Section(
        "Spies among the peers (A9)",
        TEXTS.of("sybil.explanation"),
        List.of(table.build()),
        List.of(
            new Plot.Xy(
                "sybil",
                "Chance that a spy has seen the filter",
                Plot.Axis.log("sessions"),
                Plot.Axis.linear("probability"),
                series)),
        List.of());
  }
}
