package org.murmur.lab;

import java.util.List;

/**
 * The experiments that one command runs, with common parameters.
 *
 * @param introduction an introduction for a reader who does not know BIP-0037; paragraphs of plain
 *     text
 * @param experiments the experiments, in the order they run and appear
 */
public record Study(
    String name,
    String title,
    List<String> introduction,
    Parameters parameters,
    List<Experiment> experiments) {

  /** Copies the lists. */
  public Study {
    introduction = List.copyOf(introduction);
    experiments = List.copyOf(experiments);
  }
}
