package org.murmur.cli.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fenced block of a document.
 *
 * @param page the document's name, such as {@code docs/paying.md}
 * @param line the number of its first line
 * @param language what follows the fence; empty for what a command printed
 * @param lines the lines between the fences
 */
record FencedBlock(String page, int line, String language, List<String> lines) {

  private static final String FENCE = "```";

  FencedBlock {
    lines = List.copyOf(lines);
  }

  /** README.md and the pages of docs/, without the decisions. */
  static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  /** All blocks of a page, in their order. */
  static List<FencedBlock> of(String page, List<String> text) {
    List<FencedBlock> blocks = new ArrayList<>();
    for (int i = 0; i < text.size(); i++) {
      if (text.get(i).startsWith(FENCE)) {
        int first = i + 1;
        i = first;
        while (!text.get(i).equals(FENCE)) {
          i++;
        }
        String language = text.get(first - 1).substring(FENCE.length());
        blocks.add(new FencedBlock(page, first + 1, language, text.subList(first, i)));
      }
    }
    return blocks;
  }

  /** The lines without comments; a line that goes on after a backslash is one with the next. */
  List<String> statements() {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String raw : lines) {
      String line = raw.replaceFirst("(^|\\s+)# .*$", "");
      statement.append(line.replaceFirst("\\\\$", ""));
      if (!line.endsWith("\\")) {
        if (!statement.toString().isBlank()) {
          statements.add(statement.toString().replaceAll("(?<=\\S) {2,}", " "));
        }
        statement.setLength(0);
      }
    }
    return statements;
  }

  @Override
  public String toString() {
    return page + ":" + line;
  }
}
