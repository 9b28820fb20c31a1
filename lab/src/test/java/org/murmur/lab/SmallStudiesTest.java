package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.lab.families.Families;
import org.murmur.lab.families.FamiliesStudy;
import org.murmur.lab.families.FilterFamily;
import org.murmur.lab.fp.FalsePositives;
import org.murmur.lab.privacy.PrivacyStudy;
import org.murmur.lab.report.HtmlReport;

/** Studies of very few elements come to an end, or are refused in words. */
class SmallStudiesTest {

  private static final long SEED = 20_260_501;
  private static final List<Integer> FEW = List.of(1, 2, 3, 4, 5, 6, 7, 9);
  private static final List<String> RATES = List.of("0.5", "0.1", "0.01", "1e-4", "1e-9");

  private static final List<String> NAMES =
      Families.all().stream().map(FilterFamily::name).toList();

  private static List<Section> run(StudyKind kind, Parameters parameters) throws Exception {
    Study study = kind.with(parameters);
    StudyResult result = new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run();
    List<Section> sections = result.conclude(study);
    assertThat(ResultFiles.toJson(result, sections)).doesNotContain("Infinity", "NaN");
    HtmlReport report = new HtmlReport();
    report.add(study, result);
    assertThat(report.page()).contains("</html>");
    return sections;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void familiesOfFewElements(int elements) throws Exception {
    FamiliesStudy kind = new FamiliesStudy();
    Parameters small = kind.defaults(StudyKind.Size.SMALL).with(Parameters.TRIALS, 1);

    List<Section> sections = run(kind, small.with("elements", elements).with("queries", 1000));

    assertThat(sections).hasSize(3);
    assertThat(sections.get(0).verdicts())
        .filteredOn(one -> one.claim().startsWith("No filter"))
        .hasSize(2)
        .allMatch(ClaimVerdict::holds);
  }

  @Test
  void familiesOfRandomParameters() throws Exception {
    Random random = new Random(SEED);
    FamiliesStudy kind = new FamiliesStudy();
    for (int i = 0; i < 8; i++) {
      Parameters parameters =
          kind.defaults(StudyKind.Size.SMALL)
              .with(Parameters.SEED, random.nextInt())
              .with(Parameters.TRIALS, 1 + random.nextInt(2))
              .with("elements", one(random, FEW))
              .with("queries", one(random, FEW))
              .withList("family", one(random, NAMES) + "," + one(random, NAMES))
              .withList("fp", one(random, RATES));
      assertThat(run(kind, parameters)).as("seed %d: %s", SEED, parameters).hasSize(3);
    }
  }

  @Test
  void ratesOfRandomParameters() throws Exception {
    Random random = new Random(SEED);
    FalsePositives kind = new FalsePositives();
    for (int i = 0; i < 5; i++) {
      Parameters parameters =
          kind.defaults(StudyKind.Size.SMALL)
              .with(Parameters.SEED, random.nextInt())
              .with(Parameters.TRIALS, 1)
              .withList("elements", one(random, FEW) + "," + one(random, FEW))
              .withList("rates", one(random, RATES))
              .with("queries", one(random, FEW))
              .with("stream-blocks", 1 + random.nextInt(3))
              .with("stream-outputs", 1 + random.nextInt(50))
              .with("stream-elements", one(random, FEW))
              .with("stream-trials", 1)
              .with("served-elements", one(random, FEW))
              .with("served-blocks", 1 + random.nextInt(2))
              .with("served-transactions", 1 + random.nextInt(5));
      assertThat(run(kind, parameters)).as("seed %d: %s", SEED, parameters).hasSize(4);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, '10,50,200', 200", "200, '200', 200", "1, '1', 1", "9, '10,1', 10"})
  void theUniverseExceedsTheLargestWallet(int universe, String wallets, int largest) {
    PrivacyStudy kind = new PrivacyStudy();
    Parameters parameters =
        kind.defaults(StudyKind.Size.SMALL).with("universe", universe).withList("wallets", wallets);
    assertThatThrownBy(() -> kind.with(parameters))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "universe %d, expected more than the scripts of the largest wallet: --wallets has %d",
            universe, largest);
  }

  @Test
  void privacyOfOneScript() throws Exception {
    PrivacyStudy kind = new PrivacyStudy();
    Parameters parameters =
        kind.defaults(StudyKind.Size.SMALL)
            .with(Parameters.TRIALS, 1)
            .with("universe", 3)
            .with("look-ahead", 20)
            .with("blocks", 1)
            .withList("wallets", "1,2");
    assertThat(run(kind, parameters)).isNotEmpty();
  }

  private static <T> T one(Random random, List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
