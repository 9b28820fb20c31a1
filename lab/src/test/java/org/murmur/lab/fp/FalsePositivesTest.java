package org.murmur.lab.fp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Parameters;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;
import org.murmur.lab.probe.Probe;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.node.Behaviour;

class FalsePositivesTest {

  private static final Parameters SMALL =
      new FalsePositives()
          .defaults(StudyKind.Size.SMALL)
          .with("trials", 6)
          .with("stream-blocks", 9);

  private static StudyResult run(Study study, String shard) throws Exception {
    return new StudyRun(study, Shard.parse(shard), 2, Watcher.NONE).run();
  }

  @Test
  void everythingHoldsThatMustAndShardsAreExactParts() throws Exception {
    Study study = new FalsePositives().with(SMALL);
    StudyResult whole = run(study, "1/1");
    List<Section> sections = whole.conclude(study);
    assertThat(sections).hasSize(4).allMatch(Section::holds);
    assertThat(sections).flatExtracting(Section::plots).hasSize(4);
    StudyResult merged =
        StudyResult.merge(
            List.of(
                new StudyResult.Part("a", run(study, "1/2")),
                new StudyResult.Part("b", run(study, "2/2"))));
    assertThat(ResultFiles.toJson(merged, merged.conclude(study)))
        .isEqualTo(ResultFiles.toJson(whole, sections));
  }

  /** O22: a filter for 642 elements at 1e-3 doubles its rate after 7 blocks of 9000 outputs. */
  @Test
  void theCollapseIsPredictedAsPublished() throws Exception {
    Study study = only(new FalsePositives().with(SMALL), 1);
    Section section = run(study, "1/1").conclude(study).get(0);
    Table table = section.tables().get(0);
    Table.Row all =
        table.rows().stream().filter(r -> r.text("flag").equals("ALL")).findFirst().orElseThrow();
    assertThat(all.whole("doubles_predicted")).isEqualTo(7);
    assertThat(all.number("doubles_measured")).isCloseTo(7, within(3.0));
    Table.Row none =
        table.rows().stream().filter(r -> r.text("flag").equals("NONE")).findFirst().orElseThrow();
    assertThat(none.value("doubles_measured")).isNull();
  }

  /** The answers of a node that omits matches, or adds some, differ from the filter's bits. */
  @ParameterizedTest
  @CsvSource({"true, 0.5", "false, 1"})
  void aNodeThatLiesIsNotInsideTheInterval(boolean hides, double share) throws Exception {
    Behaviour lying =
        hides
            ? Behaviour.honest().with(new Omits(share))
            : Behaviour.honest().with(new Injects(share));
    try (RegtestNode node =
        RegtestNode.start(
            ChainBuilder.ofSeed(3).blocks(112).transactionsPerBlock(120).build().chain(), lying)) {
      Study study = new FalsePositives().with(SMALL.with(FalsePositives.CONNECT, node.address()));
      Section served =
          new StudyRun(only(study, 2), Shard.WHOLE, 2, Watcher.NONE)
              .run()
              .conclude(only(study, 2))
              .get(0);
      assertThat(served.verdicts().get(0).holds()).as(served.verdicts().toString()).isFalse();
    }
  }

  /** A chain as {@code bitcoin-cli -generate} makes it: a false match of the script is in all. */
  @Test
  void anHonestNodeDoesNotFailWhereAllBlocksPayOneAddress() throws Exception {
    try (RegtestNode node = RegtestNode.start()) {
      List<Block> ignored = node.mineTo(Bytes.ofHex("0014" + "5a".repeat(20)), 111);
      for (int seed = 1; seed <= 20; seed++) {
        Section served = served(new FalsePositives().defaults(StudyKind.Size.USUAL), seed, node);
        assertThat(served.verdicts()).as("seed %d", seed).noneMatch(ClaimVerdict::failed);
        assertThat(served.verdicts().get(0).holds()).as("seed %d, all tweaks", seed).isTrue();
        served = served(new FalsePositives().defaults(StudyKind.Size.SMALL), seed, node);
        assertThat(served.verdicts()).as("seed %d, small", seed).noneMatch(ClaimVerdict::failed);
        assertThat(served.tables().get(0).rows())
            .filteredOn(row -> row.whole("matched") == 0)
            .isNotEmpty()
            .allMatch(row -> row.number("measured") == 0);
      }
    }
  }

  /** Twenty questions, each wrong once in a thousand times: the interval is 0 to 0.5. */
  @Test
  void aHandfulOfQuestionsIsTooFewForAnyRate() throws Exception {
    Parameters few =
        SMALL.with("trials", 1).with("queries", 20).with("rates", "1e-3").with("elements", "300");
    Study study = only(new FalsePositives().with(few), 0);
    assertThat(run(study, "1/1").conclude(study).get(0).verdicts())
        .singleElement()
        .extracting(ClaimVerdict::outcome)
        .isEqualTo(ClaimVerdict.Outcome.TOO_FEW);
  }

  private static Section served(Parameters parameters, long seed, RegtestNode node)
      throws Exception {
    Study study =
        new FalsePositives()
            .with(parameters.with("seed", seed).with(FalsePositives.CONNECT, node.address()));
    return run(only(study, 2), "1/1").conclude(only(study, 2)).get(0);
  }

  private static Study only(Study study, int experiment) {
    return new Study(
        study.name(),
        study.title(),
        study.introduction(),
        study.parameters(),
        List.of(study.experiments().get(experiment)));
  }

  @ParameterizedTest
  @CsvSource({
    "elements, 0, elements 0",
    "elements, x, elements 'x'",
    "rates, 2, rates 2",
    "elements, 10000000, do not fit",
    "network, marsnet, marsnet",
    "served-rate, 1, rate 1",
    "stream-blocks, 0, stream-blocks 0"
  })
  void refusesNonsense(String name, String value, String complaint) {
    assertThatThrownBy(() -> new FalsePositives().with(SMALL.with(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void namesTheErrorOfANode() throws Exception {
    try (RegtestNode node =
        RegtestNode.start(
            ChainBuilder.ofSeed(1).blocks(3).build().chain(), Behaviour.honest().withoutBloom())) {
      NodeAddress address = new NodeAddress(node.host(), node.port());
      assertThatThrownBy(() -> Probe.connect(ChainParams.REGTEST, address).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("peerbloomfilters=1");
      assertThatThrownBy(() -> Probe.connect(ChainParams.MAINNET, address).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(node.address());
    }
  }

  /** (1 - e^(-k/10))^k is least at k = 7 = 10 ln 2, with 0.00819; at k = 1 it is 0.0952. */
  @Test
  void theRateIsLeastAtTheBestNumberOfFunctions() throws Exception {
    Study study = only(new FalsePositives().with(SMALL), 3);
    Section section = run(study, "1/1").conclude(study).get(0);
    List<Table.Row> rows = section.tables().get(0).rows();
    assertThat(rows).hasSize(20);
    assertThat(rows.get(0).number("formula")).isCloseTo(0.09516, within(1e-5));
    assertThat(rows.get(6).number("formula")).isCloseTo(0.008194, within(1e-6));
    assertThat(rows).allMatch(row -> row.number("formula") >= rows.get(6).number("formula"));
    assertThat(rows.get(0).number("measured")).isCloseTo(0.0952, within(0.02));
    assertThat(rows.get(6).number("measured")).isLessThan(rows.get(0).number("measured") / 4);
    assertThat(section.findings().get(0)).contains("7 hash functions are best");
  }
}
