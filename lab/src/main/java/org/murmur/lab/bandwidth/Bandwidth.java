package org.murmur.lab.bandwidth;

import java.util.List;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;

/** The study of {@code murmur lab bandwidth}. */
public final class Bandwidth implements StudyKind {

  /** Creates the study kind. */
  public Bandwidth() {}

  @Override
  public String name() {
    return "bandwidth";
  }

  @Override
  public Parameters defaults(Size size) {
    boolean small = size == Size.SMALL;
    return Parameters.of(1, small ? 4 : 12)
        .with("rates", small ? "1e-4,1e-2" : "1e-5,1e-4,1e-3,3e-3,1e-2,3e-2,1e-1")
        .with("elements", 500)
        .with("blocks", small ? 12 : 60)
        .with("transactions", small ? 100 : 400)
        .with("budgets", "10,20,40,80,160,320")
        .with("universe", 1.3e9);
  }

  @Override
  public Study with(Parameters parameters) {
    return new Study(
        name(),
        "Bandwidth: what a decoy costs",
        List.of(
            "Every false positive is a stranger's payment that the wallet downloads for nothing, with"
                + " a piece of the proof. So the rate that hides the wallet is also the rate that"
                + " costs. This study measures the bytes that a node really sends, compares them"
                + " with a formula, and turns the formula round: given so many megabytes a month,"
                + " how many decoys can be had?",
            "The competitor is BIP158: nodes publish one small filter for each block, the same for"
                + " everybody, and wallets look for themselves whether to fetch the block. Nobody"
                + " learns what they looked for. It costs the same for everybody, too, whatever is"
                + " in the wallet; above some false-positive rate BIP37 is dearer than that and has"
                + " nothing left to offer."),
        parameters,
        List.of(new ServedBytes(parameters)));
  }
}
