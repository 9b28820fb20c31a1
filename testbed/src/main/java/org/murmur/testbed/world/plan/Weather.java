package org.murmur.testbed.world.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.murmur.regtest.chain.Dice;
import org.murmur.testbed.world.plan.WorldPlan.Kind;
import org.murmur.testbed.world.plan.WorldPlan.Neighbour;

/**
 * Damage to the messages of honest peers, and guards that watch, if that was asked for. It uses its
 * own random numbers, so that the rest of the world depends on the seed only.
 *
 * @param damages when the next message of an honest peer is damaged, before the calm. After it,
 *     this happens once in each process if it happened before
 * @param raceAt when two branches of equal work begin to race, before the calm
 * @param race how long the race lasts; zero for none
 * @param pushes whether guards that are not honest push transactions that may be the wallet's
 */
public record Weather(List<Duration> damages, Duration raceAt, Duration race, boolean pushes) {

  /** No damage and no race. */
  public static final Weather FAIR = new Weather(List.of(), Duration.ZERO, Duration.ZERO, false);

  /** The calm begins as much later than a race ends: honest peers have followed by then. */
  private static final Duration FOLLOW = Duration.ofSeconds(30);

  public Weather {
    damages = List.copyOf(damages);
  }

  private static Dice dice(WorldPlan plan, long what) {
    return new Dice(plan.seed() * 0x9e3779b97f4a7c15L ^ what);
  }

  /** Draws the weather; fair if none was asked for. */
  public static Weather of(WorldPlan plan, WorldOptions options) {
    if (!options.weather()) {
      return FAIR;
    }
    Dice dice = dice(plan, 0x77656174686572L);
    Duration raceAt = Duration.ofMillis(dice.below(plan.unrest().toMillis()));
    boolean races = plan.has(Kind.RACING);
    Duration race = races ? Duration.ofSeconds(dice.between(40, 500)) : Duration.ZERO;
    Weather quiet = new Weather(List.of(), raceAt, race, true);
    long end = quiet.calmAt(plan).toMillis();
    List<Duration> damages = new ArrayList<>();
    for (int i = dice.chance(0.2) ? 0 : dice.between(1, 6); i > 0; i--) {
      damages.add(Duration.ofMillis(dice.below(end)));
    }
    return new Weather(damages, raceAt, race, true);
  }

  /** When the calm begins. */
  public Duration calmAt(WorldPlan plan) {
    Duration raced = race.isZero() ? Duration.ZERO : raceAt.plus(race).plus(FOLLOW);
    return raced.compareTo(plan.unrest()) > 0 ? raced : plan.unrest();
  }

  /** In half of the worlds some honest peers will be on the other branch of a race. */
  static WorldPlan among(WorldPlan plan) {
    Dice dice = dice(plan, 0x726163696e67L);
    List<Neighbour> peers = new ArrayList<>(plan.peers());
    boolean races = dice.chance(0.5);
    for (int i = 0; i < peers.size(); i++) {
      Neighbour peer = peers.get(i);
      if (races && i != plan.anchor() && peer.kind() == Kind.HONEST && dice.chance(0.6)) {
        peers.set(
            i,
            new Neighbour(Kind.RACING, peer.behaviour(), peer.latency(), peer.work(), peer.lag()));
      }
    }
    return plan.among(peers);
  }
}
