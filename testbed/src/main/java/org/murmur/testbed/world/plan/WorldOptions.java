package org.murmur.testbed.world.plan;

import org.murmur.p2p.sync.Preset;

/**
 * Which worlds may be drawn. Seed and options together make a world.
 *
 * @param peers how many peers each has; 0 to leave it to the seed
 * @param liars whether some peers lie by leaving transactions out, or scripts out of the filters of
 *     blocks; then each block must be served by more peers than there are such liars
 * @param cheats whether some peers prove transactions and do not send them as they should
 * @param files one in this many worlds has its wallet on a real disk; 0 for none
 * @param preset the client's; each has other peers, and under the private preset none of them omits
 *     transactions
 * @param onePeer whether some users under the private preset name one peer only, for both roles
 * @param smallFilters whether a filter holds fewer elements than the wallet has, so that the blocks
 *     are scanned in several passes; under the fast preset only
 * @param sending whether the wallet itself pays while a session runs
 * @param weather whether bytes from honest peers are damaged on the way, branches of equal work
 *     race for minutes, and guards push what may be the wallet's
 * @param witnessed whether honest peers serve the filters of blocks, which check each scan; under
 *     the fast preset only
 */
public record WorldOptions(
    int peers,
    boolean liars,
    boolean cheats,
    int files,
    Preset.Kind preset,
    boolean onePeer,
    boolean smallFilters,
    boolean sending,
    boolean weather,
    boolean witnessed) {

  /** The most peers a world has. */
  public static final int MAX_PEERS = 8;

  /** The fewest peers of a world under the private preset: two guards, and one to take over. */
  public static final int FEWEST_GUARDED = 3;

  /** Every kind of world. */
  public static final WorldOptions ALL =
      new WorldOptions(0, true, true, 50, Preset.Kind.FAST, false, false, false, false, false);

  /** Every kind of world under the private preset. */
  public static final WorldOptions GUARDED =
      new WorldOptions(0, false, true, 50, Preset.Kind.PRIVATE, true, false, false, false, false);

  /** Every kind of world under the compact preset. */
  public static final WorldOptions COMPACT =
      new WorldOptions(0, true, false, 50, Preset.Kind.COMPACT, false, false, false, false, false);

  public WorldOptions {
    if (peers < 0 || peers > MAX_PEERS) {
      throw new IllegalArgumentException("peers " + peers + ", expected 0 to " + MAX_PEERS);
    }
    if (preset == Preset.Kind.PRIVATE && peers > 0 && peers < FEWEST_GUARDED) {
      throw new IllegalArgumentException(
          "peers " + peers + ", expected " + FEWEST_GUARDED + " or more under private");
    }
    if (preset == Preset.Kind.PRIVATE && liars) {
      throw new IllegalArgumentException("liars under private, where peers are not compared");
    }
    if (preset != Preset.Kind.FAST && smallFilters) {
      throw new IllegalArgumentException("small filters, expected with fast only");
    }
    if (preset != Preset.Kind.FAST && witnessed) {
      throw new IllegalArgumentException("a witness, expected with fast only");
    }
    if (preset == Preset.Kind.COMPACT && cheats) {
      throw new IllegalArgumentException("cheats under compact, where nobody proves transactions");
    }
    if (files < 0) {
      throw new IllegalArgumentException("files " + files + ", expected 0 or more");
    }
  }

  /** Whether the client syncs under the private preset. */
  public boolean guarded() {
    return preset == Preset.Kind.PRIVATE;
  }

  /** Fixes the number of peers, 1 to {@link #MAX_PEERS}. */
  public WorldOptions withPeers(int count) {
    return new WorldOptions(
        count, liars, cheats, files, preset, onePeer, smallFilters, sending, weather, witnessed);
  }

  /** Sets that one in so many worlds has a real disk; 0 for none. */
  public WorldOptions withFiles(int oneIn) {
    return new WorldOptions(
        peers, liars, cheats, oneIn, preset, onePeer, smallFilters, sending, weather, witnessed);
  }

  /** Sets whether peers may prove transactions and not send them as they should. */
  public WorldOptions withCheats(boolean allowed) {
    return new WorldOptions(
        peers, liars, allowed, files, preset, onePeer, smallFilters, sending, weather, witnessed);
  }

  /** Sets whether users under the private preset may name one peer only. */
  public WorldOptions withOnePeer(boolean allowed) {
    return new WorldOptions(
        peers, liars, cheats, files, preset, allowed, smallFilters, sending, weather, witnessed);
  }

  /** Sets whether filters hold fewer elements than the wallet has. */
  public WorldOptions withSmallFilters(boolean small) {
    return new WorldOptions(
        peers, liars, cheats, files, preset, onePeer, small, sending, weather, witnessed);
  }

  /** Sets whether the wallet pays. */
  public WorldOptions withSending(boolean pays) {
    return new WorldOptions(
        peers, liars, cheats, files, preset, onePeer, smallFilters, pays, weather, witnessed);
  }

  /** Sets whether bytes are damaged on the way and branches race. */
  public WorldOptions withWeather(boolean rough) {
    return new WorldOptions(
        peers, liars, cheats, files, preset, onePeer, smallFilters, sending, rough, witnessed);
  }

  /** Sets whether filters of blocks check each scan. */
  public WorldOptions withWitness(boolean checks) {
    return new WorldOptions(
        peers, liars, cheats, files, preset, onePeer, smallFilters, sending, weather, checks);
  }
}
