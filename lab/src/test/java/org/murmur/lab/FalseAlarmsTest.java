package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.lab.report.Catalogue;
import org.murmur.lab.stats.Binomial;

/**
 * A verdict on a true claim fails by chance no more often than promised. With the long tests: over
 * hundreds of seeds.
 */
class FalseAlarmsTest {

  /** All verdicts of a study together fail in so many runs. */
  private static final double PROMISED = 0.01;

  private static final String FAMILIES =
      "bloom,blocked,cuckoo,golomb,xor,quotient,fuse3,blocked-fastfilter,dleft,counting";

  /** The claims of an experiment that fail with a seed. */
  private static List<String> failed(String study, int part, Parameters parameters)
      throws Exception {
    Experiment one = Catalogue.named(study).with(parameters).experiments().get(part);
    Study only = new Study(study, study, List.of(), parameters, List.of(one));
    StudyResult result = new StudyRun(only, Shard.WHOLE, 2, Watcher.NONE).run();
    return result.conclude(only).get(0).verdicts().stream()
        .filter(ClaimVerdict::failed)
        .map(ClaimVerdict::claim)
        .toList();
  }

  private static Parameters small(String study, long seed, int trials) {
    return Catalogue.named(study)
        .defaults(StudyKind.Size.SMALL)
        .with(Parameters.SEED, seed)
        .with(Parameters.TRIALS, trials);
  }

  /** With Wilson's interval these failed, at 34 of 400 seeds in all. */
  @ParameterizedTest
  @ValueSource(longs = {6, 26, 33, 54})
  void aHandfulOfHitsByFunctionsIsNoFailure(long seed) throws Exception {
    assertThat(failed("fp", 3, small("fp", seed, 1).with("queries", 1000))).isEmpty();
  }

  /** One hit where hardly one was expected: with Wilson's interval, 12 of 300 seeds failed. */
  @ParameterizedTest
  @ValueSource(longs = {28, 38, 47})
  void oneHitOfAFamilyIsNoFailure(long seed) throws Exception {
    Parameters parameters =
        small("families", seed, 1).with("elements", 3).withList("family", FAMILIES);
    assertThat(failed("families", 0, parameters)).isEmpty();
  }

  /** Four trials without a match at 0.0001. */
  @ParameterizedTest
  @ValueSource(longs = {19, 28, 33})
  void noMatchAtALowRateIsNoFailure(long seed) throws Exception {
    assertThat(failed("bandwidth", 0, small("bandwidth", seed, 4))).isEmpty();
  }

  @Test
  @Tag("long")
  void verdictsFailAsSeldomAsPromised() throws Exception {
    List<String> alarms = new ArrayList<>();
    int runs = 300;
    for (long seed = 1; seed <= runs; seed++) {
      List<String> failed = new ArrayList<>();
      failed.addAll(failed("fp", 0, small("fp", seed, 2).with("queries", 2000)));
      failed.addAll(failed("fp", 3, small("fp", seed, 1 + (int) seed % 4)));
      if (!failed.isEmpty()) {
        alarms.add("fp " + seed + ": " + failed);
      }
    }
    isAsPromised(alarms, runs);
  }

  @Test
  @Tag("long")
  void familiesOfThreeElementsFailAsSeldomAsPromised() throws Exception {
    List<String> alarms = new ArrayList<>();
    int runs = 300;
    for (long seed = 1; seed <= runs; seed++) {
      Parameters parameters =
          small("families", seed, 1).with("elements", 3).withList("family", FAMILIES);
      List<String> failed = failed("families", 0, parameters);
      if (!failed.isEmpty()) {
        alarms.add(seed + ": " + failed);
      }
    }
    isAsPromised(alarms, runs);
  }

  /** A few trials without a match have no scatter: 12 of 100 runs failed. */
  @Test
  @Tag("long")
  void bandwidthFailsAsSeldomAsPromised() throws Exception {
    List<String> alarms = new ArrayList<>();
    int runs = 200;
    for (long seed = 1; seed <= runs; seed++) {
      List<String> failed = failed("bandwidth", 0, small("bandwidth", seed, 4));
      if (!failed.isEmpty()) {
        alarms.add(seed + ": " + failed);
      }
    }
    isAsPromised(alarms, runs);
  }

  /** Fails once in a thousand if the rate is as promised; the seeds are fixed, so it never does. */
  private static void isAsPromised(List<String> alarms, int runs) {
    double most = Binomial.counts(runs, runs * PROMISED, 0.998).high();
    assertThat((double) alarms.size()).as("%s", alarms).isLessThanOrEqualTo(most);
  }
}
