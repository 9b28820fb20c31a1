package org.murmur.testbed.world.plan;

/**
 * Which worlds may be drawn. Seed and options together make a world.
 *
 * @param peers how many peers each has; 0 to leave it to the seed
 * @param liars whether some peers lie by leaving transactions out; then each block must be served
 *     by more peers than there are such liars
 * @param cheats whether some peers prove transactions and do not send them as they should
 * @param files one in this many worlds has its wallet on a real disk; 0 for none
 * @param guarded whether the client syncs under the private preset; these worlds have other peers,
 *     and none of them omits transactions
 * @param onePeer whether some users under the private preset name one peer only, for both roles
 * @param smallFilters whether a filter holds fewer elements than the wallet has, so that the blocks
 *     are scanned in several passes; not under the private preset
 * @param sending whether the wallet itself pays while a session runs
 * @param weather whether bytes from honest peers are damaged on the way, branches of equal work
 *     race for minutes, and guards push what may be the wallet's
 */
public record WorldOptions(
    int peers,
    boolean liars,
    boolean cheats,
    int files,
    boolean guarded,
    boolean onePeer,
    boolean smallFilters,
    boolean sending,
    boolean weather) {

  /** The most peers a world has. */
  public static final int MAX_PEERS = 8;

  /** The fewest peers of a world under the private preset: two guards, and one to take over. */
  public static final int FEWEST_GUARDED = 3;

  /** Every kind of world. */
  public static final WorldOptions ALL =
      new WorldOptions(0, true, true, 50, false, false, false, false, false);

  /** Every kind of world under the private preset. */
  public static final WorldOptions GUARDED =
      new WorldOptions(0, false, true, 50, true, true, false, false, false);

  public WorldOptions {
    if (peers < 0 || peers > MAX_PEERS) {
      throw new IllegalArgumentException("peers " + peers + ", expected 0 to " + MAX_PEERS);
    }
    if (guarded && peers > 0 && peers < FEWEST_GUARDED) {
      throw new IllegalArgumentException(
          "peers " + peers + ", expected " + FEWEST_GUARDED + " or more under private");
    }
    if (guarded && liars) {
      throw new IllegalArgumentException("liars under private, where peers are not compared");
    }
    if (guarded && smallFilters) {
      throw new IllegalArgumentException("small filters under private, expected fast");
    }
    if (files < 0) {
      throw new IllegalArgumentException("files " + files + ", expected 0 or more");
    }
  }

  /** Fixes the number of peers, 1 to {@link #MAX_PEERS}. */
  public WorldOptions withPeers(int count) {
    return new WorldOptions(
        count, liars, cheats, files, guarded, onePeer, smallFilters, sending, weather);
  }

  /** Sets that one in so many worlds has a real disk; 0 for none. */
  public WorldOptions withFiles(int oneIn) {
    return new WorldOptions(
        peers, liars, cheats, oneIn, guarded, onePeer, smallFilters, sending, weather);
  }

  /** Sets whether peers may prove transactions and not send them as they should. */
  public WorldOptions withCheats(boolean allowed) {
    return new WorldOptions(
        peers, liars, allowed, files, guarded, onePeer, smallFilters, sending, weather);
  }

  /** Sets whether users under the private preset may name one peer only. */
  public WorldOptions withOnePeer(boolean allowed) {
    return new WorldOptions(
        peers, liars, cheats, files, guarded, allowed, smallFilters, sending, weather);
  }

  /** Sets whether filters hold fewer elements than the wallet has. */
  public WorldOptions withSmallFilters(boolean small) {
    return new WorldOptions(peers, liars, cheats, files, guarded, onePeer, small, sending, weather);
  }

  /** Sets whether the wallet pays. */
  public WorldOptions withSending(boolean pays) {
    return new WorldOptions(
        peers, liars, cheats, files, guarded, onePeer, smallFilters, pays, weather);
  }

  /** Sets whether bytes are damaged on the way and branches race. */
  public WorldOptions withWeather(boolean rough) {
    return new WorldOptions(
        peers, liars, cheats, files, guarded, onePeer, smallFilters, sending, rough);
  }
}
