package org.murmur.testbed.world.plan;

import java.util.ArrayList;
import java.util.List;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.plan.WorldPlan.Kind;
import org.murmur.testbed.world.plan.WorldPlan.Neighbour;

/**
 * Peers that serve the filters of blocks (BIP-0157), some of them false ones. They use their own
 * random numbers, so that the rest of a world depends on the seed only.
 */
final class FilterPeers {

  private static final List<Kind> LIARS =
      List.of(Kind.HIDING, Kind.HIDING, Kind.JUNK, Kind.FALSE_HEADERS, Kind.OTHER_FILTERS);

  private static final List<Kind> OTHERS =
      List.of(
          Kind.UNINDEXED,
          Kind.UNINDEXED,
          Kind.WRONG_BLOCKS,
          Kind.BLOCKLESS,
          Kind.NO_FILTERS,
          Kind.NO_BLOOM,
          Kind.LAGGING,
          Kind.FORKED,
          Kind.NOISY,
          Kind.BAD_HEADERS,
          Kind.DROPPING,
          Kind.DRIPPING,
          Kind.MUTE);

  private FilterPeers() {}

  /**
   * Changes a plan to fit the compact preset. One honest peer is always there, and one more than
   * hide scripts: these may agree, so as many witnesses are needed.
   */
  static WorldPlan peopled(WorldPlan plan, WorldOptions options) {
    Dice dice = new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ 0x66696c74657273L);
    int count = options.peers() > 0 ? options.peers() : dice.between(1, WorldOptions.MAX_PEERS);
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kinds.add(kind(dice, options));
    }
    kinds.set(dice.below(count), Kind.HONEST);
    while (count(kinds, Kind.HIDING) >= count(kinds, Kind.HONEST)) {
      kinds.set(kinds.indexOf(Kind.HIDING), Kind.HONEST);
    }
    int hiding = count(kinds, Kind.HIDING);
    int verify =
        hiding > 0
            ? hiding + 1
            : dice.chance(0.35) ? dice.between(1, count(kinds, Kind.HONEST)) : 1;
    List<Neighbour> peers = new ArrayList<>();
    for (Kind kind : kinds) {
      Neighbour peer = WorldPlan.neighbour(kind, dice);
      peers.add(kind == Kind.NO_FILTERS ? peer : peer.withFilters());
    }
    int connections = dice.chance(0.6) ? count : dice.between(Math.min(verify, count), count);
    return plan.among(peers, verify, connections);
  }

  private static Kind kind(Dice dice, WorldOptions options) {
    int drawn = dice.below(100);
    if (drawn < 40) {
      return Kind.HONEST;
    }
    if (drawn < 70) {
      return options.liars() ? LIARS.get(dice.below(LIARS.size())) : Kind.HONEST;
    }
    return OTHERS.get(dice.below(OTHERS.size()));
  }

  private static int count(List<Kind> kinds, Kind kind) {
    return (int) kinds.stream().filter(one -> one == kind).count();
  }
}
