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
    return new Study(
        name(),
        "Bandwidth: what a decoy costs",
        List.of(
            "Every false positive is a foreign payment that the wallet downloads for "
                + "nothing, with a part of the proof. So the rate that hides the wallet also sets "
                + "the cost. This study measures the bytes that a node really sends, and compares "
                + "them with a formula. Then it inverts the formula: how many decoys does a "
                + "number of megabytes a month buy?",
            "The competitor is BIP158: nodes publish one small filter for each block, the "
                + "same for all wallets, and each wallet decides by itself whether to fetch the "
                + "block. No node learns what a wallet looks for. The cost is the same for every "
                + "wallet. Above some false-positive rate BIP37 costs more than that and has no "
                + "advantage left."),
        parameters,
        List.of(new ServedBytes(parameters)));
  }
}
