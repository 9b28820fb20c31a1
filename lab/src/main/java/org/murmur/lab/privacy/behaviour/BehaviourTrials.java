package org.murmur.lab.privacy.behaviour;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.internal.privacy.BitcoinjEstimator;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Column;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Texts;
import org.murmur.lab.Trial;
import org.murmur.lab.privacy.clients.BitcoinjClient;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.node.Behaviour;

/**
 * Adversaries A7 and A8 against real clients, captured on the wire. Tests whether a client's
 * actions after a block with one match reveal that the match was its own. Also tests whether it
 * disconnects a peer that sends false positives.
 */
public final class BehaviourTrials extends Experiment {

  private static final Texts TEXTS = new Texts(BehaviourTrials.class);

  /**
   * Starting a real client takes seconds: this runs two trials if the study has at least this many,
   * else one.
   */
  private static final int MANY_TRIALS = 100;

  /** Blocks of each kind in a session: Murmur disconnects a judge that sends many more pings. */
  private static final int AT_ONCE = 6;

  /** The pause at the end of a session, to record actions that depend on a timer. */
  private static final Duration SILENCE = Duration.ofSeconds(1);

  /** Transactions per block: the coinbase and the one that matches. */
  private static final int TRANSACTIONS = 2;

  public static final String BITCOINJ = "bitcoinj";
  static final String MURMUR_FAST = "murmur-fast";
  static final String MURMUR_PRIVATE = "murmur-private";
  static final String GUARD_A = MURMUR_PRIVATE + ", guard A";
  static final String GUARD_B = MURMUR_PRIVATE + ", guard B";

  // The other guard's view of a block for the first guard: nothing in it matches the other filter.
  static final String PAYMENTS_AT_B = GUARD_B + ", of payments";
  static final String SPENDS_AT_A = GUARD_A + ", of spends";

  private static final String OWN = "own";
  private static final String STRANGER = "stranger's";
  private static final String INJECTED = "none, injected";
  private static final String LATE = "none, at the end";

  private final int each;

  /**
   * @param each the number of blocks of each kind in a trial
   */
  public BehaviourTrials(int trials, int each) {
    super(
        "behaviour",
        trials < MANY_TRIALS ? 1 : 2,
        "text client, text match, text reaction, text said, number answer (microseconds),"
            + " flag still_connected");
    this.each = each;
  }

  @Override
  public Parameters constants() {
    return Parameters.none()
        .with("blocks-at-once", AT_ONCE)
        .with("transactions-per-block", TRANSACTIONS)
        .with("silence-ms", SILENCE.toMillis());
  }

  /** Returns true: the threads and sockets are real, and need time to act. */
  @Override
  public boolean alone() {
    return true;
  }

  @Override
  public void observe(Trial trial, Rows rows) throws IOException, InterruptedException {
    Behaviour injecting = Behaviour.honest().with(new Injects(1));
    Dice dice = trial.dice(BITCOINJ);
    try (WatchedClient client = new BitcoinjBehaviour(dice, Behaviour.honest())) {
      List<Seat> seats = List.of(new Seat(BITCOINJ, client.judge()));
      provoke(client, seats, ofScripts(client), each, dice, rows);
      hearOut(seats, rows);
    }
    try (WatchedClient client = new BitcoinjBehaviour(dice, injecting)) {
      inject(BITCOINJ, client, rows);
    }
    for (int from = 0; from < each; from += AT_ONCE) {
      int here = Math.min(AT_ONCE, each - from);
      fastSession(here, trial.dice(MURMUR_FAST + from), rows);
      privateSession(here, trial.dice(MURMUR_PRIVATE + from), rows);
    }
    dice = trial.dice(MURMUR_FAST);
    try (WatchedClient client = MurmurBehaviour.fast(dice, injecting)) {
      inject(MURMUR_FAST, client, rows);
    }
    try (WatchedClient client = MurmurBehaviour.guarded(dice, injecting, 1)) {
      inject(GUARD_A, client, rows);
    }
  }

