package org.murmur.p2p.chain;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.murmur.bip37.bytes.Hash256;

/**
 * Built-in blocks of a network, ascending. Headers between two of them can be requested in parallel
 * from any peer and be verified at once, because they must lead from one hash to the other.
 *
 * <p>They save no check: headers are connected in order under all rules of the network. But headers
 * that contradict them are never stored, so a flood of cheap headers below the last checkpoint
 * costs no memory. Immutable.
 */
public final class Checkpoints {

  /** No checkpoints: headers are requested one batch after the other. */
  public static final Checkpoints NONE =
      new Checkpoints(new int[0], new byte[0], ChainWork.ZERO, List.of());

  /**
   * Maximum distance between two checkpoints. A segment stays in memory until its last hash proves
   * it: ten difficulty periods are 1.6 MB.
   */
  public static final int MAX_GAP = 10 * ConsensusRules.PERIOD;

  /**
   * A base must be dated at least a day before the birthday. Block times may be two hours ahead and
   * about as much behind, and computed times of bases are about two hours off. The margin costs 144
   * headers.
   */
  private static final long BASE_SECONDS = 24 * 60 * 60;

  private final int[] heights;
  private final byte[] hashes;
  private final ChainWork minimumWork;

  /** Checkpoints that can be a chain's base, ascending. */
  private final List<ChainBase> bases;

  private Checkpoints(int[] heights, byte[] hashes, ChainWork minimumWork, List<ChainBase> bases) {
    this.heights = heights;
    this.hashes = hashes;
    this.minimumWork = minimumWork;
    this.bases = bases;
  }

  /**
   * A checkpoint.
   *
   * @param height 1 or more
   * @param hash its hash
   */
  public record Checkpoint(int height, Hash256 hash) {}

  /**
   * Returns the checkpoints of a network.
   *
   * @param network any; regtest has none
   * @return the blocks at the ends of its difficulty periods, from public lists
   */
  public static Checkpoints of(ChainParams network) {
    boolean listed = ChainParams.all().contains(network) && !network.equals(ChainParams.REGTEST);
    return listed ? read(network.name() + ".checkpoints") : NONE;
  }

  /**
   * Makes a list, for instance for a test chain.
   *
   * @param checkpoints ascending, no two of them, nor the first and genesis, further apart than
   *     {@value #MAX_GAP}
   * @param minimumWork from genesis to the last of them at most; zero if it is not known
   * @return the list
   * @throws IllegalArgumentException if heights do not ascend or leave too wide a gap
   */
  public static Checkpoints of(List<Checkpoint> checkpoints, ChainWork minimumWork) {
    return of(checkpoints, minimumWork, List.of());
  }

  /**
   * Makes a list with bases, for instance for a test chain.
   *
   * @param checkpoints ascending, no two of them, nor the first and genesis, further apart than
   *     {@value #MAX_GAP}
   * @param minimumWork from genesis to the last of them at most; zero if it is not known
   * @param bases details of some of the checkpoints, ascending
   * @return the list
   * @throws IllegalArgumentException if heights do not ascend or leave too wide a gap, or a base is
   *     no checkpoint
   */
  public static Checkpoints of(
      List<Checkpoint> checkpoints, ChainWork minimumWork, List<ChainBase> bases) {
    int[] heights = new int[checkpoints.size()];
    byte[] hashes = new byte[heights.length * Hash256.LENGTH];
    int before = 0;
    for (int i = 0; i < heights.length; i++) {
      heights[i] = checkpoints.get(i).height();
      if (heights[i] <= before || heights[i] - before > MAX_GAP) {
        throw new IllegalArgumentException(
            "checkpoint at height "
                + heights[i]
                + " behind one at "
                + before
                + ", expected it 1 to "
                + MAX_GAP
                + " blocks above");
      }
      before = heights[i];
      checkpoints.get(i).hash().write(hashes, i * Hash256.LENGTH);
    }
    int below = 0;
    for (ChainBase base : bases) {
      if (base.height() <= below
          || !checkpoints.contains(new Checkpoint(base.height(), base.hash()))) {
        throw new IllegalArgumentException(
            "base at height " + base.height() + ", expected checkpoints, ascending");
      }
      below = base.height();
    }
    return heights.length == 0
        ? NONE
        : new Checkpoints(heights, hashes, minimumWork, List.copyOf(bases));
  }

