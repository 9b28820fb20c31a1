package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabCommandsTest {

  @Test
  void runsWorldsAndCountsWhatWentOn() {
    JsonNode json =
        Ran.murmur("lab", "simulate", "--worlds", "3", "--seed", "11", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(json.get("worlds").asInt()).isEqualTo(3);
    assertThat(json.get("failed").asInt()).isZero();
    assertThat(json.get("failed_seeds").size()).isZero();
    assertThat(json.get("processes").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(json.get("claims_checked").asInt()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void dividesTheWorldsAmongProcesses() {
    int steps = 0;
    int worlds = 0;
    for (String shard : new String[] {"1/2", "2/2"}) {
      JsonNode part =
          Ran.murmur("lab", "simulate", "--worlds", "3", "--seed", "11", "--shard", shard, "--json")
              .exits(ExitCode.DONE)
              .json();
      worlds += part.get("worlds").asInt();
      steps += part.get("steps").asInt();
    }
    JsonNode whole =
        Ran.murmur("lab", "simulate", "--worlds", "3", "--seed", "11", "--json").json();
    assertThat(worlds).isEqualTo(3);
    assertThat(steps).isEqualTo(whole.get("steps").asInt());
  }

  @Test
  void tellsEverythingThatHappensInAWorld() {
    Ran ran =
        Ran.murmur("lab", "simulate", "--seed", "11", "--peers", "2", "--trace")
            .exits(ExitCode.DONE);
    assertThat(ran.out())
        .contains("WorldPlan[seed=11")
        .contains("process 1 begins")
        .contains("FilterLoad")
        .contains("event Complete")
        .contains("WorldReport[seed=11");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--worlds=0",
        "--peers=9",
        "--shard=3/2",
        "--shard=x",
        "--files=-1",
        "--shard=0/1"
      })
  void refusesWhatMakesNoSense(String option) {
    Ran.murmur("lab", "simulate", option).exits(ExitCode.USAGE);
  }

  @Test
  void asksWhichExperiment() {
    assertThat(Ran.murmur("lab").exits(ExitCode.USAGE).err()).contains("simulate");
  }
}
