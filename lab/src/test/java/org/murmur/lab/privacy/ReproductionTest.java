package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Watcher;

class ReproductionTest {

  @Test
  void gervaisComesOutAsPublished() {
    Reproduction gervais = Reproduction.gervais();
    assertThat(gervais.lines()).allMatch(line -> line.agreement() != Reproduction.Agreement.FAIL);
    assertThat(gervais.passed()).isTrue();
    assertThat(gervais.lines().get(0).ours()).isEqualTo("0.990282");
    assertThat(gervais.lines().get(1).ours()).isEqualTo("0.795121");
  }

  @Test
  void nicksFiguresFollowFromTheRateHePrintedAndOursAreALittleMore() {
    Reproduction nick = Reproduction.nick(1);
    assertThat(nick.passed()).isTrue();
    assertThat(nick.lines())
        .filteredOn(line -> line.agreement() == Reproduction.Agreement.PASS)
        .as("none is equal to the digits printed")
        .isEmpty();
    List<Reproduction.Line> derived =
        nick.lines().stream()
            .filter(line -> line.agreement() == Reproduction.Agreement.DERIVED)
            .toList();
    assertThat(derived).hasSize(5);
    // 0.00014676 squared, times 56 million; times 60 million.
    assertThat(derived.get(2).published()).isEqualTo("1.19");
    assertThat(derived.get(2).ours()).startsWith("1.206");
    assertThat(derived.get(3).published()).isEqualTo("8760");
    assertThat(derived.get(3).ours()).startsWith("880");
  }

  @Test
  void theVerdictListsCloseFiguresAndTheTextTheSource() throws Exception {
    Parameters parameters =
        new PrivacyStudy().defaults(StudyKind.Size.SMALL).with("reproduce", "nick");
    Study study = new PrivacyStudy().with(parameters);
    Section section =
        new StudyRun(study, Shard.WHOLE, 1, Watcher.NONE).run().conclude(study).get(0);
    assertThat(section.explanation())
        .anyMatch(text -> text.startsWith("Nick 2015, blog and thesis."));
    assertThat(section.verdicts())
        .singleElement()
        .satisfies(
            verdict -> {
              assertThat(verdict.holds()).isTrue();
              assertThat(verdict.detail())
                  .contains("0 to the digits printed", "5 only with the printed rate")
                  .contains("two wallets merged wrongly", "2.66e-8");
            });
  }

  @Test
  void aFigureThatIsNotTheirsFails() {
    Reproduction.Line wrong = new Reproduction.Line("x", "1", "2", Reproduction.Agreement.FAIL, "");
    assertThat(new Reproduction(List.of(wrong)).passed()).isFalse();
  }

  @Test
  void theReproductionsComeAfterWhatAWalletsPeersCanFindOut() {
    PrivacyStudy kind = new PrivacyStudy();
    Study study = kind.with(kind.defaults(StudyKind.Size.SMALL));
    assertThat(study.experiments())
        .extracting(Experiment::name)
        .startsWith("adversaries")
        .endsWith(
            Stream.of(ReproductionTrial.Work.values())
                .map(work -> new ReproductionTrial(work).name())
                .toArray(String[]::new));
  }
}
