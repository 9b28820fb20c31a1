package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StudyRunTest {

  private static final Study STUDY = Toy.study(7, 20);

  private static StudyResult run(Study study, String shard, int threads) throws Exception {
    return new StudyRun(study, Shard.parse(shard), threads, Watcher.NONE).run();
  }

  private static String json(Study study, StudyResult result) {
    return ResultFiles.toJson(result, result.conclude(study));
  }

  private static StudyResult merge(StudyResult... results) {
    List<StudyResult.Part> parts = new ArrayList<>();
    for (StudyResult result : results) {
      parts.add(new StudyResult.Part((char) ('a' + parts.size()) + ".json", result));
    }
    return StudyResult.merge(parts);
  }

  @Test
  void theSameSeedGivesTheSameBytesWithAnyNumberOfThreads() throws Exception {
    String once = json(STUDY, run(STUDY, "1/1", 1));
    assertThat(json(STUDY, run(STUDY, "1/1", 4))).isEqualTo(once);
    Study other = Toy.study(8, 20);
    assertThat(run(other, "1/1", 1).experiments().get(0).rows().rows())
        .isNotEqualTo(run(STUDY, "1/1", 1).experiments().get(0).rows().rows());
  }

  @Test
  void experimentsOfAStudyThrowDifferentDice() throws Exception {
    StudyResult result = run(STUDY, "1/1", 1);
    assertThat(result.experiments().get(0).rows().rows())
        .isNotEqualTo(result.experiments().get(1).rows().rows());
  }

  @Test
  void shardsPutTogetherAreTheWholeToTheByte() throws Exception {
    String whole = json(STUDY, run(STUDY, "1/1", 2));
    StudyResult first = run(STUDY, "1/3", 1);
    StudyResult second = run(STUDY, "2/3", 1);
    StudyResult third = run(STUDY, "3/3", 1);
    assertThat(first.complete()).isFalse();
    assertThat(first.experiments().get(0).done()).containsExactly(1, 4, 7, 10, 13, 16, 19);
    assertThat(json(STUDY, merge(third, first, second))).isEqualTo(whole);
    // By way of files, and in steps.
    StudyResult read = ResultFiles.fromJson(json(STUDY, merge(second, third)));
    StudyResult again = merge(ResultFiles.fromJson(json(STUDY, first)), read);
    assertThat(again.complete()).isTrue();
    assertThat(json(STUDY, again)).isEqualTo(whole);
  }

  @Test
  void refusesToMergeUnrelatedParts() throws Exception {
    StudyResult first = run(STUDY, "1/2", 1);
    assertThatThrownBy(() -> merge(first, first))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("b.json repeats trial 1 of one");
    StudyResult otherSeed = run(Toy.study(8, 20), "2/2", 1);
    assertThatThrownBy(() -> merge(first, otherSeed))
        .hasMessage("b.json differs from a.json in parameters: seed=8, not seed=7");
    StudyResult otherCode =
        new StudyResult(first.study(), first.parameters(), "0.9+beef", first.experiments());
    assertThatThrownBy(() -> merge(first, otherCode))
        .hasMessageContaining("differs from a.json in code version");
    StudyResult otherStudy =
        new StudyResult("fp", first.parameters(), first.codeVersion(), first.experiments());
    assertThatThrownBy(() -> merge(first, otherStudy))
        .hasMessageContaining("differs from a.json in study");
  }

  @Test
  void usesNoMoreThreadsThanTrials() throws Exception {
    Study two = Toy.study(7, 2);
    int before = ManagementFactory.getThreadMXBean().getThreadCount();
    ManagementFactory.getThreadMXBean().resetPeakThreadCount();
    StudyResult many = run(two, "1/1", 100_000);
    assertThat(ManagementFactory.getThreadMXBean().getPeakThreadCount()).isLessThan(before + 50);
    assertThat(json(two, many)).isEqualTo(json(two, run(two, "1/1", 1)));
  }

  @Test
  void stopsOnRequest() throws Exception {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    Watcher watcher =
        (experiment, done, all) -> {
          heard.add(experiment + " " + done + "/" + all);
          return done < 3;
        };
    StudyResult result = new StudyRun(STUDY, Shard.WHOLE, 1, watcher).run();
    assertThat(heard).containsExactly("one 0/20", "one 1/20", "one 2/20", "one 3/20");
    assertThat(result.complete()).isFalse();
    assertThat(result.experiments().get(0).done()).containsExactly(1, 2, 3);
    assertThat(result.conclude(STUDY)).hasSize(1);
  }

  @Test
  void aTrialThatFailsEndsTheRun() {
    Experiment failing =
        new Experiment("failing", 1000, "text word") {
          @Override
          public void observe(Trial trial, Rows rows) throws IOException {
            if (trial.number() == 5) {
              throw new IOException("no node");
            }
          }

          @Override
          public Section conclude(Table observed) {
            throw new AssertionError("nothing to conclude");
          }
        };
    Study study = new Study("f", "F", List.of(), Parameters.of(1, 1), List.of(failing));
    assertThatThrownBy(() -> run(study, "1/1", 3))
        .isInstanceOf(IOException.class)
        .hasMessage("no node");
  }

  @Test
  void readsNothingButItsOwnFiles() {
    for (String text :
        Arrays.asList("", "[]", "{}", "{\"murmur_lab\": 1}", "{\"murmur_lab\": 2}", "{", "null")) {
      assertThatThrownBy(() -> ResultFiles.fromJson(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void saysWhereAFileEndsThatWasCut() throws Exception {
    String whole = json(STUDY, run(STUDY, "1/1", 1));
    for (int length = 1; length < whole.strip().length(); length++) {
      String cut = whole.substring(0, length);
      assertThatThrownBy(() -> ResultFiles.fromJson(cut))
          .as("cut at %s", length)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("ends in the middle, at line ");
    }
  }

  @Test
  void writesParametersWithTheirTypes() {
    Parameters parameters =
        Parameters.of(-7, 20)
            .withList("rates", "1e-3")
            .withList("sizes", "10,1e3")
            .with("budget", 1.3e9)
            .with("rate", 1e-4)
            .with("names", "bloom,xor")
            .with("kept", true)
            .with("connect", "127.0.0.1:18444");
    StudyResult result = new StudyResult("toy", parameters, "0", List.of());
    String json = ResultFiles.toJson(result, List.of());
    assertThat(json)
        .contains("\"murmur_lab\": 1", "\"seed\": -7", "\"trials\": 20")
        .contains("\"rates\": [0.001]", "\"sizes\": [10,1000]", "\"budget\": 1300000000")
        .contains("\"names\": [\"bloom\",\"xor\"]", "\"kept\": true")
        .contains("\"connect\": \"127.0.0.1:18444\"");
    StudyResult read = ResultFiles.fromJson(json);
    assertThat(read.parameters()).isEqualTo(parameters);
    assertThat(read.parameters().number("rate")).isEqualTo(1e-4);
    assertThat(ResultFiles.toJson(read, List.of())).isEqualTo(json);
    // The type does not depend on how a number was typed, or on how many values there are.
    assertThat(parameters.with("rates", "0.0010")).isEqualTo(parameters);
    assertThat(
            ResultFiles.toJson(
                new StudyResult("toy", read.parameters().with("sizes", 5), "0", List.of()),
                List.of()))
        .contains("\"sizes\": [5]");
  }

  @Test
  void writesCsvThatOtherProgramsRead() throws Exception {
    StudyResult result = run(STUDY, "2/10", 1);
    String csv = ResultFiles.toCsv(result, result.experiments().get(0).rows());
    assertThat(csv.lines().limit(3)).allMatch(line -> line.startsWith("# "));
    assertThat(csv).contains("seed=7 trials=20 sides=6").contains("complete=false");
    assertThat(csv.lines().skip(3).findFirst()).hasValue("trial,eyes,share (1),word,even");
    assertThat(csv).contains("\"a \"\"second\"\", row\"");
  }
}
