package org.murmur.lab;

import java.util.List;

/**
 * The findings of an experiment, ready for the report.
 *
 * @param explanation the question, the method, and how to read the answer, for a reader who does
 *     not know BIP-0037; paragraphs of plain text
 * @param findings the findings for the top of the report, in plain sentences
 */
public record Section(
    String title,
    List<String> explanation,
    List<Table> tables,
    List<Plot> plots,
    List<ClaimVerdict> verdicts,
    List<String> findings) {

  public Section(
      String title,
      List<String> explanation,
      List<Table> tables,
      List<Plot> plots,
      List<ClaimVerdict> verdicts) {
    this(title, explanation, tables, plots, verdicts, List.of());
  }

  public Section {
    explanation = List.copyOf(explanation);
    tables = List.copyOf(tables);
    plots = List.copyOf(plots);
    verdicts = List.copyOf(verdicts);
    findings = List.copyOf(findings);
  }

  /** Returns whether no claim failed. */
  public boolean holds() {
    return verdicts.stream().noneMatch(ClaimVerdict::failed);
  }
}
