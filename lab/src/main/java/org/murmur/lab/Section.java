package org.murmur.lab;

import java.util.List;

/**
 * What an experiment found, ready to be shown.
 *
 * @param title what people call it
 * @param explanation what was asked, how, and how to read the answer, for somebody who has never
 *     heard of BIP-0037; paragraphs, as plain text
 * @param tables the numbers
 * @param plots the pictures
 * @param verdicts what must hold, and whether it does
 */
public record Section(
    String title,
    List<String> explanation,
    List<Table> tables,
    List<Plot> plots,
    List<Verdict> verdicts) {

  /** Copies the lists. */
  public Section {
    explanation = List.copyOf(explanation);
    tables = List.copyOf(tables);
    plots = List.copyOf(plots);
    verdicts = List.copyOf(verdicts);
  }

  /**
   * Returns whether nothing was seen to fail.
   *
   * @return true if no verdict failed
   */
  public boolean holds() {
    return verdicts.stream().noneMatch(Verdict::failed);
  }
}
