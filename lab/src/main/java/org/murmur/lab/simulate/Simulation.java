package org.murmur.lab.simulate;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.murmur.regtest.world.World;
import org.murmur.regtest.world.WorldFailure;
import org.murmur.regtest.world.WorldReport;
import org.murmur.regtest.world.plan.WorldOptions;

/**
 * Worlds with consecutive seeds, one after another, with the real wallet in each.
 *
 * @param seed of the first world
 * @param worlds how many
 * @param shard which part of them is run here, from 1
 * @param shards into how many parts they are divided
 * @param options which worlds may be drawn
 */
public record Simulation(long seed, int worlds, int shard, int shards, WorldOptions options) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Simulation {
    if (worlds < 1) {
      throw new IllegalArgumentException("worlds " + worlds + ", expected 1 or more");
    }
    if (shards < 1 || shard < 1 || shard > shards) {
      throw new IllegalArgumentException("shard " + shard + "/" + shards + ", expected 1/N to N/N");
    }
  }

  /** Hears how it goes. */
  public interface Listener {

    /**
     * A world has passed or failed.
     *
     * @param so far everything together
     */
    void progress(Tally so);

    /**
     * A world has failed.
     *
     * @param failure what was wrong, and how to see it again
     */
    void failed(WorldFailure failure);

    /**
     * Returns whether to stop before the next world.
     *
     * @return true to stop
     */
    boolean enough();
  }

  /**
   * What went on in all worlds together.
   *
   * @param worlds how many were run
   * @param failed the seeds of those that failed
   * @param processes how many times a client was started
   * @param crashes how many of these crashed
   * @param commits batches written
   * @param steps inputs that machines took
   * @param blocks filtered blocks that came through
   * @param claims how many times a client called itself complete, each time checked
   * @param time how long it took in the worlds
   */
  public record Tally(
      int worlds,
      List<Long> failed,
      long processes,
      long crashes,
      long commits,
      long steps,
      long blocks,
      long claims,
      Duration time) {

    static final Tally NONE = new Tally(0, List.of(), 0, 0, 0, 0, 0, 0, Duration.ZERO);

    /** Copies the list. */
    public Tally {
      failed = List.copyOf(failed);
    }

    Tally with(WorldReport report) {
      return new Tally(
          worlds + 1,
          failed,
          processes + report.processes(),
          crashes + report.crashes(),
          commits + report.commits(),
          steps + report.steps(),
          blocks + report.blocks(),
          claims + report.claims(),
          time.plus(report.time()));
    }

    Tally withFailed(long seed) {
      List<Long> more = new ArrayList<>(failed);
      more.add(seed);
      return new Tally(worlds + 1, more, processes, crashes, commits, steps, blocks, claims, time);
    }
  }

  /**
   * Runs them.
   *
   * @param listener hears how it goes
   * @return everything together
   * @throws IOException if a client's disk failed of its own accord
   */
  public Tally run(Listener listener) throws IOException {
    WalletInWorld.Maker maker = new WalletInWorld.Maker();
    Tally tally = Tally.NONE;
    for (int i = shard - 1; i < worlds && !listener.enough(); i += shards) {
      try {
        tally = tally.with(World.run(seed + i, options, maker));
      } catch (WorldFailure failure) {
        tally = tally.withFailed(seed + i);
        listener.failed(failure);
      }
      listener.progress(tally);
    }
    return tally;
  }

  /**
   * Runs one world and tells what happens in it.
   *
   * @param seed which one
   * @param options which worlds may be drawn
   * @param line hears a line of each thing that happens
   * @return what went on
   * @throws AssertionError if the client did what it must not
   * @throws IOException if the client's disk failed of its own accord
   */
  public static WorldReport trace(long seed, WorldOptions options, Consumer<String> line)
      throws IOException {
    return World.trace(seed, options, new WalletInWorld.Maker(), line);
  }
}
