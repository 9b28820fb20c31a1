package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.words.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** Wrong arguments, and the options that every command takes. */
class UsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fliter size                                   | filter",
        "filter size --element 3 --fp 0.1              | --elements",
        "filter size --elements 3                      | --fp",
        "filter size --elements x --fp 0.1             | 'x'",
        "filter size --elements 0 --fp 0.1             | --elements",
        "filter size --elements 3 --fp 1               | --fp",
        "filter size --elements 3 --fp -1              | --fp",
        "filter size --elements 3 --fp 0.1 --rounding z| core",
        "filter decode                                 | HEX",
        "filter decode 0g                              | position 1",
        "filter decode 012                             | odd number",
        "filter test 0100010000000000000000            | ELEMENT",
        "filter test 0100010000000000000000 0x         | position 1",
        "filter match 0100010000000000000000           | --block",
        "filter                                        | size, decode, test, match",
        "proof                                         | verify",
        "proof verify zz                               | position 0",
        "message                                       | sign, verify",
        "message verify ADDRESS SIGNATURE              | TEXT",
        "message sign ADDRESS text --format short      | simple, full or legacy",
        "message sign ADDRESS - --password-file -      | once only",
        "message verify ADDRESS SIGNATURE \ufffd       | UTF-8",
        "label TXID \ufffd\ufffd                         | LC_ALL=C.UTF-8",
        "address --uri --label=\ufffd                  | LC_ALL=C.UTF-8",
        "help nonsense                                 | nonsense",
        "wallets --unit euro                           | btc or sat",
        "completion tcsh                               | fish",
      })
  void wrongUsageNamesTheError(String line, String expected) {
    String[] args = line.strip().split(" +");
    Ran people = Ran.murmur(args).exits(ExitCode.USAGE);
    assertThat(people.out()).isEmpty();
    assertThat(people.err()).contains(expected).doesNotContain("Exception", "\tat ");

    JsonNode error =
        Ran.with().globals("--json").murmur(args).exits(ExitCode.USAGE).json().get("error");
    assertThat(error.get("code").asInt()).isEqualTo(2);
    assertThat(error.get("kind").asText()).isEqualTo("usage");
    assertThat(error.get("message").asText()).isNotEmpty();
  }

  @Test
  void exportNamesItsValues() {
    assertThat(Ran.murmur("export").exits(ExitCode.USAGE).err())
        .contains("xpub|descriptor|mnemonic");
    for (String shell : Completions.SHELLS) {
      assertThat(Completions.of(shell, InstalledTexts.root()))
          .containsPattern("xpub\\W+descriptor");
    }
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(Ran.murmur().exits(ExitCode.USAGE).err()).containsOnlyOnce("murmur --help");
  }

  @Test
  void malformedPayloadsAreFailures() {
    Ran ran = Ran.murmur("filter", "decode", "03614e").exits(ExitCode.FAILED);
    assertThat(ran.err()).contains("filterload").doesNotContain("\tat ");
    assertThat(Ran.murmur("filter", "match", "0100010000000000000000", "--tx", "00").err())
        .contains("no transaction");
    JsonNode error =
        Ran.murmur("filter", "match", "0100010000000000000000", "--block", "/no/such", "--json")
            .exits(ExitCode.FAILED)
            .json()
            .get("error");
    assertThat(error.get("kind").asText()).isEqualTo("no_such_file");
    assertThat(error.get("message").asText()).contains("/no/such");
  }

  @Test
  void helpGoesToStdoutAndNamesEveryCommand() {
    Ran help = Ran.murmur("--help").exits(ExitCode.DONE);
    assertThat(help.out()).contains("filter", "proof", "--network", "--json", "Exit codes");
    assertThat(help.err()).isEmpty();
    assertThat(Ran.murmur("help").out()).isEqualTo(help.out());
    assertThat(Ran.murmur("help", "filter", "size").out())
        .isEqualTo(Ran.murmur("filter", "size", "--help").out())
        .contains("--elements", "Example");
  }

  /** Lines are as long as possible, and none is longer than allowed. */
  @ParameterizedTest
  @ValueSource(strings = {"", "sync", "broadcast", "rescan", "watch", "lab report", "filter match"})
  void helpIsSetInFullLines(String command) {
    String gap = " ".repeat(10);
    List<String> lines = Ran.murmur(("help " + command).strip().split(" ")).out().lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i);
      String before = lines.get(i - 1);
      assertThat(line).hasSizeLessThanOrEqualTo(Murmur.HELP_WIDTH);
      if (line.startsWith(gap) && (before.startsWith(gap) || before.startsWith("  -"))) {
        String word = line.strip().replaceFirst(" .*", "");
        boolean onItsOwn = !before.strip().contains(" ");
        assertThat(onItsOwn || before.length() + 1 + word.length() > Murmur.HELP_WIDTH - 3)
            .as("'%s' would have had room in front of '%s'", word, line)
            .isTrue();
      }
    }
  }

  /** Also of the commands below a command, and of their examples. */
  @Test
  void everyHelpFitsATerminal() {
    fits(InstalledTexts.root(), List.of("help"));
  }

  private static void fits(CommandSpec spec, List<String> words) {
    assertThat(Ran.murmur(words.toArray(String[]::new)).exits(ExitCode.DONE).out().lines())
        .as(String.join(" ", words))
        .allMatch(line -> line.length() <= 80);
    CommandTree.below(spec)
        .forEach(
            (name, command) -> {
              List<String> deeper = new ArrayList<>(words);
              deeper.add(name);
              fits(command, deeper);
            });
  }

  @Test
  void versionIsOneLine() {
    assertThat(Ran.murmur("--version").exits(ExitCode.DONE).out().strip().lines())
        .singleElement()
        .asString()
        .matches(
            "murmur \\S+ \\(commit ([0-9a-f]{12}(, with changes)?|unknown: built without git)"
                + ", code \\S*\\+[0-9a-f]{12}\\)");
  }

  @Test
  void theManualPageIsThatOfThePackage() {
    assertThat(Ran.murmur("man").exits(ExitCode.DONE).out())
        .isEqualTo(ManPage.of(InstalledTexts.root(), Root.Version.name()));
  }

  @Test
  void completionScriptNamesTheCommands() {
    assertThat(Ran.murmur("completion", "bash").exits(ExitCode.DONE).out())
        .contains("filter", "--network", "complete ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--json filter size -n 5 -p 0.1",
        "filter --json size -n 5 -p 0.1",
        "filter size --json -n 5 -p 0.1",
        "filter size -n 5 -p 0.1 --json"
      })
  void globalOptionsStandAnywhere(String line) {
    assertThat(Ran.murmur(line.split(" ")).json().get("elements").asInt()).isEqualTo(5);
  }

  @Test
  void jsonlEndsWithTheResult() {
    List<JsonNode> lines = Ran.murmur("filter", "size", "-n", "5", "-p", "0.1", "--jsonl").lines();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).get("event").asText()).isEqualTo("result");
    assertThat(lines.get(0).get("bytes").asInt()).isPositive();
  }

  @Test
  void jsonIsSpacedAsScriptsGrepForIt() {
    assertThat(Ran.murmur("filter", "size", "-n", "5", "-p", "0.1", "--json").out())
        .contains("\"bip37\": true");
  }

  @Test
  void dataFoldersFollowThePlatform() {
    assertThat(GlobalOptions.platformFolder(Map.of("HOME", "/home/a"), "Linux"))
        .isEqualTo(Path.of("/home/a/.local/share/murmur"));
    assertThat(
            GlobalOptions.platformFolder(
                Map.of("HOME", "/home/a", "XDG_DATA_HOME", "/data"), "Linux"))
        .isEqualTo(Path.of("/data/murmur"));
    assertThat(
            GlobalOptions.platformFolder(
                Map.of("HOME", "/home/a", "XDG_DATA_HOME", "relative"), "Linux"))
        .isEqualTo(Path.of("/home/a/.local/share/murmur"));
    assertThat(GlobalOptions.platformFolder(Map.of("HOME", "/Users/a"), "Mac OS X"))
        .isEqualTo(Path.of("/Users/a/Library/Application Support/Murmur"));
    assertThat(GlobalOptions.platformFolder(Map.of("APPDATA", "/roaming"), "Windows 11"))
        .isEqualTo(Path.of("/roaming/Murmur"));
  }

  @Test
  void twoFormsAtOnceAreWrongUsage() {
    Ran ran = Ran.murmur("wallets", "--json", "--jsonl").exits(ExitCode.USAGE);
    assertThat(ran.json().get("error").get("message").asText()).contains("--json", "--jsonl");
  }

  @Test
  void theVersionForPrograms() {
    JsonNode version = Ran.murmur("--version", "--json").exits(ExitCode.DONE).json();
    assertThat(version.get("version").isTextual()).isTrue();
    assertThat(version.get("commit").asText()).matches("null|[0-9a-f]{40}(-dirty)?");
    // The same digest is in the files of the lab.
    String files =
        Ran.murmur("lab", "privacy", "--reproduce", "gervais", "--json")
            .exits(ExitCode.DONE)
            .json()
            .get("code_version")
            .asText();
    assertThat(version.get("code_version").asText()).isEqualTo(files);
    assertThat(Ran.murmur("--version").out()).contains(", code " + files + ")");
  }

  @Test
  void namesTheBoundsOfSimulatedPeers() {
    assertThat(Ran.murmur("lab", "simulate", "--peers", "9").exits(ExitCode.USAGE).err())
        .contains("--peers 9, expected 1 to 8");
  }

  @Test
  void aNameThatCannotBeResolvedIsNotTakenForANodeThatIsDown(@TempDir Path folder) {
    Ran.With here = Ran.with().datadir(folder).environment("MURMUR_NETWORK", "regtest");
    here.murmur("create").exits(ExitCode.DONE);
    Ran ran = here.murmur("sync", "--connect", "foo.invalid").exits(ExitCode.NO_USABLE_PEER);
    assertThat(ran.err()).contains("cannot be resolved", "spelled").doesNotContain("firewall");
  }
}
