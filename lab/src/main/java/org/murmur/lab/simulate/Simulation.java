package org.murmur.lab.simulate;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.murmur.testbed.world.World;
import org.murmur.testbed.world.WorldFailure;
import org.murmur.testbed.world.WorldReport;
import org.murmur.testbed.world.plan.WorldOptions;

/**
 * Runs worlds with consecutive seeds from a first one, in one of several parts from 1, one after
 * another, with the real wallet in each.
 */
public record Simulation(long seed, int worlds, int shard, int shards, WorldOptions options) {

  public Simulation {
    if (worlds < 1) {
      throw new IllegalArgumentException("worlds " + worlds + ", expected 1 or more");
    }
    if (shards < 1 || shard < 1 || shard > shards) {
      throw new IllegalArgumentException("shard " + shard + "/" + shards + ", expected 1/N to N/N");
    }
  }

  /** Receives progress. */
  public interface Listener {

    /** Called after each world. */
    void progress(Tally so);

    /** Called when a world has failed. */
    void failed(WorldFailure failure);

    /** Returns whether to stop before the next world. */
    boolean enough();
  }

  /**
   * The totals over all worlds: {@code steps} are inputs that machines processed, {@code blocks}
   * are filtered, and {@code claims} are reports of completion, each checked.
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

  /** Runs the worlds. Throws {@link IOException} if a client's disk failed for a real reason. */
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
   * Runs one world and logs its events, a line for each. Throws {@link AssertionError} if the
   * client violated an invariant, and {@link IOException} if its disk failed for a real reason.
   */
  public static WorldReport trace(long seed, WorldOptions options, Consumer<String> line)
      throws IOException {
    return World.trace(seed, options, new WalletInWorld.Maker(), line);
  }
}
