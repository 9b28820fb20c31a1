package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.ClaimVerdict.Outcome;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.privacy.adversaries.Adversary;
import org.murmur.lab.privacy.chain.ChainPlan;
import org.murmur.lab.privacy.clients.PrivateClient;

/** The conclusions from invented counts: each claim fails by the one count that it names. */
class AdversaryFindingsTest {

  private static final String PRIVATE = "murmur-private";
  private static final String EPOCHS = PrivateClient.SHORT_EPOCHS;
  private static final String CONTROL = "bitcoinj";
  private static final int WALLET = 20;
  private static final int UNIVERSE = 10_020;
  private static final int NEGATIVES = UNIVERSE - WALLET;
  private static final int DECOYS = 100;
  private static final String AS_PREDICTED =
      "The number of decoys agrees with the bits of the filters";

  private static final AdversaryTrials TRIALS =
      new AdversaryTrials(
          new ChainPlan(1, 10, 10, 10, List.of(WALLET), UNIVERSE), PrivateClient.GAP, 1, 1);

  /** The values of one row, without its client, wallet and adversary. */
  private record Count(
      int filters, int tp, int fp, int fn, int negatives, @Nullable Double predicted, double auc) {}

  private record Of(String client, String adversary) {}

  private final Map<Of, Count> counts = new LinkedHashMap<>();

  @BeforeEach
  void aStudyWhoseClaimsAllHold() {
    for (String client : List.of(PRIVATE, EPOCHS)) {
      int filters = client.equals(EPOCHS) ? 3 : 1;
      set(client, Adversary.A1, new Count(filters, WALLET, DECOYS, 0, NEGATIVES, 100.0, 0.99));
      set(client, Adversary.A1B, new Count(filters, 0, 0, WALLET, NEGATIVES, null, 0.5));
      set(client, Adversary.A2, new Count(filters, WALLET, DECOYS, 0, NEGATIVES, 100.0, 0.99));
      set(client, Adversary.A2_LIFE, new Count(filters, WALLET, DECOYS, 0, NEGATIVES, null, 0.99));
      set(client, Adversary.A3, new Count(filters, WALLET, DECOYS, 0, NEGATIVES, 100.0, 0.99));
      counts.put(
          new Of(client, AdversaryTrials.OVERLAP), new Count(filters, 20, 0, 0, 20, 0.02, 0.5));
    }
    set(CONTROL, Adversary.A1, new Count(1, WALLET, DECOYS, 0, NEGATIVES, 100.0, 0.99));
    set(CONTROL, Adversary.A1B, new Count(1, WALLET, 0, 0, NEGATIVES, null, 1));
    set(CONTROL, Adversary.A2, new Count(4, WALLET, 0, 0, NEGATIVES, null, 1));
    set(CONTROL, Adversary.A5_OLD, new Count(2, WALLET, 0, 0, NEGATIVES, null, 1));
  }

  private void set(String client, Adversary adversary, Count count) {
    counts.put(new Of(client, adversary.id()), count);
  }

  private static void add(Table.Builder table, Of of, Count count) {
    add(table, of, 1, count);
  }

  private static void add(Table.Builder table, Of of, int number, Count count) {
    table.row(
        of.client(),
        WALLET,
        number,
        of.adversary(),
        2_000.0,
        4.0,
        count.filters(),
        count.tp(),
        count.fp(),
        count.fn(),
        count.negatives(),
        count.predicted(),
        count.auc());
  }

  private Section section() {
    Table.Builder table = Table.of("adversaries", "", TRIALS.columns());
    counts.forEach((of, count) -> add(table, of, count));
    return TRIALS.conclude(table.build());
  }

  private ClaimVerdict verdict(String claim) {
    List<ClaimVerdict> found =
        section().verdicts().stream().filter(one -> one.claim().contains(claim)).toList();
    assertThat(found).as(claim).hasSize(1);
    return found.get(0);
  }

  private Outcome outcome(String claim) {
    return verdict(claim).outcome();
  }

  private String detail(String claim) {
    return verdict(claim).detail();
  }

  /** Requires that one claim has this outcome, and that all others hold. */
  private void only(String claim, Outcome expected) {
    assertThat(outcome(claim)).as(claim).isEqualTo(expected);
    assertThat(section().verdicts())
        .filteredOn(one -> !one.claim().contains(claim))
        .allMatch(ClaimVerdict::holds);
  }