  private static void fastSession(int here, Dice dice, Rows rows)
      throws IOException, InterruptedException {
    try (WatchedClient client = MurmurBehaviour.fast(dice, Behaviour.honest())) {
      List<Seat> seats = List.of(new Seat(MURMUR_FAST, client.judge()));
      provoke(client, seats, ofScripts(client), here, dice, rows);
      hearOut(seats, rows);
    }
  }

  private static void privateSession(int here, Dice dice, Rows rows)
      throws IOException, InterruptedException {
    // One coin stays unspent, so that the filter of coins is in use until the end.
    try (MurmurBehaviour client = MurmurBehaviour.guarded(dice, Behaviour.honest(), here + 1)) {
      Judge a = client.judge();
      Judge b = client.judgeOfCoins();
      BloomFilter coins = b.filter();
      List<Seat> seats = List.of(new Seat(GUARD_A, a), new Seat(PAYMENTS_AT_B, b));
      provoke(client, seats, ofScripts(client), here, dice, rows);
      client.provocation().mintStrangersCoins(coins, here);
      seats = List.of(new Seat(GUARD_B, b), new Seat(SPENDS_AT_A, a));
      provoke(client, seats, ofCoins(client), here, dice, rows);
      hearOut(seats, rows);
    }
  }

  private record Seat(String name, Judge judge) {}

  /** Mines a block with a match: the client's own or a false positive. */
  private interface Match {
    void mine(boolean own);
  }

  /** Payments, which match a filter of scripts. */
  private static Match ofScripts(WatchedClient client) {
    return own -> {
      if (own) {
        client.provocation().pay(client.freshScript());
      } else {
        client.provocation().payStranger(client.judge().filter());
      }
    };
  }

  /** Spends, which match a filter of coins. */
  private static Match ofCoins(MurmurBehaviour client) {
    return own -> {
      if (own) {
        client.provocation().spend(client.nextCoin());
      } else {
        client.provocation().spendStrangers();
      }
    };
  }

  private static void provoke(
      WatchedClient client, List<Seat> seats, Match match, int here, Dice dice, Rows rows)
      throws IOException, InterruptedException {
    List<Judge> judges = seats.stream().map(Seat::judge).toList();
    client.settle(judges);
    for (boolean own : drawn(here, dice)) {
      judges.forEach(Judge::listen);
      match.mine(own);
      client.settle(judges);
      for (Seat seat : seats) {
        Judge.Heard heard = seat.judge().heard();
        rows.add(
            seat.name(),
            own ? OWN : STRANGER,
            heard.reaction().title(),
            heard.said(),
            heard.nanos() / 1e3,
            true);
      }
    }
  }

  /** Records actions that come late, after those due at once. */
  private static void hearOut(List<Seat> seats, Rows rows) throws InterruptedException {
    seats.forEach(seat -> seat.judge().listen());
    seats.get(0).judge().listenOn(SILENCE);
    for (Seat seat : seats) {
      Judge.Heard heard = seat.judge().heard();
      boolean connected = seat.judge().isConnected();
      rows.add(seat.name(), LATE, heard.reaction().title(), heard.said(), 0.0, connected);
    }
  }

  private static void inject(String name, WatchedClient client, Rows rows)
      throws IOException, InterruptedException {
    if (client.judge().settle()) {
      client.judge().listen();
      client.node().mine(1);
      client.awaitTip();
    }
    // A client that disconnects does so before it answers.
    rows.add(name, INJECTED, "", "", 0.0, client.judge().settle());
  }

