package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class InstalledTextsTest {

  @Test
  void everyTextNamesEveryCommandAndOption(@TempDir Path usr) throws IOException {
    InstalledTexts.main(new String[] {usr.toString()});
    List<Path> files;
    try (Stream<Path> found = Files.walk(usr)) {
      files = found.filter(Files::isRegularFile).toList();
    }
    assertThat(files).hasSize(4);
    List<String> words = new ArrayList<>();
    collect(InstalledTexts.root(), words);
    assertThat(words)
        .contains("sync", "receive", "--json", "--connect", "--bip37")
        .hasSizeGreaterThan(200);
    for (Path file : files) {
      String text = Files.readString(file).replace("\\-", "-");
      boolean fish = file.toString().endsWith(".fish");
      for (String word : words) {
        String shown =
            !fish ? word : word.replaceFirst("^--", "-l ").replaceFirst("^-(?=.$)", "-s ");
        assertThat(text).as("%s in %s", word, file.getFileName()).contains(shown);
      }
    }
  }

  @Test
  void theManualPageHasTheOptionsBelowTheirCommand() {
    String page = ManPage.of(InstalledTexts.root(), "1").replace("\\-", "-");
    requireOptions(InstalledTexts.root(), List.of(page.split("\n\\.S[SH] ")));
  }

  private static void requireOptions(CommandSpec spec, List<String> sections) {
    for (CommandSpec command : CommandTree.below(spec).values()) {
      String name = command.qualifiedName();
      // A command comes before those below it, which begin with its name.
      String section =
          sections.stream()
              .filter(text -> text.matches("(?s)" + name + "\\s.*"))
              .findFirst()
              .orElseThrow();
      for (OptionSpec option : command.options()) {
        if (!option.inherited() && !option.hidden()) {
          assertThat(section).contains("\\fB" + option.longestName() + "\\fR");
        }
      }
      requireOptions(command, sections);
    }
  }

  @Test
  void completionsKnowTheValuesOfOptions() {
    for (String shell : Completions.SHELLS) {
      assertThat(Completions.of(shell, InstalledTexts.root()))
          .as(shell)
          .contains("testnet4", "bip86", "private");
    }
  }

  /** In bash, as a user presses the tab key. */
  @Test
  void completionKnowsTheNamesOfWallets(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("data/regtest"));
    for (String name : List.of("savings", "sailing", "default")) {
      Files.writeString(folder.resolve("data/regtest/" + name + ".sqlite"), "");
    }
    Path script = folder.resolve("script");
    Files.writeString(script, Completions.of("bash", InstalledTexts.root()));
    for (String typed : List.of("murmur -w sa", "murmur wallets rename sa")) {
      ProcessBuilder bash =
          new ProcessBuilder(
                  "bash",
                  "-c",
                  "source \"$1\"; read -ra COMP_WORDS <<<\"$2\"; COMP_CWORD=$((${#COMP_WORDS[@]} -"
                      + " 1)); _murmur_with_wallets; printf '%s\\n"
                      + "' \"${COMPREPLY[@]}\"",
                  "bash",
                  script.toString(),
                  typed)
              .redirectErrorStream(true);
      bash.environment().put("MURMUR_DATADIR", folder.resolve("data").toString());
      Process process = bash.start();
      process.getOutputStream().close();
      assertThat(
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
          .as(typed)
          .containsExactlyInAnyOrder("sailing", "savings");
    }
  }

  private static List<String> wallets(Path script, String typed, Path home) throws IOException {
    ProcessBuilder bash =
        new ProcessBuilder(
            "bash",
            "-c",
            "source \"$1\"; uname() { echo \"$SYSTEM\"; }; read -ra COMP_WORDS <<<\"$2\";"
                + " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _murmur_with_wallets;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"",
            "bash",
            script.toString(),
            typed);
    bash.redirectErrorStream(true);
    bash.environment().keySet().removeAll(List.of("MURMUR_DATADIR", "XDG_DATA_HOME"));
    bash.environment().put("HOME", home.toString());
    bash.environment().put("SYSTEM", typed.contains("apple") ? "Darwin" : "Linux");
    Process process = bash.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  @Test
  void completionLooksWhereTheWalletsAre(@TempDir Path home) throws IOException {
    Path script =
        Files.writeString(home.resolve("s"), Completions.of("bash", InstalledTexts.root()));
    for (String folder :
        List.of(".local/share/murmur", "Library/Application Support/Murmur", "elsewhere")) {
      Path regtest = Files.createDirectories(home.resolve(folder).resolve("regtest"));
      Files.writeString(regtest.resolve("in-" + folder.charAt(2) + ".sqlite"), "");
    }
    assertThat(wallets(script, "murmur -w in", home)).containsExactly("in-o");
    assertThat(wallets(script, "murmur label apple -w in", home)).containsExactly("in-b");
    for (String option : List.of("--datadir ", "--datadir=", "--datadir = ")) {
      for (String place : List.of("~/elsewhere", home + "/elsewhere")) {
        assertThat(wallets(script, "murmur " + option + place + " -w in", home))
            .as(option + place)
            .containsExactly("in-s");
      }
    }
  }

  @Test
  void noLineOfTheManualPageIsAnUnknownRequest() {
    assertThat(
            ManPage.of(InstalledTexts.root(), "1").lines().filter(line -> line.matches("[.'].*")))
        .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|nf|fi|nh|ad|B|BR|I)( .*)?"));
  }

  /** Prose is filled to the width of the reader's terminal; examples keep their lines. */
  @Test
  void theManualPageFillsProseOnly() {
    String page = ManPage.of(InstalledTexts.root(), "1").replace("\\-", "-");
    assertThat(page)
        .contains("\n.PP\nNeeds no password. ")
        .contains("\n.PP\nExamples:\n.nf\n  murmur --network testnet4 sync\n");
    boolean asIs = false;
    for (String line : page.lines().toList()) {
      asIs = line.equals(".nf") || (asIs && !line.equals(".fi"));
      if (!line.startsWith(".")) {
        assertThat(line.startsWith("  ")).as(line).isEqualTo(asIs);
      }
    }
  }

  /** Other signs come out as question marks or not at all where the locale lacks them. */
  @Test
  void theManualPageIsAsciiWithoutTypographicQuotes() {
    String page = ManPage.of(InstalledTexts.root(), "1");
    assertThat(page).matches("(?s)\\p{ASCII}*").contains("\n.nh\n", "\\(gamurmur demo\\(ga");
    assertThat(page.lines().filter(line -> !line.startsWith(".\\\"")))
        .noneMatch(line -> line.contains("`") || line.contains("'"));
  }

  /** Picocli formats every text: a single percent sign makes it warn on stderr. */
  @Test
  void everyTextIsAFormat() {
    requireFormats(InstalledTexts.root());
  }

  private static void requireFormats(CommandSpec spec) {
    Stream<String[]> own =
        Stream.of(
            spec.usageMessage().header(),
            spec.usageMessage().description(),
            spec.usageMessage().footer());
    Stream.concat(own, spec.args().stream().map(argument -> argument.description()))
        .flatMap(Stream::of)
        .forEach(
            line ->
                assertThatCode(() -> String.format(line))
                    .as("%s: %s", spec.qualifiedName(), line)
                    .doesNotThrowAnyException());
    spec.subcommands().values().forEach(command -> requireFormats(command.getCommandSpec()));
  }

  private static void collect(CommandSpec spec, List<String> words) {
    spec.options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> words.addAll(List.of(option.names())));
    spec.subcommands()
        .forEach(
            (name, command) -> {
              words.add(name);
              collect(command.getCommandSpec(), words);
            });
  }
}
