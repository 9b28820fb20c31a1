package org.murmur.lab.privacy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.murmur.lab.Experiment;
import org.murmur.lab.Parameters;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.Texts;
import org.murmur.lab.privacy.behaviour.BehaviourTrials;
import org.murmur.lab.privacy.chain.ChainPlan;

/** The study of {@code lab privacy}: what a wallet's filters reveal, and to whom. */
public final class PrivacyStudy extends StudyKind {

  static final Texts TEXTS = new Texts(PrivacyStudy.class);

  private static final String CHAIN = "chain";
  private static final String UNIVERSE = "universe";
  private static final String WALLETS = "wallets";
  private static final String WALLETS_EACH = "wallets-each";
  private static final String LOOK_AHEAD = "look-ahead";
  private static final String BLOCKS = "blocks";
  private static final String REPRODUCE = "reproduce";
  private static final String NOTHING = "none";

  public PrivacyStudy() {
    super("privacy", "What filters reveal", TEXTS);
  }

  @Override
  public Parameters defaults(Size size) {
    boolean small = size == Size.SMALL;
    return Parameters.of(1, small ? 6 : 30)
        .with(CHAIN, small ? "small" : "standard")
        .with(UNIVERSE, small ? 100_000 : 2_000_000)
        .withList(WALLETS, small ? "10,50,200" : "10,50,200,1000")
        .with(WALLETS_EACH, 6)
        .with(LOOK_AHEAD, 1_000)
        .with(BLOCKS, small ? 4 : 30)
        .with(REPRODUCE, NOTHING);
  }

  @Override
  public Study with(Parameters parameters) {
    String reproduce = parameters.text(REPRODUCE);
    for (ReproductionTrial.Work work : ReproductionTrial.Work.values()) {
      if (reproduce.equals(work.id())) {
        // The others are not in force, and a result must not say so.
        return study(
            Parameters.of(parameters.seed(), 1).with(REPRODUCE, work.id()),
            List.of(new ReproductionTrial(work)));
      }
    }
    if (!reproduce.equals(NOTHING)) {
      throw new IllegalArgumentException(
          REPRODUCE + " '" + reproduce + "', expected gervais, nick or none");
    }
    int lookAhead = parameters.count(LOOK_AHEAD);
    if (lookAhead < 20 || lookAhead > 7_500) {
      // Twice this number must fit into the largest size class.
      throw new IllegalArgumentException(LOOK_AHEAD + " " + lookAhead + ", expected 20 to 7500");
    }
    int trials = parameters.trials();
    List<Experiment> experiments = new ArrayList<>();
    experiments.add(
        new AdversaryTrials(plan(parameters), lookAhead, trials, parameters.count(WALLETS_EACH)));
    experiments.add(new SybilTrials());
    experiments.add(new BehaviourTrials(trials, parameters.count(BLOCKS)));
    // Last, as they are long and answer an expert's question.
    for (ReproductionTrial.Work work : ReproductionTrial.Work.values()) {
      experiments.add(new ReproductionTrial(work));
    }
    return study(parameters, experiments);
  }

  private static ChainPlan plan(Parameters parameters) {
    String chain = parameters.text(CHAIN);
    long seed = parameters.seed();
    ChainPlan base =
        switch (chain) {
          case "small" -> ChainPlan.small(seed);
          case "standard" -> ChainPlan.standard(seed);
          case "busy" -> ChainPlan.busy(seed);
          default ->
              throw new IllegalArgumentException(
                  CHAIN + " '" + chain + "', expected small, standard or busy");
        };
    List<Integer> wallets =
        parameters.wholes(WALLETS).stream().map(Math::toIntExact).sorted().distinct().toList();
    if (wallets.get(0) < 1 || wallets.get(wallets.size() - 1) > 5_000) {
      throw new IllegalArgumentException(
          WALLETS + " " + parameters.text(WALLETS) + ", expected 1 to 5000 scripts each");
    }
    int universe = parameters.count(UNIVERSE);
    int largest = wallets.get(wallets.size() - 1);
    if (universe <= largest) {
      throw new IllegalArgumentException(
          String.format(
              "%s %d, expected more than the scripts of the largest wallet: --%s has %d",
              UNIVERSE, universe, WALLETS, largest));
    }
    int each = parameters.count(WALLETS_EACH);
    if (each > 100) {
      throw new IllegalArgumentException(WALLETS_EACH + " " + each + ", expected 1 to 100");
    }
    List<Integer> all =
        wallets.stream().flatMap(wallet -> Collections.nCopies(each, wallet).stream()).toList();
    return new ChainPlan(
        seed, base.users(), base.blocks(), base.transactionsPerBlock(), all, universe);
  }
}
