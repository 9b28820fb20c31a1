package org.murmur.lab;

import java.util.List;

/**
 * The experiments that one command runs and reports in that order, with common parameters. The
 * introduction is for a reader who does not know BIP-0037, in paragraphs of plain text.
 */
public record Study(
    String name,
    String title,
    List<String> introduction,
    Parameters parameters,
    List<Experiment> experiments) {

  public Study {
    introduction = List.copyOf(introduction);
    experiments = List.copyOf(experiments);
  }
}
