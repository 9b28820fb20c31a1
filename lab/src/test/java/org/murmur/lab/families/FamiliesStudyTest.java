package org.murmur.lab.families;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.ClaimVerdict.Outcome;
import org.murmur.lab.Parameters;
import org.murmur.lab.Plot;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind.Size;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;
import org.murmur.lab.plot.Drawing;
import org.murmur.lab.report.Catalogue;

class FamiliesStudyTest {

  private static final FamiliesStudy KIND = new FamiliesStudy();

  @Test
  void comparesAllFamilies() throws Exception {
    Study study = KIND.with(KIND.defaults(Size.SMALL));

    StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
    List<Section> sections = result.conclude(study);

    assertThat(sections).hasSize(3);
    // 15,000 pairs say something of 1 % only: that is a third of the rates.
    List<ClaimVerdict> verdicts = sections.stream().flatMap(s -> s.verdicts().stream()).toList();
    assertThat(verdicts)
        .extracting(ClaimVerdict::outcome)
        .containsExactly(
            Outcome.PASS, Outcome.TOO_FEW, Outcome.PASS, Outcome.PASS, Outcome.PASS, Outcome.PASS);
    assertThat(verdicts.get(1).detail())
        .contains(
            " of 51 compared", "needs about", "pairs of filter and foreign element", "15,000");
    Table sizes = sections.get(0).tables().get(0);
    assertThat(sizes.rows()).hasSize(3 * Families.all().size() - 3);
    // The library has 8 and 16 bits only.
    assertThat(sections.get(0).tables().get(1).rows())
        .extracting(row -> row.text("family") + " " + row.number("target"))
        .containsExactly(
            "cuckoo-fastfilter 1.0E-4", "xor-fastfilter 0.001", "xor-fastfilter 1.0E-4");
    assertThat(sections.get(1).tables().get(0).rows()).hasSize(Families.all().size());
    List<Plot> plots = sections.stream().flatMap(section -> section.plots().stream()).toList();
    assertThat(plots)
        .extracting(Plot::name)
        .containsExactly("bits-fixed", "bits-deletable", "query-time", "build-time");
    assertThat(((Plot.Bars) plots.get(2)).categories()).contains("bloom", "xor-fastfilter");
    assertThat(((Plot.Bars) plots.get(3)).categories()).hasSize(Families.all().size());
    assertThat(plots).allMatch(plot -> Drawing.svg(plot).contains("</svg>"));
    assertThat(ResultFiles.toJson(result, sections)).contains("\"golomb\"");
  }

  /** Two hashes instead of k, and full tables, show in small arrays. */
  @ParameterizedTest
  @ValueSource(ints = {10, 50, 200})
  void holdsAtTheSizesOfWallets(int elements) throws Exception {
    Study study =
        KIND.with(
            KIND.defaults(Size.SMALL)
                .with("trials", 8)
                .with("queries", 20_000)
                .with("elements", elements));

    List<Section> sections =
        new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run().conclude(study);

    assertThat(sections).flatExtracting(Section::verdicts).noneMatch(ClaimVerdict::failed);
  }

  @Test
  void shardsAreExactParts() throws Exception {
    Parameters parameters =
        KIND.defaults(Size.SMALL)
            .with("trials", 2)
            .with("family", "bloom,xor")
            .with("fp", "0.01")
            .with("queries", 200);
    Study study = KIND.with(parameters);

    StudyResult whole = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
    StudyResult second = new StudyRun(study, new Shard(2, 2), 1, Watcher.NONE).run();

    List<Table.Row> rows = whole.experiments().get(0).rows().rows();
    assertThat(second.experiments().get(0).rows().rows()).isEqualTo(rows.subList(2, 4));
    assertThat(second.conclude(study)).hasSize(3);
  }

  @Test
  void reportsImpossiblePlans() throws Exception {
    Study study =
        KIND.with(
            KIND.defaults(Size.SMALL)
                .with("trials", 1)
                .with("family", "bloom,golomb")
                .with("fp", "0.001")
                .with("queries", 100)
                .with("elements", 21_000));

    StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();

    Table refusals = result.conclude(study).get(0).tables().get(1);
    assertThat(refusals.rows()).hasSize(1);
    assertThat(refusals.rows().get(0).text("reason")).contains("bytes, BIP37 allows 36000");
  }

