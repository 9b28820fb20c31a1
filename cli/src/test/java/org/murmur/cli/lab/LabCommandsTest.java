package org.murmur.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.Ran;
import org.murmur.cli.Spawned;
import org.murmur.cli.words.ExitCode;
import org.murmur.lab.Journal;
import org.murmur.regtest.RegtestNode;

class LabCommandsTest {

  @Test
  void runsWorldsAndCountsTheirEvents() {
    JsonNode json =
        Ran.murmur("lab", "simulate", "--worlds", "3", "--seed", "11", "--json")
            .exits(ExitCode.DONE)
            .json();
    assertThat(json.get("worlds").asInt()).isEqualTo(3);
    assertThat(json.get("failed").asInt()).isZero();
    assertThat(json.get("failed_seeds").size()).isZero();
    assertThat(json.get("processes").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(json.get("claims_checked").asInt()).isGreaterThanOrEqualTo(3);
    // All that another run needs, also what was not given.
    assertThat(json.at("/parameters/worlds").asInt()).isEqualTo(3);
    assertThat(json.at("/parameters/peers").isNull()).isTrue();
    assertThat(json.at("/parameters/files").asInt()).isEqualTo(50);
    assertThat(json.at("/parameters/preset").asText()).isEqualTo("fast");
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
  void reportsAllEventsOfAWorld() {
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

  private static final String[] FP = {
    "lab", "fp", "--small", "--trials=2", "--queries=2000", "--stream-blocks=1", "--served-blocks=2"
  };

  private static String[] fp(String... more) {
    return and(FP, more);
  }

  /** Before the first trial: an hour later the results would be lost. */
  @Test
  void refusesWhatCannotEndWellBeforeItRuns(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(Ran.murmur(fp("--out", file.toString())).exits(ExitCode.USAGE).err())
        .contains("is a file, expected a folder");
    for (String budget : new String[] {"0", "-1"}) {
      Ran ran = Ran.murmur("lab", "bandwidth", "--small", "--budgets", budget);
      assertThat(ran.exits(ExitCode.USAGE).err()).contains("budgets", "expected more than 0");
    }
  }

  @Test
  void saysWhatIsWrongWithAFileThatWasCutOrChanged(@TempDir Path folder) throws IOException {
    String whole = Ran.murmur(fp("--json")).exits(ExitCode.DONE).out();
    // In a number, between two, in a name: Jackson reports each in another way.
    for (int missing = 20; missing < 60; missing++) {
      String text = whole.substring(0, whole.length() - missing);
      Path cut = Files.writeString(folder.resolve("cut"), text);
      assertThat(Ran.murmur("lab", "merge", cut.toString()).exits(ExitCode.FAILED).err())
          .contains(cut.toString(), "ends in the middle, at line ");
    }
  }

  @Test
  void mergedShardsEqualOneRun(@TempDir Path folder) throws IOException {
    String whole = Ran.murmur(fp("--json", "--seed=5")).exits(ExitCode.DONE).out();
    for (String shard : new String[] {"1", "2"}) {
      Ran ran = Ran.murmur(fp("--json", "--seed=5", "--shard=" + shard + "/2"));
      assertThat(ran.err()).contains("these are not all trials: ", "lab merge");
      Files.writeString(folder.resolve(shard), ran.out());
    }
    String first = folder.resolve("1").toString();
    String second = folder.resolve("2").toString();
    assertThat(Ran.murmur("lab", "merge", "--json", second, first).exits(ExitCode.DONE).out())
        .isEqualTo(whole);
    assertThat(Ran.murmur("lab", "merge", first, first).exits(ExitCode.FAILED).err())
        .contains("repeats trial 1");
    Files.writeString(folder.resolve("3"), "no result");
    String third = folder.resolve("3").toString();
    assertThat(Ran.murmur("lab", "merge", third).exits(ExitCode.FAILED).err()).contains(third);
  }

  /** Nobody should take a part for the study: the first line says so, and the last. */
  @Test
  void aPartBeginsAndEndsWithWhatIsMissing(@TempDir Path folder) throws IOException {
    Ran shard = Ran.murmur(fp("--shard=1/2", "--out", folder.toString()));
    assertThat(shard.out())
        .containsPattern("\\AINCOMPLETE: (\\d+) of \\d+ trials\n\n[^\\x00]+\nINCOMPLETE: \\1 of ");
    assertThat(shard.out().strip().lines().reduce((a, b) -> b).orElseThrow())
        .isEqualTo(shard.out().lines().findFirst().orElseThrow());
    Ran interrupted = Ran.with().interrupting().murmur(fp());
    assertThat(interrupted.exits(ExitCode.INTERRUPTED).out())
        .startsWith("INCOMPLETE: 0 of ")
        .containsPattern("\nINCOMPLETE: 0 of \\d+ trials\n\\z");
    assertThat(Ran.murmur(fp()).exits(ExitCode.DONE).out()).doesNotContain("INCOMPLETE");
    Ran page =
        Ran.murmur(
            "lab", "report", "--out", folder.toString(), folder.resolve("fp.json").toString());
    assertThat(page.out()).containsPattern("\\AINCOMPLETE: fp has \\d+ of \\d+ trials\n");
    assertThat(Files.readString(folder.resolve("report.html")))
        .containsPattern("INCOMPLETE: fp has \\d+ of \\d+ trials");
  }

  /** A real process, ended by signal 9 when its first trials are on disk. */
  @Test
  void aKilledRunGoesOnToTheSameBytes(@TempDir Path folder) throws IOException {
    String[] study = {
      "lab",
      "fp",
      "--small",
      "--trials=40",
      "--queries=200000",
      "--stream-blocks=1",
      "--served-blocks=2",
      "--threads=1",
      "--out"
    };
    Path killed = folder.resolve("killed");
    Path journal = killed.resolve("fp.journal");
    try (Spawned spawned = Spawned.on(folder).start(and(study, killed.toString(), "--seed=1"))) {
      while (!Journal.holdsTrials(journal)) {
        assertThat(spawned.runs(5)).isTrue();
      }
      spawned.kill();
    }
    assertThat(killed.resolve("fp.json")).doesNotExist();
    assertThat(Ran.murmur(and(study, killed.toString(), "--seed=1")).exits(ExitCode.USAGE).err())
        .contains(journal.toString(), "--resume");
    assertThat(
            Ran.murmur(and(study, killed.toString(), "--resume", "--seed=6"))
                .exits(ExitCode.FAILED)
                .err())
        .contains("had seed 1, this one has 6");
    Ran resumed =
        Ran.murmur(and(study, killed.toString(), "--seed=1", "--resume")).exits(ExitCode.DONE);
    assertThat(resumed.err()).containsPattern("trials of the interrupted run: [1-9]");
    assertThat(journal).doesNotExist();
    Path whole = folder.resolve("whole");
    assertThat(Ran.murmur(and(study, whole.toString(), "--seed=1")).exits(ExitCode.DONE).out())
        .isEqualTo(resumed.out());
    assertThat(killed.resolve("fp.json")).hasSameTextualContentAs(whole.resolve("fp.json"));
    assertThat(Ran.murmur(fp("--resume")).exits(ExitCode.USAGE).err()).contains("needs --out DIR");
  }

  private static String[] and(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void writesForProgramsAndPeople(@TempDir Path folder) throws IOException {
    Path out = folder.resolve("new");
    Ran ran = Ran.murmur(fp("--out", out.toString(), "--png")).exits(ExitCode.DONE);
    assertThat(ran.out()).contains("PASS  The realised rate predicts the measured one");
    assertThat(ran.err()).contains("written to " + out);
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(
              "fp.json",
              "fp.rate.csv",
              "fp.rates.csv",
              "fp.rates.svg",
              "fp.rates.png",
              "fp.collapse.svg",
              "fp.served.svg");
    }
    String[] tables = Ran.murmur(fp("--csv")).out().split("\n\n", -1);
    assertThat(tables).hasSize(4).allMatch(table -> table.startsWith("# murmur lab fp: "));
    // Each of them is a file too, whole.
    assertThat(out.resolve("fp.rate.csv")).hasContent(tables[0]);
    assertThat(Ran.murmur(fp("--csv", "--json")).exits(ExitCode.USAGE).out()).contains("usage");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--trials=0",
        "--elements=0",
        "--rates=2",
        "--queries=x",
        "--shard=3/2",
        "--threads=0",
        "--png"
      })
  void refusesImpossibleParameters(String option) {
    assertThat(Ran.murmur("lab", "fp", "--small", option).exits(ExitCode.USAGE).err())
        .contains("--");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--trials=3",
        "--small",
        "--chain=busy",
        "--universe=1000",
        "--wallets=10",
        "--look-ahead=50"
      })
  void aReproductionRefusesWhatItWouldIgnore(String option) {
    String name = option.replaceFirst("=.*", "");
    assertThat(
            Ran.murmur("lab", "privacy", "--reproduce=gervais", option).exits(ExitCode.USAGE).err())
        .contains("--reproduce gervais", "from the published work", "leave out " + name);
  }

  /** The sizes of --small, too: nobody must know the command line. */
  @Test
  void aRunIsRepeatedFromItsFileAlone(@TempDir Path folder) throws IOException {
    String first = Ran.murmur(fp("--seed=9", "--served-rate=0.02", "--json")).out();
    Path file = Files.writeString(folder.resolve("fp.json"), first);
    Ran again = Ran.murmur("lab", "fp", "--repeat", file.toString(), "--json");
    assertThat(again.exits(ExitCode.DONE).out()).isEqualTo(first);
    assertThat(again.err()).doesNotContain("was made by code");
    Ran csv = Ran.murmur("lab", "fp", "--repeat", file.toString(), "--seed=10", "--csv");
    assertThat(csv.out())
        .contains("# seed=10 trials=2 elements=10,300 ", " served-rate=0.02 ")
        .contains("\n# constants of functions: elements=500 bits=5000 ");

    Ran other = Ran.murmur("lab", "families", "--repeat", file.toString());
    assertThat(other.exits(ExitCode.USAGE).err()).contains("is of lab fp, expected lab families");
    Ran both = Ran.murmur(fp("--repeat", file.toString()));
    assertThat(both.exits(ExitCode.USAGE).err()).contains("--small and --repeat");
    Files.writeString(file, first.replaceFirst("\"code_version\": \"[^\"]*", "$0x"));
    Ran later = Ran.murmur("lab", "fp", "--repeat", file.toString(), "--shard=2/9");
    assertThat(later.err()).contains("was made by code", "the numbers may differ");
  }

  /** What is recorded was in force, and nothing else. */
  @ParameterizedTest
  @CsvSource({"gervais, addresses, 33000000", "nick, queries, 4000000"})
  void aReproductionRecordsItsParameters(
      String work, String constant, long value, @TempDir Path folder) throws IOException {
    String[] command = {"lab", "privacy", "--reproduce", work, "--seed=7", "--json"};
    Ran first = Ran.murmur(command).exits(ExitCode.DONE);
    assertThat(first.json().get("parameters"))
        .hasToString("{\"seed\":7,\"trials\":1,\"reproduce\":\"" + work + "\"}");
    assertThat(first.json().at("/experiments/0/constants/" + constant).asLong()).isEqualTo(value);
    Path file = Files.writeString(folder.resolve("privacy.json"), first.out());
    Ran again = Ran.murmur("lab", "privacy", "--repeat", file.toString(), "--json");
    assertThat(again.exits(ExitCode.DONE).out()).isEqualTo(first.out());
    Ran ignored = Ran.murmur("lab", "privacy", "--repeat", file.toString(), "--chain=busy");
    assertThat(ignored.exits(ExitCode.USAGE).err()).contains("leave out --chain");
  }

  @Test
  void saysWhichNetworkANodeIsOn() throws IOException {
    try (RegtestNode node = RegtestNode.start()) {
      String address = node.host() + ":" + node.port();
      for (String network : new String[] {"mainnet", "testnet4"}) {
        Ran ran = Ran.murmur(fp("--network=" + network, "--connect=" + address));
        assertThat(ran.exits(ExitCode.FAILED).err())
            .contains(address + " is a node of regtest, not of " + network)
            .contains("give --network regtest");
      }
    }
  }

  @Test
  void printsTheTimeLeft() {
    assertThat(LabProgress.line("rate", 5, 20, 10)).isEqualTo("rate: 5/20 trials, 30 s left");
    assertThat(LabProgress.line("rate", 0, 20, 10)).isEqualTo("rate: 0/20 trials");
  }
}
