package org.murmur.testbed.world;

import java.util.List;
import java.util.Locale;
import org.murmur.p2p.sync.Preset;
import org.murmur.testbed.world.plan.WorldOptions;

/** A world in which the client broke a rule; the message says how to repeat it. */
public final class WorldFailure extends AssertionError {

  private static final long serialVersionUID = 1;

  private final long seed;

  WorldFailure(long seed, WorldOptions options, String plan, Throwable cause, List<String> tail) {
    super(
        "world "
            + seed
            + ": "
            + cause
            + "\n  to see it again: "
            + command(seed, options)
            + "\n  "
            + plan
            + "\n  the last that happened:\n    "
            + String.join("\n    ", tail),
        cause);
    this.seed = seed;
  }

  public long seed() {
    return seed;
  }

  private static String word(Preset.Kind preset) {
    return preset.name().toLowerCase(Locale.ROOT);
  }

  private static String command(long seed, WorldOptions options) {
    return "murmur lab simulate --worlds 1 --seed "
        + seed
        + (options.peers() > 0 ? " --peers " + options.peers() : "")
        + (options.preset() == Preset.Kind.FAST ? "" : " --preset " + word(options.preset()))
        + (options.liars() || options.guarded() ? "" : " --no-liars")
        + (options.smallFilters() ? " --small-filters" : "")
        + (options.sending() ? " --sending" : "")
        + (options.weather() ? " --weather" : "")
        + (options.files() == WorldOptions.ALL.files() ? "" : " --files " + options.files())
        + " --trace";
  }
}
