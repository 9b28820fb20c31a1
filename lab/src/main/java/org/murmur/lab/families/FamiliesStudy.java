package org.murmur.lab.families;

import java.util.List;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;

/** The study of {@code murmur lab families}: what if the protocol carried another filter? */
public final class FamiliesStudy implements StudyKind {

  /** Creates the study kind. */
  public FamiliesStudy() {}

  @Override
  public String name() {
    return "families";
  }

  /**
   * The parameters: seed, trials, {@code family} ("all" or names), {@code fp} (several rates),
   * {@code elements} and {@code queries}.
   */
  @Override
  public Parameters defaults(Size size) {
    boolean small = size == Size.SMALL;
    return Parameters.of(1, small ? 3 : 30)
        .withList(Subjects.FAMILY, Subjects.ALL)
        .withList(Subjects.RATES, "0.01,0.001,0.0001")
        .with(Subjects.ELEMENTS, small ? 1000 : 2000)
        .with(Subjects.QUERIES, small ? 5000 : 100_000);
  }

  @Override
  public Study with(Parameters parameters) {
    Subjects subjects = Subjects.of(parameters);
    int trials = parameters.trials();
    return new Study(
        name(),
        "Other filters that the protocol could carry",
        List.of(
            "With BIP37 a wallet sends a server a Bloom filter: bits that match the "
                + "wallet's scripts and, at some rate, foreign ones. Bloom's filter is from 1970. "
                + "Later filters are smaller or faster, or can delete or grow. Here they hold the "
                + "elements of one wallet, side by side.",
            "None of them can be sent: a server understands Bloom filters of MurmurHash3 "
                + "only. They have three uses. A server can send them as block filters, so that "
                + "the wallet keeps its interests to itself (BIP158 does so with Golomb-coded "
                + "sets). A client can use them as small sets. And they show how much of the cost "
                + "of privacy is Bloom's, and how much is common to all filters."),
        parameters,
        List.of(
            new RateExperiment(subjects, trials),
            new ChangeExperiment(subjects, trials),
            new TimeExperiment(subjects, trials)));
  }
}