  @Test
  void allClaimsHold() {
    assertThat(section().verdicts()).hasSize(3 + 2 * 3 + 2).allMatch(ClaimVerdict::holds);
  }

  @ParameterizedTest
  @CsvSource({
    "A1B, the pair test recovers a wallet",
    "A2, four sessions recover a wallet",
    "A5_OLD, growth recovers the old keys"
  })
  void thePositiveControlLeavesNoForeignAddress(Adversary adversary, String claim) {
    set(CONTROL, adversary, new Count(2, WALLET, 1, 0, NEGATIVES, null, 1));
    only(claim, Outcome.FAIL);
  }

  @ParameterizedTest
  @CsvSource({"A1B, the pair test recovers a wallet", "A2, four sessions recover a wallet"})
  void thePositiveControlMissesNothing(Adversary adversary, String claim) {
    set(CONTROL, adversary, new Count(2, WALLET - 1, 0, 1, NEGATIVES, null, 1));
    only(claim, Outcome.FAIL);
  }

  @Test
  void aWalletThatDidNotOutgrowItsFilterHasNoVerdictOnGrowth() {
    set(CONTROL, Adversary.A5_OLD, new Count(1, WALLET, 9, 0, NEGATIVES, null, 1));
    assertThat(section().verdicts()).noneMatch(one -> one.claim().contains("growth recovers"));
  }

  @Test
  void anotherMatchAtALaterStartIsAnotherFilter() {
    set(PRIVATE, Adversary.A2, new Count(1, WALLET, DECOYS - 1, 0, NEGATIVES, 100.0, 0.99));
    only(PRIVATE + ": over ten restarts", Outcome.FAIL);
  }

  @Test
  void aFilterOfTheLifeThatTheLastSessionLacksIsAnotherFilter() {
    set(PRIVATE, Adversary.A2_LIFE, new Count(2, WALLET, DECOYS, 0, NEGATIVES, null, 0.99));
    only(PRIVATE + ": over ten restarts", Outcome.FAIL);
  }

  @Test
  void shortEpochsMustHaveOpenedThree() {
    for (Adversary adversary : List.of(Adversary.A1, Adversary.A2, Adversary.A2_LIFE)) {
      set(EPOCHS, adversary, new Count(2, WALLET, DECOYS, 0, NEGATIVES, 100.0, 0.99));
    }
    only(EPOCHS + ": over ten restarts", Outcome.TOO_FEW);
    assertThat(detail(EPOCHS + ": over ten restarts")).contains("fewer than 3 epochs");
    set(EPOCHS, Adversary.A2_LIFE, new Count(3, WALLET, DECOYS, 0, NEGATIVES, null, 0.99));
    only(EPOCHS + ": over ten restarts", Outcome.FAIL);
  }

  @Test
  void epochsThatShareAddressesFail() {
    // Half of the addresses match two filters; by chance 0.02 of 20 would.
    counts.put(new Of(EPOCHS, AdversaryTrials.OVERLAP), new Count(3, 10, 10, 0, 20, 0.02, 0.5));
    only(EPOCHS + ": over ten restarts", Outcome.FAIL);
  }

  @Test
  void aSecondPeerThatLearnsMoreFails() {
    set(PRIVATE, Adversary.A3, new Count(1, WALLET, DECOYS - 1, 0, NEGATIVES, 100.0, 0.99));
    only(PRIVATE + ": two peers that hold the same filter", Outcome.FAIL);
  }

  @Test
  void aPairTestThatConfirmsMoreThanChanceFails() {
    set(PRIVATE, Adversary.A1B, new Count(1, 5, 0, WALLET - 5, NEGATIVES, null, 0.5));
    only(PRIVATE + ": the pair test gains nothing for one guard", Outcome.FAIL);
  }

  /** None of n: the exact interval reaches up to 1 - (0.00125 / 2)^(1/n), a half for n = 10.6. */
  @ParameterizedTest
  @CsvSource({"10, TOO_FEW", "11, PASS"})
  void aPairTestOfFewScriptsProvesNothing(int tested, Outcome expected) {
    set(PRIVATE, Adversary.A1B, new Count(1, 0, 0, tested, NEGATIVES, null, 0.5));
    only(PRIVATE + ": the pair test gains nothing for one guard", expected);
  }

  @Test
  void aMissedScriptFails() {
    set(CONTROL, Adversary.A1, new Count(1, WALLET - 1, DECOYS, 1, NEGATIVES, 100.0, 0.99));
    only("No filter misses a used script", Outcome.FAIL);
  }

