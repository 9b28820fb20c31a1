package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The library reports facts by types: only this module names the program's options and commands.
 */
class LibraryTextsTest {

  private static final List<String> LIBRARY = List.of("bip37", "p2p", "coins", "wallet");

  /** An option or a command of this program, in a text or a comment. */
  private static final Pattern SPOKEN =
      Pattern.compile("(?:^|[\"(` {])--[a-z][a-z-]++(?![\\w.\\[(])|[`\"]murmur [a-z]");

  @Test
  void namesNoOptionAndNoCommand() throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    for (String module : LIBRARY) {
      try (Stream<Path> all = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : all.filter(path -> path.toString().endsWith(".java")).toList()) {
          files++;
          for (String line : Files.readAllLines(file)) {
            if (SPOKEN.matcher(line).find()) {
              found.add(file + ": " + line.strip());
            }
          }
        }
      }
    }
    assertThat(files).isGreaterThan(100);
    assertThat(found).isEmpty();
  }

  @Test
  void wouldNoticeOne() {
    assertThat(
            List.of(
                "+ \". Name one more with --connect; or\"",
                "or give it up with --replace-guard \"",
                "run that `murmur rescan` again",
                "as {@code --proxy} takes them"))
        .allMatch(line -> SPOKEN.matcher(line).find());
    assertThat(List.of("parent != null && --parent.children == 0", "undo[--left]", "a -- b"))
        .noneMatch(line -> SPOKEN.matcher(line).find());
  }
}
