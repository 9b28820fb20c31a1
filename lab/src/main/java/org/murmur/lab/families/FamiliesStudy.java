package org.murmur.lab.families;

import java.util.List;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.Texts;

/** The study of {@code murmur lab families}: what if the protocol carried another filter? */
public final class FamiliesStudy extends StudyKind {

  static final Texts TEXTS = new Texts(FamiliesStudy.class);

  public FamiliesStudy() {
    super("families", "Other filters that the protocol could carry", TEXTS);
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
    return study(
        parameters,
        List.of(
            new RateExperiment(subjects, trials),
            new ChangeExperiment(subjects, trials),
            new TimeExperiment(subjects, trials)));
  }
}