  @Test
  void refusesParametersThatMakeNoSense() {
    Parameters good = KIND.defaults(Size.USUAL);
    assertThatThrownBy(() -> KIND.with(good.with("fp", "0.01,2")))
        .hasMessage("fp 2, expected 1e-9 to 0.5");
    assertThatThrownBy(() -> KIND.with(good.with("elements", 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KIND.with(good.with("family", "bloom,no")))
        .hasMessageStartingWith("family 'no', expected one of");
    assertThat(Catalogue.named("families")).isInstanceOf(FamiliesStudy.class);
  }

  @Test
  void aFilterThatForgetsFailsTheVerdict() throws Exception {
    Study study = KIND.with(KIND.defaults(Size.SMALL).with("trials", 1).with("family", "bloom"));
    Table seen =
        new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run().experiments().get(0).rows();
    Table.Builder spoilt = Table.of(seen.name(), seen.title(), seen.columns());
    for (Table.Row row : seen.rows()) {
      Object[] values = row.values().toArray();
      values[5] = row.whole("hits") + 500;
      values[7] = 1L;
      spoilt.row(values);
    }

    assertThat(study.experiments().get(0).conclude(spoilt.build()).verdicts())
        .extracting(ClaimVerdict::holds)
        .containsExactly(false, false, true);
  }

  /** 20 queries at a rate of 1e-4 would agree with almost any rate: that is no PASS. */
  @Test
  void tooFewQuestionsAreNoVerdict() throws Exception {
    Study study =
        KIND.with(
            KIND.defaults(Size.SMALL)
                .with("trials", 1)
                .with("family", "bloom")
                .with("fp", "1e-4")
                .with("queries", 20));

    StudyResult result = new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run();
    List<Section> sections = result.conclude(study);

    ClaimVerdict rate = sections.get(0).verdicts().get(1);
    assertThat(rate.outcome()).isEqualTo(Outcome.TOO_FEW);
    assertThat(rate.holds() || rate.failed()).isFalse();
    assertThat(rate.detail())
        .contains("too few hits to say anything of bloom at 0.0001", "it had 20");
    assertThat(sections.get(0).tables().get(0).rows().get(0).text("inside")).isEqualTo("too few");
    assertThat(sections.get(0).holds()).isTrue();
    assertThat(ResultFiles.toJson(result, sections))
        .contains("\"holds\":null,\"outcome\":\"too_few\"");
  }

  /** Guava's is the case in point: at 10 elements it has many times its own expected rate. */
  @Test
  void showsWhereTheTextbookDoesNotHold() throws Exception {
    Study study =
        KIND.with(
            KIND.defaults(Size.SMALL)
                .with("trials", 10)
                .with("family", "bloom,guava")
                .with("fp", "1e-3")
                .with("queries", 20_000)
                .with("elements", 10));

    Section rates = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run().conclude(study).get(0);

    Table textbook = rates.tables().get(2);
    assertThat(textbook.rows()).hasSize(1);
    assertThat(textbook.rows().get(0).text("family")).isEqualTo("guava");
    assertThat(textbook.rows().get(0).number("times")).isGreaterThan(2);
    assertThat(rates.verdicts()).allMatch(ClaimVerdict::holds);
  }

  /** Seed 1 at 100 elements: a small cuckoo table is full before its plan, and only that. */
  @Test
  void aFullTableIsReportedAsRefusedAndNotAsSpoilt() throws Exception {
    Study study =
        KIND.with(
            KIND.defaults(Size.USUAL)
                .with("trials", 30)
                .with("family", "cuckoo")
                .with("queries", 200)
                .with("elements", 100));

    Section change = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run().conclude(study).get(1);

    assertThat(change.tables().get(0).rows().get(0).whole("refused")).isPositive();
    assertThat(change.verdicts()).allMatch(ClaimVerdict::holds);
  }

  @Test
  void everyFamilyHasASentenceAndALink() {
    assertThat(Families.all())
        .extracting(FamilyNote::of)
        .allMatch(note -> note.idea().endsWith(".") && note.link().startsWith("https://"));
  }
}
