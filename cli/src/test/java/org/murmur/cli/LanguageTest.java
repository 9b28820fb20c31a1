package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Words that were replaced by the field's terms do not come back, links lead somewhere, and the
 * README stays short.
 */
class LanguageTest {

  /** The tests run in the module's folder. */
  private static final Path ROOT = Path.of("..");

  /**
   * Instead: give up, discourage, effect, conflict resolution, conflict, MAX_ and MIN_; version
   * handshake, disconnect, custom, drop, announce, status, invented.
   */
  private static final Pattern ANYWHERE =
      Pattern.compile(
          "(?i:\\b(despairs?|shuns?|shunned|ripples|deliberations?|rivals?|beholds?|heeds?"
              + "|hello|hangs? up|one's own|is let go|told of|is told|tells? of|what becomes of"
              + "|made up)\\b)"
              + "|\\b(MOST|LEAST)_[A-Z]");

  /** A comment whose sentence begins with a clause; instead: subject, verb, object. */
  private static final Pattern CLAUSE_FIRST =
      Pattern.compile("^\\s*(/\\*\\*|\\*|//) +(What|Who|Whoever|Whose|Whom)\\b");

  /** Instead, in this module and the README: a peer that, anyway. */
  private static final Pattern IN_TEXTS = Pattern.compile("(?i:\\b(whoever|all the same)\\b)");

  /** A link of a document to a file of the project, and the heading in it. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");

  /** A decision that a text names by its number. */
  private static final Pattern DECISION = Pattern.compile("\\bADR (\\d{4})|docs/adr/(\\d{4})");

  private static final int MAX_README_LINES = 150;
  private static final int MAX_README_COLUMNS = 100;

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> path.toString().endsWith(ending)).toList();
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          sources.addAll(files(main, ".java"));
        }
      }
    }
    return sources;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
    try (Stream<Path> root = Files.list(ROOT)) {
      root.filter(path -> path.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  private static List<String> found(Pattern words, List<Path> files) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (words.matcher(lines.get(i)).find()) {
          found.add(file + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    return found;
  }

  @Test
  void sourcesAndDocumentsUseTheFieldsWords() throws IOException {
    List<Path> files = new ArrayList<>(sources());
    assertThat(files).isNotEmpty();
    assertThat(found(CLAUSE_FIRST, files)).isEmpty();
    List<Path> documents = documents();
    assertThat(documents).isNotEmpty();
    files.addAll(documents);
    List<Path> texts = files(ROOT.resolve("lab/src/main/resources"), "texts.txt");
    assertThat(texts).isNotEmpty();
    files.addAll(texts);
    assertThat(found(ANYWHERE, files)).isEmpty();
  }

  @Test
  void thisProgramSpeaksPlainly() throws IOException {
    List<Path> files = new ArrayList<>(files(Path.of("src/main/java"), ".java"));
    assertThat(files).isNotEmpty();
    files.add(ROOT.resolve("README.md"));
    assertThat(found(IN_TEXTS, files)).isEmpty();
  }

  @Test
  void wouldNoticeThem() {
    assertThat(List.of("a rival payment", "we despair of it", "int MOST_HEADERS = 3;", "Shunned"))
        .allMatch(line -> ANYWHERE.matcher(line).find());
    assertThat(
            List.of(
                "a peer that was told of it", "no hello in 10 seconds", "It hangs up", "made up"))
        .allMatch(line -> ANYWHERE.matcher(line).find());
    assertThat(List.of("arrival", "at MOST_", "almost", "the least_squares", "a made-up block"))
        .noneMatch(line -> ANYWHERE.matcher(line).find());
    assertThat(List.of("  /** What it says. */", "   * Who it is", "  // Whose it is"))
        .allMatch(line -> CLAUSE_FIRST.matcher(line).find());
    assertThat(List.of("Whoever sees it", "It is all the same"))
        .allMatch(line -> IN_TEXTS.matcher(line).find());
  }

  @Test
  void theChangelogHasOneLineForEachEntry() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("CHANGELOG.md"));
    List<String> entries = lines.stream().filter(line -> line.startsWith("- ")).toList();
    assertThat(entries).isNotEmpty().doesNotHaveDuplicates();
    assertThat(lines).noneMatch(line -> line.startsWith(" "));
    for (int i = 1; i + 1 < lines.size(); i++) {
      boolean insideList = lines.get(i - 1).startsWith("- ") && lines.get(i + 1).startsWith("- ");
      assertThat(insideList && lines.get(i).isEmpty()).as("line %d is empty", i + 1).isFalse();
    }
  }

  /** A heading as links name it. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9 _-]", "")
        .replace(' ', '-');
  }

  private static boolean leadsSomewhere(Path document, String file, @Nullable String place)
      throws IOException {
    Path target = file.isEmpty() ? document : document.resolveSibling(file);
    if (!Files.exists(target) || place == null) {
      return Files.exists(target);
    }
    try (Stream<String> lines = Files.lines(target)) {
      return lines.anyMatch(line -> line.startsWith("#") && anchor(line).equals(place));
    }
  }

  @Test
  void linksLeadToFilesAndHeadingsOfTheProject() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        links++;
        if (!leadsSomewhere(document, link.group(1), link.group(2))) {
          broken.add(document + ": " + link.group());
        }
      }
    }
    assertThat(links).isPositive();
    assertThat(broken).isEmpty();
  }

  @Test
  void citedDecisionsExist() throws IOException {
    Set<String> decisions = new HashSet<>();
    for (Path decision : files(ROOT.resolve("docs/adr"), ".md")) {
      decisions.add(decision.getFileName().toString().substring(0, 4));
    }
    List<Path> files = new ArrayList<>(sources());
    files.addAll(documents());
    List<String> broken = new ArrayList<>();
    for (Path file : files) {
      Matcher cited = DECISION.matcher(Files.readString(file));
      while (cited.find()) {
        String number = cited.group(1) == null ? cited.group(2) : cited.group(1);
        if (!decisions.contains(number)) {
          broken.add(file + ": " + cited.group());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** A screen for each reader: command line, library, experiments. */
  @Test
  void theReadmeIsShort() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("README.md"));
    assertThat(lines).hasSizeLessThanOrEqualTo(MAX_README_LINES);
    assertThat(lines).allMatch(line -> line.length() <= MAX_README_COLUMNS);
  }
}
