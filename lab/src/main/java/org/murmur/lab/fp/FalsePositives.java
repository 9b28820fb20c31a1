package org.murmur.lab.fp;

import java.util.List;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.Texts;
import org.murmur.lab.stats.Binomial;

/** The study of {@code murmur lab fp}. */
public final class FalsePositives extends StudyKind {

  static final Texts TEXTS = new Texts(FalsePositives.class);

  /** The parameter for the address of a node, or {@link #EMBEDDED}. */
  public static final String CONNECT = "connect";

  /** The value of {@link #CONNECT} for a node inside this process. */
  public static final String EMBEDDED = "embedded";

  /** Of each interval in the tables, alone. */
  static final double CONFIDENCE = 0.99;

  /**
   * The confidence of each of the study's four verdicts on chance: all of them together hold in 99
   * of 100 runs.
   */
  static final double VERDICT = Binomial.each(0.99, 4);

  public FalsePositives() {
    super("fp", "False positives: how often a filter is wrong", TEXTS);
  }

  @Override
  public Parameters defaults(Size size) {
    boolean small = size == Size.SMALL;
    return Parameters.of(1, 30)
        .withList("elements", small ? "10,300" : "10,100,1000,10000")
        .withList("rates", small ? "1e-3,5e-2" : "1e-4,1e-3,1e-2,1e-1")
        .with("queries", small ? 20_000 : 200_000)
        .withList("stream-rates", small ? "1e-3" : "1e-4,1e-3,1e-2")
        .with("stream-elements", 642)
        .with("stream-outputs", 9000)
        .with("stream-blocks", small ? 12 : 60)
        .with("stream-trials", small ? 2 : 6)
        .with(CONNECT, EMBEDDED)
        .with("network", "regtest")
        .with("served-rate", 1e-2)
        .with("served-elements", 500)
        .with("served-blocks", small ? 8 : 40)
        .with("served-transactions", small ? 100 : 400);
  }

  @Override
  public Study with(Parameters parameters) {
    return study(
        parameters,
        List.of(
            new RatesOfFilters(parameters),
            new UpdateAllCollapse(parameters),
            new ServedRates(parameters),
            new RateByFunctions(parameters)));
  }
}