  /** Equal numbers of both kinds, in random order. */
  private static List<Boolean> drawn(int each, Dice dice) {
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

  private static final class Seen {

    private record Block(String said, double answer) {}

    private final List<Block> own = new ArrayList<>();
    private final List<Block> strangers = new ArrayList<>();
    private int ownTold;
    private int strangersTold;
    private int refreshed;
    private int refreshesPredicted;
    private BitcoinjEstimator estimator = new BitcoinjEstimator();
    private int injected;
    private int stayed;
    private int late;

    /** Runs a model of bitcoinj's estimator, written from its source, on the same blocks. */
    private void estimate(boolean falsePositive) {
      if (falsePositive) {
        estimator.falsePositives(1);
      }
      estimator.block(TRANSACTIONS);
      if (estimator.refreshes(BitcoinjClient.RATE)) {
        refreshesPredicted++;
        estimator = new BitcoinjEstimator();
      }
    }

    void add(Table.Row row) {
      String reaction = row.text("reaction");
      boolean tells =
          reaction.equals(Judge.Reaction.ANOTHER.title())
              || reaction.equals(Judge.Reaction.ADDED.title());
      switch (row.text("match")) {
        case OWN -> {
          own.add(new Block(row.text("said"), row.number("answer")));
          ownTold += tells ? 1 : 0;
          estimate(false);
        }
        case STRANGER -> {
          strangers.add(new Block(row.text("said"), row.number("answer")));
          strangersTold += tells ? 1 : 0;
          estimate(true);
          refreshed += reaction.equals(Judge.Reaction.SAME_AGAIN.title()) ? 1 : 0;
        }
        case LATE -> late += reaction.equals(Judge.Reaction.NOTHING.title()) ? 0 : 1;
        default -> {
          injected++;
          stayed += row.flag("still_connected") ? 1 : 0;
        }
      }
    }

    boolean isJudged() {
      return !own.isEmpty() && !strangers.isEmpty();
    }

    int blocks() {
      return own.size() + strangers.size();
    }

    /**
     * The success of a judge that learned from every other block which answers follow own matches:
     * it can pay the wallet itself. It scores the remaining blocks.
     */
    Auc bySaid() {
      return Auc.of(scores(own), scores(strangers));
    }

    private double[] scores(List<Block> blocks) {
      double[] scores = new double[blocks.size()];
      for (int i = 0; i < scores.length; i++) {
        int others = 1 - i % 2;
        double ownAlike = alike(own, others, blocks.get(i).said());
        double strangersAlike = alike(strangers, others, blocks.get(i).said());
        scores[i] = (ownAlike + 1) / (ownAlike + strangersAlike + 2);
      }
      return scores;
    }

    /** The share of every other block after which the client sent the same. */
    private static double alike(List<Block> blocks, int first, String said) {
      int alike = 0;
      for (int i = first; i < blocks.size(); i += 2) {
        alike += blocks.get(i).said().equals(said) ? 1 : 0;
      }
      return alike;
    }

    /** The same for a judge that uses only the answer time. */
    Auc byTime() {
      return Auc.of(times(own), times(strangers));
    }

    private static double[] times(List<Block> blocks) {
      return blocks.stream().mapToDouble(Block::answer).toArray();
    }

    long answers() {
      List<Block> all = new ArrayList<>(own);
      all.addAll(strangers);
      return all.stream().map(Block::said).distinct().count();
    }
  }

  @Override
  public Section conclude(Table observed) {
    Map<String, Seen> clients = new LinkedHashMap<>();
    for (Table.Row row : observed.rows()) {
      clients.computeIfAbsent(row.text("client"), any -> new Seen()).add(row);
    }
    List<String> text = explanation();
    List<ClaimVerdict> verdicts = new ArrayList<>();
    Seen control = clients.get(BITCOINJ);
    if (control != null && control.isJudged()) {
      judge(control, text, verdicts);
    }
    Seen fast = clients.get(MURMUR_FAST);
    if (fast != null && fast.isJudged()) {
      judgeFast(fast, verdicts);
    }
    for (String guard : List.of(GUARD_A, GUARD_B, PAYMENTS_AT_B, SPENDS_AT_A)) {
      Seen seen = clients.get(guard);
      if (seen != null && seen.isJudged()) {
        judgePrivate(guard, seen, verdicts);
      }
    }
    return new Section(
        "Behaviour that reveals own transactions (A7, A8)",
        text,
        clients.isEmpty() ? List.of() : List.of(table(clients)),
        List.of(),
        verdicts);
  }

  private static Table table(Map<String, Seen> clients) {
    Table.Builder table =
        Table.of(
            "behaviour-auc",
            "How well behaviour distinguishes a client's own transactions from foreign ones",
            Column.list(
                "text client, whole own (blocks), whole strangers (blocks), number auc,"
                    + " number auc_low (95%), number auc_high (95%), whole own_told (blocks),"
                    + " whole strangers_told (blocks), whole same_filter_again (blocks),"
                    + " whole different_answers, number auc_by_time, number time_low (95%),"
                    + " number time_high (95%), text stays_with_injector"));
    clients.forEach(
        (name, seen) -> {
          Auc said = seen.isJudged() ? seen.bySaid() : null;
          Auc time = seen.isJudged() ? seen.byTime() : null;
          table.row(
              name,
              seen.own.size(),
              seen.strangers.size(),
              said == null ? null : said.value(),
              said == null ? null : said.low(),
              said == null ? null : said.high(),
              seen.ownTold,
              seen.strangersTold,
              seen.refreshed,
              seen.answers(),
              time == null ? null : time.value(),
              time == null ? null : time.low(),
              time == null ? null : time.high(),
              seen.injected == 0 ? null : seen.stayed > 0 ? "yes" : "no");
        });
    return table.build();
  }

  private static void judge(Seen control, List<String> text, List<ClaimVerdict> verdicts) {
    text.add(
        TEXTS.line(
            "behaviour.judge",
            control.ownTold,
            control.own.size(),
            control.strangersTold,
            control.strangers.size(),
            control.refreshesPredicted,
            control.refreshed));
    verdicts.add(
        ClaimVerdict.of(
            "Positive control: bitcoinj's behaviour reveals which match is its own (A7)",
            control.bySaid().value() > 0.9,
            ClaimVerdict.mayHideSkill(control.bySaid().interval(), 0.5),
            figures(control)));
    verdicts.add(
        new ClaimVerdict(
            "Positive control: bitcoinj stays with a peer that sends transactions that do "
                + "not match (A8)",
            control.stayed == control.injected,
            control.stayed
                + " of "
                + control.injected
                + " sessions, a foreign transaction in every block"));
  }

  private static String figures(Seen seen) {
    Auc said = seen.bySaid();
    return TEXTS.line(
        "behaviour.figures",
        said.value(),
        said.low(),
        said.high(),
        seen.own.size(),
        seen.strangers.size());
  }

  private static void judgeFast(Seen fast, List<ClaimVerdict> verdicts) {
    int told = fast.ownTold + fast.strangersTold + fast.late;
    verdicts.add(
        ClaimVerdict.of(
            MURMUR_FAST + ": no filter and no element reveals which match is its own (A7)",
            told == 0 && fast.bySaid().interval().holds(0.5),
            ClaimVerdict.mayHideSkill(fast.bySaid().interval(), 0.5),
            TEXTS.line(
                "behaviour.judgeFast",
                fast.ownTold,
                fast.own.size(),
                fast.strangersTold,
                fast.strangers.size(),
                fast.late,
                figures(fast))));
    leaves(MURMUR_FAST, fast, verdicts);
  }

  private static void judgePrivate(String guard, Seen seen, List<ClaimVerdict> verdicts) {
    verdicts.add(
        ClaimVerdict.of(
            guard + ": no message to the judge reveals which match is the wallet's own (A7)",
            seen.bySaid().interval().holds(0.5) && seen.late == 0,
            ClaimVerdict.mayHideSkill(seen.bySaid().interval(), 0.5),
            figures(seen)
                + "; "
                + seen.answers()
                + (seen.answers() == 1 ? " answer, the same" : " different answers")
                + " in "
                + seen.blocks()
                + " blocks, "
                + seen.late
                + " filters late"));
    if (seen.injected > 0) {
      leaves(guard, seen, verdicts);
    }
  }

  private static void leaves(String name, Seen seen, List<ClaimVerdict> verdicts) {
    verdicts.add(
        new ClaimVerdict(
            name + ": disconnects a peer that sends transactions that do not match (A8)",
            seen.stayed == 0 && seen.injected > 0,
            "stayed in " + seen.stayed + " of " + seen.injected + " sessions"));
  }

  private static List<String> explanation() {
    return new ArrayList<>(TEXTS.of("behaviour.explanation"));
  }
}
