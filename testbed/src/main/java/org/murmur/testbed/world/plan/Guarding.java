package org.murmur.testbed.world.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.SizeClass;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.plan.WorldPlan.Kind;
import org.murmur.testbed.world.plan.WorldPlan.Neighbour;

/**
 * The additional plan of a world under the private preset. It uses its own random numbers, so that
 * the rest of the world, and every other world, depends on the seed only.
 *
 * @param handedOut addresses that the wallet's user handed out before; near the border of an epoch
 *     the look-ahead grows
 * @param goneAt when a peer is gone for good, a guard if there is one; zero for never
 * @param broadcasts how many transactions the user sends
 * @param onePeer whether the user names one peer only, which guards in both roles
 * @param first the one that is named first then
 */
public record Guarding(
    int handedOut, double rate, Duration goneAt, int broadcasts, boolean onePeer, int first) {

  /** For worlds without guards. */
  private static final Guarding NONE = new Guarding(0, 0, Duration.ZERO, 0, false, 0);

  /** Keys of each chain in one epoch of scripts. */
  private static final int EPOCH = 1_000;

  private static final int MAX_PEERS = 6;

  /** How many of the paid keys are in one epoch with the first of them. */
  public int inEpoch() {
    return EPOCH - handedOut;
  }

  private static Dice dice(WorldPlan plan) {
    return new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ 0x6775617264L);
  }

  /** Draws the settings; none for worlds without guards. */
  public static Guarding of(WorldPlan plan, WorldOptions options) {
    return options.guarded() ? draw(plan, options) : NONE;
  }

  private static Guarding draw(WorldPlan plan, WorldOptions options) {
    Dice dice = dice(plan);
    Dice single = new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ 0x73696e676c65L);
    int near = EPOCH - dice.between(1, 3 * plan.gap());
    long unrest = plan.unrest().toMillis();
    return new Guarding(
        dice.chance(0.5) ? 0 : near,
        dice.chance(0.7) ? SizeClass.THRIFTY : SizeClass.GENEROUS,
        dice.chance(0.4) ? Duration.ofMillis(1 + dice.below(unrest)) : Duration.ZERO,
        dice.chance(0.3) ? dice.between(1, 3) : 0,
        options.onePeer() && single.chance(0.3),
        first(plan, single));
  }

  /** Any peer except one on another chain: the user would not learn of it. */
  private static int first(WorldPlan plan, Dice dice) {
    List<Integer> fit = new ArrayList<>();
    for (int i = 0; i < plan.peers().size(); i++) {
      Kind kind = plan.peers().get(i).kind();
      if (kind != Kind.LAGGING && kind != Kind.FORKED) {
        fit.add(i);
      }
    }
    return fit.get(dice.below(fit.size()));
  }

  /**
   * Changes a plan to fit the private preset. Peers are not compared, so none omits transactions.
   * Three peers are honest, so that two are left when one of them is gone.
   */
  static WorldPlan peopled(WorldPlan plan, WorldOptions options) {
    Dice dice = new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ 0x70656f706c65L);
    int least = WorldOptions.FEWEST_GUARDED;
    int count = options.peers() > 0 ? options.peers() : dice.between(least, MAX_PEERS);
    List<Neighbour> peers = new ArrayList<>();
    for (int i = 0; i < least; i++) {
      peers.add(WorldPlan.neighbour(Kind.HONEST, dice));
    }
    while (peers.size() < count) {
      Kind kind = WorldPlan.kind(dice, options);
      peers.add(dice.below(peers.size() + 1), WorldPlan.neighbour(kind, dice));
    }
    int connections = dice.chance(0.6) ? count : dice.between(2, count);
    return plan.among(peers, 1, connections);
  }
}
