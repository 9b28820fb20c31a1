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
 * @param findings what was found, for the head of the report: sentences that say it in plain words
 */
public record Section(
    String title,
    List<String> explanation,
    List<Table> tables,
    List<Plot> plots,
    List<ClaimVerdict> verdicts,
    List<String> findings) {

  /**
   * A section without a finding for the head of the report.
   *
   * @param title what people call it
   * @param explanation what was asked, how, and how to read the answer
   * @param tables the numbers
   * @param plots the pictures
   * @param verdicts what must hold, and whether it does
   */
  public Section(
      String title,
      List<String> explanation,
      List<Table> tables,
      List<Plot> plots,
      List<ClaimVerdict> verdicts) {
    this(title, explanation, tables, plots, verdicts, List.of());
  }

  /** Copies the lists. */
  public Section {
    explanation = List.copyOf(explanation);
    tables = List.copyOf(tables);
    plots = List.copyOf(plots);
    verdicts = List.copyOf(verdicts);
    findings = List.copyOf(findings);
  }

  /**
   * Returns the same with what was found, in plain words.
   *
   * @param sentences each to be understood without the rest, with its numbers
   * @return a new section
   */
  public Section finding(List<String> sentences) {
    return new Section(title, explanation, tables, plots, verdicts, sentences);
  }

  /**
   * Returns whether nothing was seen to fail.
   *
   * @return true if no verdict failed
   */
  public boolean holds() {
    return verdicts.stream().noneMatch(ClaimVerdict::failed);
  }
}
