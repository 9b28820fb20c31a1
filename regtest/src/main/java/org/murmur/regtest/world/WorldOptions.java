package org.murmur.regtest.world;

/**
 * Which worlds may be drawn. Seed and options together make a world.
 *
 * @param peers how many peers each has; 0 to leave it to the seed
 * @param liars whether some peers lie by leaving transactions out; then every block is to be seen
 *     by more peers than there are such liars
 * @param files of so many worlds one has its wallet on a real disk; 0 for none
 */
public record WorldOptions(int peers, boolean liars, int files) {

  /** The most peers a world has. */
  public static final int MOST_PEERS = 8;

  /** Every kind of world. */
  public static final WorldOptions ALL = new WorldOptions(0, true, 50);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public WorldOptions {
    if (peers < 0 || peers > MOST_PEERS) {
      throw new IllegalArgumentException("peers " + peers + ", expected 0 to " + MOST_PEERS);
    }
    if (files < 0) {
      throw new IllegalArgumentException("files " + files + ", expected 0 or more");
    }
  }

  /**
   * Fixes the number of peers.
   *
   * @param count 1 to {@link #MOST_PEERS}
   * @return changed options
   */
  public WorldOptions withPeers(int count) {
    return new WorldOptions(count, liars, files);
  }

  /**
   * Sets how many worlds have a real disk.
   *
   * @param oneIn one of so many; 0 for none
   * @return changed options
   */
  public WorldOptions withFiles(int oneIn) {
    return new WorldOptions(peers, liars, oneIn);
  }

  /**
   * Sets whether peers may leave transactions out.
   *
   * @param allowed whether they may
   * @return changed options
   */
  public WorldOptions withLiars(boolean allowed) {
    return new WorldOptions(peers, allowed, files);
  }
}
