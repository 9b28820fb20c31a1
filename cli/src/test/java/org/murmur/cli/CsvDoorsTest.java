package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command that prints CSV: no text of others begins a formula in a spreadsheet. */
class CsvDoorsTest extends RestoredWallet {

  private static final String PAYEE = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

  /** Whoever adds a command with {@code --csv} adds it here, and it must pass below. */
  private static final Set<String> DOORS = Set.of("history");

  /** Numbers of studies, and no text of others. */
  private static final Set<String> NUMBERS =
      Set.of("lab bandwidth", "lab families", "lab fp", "lab merge", "lab privacy");

  /** User agents are texts of others; LabProbeTest has one that begins a formula. */
  private static final String PROBE = "lab probe";

  @Test
  void theCommandsWithCsvAreThese() {
    Set<String> found = new TreeSet<>();
    find("", InstalledTexts.root(), found);
    found.removeAll(NUMBERS);
    assertThat(found.remove(PROBE)).isTrue();
    assertThat(found).isEqualTo(new TreeSet<>(DOORS));
  }

  /** What an option for it says of itself. */
  private static final Pattern CSV =
      Pattern.compile("(?i)\\bcsv\\b|\\b(comma|tab|semicolon).separated|spreadsheet");

  private static void find(String path, CommandSpec spec, Set<String> found) {
    for (OptionSpec option : spec.options()) {
      String text = option.longestName() + " " + String.join(" ", option.description());
      if (CSV.matcher(text).find() && !option.longestName().equals("--unit")) {
        found.add(path);
      }
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  /** Whoever prints or writes for programs, and in which form. Whose is CSV, is a door above. */
  private static final Map<String, String> FORMS =
      Map.ofEntries(
          Map.entry("Completion", "a script"),
          Map.entry("Man", "troff"),
          Map.entry("Murmur", "JSON"),
          Map.entry("LabelCommand", "JSON"),
          Map.entry("StatusCommand", "HTML"),
          Map.entry("PayOptions", "a PSBT"),
          Map.entry("PrivacyCommand", "a picture"),
          Map.entry("LabOutput", "CSV of numbers, and others"),
          Map.entry("LabReport", "HTML and JSON"),
          Map.entry("LabProbe", "CSV and JSON"),
          Map.entry("HistoryCommand", "CSV"));

  @Test
  void nothingElsePrintsForPrograms() {
    Set<String> found =
        MainCode.of("org.murmur.cli").stream()
            .filter(
                type ->
                    !type.isEquivalentTo(Output.class) && !type.isEquivalentTo(OutputFile.class))
            .filter(
                type ->
                    type.getAccessesFromSelf().stream()
                        .anyMatch(
                            access -> printsExactly(access.getTargetOwner(), access.getName())))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(FORMS.keySet());
  }

  private static boolean printsExactly(JavaClass owner, String name) {
    return (owner.isEquivalentTo(Output.class) && name.equals("exactly"))
        || (owner.isEquivalentTo(OutputFile.class) && Set.of("<init>", "named").contains(name));
  }

  @Test
  void noCellBeginsAFormula() throws IOException {
    String txid;
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
      JsonNode sent =
          murmur("send", uri(), "--fee-rate", "5", "--offline", "--yes", "--json")
              .exits(ExitCode.DONE)
              .json();
      txid = sent.get("txid").asText();
    }
    assertThat(murmur("label", txid).out()).isEqualTo("=HYPERLINK(\"http://x\",\"open\")\n");
    List<String> texts =
        List.of("=1+1", "+1", "-1", "@SUM(1)", "|x", "%x", "\uff1d1", "a=1", "\"=1", "");
    for (String door : DOORS) {
      assertThat(murmur(door, "--csv").exits(ExitCode.DONE).out())
          .contains("\"'=HYPERLINK(\"\"http://x\"\",\"\"open\"\")\"");
      for (String text : texts) {
        murmur("label", txid, text).exits(ExitCode.DONE);
        assertThat(murmur("label", txid, "--json").json().get("label").asText(""))
            .as("the label itself stays")
            .isEqualTo(text);
        Stream<String> rows = murmur(door, "--csv").exits(ExitCode.DONE).out().lines().skip(1);
        assertThat(rows)
            .as(text)
            .allSatisfy(row -> assertThat(row).doesNotContainPattern("(^|,)\"[=+\\-@|%\uff1d]"));
      }
    }
  }

  /** The payment URI of the case, for an address of this network. */
  private static String uri() throws IOException {
    try (InputStream in = CsvDoorsTest.class.getResourceAsStream("/cases/csv-formula.txt")) {
      String line = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      String uri = line.substring(line.indexOf('\'') + 1, line.indexOf("' --fee-rate"));
      assertThat(uri).contains(URLEncoder.encode("=HYPERLINK(", StandardCharsets.UTF_8));
      return uri.replace("ADDR", PAYEE);
    }
  }
}
