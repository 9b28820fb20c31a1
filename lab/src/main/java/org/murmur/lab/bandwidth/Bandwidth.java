package org.murmur.lab.bandwidth;

import java.util.List;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.Texts;

/** The study of {@code murmur lab bandwidth}. */
public final class Bandwidth extends StudyKind {

  static final Texts TEXTS = new Texts(Bandwidth.class);

  public Bandwidth() {
    super("bandwidth", "Bandwidth: what a decoy costs", TEXTS);
  }

  @Override
  public Parameters defaults(Size size) {
    boolean small = size == Size.SMALL;
    return Parameters.of(1, 12)
        .withList("rates", small ? "1e-4,1e-2" : "1e-5,1e-4,1e-3,3e-3,1e-2,3e-2,1e-1")
        .with("elements", 500)
        .with("blocks", small ? 12 : 60)
        .with("transactions", small ? 100 : 400)
        .withList("budgets", "10,20,40,80,160,320")
        .with("universe", 1.3e9);
  }

  @Override
  public Study with(Parameters parameters) {
    return study(parameters, List.of(new ServedBytes(parameters)));
  }
}
