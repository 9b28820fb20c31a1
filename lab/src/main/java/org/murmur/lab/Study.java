package org.murmur.lab;

import java.util.List;

/**
 * What one command runs: experiments with common parameters.
 *
 * @param name the command's
 * @param title what people call it
 * @param introduction what it is about, for somebody who has never heard of BIP-0037; paragraphs,
 *     as plain text
 * @param parameters what all of it depends on
 * @param experiments in the order they are run and shown
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