  @Test
  void decoysOutsideOfTheirIntervalFailIfMoreThanChanceAllows() {
    // Of three checks at 1% two may fail: all three do so by chance once in a million.
    predict(PRIVATE, DECOYS, 200.0);
    predict(EPOCHS, DECOYS, 200.0);
    only(AS_PREDICTED, Outcome.PASS);
    predict(CONTROL, DECOYS, 200.0);
    only(AS_PREDICTED, Outcome.FAIL);
    // A client without a prediction is not checked; then two checks fail, and two may.
    predict(CONTROL, DECOYS, null);
    assertThat(detail(AS_PREDICTED)).startsWith("2 of 2 cases outside");
  }

  /** Ten decoys have an interval from 4.6 to 21.6, which holds both half and double. */
  @Test
  void fewDecoysSayNothing() {
    predict(PRIVATE, 10, 10.0);
    predict(EPOCHS, 10, 10.0);
    assertThat(outcome(AS_PREDICTED)).isEqualTo(Outcome.PASS);
    predict(CONTROL, 10, 10.0);
    assertThat(outcome(AS_PREDICTED)).isEqualTo(Outcome.TOO_FEW);
  }

  private void predict(String client, int found, @Nullable Double decoys) {
    set(
        client,
        Adversary.A1,
        new Count(client.equals(EPOCHS) ? 3 : 1, WALLET, found, 0, NEGATIVES, decoys, 0.99));
  }

  @Test
  void theFiguresOfTwoTrialsByHand() {
    Table.Builder table = Table.of("adversaries", "", TRIALS.columns());
    counts.forEach((of, count) -> add(table, of, count));
    Of of = new Of("other", Adversary.A1.id());
    add(table, of, new Count(1, 8, 2, 2, 90, 1.0, 0.8));
    add(table, of, new Count(2, 6, 4, 5, 90, 4.0, 0.6));
    Section section = TRIALS.conclude(table.build());
    Table.Row row = row(section, "privacy-adversaries", "other");
    assertThat(row.number("filters")).isEqualTo(1.5);
    // 14 right, 6 wrong, 7 missed.
    near(row, "precision", 0.7);
    near(row, "recall", 14 / 21.0);
    near(row, "f1", 28 / 41.0);
    near(row, "k", 20 / 14.0);
    near(row, "decoys", 3);
    near(row, "decoys_predicted", 2.5);
    // Seven own and three decoys on average: 7/10; C(7,4)/C(10,4); 1/C(10,7).
    near(row, "p_h_1", 0.7);
    near(row, "p_h_half", 35 / 210.0);
    near(row, "p_h_all", 1 / 120.0);
    near(row, "auc", 0.7);
    near(row(section, "privacy-overview", "other"), "a1", 0.7);
    assertThat(row(section, "privacy-overview", "other").value("a2")).isNull();
  }

  /** More trials of one wallet say nothing about other wallets. */
  @Test
  void oneWalletHasNoIntervalAndSeveralHaveThatOfOneValueEach() {
    Table.Builder table = Table.of("adversaries", "", TRIALS.columns());
    counts.forEach((of, count) -> add(table, of, count));
    counts.forEach((of, count) -> add(table, of, count));
    Of of = new Of("other", Adversary.A1.id());
    // Decoys of the first wallet: 10 and 30, so 20; of the others 24 and 28. The mean is 24.
    add(table, of, 1, new Count(1, 10, 10, 0, 90, null, 0.8));
    add(table, of, 1, new Count(1, 10, 30, 0, 90, null, 0.8));
    add(table, of, 2, new Count(1, 10, 24, 0, 90, null, 0.8));
    add(table, of, 3, new Count(1, 10, 28, 0, 90, null, 0.8));
    Section section = TRIALS.conclude(table.build());

    Table.Row one = row(section, "privacy-adversaries", PRIVATE);
    assertThat(one.whole("distinct_wallets")).isEqualTo(1);
    assertThat(one.value("decoys_low_95")).isNull();
    assertThat(one.value("precision_high_95")).isNull();
    Table.Row three = row(section, "privacy-adversaries", "other");
    assertThat(three.whole("distinct_wallets")).isEqualTo(3);
    near(three, "decoys", 24);
    // t = 4.302653 for 3 values; their standard deviation is 4.
    double half = 4.302652729911275 * 4 / Math.sqrt(3);
    assertThat(three.number("decoys_low_95")).isCloseTo(24 - half, within(1e-6));
    assertThat(three.number("decoys_high_95")).isCloseTo(24 + half, within(1e-6));
    near(three, "precision", (20 / 60.0 + 10 / 34.0 + 10 / 38.0) / 3);
  }

