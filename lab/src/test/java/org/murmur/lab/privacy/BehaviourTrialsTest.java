package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Verdict;
import org.murmur.lab.Watcher;
import org.murmur.regtest.RegtestNode;

class BehaviourTrialsTest {

  @Test
  void theReleasedBitcoinjTellsItsOwnMatchesAndKeepsAPeerThatInjects() throws Exception {
    Study study =
        new Study(
            "behaviour",
            "",
            List.of(),
            Parameters.of(20261121, 1),
            List.of(new BehaviourTrials(1, 2)));
    Section section =
        new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run().conclude(study).get(0);
    assertThat(section.verdicts()).hasSize(4).allMatch(Verdict::holds);
    Table.Row auc = section.tables().get(0).rows().get(0);
    assertThat(auc.number("auc")).isEqualTo(1);
    assertThat(auc.text("client")).isEqualTo("bitcoinj");
    assertThat(auc.whole("own_told")).isEqualTo(2);
    assertThat(auc.whole("strangers_told")).isZero();
    assertThat(auc.flag("stays_with_injector")).isTrue();
    // The server adds what the fast preset would have to name (UPDATE_ALL).
    Table.Row fast = section.tables().get(0).rows().get(1);
    assertThat(fast.text("client")).isEqualTo("murmur-fast");
    assertThat(fast.whole("own")).isEqualTo(2);
    assertThat(fast.whole("own_told")).isZero();
    assertThat(fast.whole("strangers_told")).isZero();
    assertThat(fast.number("auc")).isEqualTo(0.5);
  }

  @Test
  void aMurmurThatTellsOrStaysFailsItsVerdicts() {
    BehaviourTrials trials = new BehaviourTrials(1, 1);
    Table.Builder rows = Table.of("observed", "", trials.columns());
    rows.row("murmur-fast", "own", WatchedClient.Reaction.ADDED.title(), true);
    rows.row("murmur-fast", "stranger's", WatchedClient.Reaction.NOTHING.title(), true);
    rows.row("murmur-fast", "none, injected", "", true);
    assertThat(trials.conclude(rows.build()).verdicts()).hasSize(2).noneMatch(Verdict::holds);
  }

  @Test
  void aClientThatIsGoneIsNoWitness() throws Exception {
    try (RegtestNode node = RegtestNode.start()) {
      WatchedClient gone =
          new WatchedClient() {
            @Override
            public RegtestNode node() {
              return node;
            }

            @Override
            public Bytes freshScript() {
              return Bytes.EMPTY;
            }

            @Override
            public void awaitTip() {}

            @Override
            public void close() {}
          };
      assertThatThrownBy(() -> gone.reaction(0, 0)).hasMessageStartingWith("the client is gone");
    }
  }
}
