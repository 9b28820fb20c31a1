package org.murmur.lab.privacy.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Dice;

class BehaviourTrialsTest {

  private static final int EACH = 12;

  private static Table.Row row(Section section, String client) {
    return section.tables().get(0).rows().stream()
        .filter(row -> row.text("client").equals(client))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void bitcoinjRevealsItsOwnMatchesAndMurmurDoesNotAtAnyOfItsPeers() throws Exception {
    Study study =
        new Study(
            "behaviour",
            "",
            List.of(),
            Parameters.of(20261121, 1),
            List.of(new BehaviourTrials(1, EACH)));
    Section section =
        new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run().conclude(study).get(0);
    assertThat(section.verdicts()).hasSize(9).allMatch(ClaimVerdict::holds);
    Table.Row control = row(section, BehaviourTrials.BITCOINJ);
    assertThat(control.number("auc")).isEqualTo(1);
    assertThat(control.whole("own_told")).isEqualTo(EACH);
    assertThat(control.whole("strangers_told")).isZero();
    assertThat(control.text("stays_with_injector")).isEqualTo("yes");
    // The server adds the elements that the fast preset would have to send (UPDATE_ALL).
    Table.Row fast = row(section, BehaviourTrials.MURMUR_FAST);
    assertThat(fast.whole("own")).isEqualTo(EACH);
    assertThat(fast.whole("own_told")).isZero();
    assertThat(fast.whole("strangers_told")).isZero();
    for (String client :
        List.of(
            BehaviourTrials.MURMUR_FAST,
            BehaviourTrials.GUARD_A,
            BehaviourTrials.GUARD_B,
            BehaviourTrials.PAYMENTS_AT_B,
            BehaviourTrials.SPENDS_AT_A)) {
      Table.Row murmur = row(section, client);
      assertThat(murmur.whole("own")).as(client).isEqualTo(EACH);
      assertThat(murmur.whole("strangers")).as(client).isEqualTo(EACH);
      // Every answer to a block is the same, to the last message.
      assertThat(murmur.whole("different_answers")).as(client).isEqualTo(1);
      assertThat(murmur.number("auc")).as(client).isEqualTo(0.5);
    }
    assertThat(row(section, BehaviourTrials.GUARD_A).text("stays_with_injector")).isEqualTo("no");
  }

  private static Table.Builder observed(BehaviourTrials trials) {
    return Table.of("observed", "", trials.columns());
  }

  @Test
  void aMurmurThatRevealsOrStaysFailsItsVerdicts() {
    BehaviourTrials trials = new BehaviourTrials(1, 1);
    Table.Builder rows = observed(trials);
    String fast = BehaviourTrials.MURMUR_FAST;
    rows.row(fast, "own", Judge.Reaction.ADDED.title(), "filteradd", 5.0, true);
    rows.row(fast, "stranger's", Judge.Reaction.NOTHING.title(), "", 5.0, true);
    rows.row(fast, "none, injected", "", "", 0.0, true);
    assertThat(trials.conclude(rows.build()).verdicts()).hasSize(2).noneMatch(ClaimVerdict::holds);
  }

  @Test
  void aRevealingSecondAnswerOfAGuardFailsThePrivatePreset() {
    BehaviourTrials trials = new BehaviourTrials(1, 20);
    Table.Builder rows = observed(trials);
    String nothing = Judge.Reaction.NOTHING.title();
    for (int i = 0; i < 20; i++) {
      // Not the filter reveals it, but one more request after half of the wallet's own.
      String said = i % 4 < 2 ? "getdata; 2 x getheaders" : "getdata";
      rows.row(BehaviourTrials.GUARD_A, "own", nothing, said, 5.0, true);
      rows.row(BehaviourTrials.GUARD_A, "stranger's", nothing, "getdata", 5.0, true);
    }
    Section section = trials.conclude(rows.build());
    assertThat(section.verdicts()).hasSize(1).noneMatch(ClaimVerdict::holds);
    // By hand: the odd answer wins against all, the usual one ties with all.
    assertThat(row(section, BehaviourTrials.GUARD_A).number("auc")).isEqualTo(0.75);
    assertThat(row(section, BehaviourTrials.GUARD_A).number("auc_by_time")).isEqualTo(0.5);
  }

  /** By hand, for four of each: Wilson's interval of 4 of 4 begins at 4 / (4 + z²). */
  @Test
  void theIntervalOfAFewMatchesHasAWidth() {
    Auc certain = Auc.of(new double[] {1, 1, 1, 1}, new double[] {0, 0, 0, 0, 0});
    assertThat(certain.value()).isEqualTo(1);
    assertThat(certain.low()).isCloseTo(4 / (4 + 3.841459), within(1e-6));
    assertThat(certain.high()).isEqualTo(1);
    Auc wrong = Auc.of(new double[] {0, 0, 0, 0}, new double[] {1, 1, 1, 1});
    assertThat(wrong.low()).isZero();
    assertThat(wrong.high()).isCloseTo(3.841459 / (4 + 3.841459), within(1e-6));
    Auc chance = Auc.of(new double[] {1, 1}, new double[] {1, 1, 1});
    assertThat(chance.low() + chance.high()).isCloseTo(1, within(1e-9));
  }

  /** The interval of four matches each is 0.150 to 0.850. */
  @ParameterizedTest
  @ValueSource(strings = {BehaviourTrials.MURMUR_FAST, BehaviourTrials.GUARD_A})
  void fourMatchesAreTooFewToSayThatNothingTells(String client) {
    BehaviourTrials trials = new BehaviourTrials(1, 4);
    Table.Builder rows = observed(trials);
    String nothing = Judge.Reaction.NOTHING.title();
    for (int i = 0; i < 4; i++) {
      rows.row(client, "own", nothing, "getdata", 5.0, true);
      rows.row(client, "stranger's", nothing, "getdata", 5.0, true);
    }
    assertThat(trials.conclude(rows.build()).verdicts())
        .filteredOn(one -> one.claim().contains("(A7)"))
        .singleElement()
        .extracting(ClaimVerdict::outcome)
        .isEqualTo(ClaimVerdict.Outcome.TOO_FEW);
  }

  @Test
  void randomReactionsAreNoSign() {
    BehaviourTrials trials = new BehaviourTrials(1, 200);
    Dice dice = new Dice(20261121);
    Table.Builder rows = observed(trials);
    for (int i = 0; i < 400; i++) {
      String said = "getdata of " + dice.below(5);
      String whose = i % 2 == 0 ? "own" : "stranger's";
      double answer = dice.below(1_000);
      rows.row(BehaviourTrials.GUARD_B, whose, "nothing", said, answer, true);
    }
    Table.Row row = row(trials.conclude(rows.build()), BehaviourTrials.GUARD_B);
    assertThat(row.number("auc")).isBetween(0.4, 0.6);
    assertThat(row.number("auc_by_time")).isBetween(0.4, 0.6);
  }

  @Test
  void aClientThatIsGoneIsNoWitness() throws Exception {
    try (RegtestNode node = RegtestNode.start()) {
      Judge judge = new Judge(node, new Signal());
      assertThat(judge.settle()).as("there is nobody who could answer").isFalse();
      WatchedClient gone =
          new WatchedClient() {
            @Override
            public RegtestNode node() {
              return node;
            }

            @Override
            public Judge judge() {
              return judge;
            }

            @Override
            public Provocation provocation() {
              return new Provocation(node, new Dice(1));
            }

            @Override
            public Bytes freshScript() {
              return Bytes.EMPTY;
            }

            @Override
            public void awaitTip() {}

            @Override
            public boolean awaitThreads() {
              return false;
            }

            @Override
            public void close() {}
          };
      assertThatThrownBy(() -> gone.settle(List.of(judge)))
          .hasMessageStartingWith("the client is gone");
    }
  }
}