  private static Checkpoints read(String resource) {
    try (InputStream stream = Checkpoints.class.getResourceAsStream(resource);
        DataInputStream in =
            new DataInputStream(Objects.requireNonNull(stream, "no resource " + resource))) {
      int[] heights = new int[in.readInt()];
      ChainWork work = readWork(in);
      byte[] hashes = new byte[heights.length * Hash256.LENGTH];
      in.readFully(hashes);
      for (int i = 0; i < heights.length; i++) {
        heights[i] = (i + 1) * ConsensusRules.PERIOD - 1;
      }
      return new Checkpoints(heights, hashes, work, readBases(in, heights, hashes));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  private static List<ChainBase> readBases(DataInputStream in, int[] heights, byte[] hashes)
      throws IOException {
    int count = in.readInt();
    List<ChainBase> bases = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int index = in.readInt();
      bases.add(
          new ChainBase(
              heights[index],
              Hash256.read(hashes, index * Hash256.LENGTH),
              Integer.toUnsignedLong(in.readInt()),
              in.readInt(),
              readWork(in)));
    }
    return List.copyOf(bases);
  }

  private static ChainWork readWork(DataInputStream in) throws IOException {
    byte[] work = new byte[32];
    in.readFully(work);
    return ChainWork.of(new BigInteger(1, work));
  }

  /**
   * Returns the base for a wallet: the last block of a coarse grid below its birthday, so that the
   * first request for headers reveals little about the birthday.
   *
   * @param network the network of these checkpoints
   * @param birthday when the wallet was born
   * @return genesis if there is no earlier grid block
   */
  public ChainBase baseFor(ChainParams network, Birthday birthday) {
    ChainBase best = ChainBase.ofGenesis(network);
    for (ChainBase base : bases) {
      boolean early =
          birthday instanceof Birthday.AtHeight at
              ? base.height() < at.height()
              : base.time() <= ((Birthday.AtTime) birthday).time().getEpochSecond() - BASE_SECONDS;
      best = early ? base : best;
    }
    return best;
  }

  /** {@return the blocks that can be a chain's base, ascending; none of them is genesis} */
  public List<ChainBase> bases() {
    return bases;
  }

  /** {@return how many there are, 0 or more} */
  public int size() {
    return heights.length;
  }

  /**
   * Returns a block's height.
   *
   * @param index from 0, the lowest
   * @return 1 or more
   */
  public int height(int index) {
    return heights[index];
  }

  /**
   * Returns a block's hash.
   *
   * @param index from 0, the lowest
   * @return the hash
   */
  public Hash256 hash(int index) {
    return Hash256.read(hashes, Objects.checkIndex(index, heights.length) * Hash256.LENGTH);
  }

  /** {@return the height of the last one, 0 if there are none} */
  public int lastHeight() {
    return heights.length == 0 ? 0 : heights[heights.length - 1];
  }

  /**
   * Counts those at or below a height.
   *
   * @param height 0 or more
   * @return the index of the first one above, or {@link #size()}
   */
  public int countTo(int height) {
    int index = Arrays.binarySearch(heights, height);
    return index >= 0 ? index + 1 : -index - 1;
  }

  /**
   * {@return the minimum work of the network's chain; a chain with less is not the network's; zero
   * if it is not known}
   */
  public ChainWork minimumWork() {
    return minimumWork;
  }

  /** How many, and up to where. */
  @Override
  public String toString() {
    return heights.length == 0
        ? "no checkpoints"
        : heights.length + " checkpoints to height " + lastHeight();
  }
}
