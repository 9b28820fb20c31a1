package org.murmur.testbed.world.plan;

import java.util.ArrayList;
import java.util.List;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.plan.WorldPlan.Kind;
import org.murmur.testbed.world.plan.WorldPlan.Neighbour;

/**
 * Peers that prove transactions and do not send them as they should. They use their own random
 * numbers, so that the rest of a world depends on the seed only.
 */
final class Cheats {

  private static final List<Kind> KINDS =
      List.of(
          Kind.WITHHOLDING,
          Kind.LATE,
          Kind.AFTER_PONG,
          Kind.REPLACING,
          Kind.DOUBLING,
          Kind.REPEATING);

  private Cheats() {}

  /** Replaces some peers, honest ones too where enough of these are left. */
  static WorldPlan among(WorldPlan plan, WorldOptions options) {
    Dice dice = new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ 0x6368656174L);
    int least = options.guarded() ? WorldOptions.FEWEST_GUARDED : plan.verify();
    List<Neighbour> peers = new ArrayList<>(plan.peers());
    for (int i = 0; i < peers.size(); i++) {
      Kind kind = peers.get(i).kind();
      boolean spare =
          kind == Kind.HONEST
              ? i != plan.anchor() && WorldPlan.count(peers, Kind.HONEST) > least
              : kind != Kind.OMITTING;
      if (spare && dice.chance(0.4)) {
        peers.set(i, WorldPlan.neighbour(KINDS.get(dice.below(KINDS.size())), dice));
      }
    }
    return plan.among(peers);
  }
}