  /** Alone and together: the adversary of the best F1. Bytes are those of 10 blocks. */
  @Test
  void theWaysAreJudgedByTheBestAdversary() {
    set(PRIVATE, Adversary.A6, new Count(1, 10, 0, 10, NEGATIVES, null, 1));
    set(PRIVATE, Adversary.A3_PAIR, new Count(1, 15, 5, 5, NEGATIVES, null, 1));
    Table.Row row = row(section(), "privacy-ways", PRIVATE);
    near(row, "bytes", 200);
    near(row, "mainnet_year", 4);
    // 20 of 120 picks in A1, so 2/7; half of the wallet alone in A6, so 2/3; 15 of 20 in A+B.
    assertThat(row.text("alone")).isEqualTo("A6");
    near(row, "precision", 1);
    near(row, "recall", 0.5);
    near(row, "f1", 2 / 3.0);
    assertThat(row.text("together")).isEqualTo("A+B");
    near(row, "together_f1", 0.75);
    Plot.Xy plot = (Plot.Xy) section().plots().get(1);
    assertThat(plot.series().get(0).points())
        .extracting(Plot.Point::y)
        .containsExactly(row.number("f1"), row.number("together_f1"));
  }

  /** One value a wallet: a hundred pairs of one wallet are one value, not a hundred. */
  @Test
  void pairsOfOneWalletAreNoSampleOfWallets() {
    assertThat(linksOf(1).outcome()).isEqualTo(Outcome.TOO_FEW);
    assertThat(linksOf(10).outcome()).isEqualTo(Outcome.TOO_FEW);
    assertThat(linksOf(11).outcome()).isEqualTo(Outcome.PASS);
    assertThat(linksOf(11).detail()).contains("means over 11 wallets");
  }

  private ClaimVerdict linksOf(int wallets) {
    Table.Builder table = Table.of("adversaries", "", TRIALS.columns());
    counts.forEach((of, count) -> add(table, of, count));
    Of of = new Of(EPOCHS, AdversaryTrials.LINKED);
    for (int number = 1; number <= wallets; number++) {
      for (int trial = 0; trial < 5; trial++) {
        add(table, of, number, new Count(8, 0, 0, 100, 100, null, 0.5));
      }
    }
    return TRIALS.conclude(table.build()).verdicts().stream()
        .filter(one -> one.claim().contains("two epochs do not show"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothingFoundHasNoPrecision() {
    Table.Row row = row(section(), "privacy-adversaries", PRIVATE, Adversary.A1B.id());
    assertThat(row.value("precision")).isNull();
    assertThat(row.value("f1")).isNull();
    assertThat(row.value("k")).isNull();
    assertThat(row.value("p_h_1")).isNull();
    assertThat(row.value("decoys_predicted")).isNull();
    assertThat(row.number("recall")).isZero();
  }

  @Test
  void thePlotHasThePrecisionOfEachClient() {
    set(PRIVATE, Adversary.A1, new Count(1, WALLET, 60, 0, NEGATIVES, 60.0, 0.99));
    Plot.Bars bars = (Plot.Bars) section().plots().get(0);
    assertThat(bars.groups().get(0).values()).containsExactly(0.25, 20 / 120.0, 20 / 120.0);
  }

  @Test
  void theFindingComparesTheForeignAddressesLeft() {
    assertThat(section().findings())
        .containsExactly(
            "On average over wallets, a peer that saw four starts of bitcoinj is left with no"
                + " foreign addresses besides the 20 addresses of the wallet; one that saw the"
                + " whole life of a wallet under Murmur's private preset, with 100 of the 10,000"
                + " there are.");
  }

  private static Table.Row row(Section section, String table, String client) {
    return row(section, table, client, Adversary.A1.id());
  }

  private static Table.Row row(Section section, String table, String client, String adversary) {
    return section.tables().stream()
        .filter(one -> one.name().equals(table))
        .flatMap(one -> one.rows().stream())
        .filter(one -> one.text("client").equals(client))
        .filter(one -> !table.endsWith("adversaries") || one.text("adversary").equals(adversary))
        .findFirst()
        .orElseThrow();
  }

  private static void near(Table.Row row, String column, double expected) {
    assertThat(row.number(column)).as(column).isCloseTo(expected, within(1e-9));
  }
}
